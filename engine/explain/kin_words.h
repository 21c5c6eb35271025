// What is said of slices and variants, which are several workloads of one job.
#ifndef MUSTER_ENGINE_EXPLAIN_KIN_WORDS_H_
#define MUSTER_ENGINE_EXPLAIN_KIN_WORDS_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/state/world.h"

namespace muster {

struct KinVerdict {
  std::string text;
  std::string cure;
};

/// Why a queued variant waits for, or because of, a sibling that runs; `fits`: its own flavor has
/// room. Unset: no sibling is in its way.
std::optional<KinVerdict> VerdictOnSiblings(const World& world, const WorkloadRecord& workload,
                                            bool fits);
/// The most preferred of the variants that the engine made for a job, of those that wait in a
/// queue: its reason is the job's. Null: none does.
const WorkloadRecord* WaitingVariant(const World& world, const WorkloadRecord& job);
/// Why a workload that its variants stand for is not queued; unset: they do not.
std::optional<KinVerdict> VerdictOnParent(const World& world, const WorkloadRecord& workload);

/// What of the same job it takes the place of, and what has taken its own.
void AddKinNotes(const World& world, const WorkloadRecord& workload,
                 std::vector<std::string>& notes);

}  // namespace muster

#endif  // MUSTER_ENGINE_EXPLAIN_KIN_WORDS_H_
