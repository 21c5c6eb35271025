// Attempts of the flavor walk in words, with their figures.
#ifndef MUSTER_ENGINE_CURE_ATTEMPT_TEXT_H_
#define MUSTER_ENGINE_CURE_ATTEMPT_TEXT_H_

#include <functional>
#include <string>

#include "muster/trace.h"

namespace muster {

/// More than the flavor can have; with a podset before it there that could be elsewhere, too.
bool IsOver(const ResourceAttempt& resource);

/// "4 cpu"
std::string Shown(const ResourceAttempt& resource, Amount amount);
/// "4": what its podset asks for itself.
std::string Own(const ResourceAttempt& resource);
/// " beside 3 for podsets before it"; empty: there are none.
std::string Beside(const ResourceAttempt& resource);
/// "evictions could free at most 3"
std::string Evictions(const ResourceAttempt& resource);
/// "a is short of 1 cpu (2 asked, 1 left, evictions could free none)"; `because` says behind it why
/// evictions that would be enough are not made, or nothing.
std::string Brief(const FlavorAttempt& attempt,
                  const std::function<std::string(const ResourceAttempt&)>& because);

}  // namespace muster

#endif  // MUSTER_ENGINE_CURE_ATTEMPT_TEXT_H_
