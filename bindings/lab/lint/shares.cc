// Shares that are not computed: fair sharing is off unless the Configuration turns it on.
#include <cstddef>
#include <string>
#include <variant>

#include "bindings/lab/lint/lint.h"
#include "bindings/lab/read.h"

namespace muster::lab {
namespace {

using manifest::Diagnostic;

/// The field of an object that is about fair sharing between queues; empty: it has none.
std::string FairField(const Object& object) {
  const auto weighs = [](const auto& spec) { return spec.fair_weight != 1.0; };
  const auto* queue = std::get_if<ClusterQueue>(&object);
  const auto* cohort = std::get_if<Cohort>(&object);
  const bool has = (queue != nullptr && weighs(*queue)) || (cohort != nullptr && weighs(*cohort));
  return has ? "spec.fairSharing" : "";
}

/// The same of admission fair sharing, between the LocalQueues of one ClusterQueue.
std::string AdmissionFairField(const Object& object) {
  const auto* queue = std::get_if<ClusterQueue>(&object);
  const auto* local = std::get_if<LocalQueue>(&object);
  if (queue != nullptr && queue->admission_mode == AdmissionMode::kUsageBased) {
    return "spec.admissionScope";
  }
  return local != nullptr && local->fair_weight != 1.0 ? "spec.fairSharing" : "";
}

/// About the first object that has such a field.
template <typename FieldOf>
void WarnOfFirst(const manifest::Manifests& manifests, const FieldOf& field_of,
                 const std::string& part, std::vector<Diagnostic>* found) {
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const std::string field = field_of(manifests.objects[i]);
    if (field.empty()) continue;
    found->push_back(
        Advice(manifests, i, field,
               field.substr(field.find('.') + 1) +
                   " decides nothing, but in policies that read it: no Configuration has " + part,
               "apply one with " + part + ", or remove it"));
    return;
  }
}

}  // namespace

std::vector<Diagnostic> LintShares(const manifest::Manifests& manifests, const Engine& engine) {
  bool fair = false;
  bool admission_fair = false;
  for (const Object& object : Read(engine.Objects(ObjectKind::kConfiguration))) {
    const auto& configuration = std::get<Configuration>(object);
    fair = configuration.fair_sharing.has_value();
    admission_fair = configuration.admission_fair_sharing.has_value();
  }
  std::vector<Diagnostic> found;
  if (!fair) WarnOfFirst(manifests, FairField, "fairSharing", &found);
  if (!admission_fair) {
    WarnOfFirst(manifests, AdmissionFairField, "admissionFairSharing", &found);
  }
  return found;
}

}  // namespace muster::lab
