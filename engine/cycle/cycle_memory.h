// CycleMemory: what one cycle leaves to the next to be quick. It decides nothing: without it, every
// cycle decides the same.
#ifndef MUSTER_ENGINE_CYCLE_CYCLE_MEMORY_H_
#define MUSTER_ENGINE_CYCLE_CYCLE_MEMORY_H_

#include <optional>
#include <vector>

#include "engine/assign/known_fits.h"
#include "engine/cycle/entry.h"
#include "engine/cycle/rest.h"
#include "engine/known/known_misfits.h"
#include "engine/preempt/search_memory.h"

namespace muster {

struct CycleMemory {
  KnownFits fits;
  KnownMisfits misfits;
  SearchMemory searches;
  std::vector<Entry> entries;  ///< of the last cycle; the next one takes over their memory
  Rest rest;                   ///< of all calls; says what a caller is told, and decides nothing
  /// Of the running call alone, where a call may have several cycles: how many it has must not
  /// depend on calls that left nothing in the record.
  std::optional<Rest> rest_of_call;
  bool call_rests = false;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_CYCLE_MEMORY_H_
