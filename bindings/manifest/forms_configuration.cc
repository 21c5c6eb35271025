// Configuration: defaults of v1beta1, and what is not decided here.
#include <algorithm>
#include <array>
#include <string_view>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/forms.h"
#include "bindings/manifest/kubernetes_fields.h"
#include "bindings/manifest/quote.h"
#include "engine/model/feature_gates.h"

namespace muster::manifest {

namespace {

constexpr DurationNs kOldPodsReadyTimeout = 300 * kSecond;  ///< default of v1beta1

/// integrations.frameworks says which kinds of job Kueue manages; the one kind here is Job.
void ReadIntegrations(const Value& value) {
  Fields fields(value);
  std::vector<std::string> frameworks;
  const auto list = fields.Find("frameworks");
  if (list && Read(*list, &frameworks)) {
    for (std::size_t i = 0; i < frameworks.size(); ++i) {
      if (frameworks[i] == "batch/job") continue;
      fields.decoding().Unread(list->node().items[i]->at,
                               "jobs of the framework " + Quoted(frameworks[i]) + " are not known",
                               "remove it, and write such jobs as Workloads");
    }
  }
  constexpr std::string_view kWhy = "only a Job and a Workload can be queued";
  for (const std::string_view name : {"externalFrameworks", "podOptions", "labelKeysToCopy"}) {
    fields.Unread(name, std::string(kWhy), "remove it");
  }
}

/// Which jobs Kueue manages. Here every job without a queue is refused, in every namespace.
void ReadWhoIsManaged(Fields& fields) {
  bool all = false;
  const auto without_queue = fields.Find("manageJobsWithoutQueueName");
  if (without_queue && Read(*without_queue, &all) && all) {
    fields.Unread("manageJobsWithoutQueueName", "a Job without a queue is refused, not held back",
                  "remove it");
  }
  fields.Unread("managedJobsNamespaceSelector", "a Job without a queue is refused everywhere",
                "remove it; namespaceSelector of a ClusterQueue says which may use it");
  fields.Unread("multiKueue", "no job is sent to another cluster",
                "remove it; its AdmissionCheck can be answered with muster check");
  if (const auto integrations = fields.Find("integrations")) ReadIntegrations(*integrations);
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

void Form<FairSharingConfig>::ReadRest(Sections&, FairSharingConfig* config) {
  if (config->preemption_strategies.empty()) *config = FairSharingConfig();
}

bool SamplingInterval::Read(const Value& value, DurationNs* out) {
  DurationNs interval = 0;
  const bool ok = ReadDuration(value, &interval);
  if (interval > 0) *out = interval;
  return ok;
}

void Form<WaitForPodsReadyConfig>::Begin(const Decoding& decoding, Config* config) {
  if (!decoding.v1beta1) return;
  config->timeout = kOldPodsReadyTimeout;
  config->block_admission = true;
}

void Form<WaitForPodsReadyConfig>::ReadRest(Sections& sections, Config* /*config*/) {
  sections.root().Unread("maxTimeoutOnWorkload", "no workload brings a timeout of its own",
                         "remove it; timeout holds for every workload");
}

bool FeatureGates::Read(const Value& value, std::map<std::string, bool, std::less<>>* out) {
  const bool ok = manifest::Read(value, out);
  std::array<std::string_view, kFeatureGates.size()> known;
  std::transform(kFeatureGates.begin(), kFeatureGates.end(), known.begin(),
                 [](const FeatureGate& gate) { return gate.name; });
  for (const YamlEntry& entry : value.node().entries) {
    const std::string& name = entry.key->text;
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    value.decoding().reporter.Error(entry.key->at, "unknown feature gate " + Quoted(name),
                                    ProposeName(name, known));
    out->erase(name);
  }
  return ok;
}

void Form<Configuration>::ReadRest(Sections& sections, C* /*config*/) {
  if (Fields* resources = sections.Find("resources")) {
    resources->Unread("deviceClassMappings", "devices that are claimed are charged to no quota",
                      "request devices by resource name");
  }
  ReadWhoIsManaged(sections.root());
  WarnOfProcess(sections.root());
}

}  // namespace muster::manifest
