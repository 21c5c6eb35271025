// What people are told when other policies decide than before.
#ifndef MUSTER_BINDINGS_CLI_WORLD_POLICY_WORDS_H_
#define MUSTER_BINDINGS_CLI_WORLD_POLICY_WORDS_H_

#include <set>
#include <span>
#include <string>
#include <utility>

#include "bindings/cli/io.h"
#include "muster/engine.h"

namespace muster::cli {

/// Warns about hooks that decide no longer since `package` was activated, and when that package
/// decides nothing itself.
void WarnOfActivation(const Engine& engine, const std::string& package,
                      std::span<const StoppedHook> stopped, Io& io);

/// What decides now, for WarnOfBindings.
using DecidingHooks = std::set<std::pair<std::string, Hook>>;
DecidingHooks Deciding(const Engine& engine);

/// After `applied` was applied: warns about PolicyBindings among it that decide nothing or less
/// than they say, and about hooks that decided `before` and do not any more.
void WarnOfBindings(const Engine& engine, std::span<const Object> applied,
                    const DecidingHooks& before, Io& io);

/// Warns about each hook that failed in the cycle, about packages that went back to the generation
/// before, and about those that should and cannot. `place`: in front of each line.
void WarnOfFailures(const CycleResult& cycle, const std::string& place, Io& io);

/// Warns about jobs that were taken as they came because hook submit failed; a line for all to
/// which the same happened. `place`: in front of each line.
void WarnOfSubmit(std::span<const PolicyFailure> failures, const std::string& place, Io& io);

/// "decides queue_order, submit", or why it does not.
std::string StateText(const PolicyBindingView& binding);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_POLICY_WORDS_H_
