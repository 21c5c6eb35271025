// See kin_words.h.
#include "engine/explain/kin_words.h"

#include "engine/kin/elastic_job.h"
#include "engine/kin/slices.h"
#include "engine/kin/variants.h"
#include "engine/model/concurrent.h"
#include "engine/model/elastic.h"

namespace muster {
namespace {

std::string PodsOf(const WorkloadRecord& slice) {
  std::int64_t pods = 0;
  for (const PodSet& each : slice.series().pod_sets) pods += each.count;
  return std::to_string(pods) + (pods == 1 ? " pod" : " pods");
}

/// "It is of an elastic job: lab/job-a (2 pods) Finished, lab/job-a-slice-2 (4 pods) Admitted."
void AddSlices(const World& world, const WorkloadRecord& workload,
               std::vector<std::string>& notes) {
  const std::vector<WorkloadId> slices = SlicesOfJob(world, workload);
  if (slices.size() < 2) return;
  std::string text = "Its job is elastic and came in slices:";
  for (const WorkloadId id : slices) {
    const WorkloadRecord& slice = world.workload(id);
    text += (id == slices.front() ? " " : ", ") + slice.spec.key.ToString() + " of " +
            PodsOf(slice) + " " + std::string(PhaseName(PhaseOf(slice)));
  }
  notes.push_back(text + ".");
}

/// " train-variant-a-1f5d0 of flavor a is Pending: WaitingForQuota, ..."
std::string VariantsText(const World& world, const WorkloadRecord& job) {
  std::string text;
  for (const WorkloadId id : VariantsOf(world, job)) {
    const WorkloadRecord& variant = world.workload(id);
    std::string_view flavors = AllowedFlavors(variant.series().annotations).value_or("");
    text += (text.empty() ? " " : ", ") + variant.spec.key.name + " of flavor " +
            std::string(NextFlavor(flavors)) + " is " + std::string(PhaseName(PhaseOf(variant)));
    if (variant.queued() && variant.reason != PendingReason::kNone) {
      text += " (" + std::string(ReasonName(variant.reason)) + ")";
    }
  }
  return text.empty() ? " its queue has no flavor" : text;
}

}  // namespace

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

const WorkloadRecord* WaitingVariant(const World& world, const WorkloadRecord& job) {
  for (const WorkloadId id : VariantsOf(world, job)) {
    if (world.workload(id).queued()) return &world.workload(id);
  }
  return nullptr;
}

std::optional<KinVerdict> VerdictOnParent(const World& world, const WorkloadRecord& workload) {
  if (!IsStoodFor(world, workload)) return std::nullopt;
  if (workload.is_job) {
    const WorkloadRecord* const first = WaitingVariant(world, workload);
    return KinVerdict{workload.spec.key.ToString() +
                          " waits as its variants, one for each flavor:" +
                          VariantsText(world, workload) + " (concurrent admission).",
                      first == nullptr ? "" : "explain " + first->spec.key.ToString()};
  }
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
  if (world.any_slices) AddSlices(world, workload, notes);
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
