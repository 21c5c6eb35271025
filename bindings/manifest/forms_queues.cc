// Queues: what v1beta1 spells otherwise, and what is there without saying anything.
#include <string>
#include <utility>
#include <vector>

#include "bindings/manifest/forms.h"
#include "bindings/manifest/quote.h"

namespace muster::manifest {
namespace {

/// v1beta1 also has a list of bare names, which means the same as rules without flavors; an empty
/// one means nothing.
void ReadAdmissionChecks(Fields& spec, std::vector<AdmissionCheckRule>* out) {
  if (!spec.decoding().v1beta1) {
    spec.Refuse("admissionChecks", "\"admissionChecks\" is a field of v1beta1",
                "write admissionChecksStrategy: {admissionChecks: [{name: ...}]}");
    return;
  }
  std::vector<std::string> names;
  if (!spec.Get("admissionChecks", &names)) return;
  if (!out->empty()) {
    spec.Refuse("admissionChecks",
                "\"admissionChecks\" and \"admissionChecksStrategy\" exclude each other",
                "keep one of them");
  }
  for (std::string& name : names) out->push_back({std::move(name), {}});
}

/// The parent has another name in each version of the API.
void RefuseOtherCohortName(Fields& spec) {
  if (spec.decoding().v1beta1) {
    spec.Refuse("cohortName", "\"cohortName\" is a field of v1beta2",
                "write cohort, or apiVersion kueue.x-k8s.io/v1beta2");
  } else {
    spec.Refuse("cohort", "\"cohort\" is a field of v1beta1", "write cohortName");
  }
}

}  // namespace

void Form<ClusterQueue>::ReadRest(Sections& sections, ClusterQueue* queue) {
  Fields* spec = sections.Find("spec");
  if (spec == nullptr) return;
  if (sections.Find("spec.admissionScope") && queue->admission_mode == AdmissionMode::kNone) {
    queue->admission_scope = Presence::kWritten;
  }
  if (sections.Find("spec.admissionChecksStrategy") && queue->admission_checks.empty()) {
    queue->admission_checks_strategy = Presence::kWritten;
  }
  RefuseOtherCohortName(*spec);
  ReadAdmissionChecks(*spec, &queue->admission_checks);
}

void Form<ClusterQueue>::WriteRest(MapSections& out, const ClusterQueue& queue) {
  if (queue.admission_scope == Presence::kWritten) out.At("spec.admissionScope");
  if (queue.admission_checks_strategy == Presence::kWritten) {
    out.At("spec.admissionChecksStrategy");
  }
}

void Form<Cohort>::ReadRest(Sections& sections, Cohort* cohort) {
  Fields* spec = sections.Find("spec");
  if (spec == nullptr) return;
  if (!spec->decoding().v1beta1 || !cohort->parent.empty()) {
    spec->Refuse("parent", "\"parent\" is a field of v1alpha1", "write parentName");
  } else {
    spec->Get("parent", &cohort->parent);
  }
}

void Form<FairSharingHistory>::ReadRest(Sections& sections, FairSharingHistory* history) {
  for (const auto& [resource, quantity] : history->consumed) {
    if (!quantity.IsNegative()) continue;
    sections.FindField("consumedResources")
        ->Error("cannot be negative, as " + Quoted(resource) + " is", "write 0 or more");
  }
}

}  // namespace muster::manifest
