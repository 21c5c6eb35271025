// What the two halves of State share: registry slots and the arguments of one call. Only state.cc
// and state_inside.cc include it.
#ifndef MUSTER_BINDINGS_LUAJIT_STATE_SLOTS_H_
#define MUSTER_BINDINGS_LUAJIT_STATE_SLOTS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/luajit/state.h"

namespace muster::luajit {

/// Keys of the registry: what a call needs is read from there without allocating.
enum State::Slot : int {
  kHandler = 1001,
  kExhausted,
  kOverflown,
  kMayGoOn,
  kMark,
  kAbort,
  kBoot,
  kLoad,
  kCount,
  kBind,
  kLookup,
  kSubmit,
  kReasons,
  kMain,         ///< the prelude's table
  kFuel,         ///< the fuel cell
  kLoop = 1100,  ///< the loop over a batch: one slot for each hook from here on
  kEach = 1200,  ///< the loop over several batches, likewise
};

/// What a function inside Lua is given, and gives back.
struct State::Request {
  std::string_view source, rewritten;
  const ParamTexts* params = nullptr;
  PackageTable* table = nullptr;
  Hook asked = Hook::kQueueOrder;
  int keys = 0;
  std::string_view scope, name, reads, hook;
  std::optional<NameProblem> problem;
  SubmitAnswer* answer = nullptr;
  std::vector<std::string>* reasons = nullptr;
};

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_STATE_SLOTS_H_
