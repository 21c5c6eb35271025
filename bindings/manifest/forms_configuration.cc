// Configuration: defaults of v1beta1, and what is not decided here.
#include <algorithm>
#include <array>
#include <string_view>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/forms.h"
#include "bindings/manifest/kubernetes_fields.h"
#include "bindings/manifest/quote.h"
#include "bindings/objects/kind.h"
#include "engine/model/feature_gates.h"

namespace muster::manifest {

namespace {

/// As in Kueue an empty list means Jobs.
void CheckFrameworks(const Value& list, Configuration* config) {
  if (!config->frameworks) return;
  const std::vector<std::string>& frameworks = *config->frameworks;
  if (frameworks.empty()) config->frameworks = {"batch/job"};
  for (std::size_t i = 0; i < frameworks.size(); ++i) {
    const auto rows = objects::KindTable();
    const auto is_it = [&](const objects::KindRow& row) { return row.framework == frameworks[i]; };
    if (std::find(frameworks.begin(), frameworks.begin() + static_cast<std::ptrdiff_t>(i),
                  frameworks[i]) != frameworks.begin() + static_cast<std::ptrdiff_t>(i)) {
      list.decoding().reporter.Error(list.node().items()[i]->at,
                                     "the framework " + Quoted(frameworks[i]) + " is named twice",
                                     "remove one");
    }
    if (std::any_of(rows.begin(), rows.end(), is_it)) continue;
    list.decoding().Unread(list.node().items()[i]->at,
                           "jobs of the framework " + Quoted(frameworks[i]) + " are not known",
                           "remove it, and write such jobs as Workloads");
  }
}

/// Says in one line which fields are about the process that Kueue is.
void WarnOfProcess(Fields& fields) {
  std::string names;
  Position first;
  for (const std::string_view name : kConfigurationFields) {
    const std::optional<Value> value = fields.Find(name);
    if (!value) continue;
    if (names.empty()) first = value->at();
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  if (names.empty()) return;
  fields.decoding().reporter.Warning(
      first, "no effect here, for Kueue's own process only: " + names, "remove what is not needed");
}

}  // namespace

bool FeatureGates::Read(const Value& value, std::map<std::string, bool, std::less<>>* out) {
  const bool ok = manifest::Read(value, out);
  std::array<std::string_view, kFeatureGates.size()> known;
  std::transform(kFeatureGates.begin(), kFeatureGates.end(), known.begin(),
                 [](const FeatureGate& gate) { return gate.name; });
  for (const YamlEntry& entry : value.node().entries()) {
    const std::string name(entry.key->text());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    value.decoding().reporter.Error(entry.key->at, "unknown feature gate " + Quoted(name),
                                    ProposeName(name, known));
    out->erase(name);
  }
  return ok;
}

void Form<Configuration>::ReadRest(Sections& sections, Configuration* config) {
  Fields& fields = sections.root();
  if (const auto list = sections.FindField("integrations.frameworks")) {
    CheckFrameworks(*list, config);
  }
  WarnOfProcess(fields);
}

}  // namespace muster::manifest
