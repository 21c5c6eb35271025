// Settle: what was read, beside what an engine knows of it.
#include <algorithm>
#include <utility>

#include "bindings/manifest/manifest.h"
#include "bindings/manifest/slices.h"

namespace muster::manifest {
namespace {

constexpr std::string_view kJobUidLabel = "kueue.x-k8s.io/job-uid";

bool Knows(const Engine& engine, const Key& key) { return engine.GetWorkload(key).ok(); }

/// Whether `known`, which was made of an object without uid, is of the object with `uid`. One that
/// has ended is so only when it was told before.
bool IsOf(const Engine& engine, const WorkloadView& known, const std::string& uid) {
  const LabelMap& labels = known.spec.labels;
  const auto label = labels.find(kJobUidLabel);
  if (label != labels.end()) return label->second == uid;
  return known.phase != WorkloadPhase::kFinished || !LiveSlicesOf(engine, known.spec.key).empty();
}

/// The object has been given a uid since it was submitted: it is the same job.
void KeepName(const Engine& engine, const Manifests& read, Workload* workload) {
  const auto origin = read.origins.find(workload->key);
  if (origin == read.origins.end() || Knows(engine, workload->key)) return;
  const Key bare{workload->key.ns, origin->second.name_without_uid};
  const Result<WorkloadView> known = engine.GetWorkload(bare);
  if (!known.ok() || !IsOf(engine, *known, origin->second.uid)) return;
  workload->key = bare;
  workload->labels[std::string(kJobUidLabel)] = origin->second.uid;
}

/// Children of what the engine queues are queued with it.
void SkipChildren(const Engine& engine, std::vector<Diagnostic>* diagnostics) {
  for (Diagnostic& each : *diagnostics) {
    const auto owner = std::find_if(each.unless.begin(), each.unless.end(),
                                    [&engine](const Key& key) { return Knows(engine, key); });
    if (owner != each.unless.end()) {
      each.severity = Severity::kWarning;
      each.what = each.what.substr(0, each.what.find(':')) + " belongs to the workload " +
                  owner->ToString() + " and is skipped";
      each.cure = "its owner is queued for it";
    }
    each.unless.clear();
  }
}

}  // namespace

void Settle(const Engine& engine, Manifests* read) {
  SkipChildren(engine, &read->diagnostics);
  for (Object& object : read->objects) {
    if (auto* const workload = std::get_if<Workload>(&object)) KeepName(engine, *read, workload);
  }
}

}  // namespace muster::manifest
