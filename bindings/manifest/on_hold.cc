// See on_hold.h.
#include "bindings/manifest/on_hold.h"

#include <string>
#include <utility>

#include "bindings/manifest/workload_marks.h"
#include "engine/model/on_hold.h"

namespace muster::manifest {
namespace {

void Mark(const std::string& why, Workload* workload) {
  LabelMap annotations = workload->annotations.map();
  annotations.erase(std::string(kOnHoldAnnotation));
  if (!why.empty()) annotations[std::string(kOnHoldAnnotation)] = why;
  workload->annotations = std::move(annotations);
}

}  // namespace

bool IsOnHold(const Workload& workload) {
  return !TextIn(workload.annotations, kOnHoldAnnotation).empty();
}

HoldChange ChangeOfHold(const objects::JobStatus& status, const WorkloadView& known) {
  HoldChange out;
  if (status.on_hold.empty() != IsOnHold(known.spec)) return out;
  const bool holds = !status.on_hold.empty();
  // One that others have set inactive is theirs to set active again.
  if (holds && !known.spec.active) return out;
  out.result = holds ? "on hold" : "queued";
  Workload marked = known.spec;
  marked.status = {};
  Mark(status.on_hold, &marked);
  out.commands.emplace_back(command::Apply{{std::move(marked)}, MissingReference::kAccept});
  command::Update update;
  update.workload = known.spec.key;
  update.active = !holds;
  out.commands.emplace_back(std::move(update));
  const bool has_pods =
      known.phase == WorkloadPhase::kAdmitted || known.phase == WorkloadPhase::kEvicting;
  if (holds && has_pods && !status.pods_run) {
    out.commands.emplace_back(command::Evicted{{known.spec.key}});
  }
  return out;
}

void KeepHold(const Workload& known, Workload* workload) {
  if (!IsOnHold(known)) return;
  Mark(TextIn(known.annotations, kOnHoldAnnotation), workload);
  workload->active = false;
}

}  // namespace muster::manifest
