// Consumers of decisions: what they may be called, how far they are, what they are told.
//
// The functions that judge change nothing, and those that change take what was judged.
#ifndef MUSTER_ENGINE_HAND_OVER_CONSUMERS_H_
#define MUSTER_ENGINE_HAND_OVER_CONSUMERS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/state/world.h"
#include "muster/command.h"
#include "muster/status.h"

namespace muster {

/// Whether one of that name may begin behind number `after`; unset: behind the newest. One that is
/// there already may always.
Status CheckRegistration(const HandOver& hand_over, std::string_view consumer,
                         std::optional<std::int64_t> after);
/// kNotFound.
Status CheckKnown(const HandOver& hand_over, std::string_view consumer);
/// kNotFound; kInvalidArgument for a number that was not given yet.
Status CheckAcknowledgement(const HandOver& hand_over, std::string_view consumer,
                            std::int64_t upto);
/// Why no decision can be made: there is no room for what the slowest has not acknowledged.
[[gnu::cold]] Status TooFarBehind(const HandOver& hand_over);

void Register(World& world, const std::string& consumer, std::optional<std::int64_t> after);
void MoveCursor(World& world, const std::string& consumer, std::int64_t upto);
void RemoveConsumer(World& world, const std::string& consumer);

/// Precondition: it is known.
answer::Cursor CursorOf(const HandOver& hand_over, std::string_view consumer);
std::vector<ConsumerView> ViewsOf(const HandOver& hand_over);
/// kInvalidArgument for a number that was not given yet, or behind which not all is kept.
Result<answer::Decisions> DecisionsBehind(const HandOver& hand_over, std::int64_t after,
                                          std::size_t most);
/// kNotFound.
Result<answer::Decisions> DecisionsFor(const HandOver& hand_over, std::string_view consumer,
                                       std::size_t most);

}  // namespace muster

#endif  // MUSTER_ENGINE_HAND_OVER_CONSUMERS_H_
