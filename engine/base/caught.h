// Caught: what an exception means to a caller. Nothing throws out of a public header, and no
// exception ends a thread: where one would, it is caught and becomes a Status.
#ifndef MUSTER_ENGINE_BASE_CAUGHT_H_
#define MUSTER_ENGINE_BASE_CAUGHT_H_

#include <type_traits>
#include <utility>

#include "muster/status.h"

namespace muster {

/// The exception that is being handled, as a Status: kUnavailable when memory ran out, else
/// kInternal. Only in a catch block.
Status Caught() noexcept;

/// What `call()` returns, a Status or a Result; what it throws as Caught.
template <typename Function>
std::invoke_result_t<Function> Guarded(Function&& call) noexcept {
  try {
    return std::forward<Function>(call)();
  } catch (...) {
    return Caught();
  }
}

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_CAUGHT_H_
