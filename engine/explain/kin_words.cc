// See kin_words.h.
#include "engine/explain/kin_words.h"

#include "engine/kin/slices.h"
#include "engine/kin/variants.h"
#include "engine/model/elastic.h"

namespace muster {

std::optional<KinVerdict> VerdictOnSiblings(const World& world, const WorkloadRecord& workload,
                                            bool fits) {
  const std::string name = workload.spec.key.ToString();
  if (const WorkloadRecord* better = AdmittedSibling(world, workload, Preferred::kMore)) {
    const std::string other = better->spec.key.ToString();
    return KinVerdict{name + " waits: " + other +
                          ", a variant of the same job with a flavor that is preferred, is "
                          "admitted.",
                      "deactivate " + name + ", or let " + other + " end"};
  }
  const WorkloadRecord* worse = fits ? AdmittedSibling(world, workload, Preferred::kLess) : nullptr;
  if (worse == nullptr) return std::nullopt;
  const std::string other = worse->spec.key.ToString();
  if (const auto why = WhyNoMigration(world, workload)) {
    return KinVerdict{
        name + " fits, but " + other + ", a variant of the same job, runs: " + *why + ".",
        "deactivate " + name + ", or change migration in concurrentAdmissionPolicy"};
  }
  return KinVerdict{name + " fits and starts once " + other +
                        ", a variant of the same job with a flavor that is preferred less, has "
                        "left.",
                    worse->evicted ? "report that the pods of " + other + " are gone" : ""};
}

std::optional<KinVerdict> VerdictOnParent(const World& world, const WorkloadRecord& workload) {
  if (!IsStoodFor(world, workload)) return std::nullopt;
  return KinVerdict{workload.spec.key.ToString() +
                        " is not queued: its variants, one for each flavor, stand in the queue "
                        "for it (concurrent admission).",
                    "submit its variants, with it as their owner"};
}

void AddKinNotes(const World& world, const WorkloadRecord& workload,
                 std::vector<std::string>& notes) {
  const auto finished = FindCondition(workload.spec.status, condition::kFinished);
  if (finished && finished->status && finished->reason == kSliceReplaced) {
    notes.push_back(std::string(finished->message) + ".");
  }
  if (!world.any_slices || !workload.queued()) return;
  if (const WorkloadRecord* replaced = ReplacedBy(world, workload)) {
    notes.push_back("It takes the place of " + replaced->spec.key.ToString() +
                    ", which goes on until then: it asks for what it needs beside that, in the "
                    "same flavors.");
    return;
  }
  const auto named = NamedToReplace(world, workload);
  if (named) {
    notes.push_back("It was to take the place of " + std::string(*named) +
                    ", which holds nothing in its ClusterQueue: it asks for all of its pods.");
  }
}

}  // namespace muster
