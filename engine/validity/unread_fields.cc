// One function for each kind that has such parts. Fields that no object keeps, and labels and
// annotations, are reported where manifests are read: see Decoding::Unread in bindings/manifest.
#include "engine/validity/unread_fields.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "engine/model/feature_gates.h"
#include "engine/validity/problem_list.h"

namespace muster {
namespace {

constexpr std::string_view kNoNodes = " no effect: no decision looks at nodes";

template <typename T>
void Find(const T&, ProblemList&) {}

/// The field by which `request` asks.
std::string_view AsksBy(const TopologyRequest& request) {
  if (!request.required.empty()) return "required";
  if (!request.preferred.empty()) return "preferred";
  if (request.unconstrained) return "unconstrained";
  return request.slices.empty() ? "podSetGroupName" : "podSetSliceRequiredTopology";
}

void Find(const Workload& workload, ProblemList& problems) {
  const FieldPath spec("spec");
  const FieldPath pod_sets = spec.Child("podSets");
  for (std::size_t i = 0; i < workload.pod_sets.size(); ++i) {
    if (!workload.pod_sets[i].topology) continue;
    const FieldPath item = pod_sets.At(i);
    const FieldPath request = item.Child("topologyRequest");
    problems.Add(request.Child(AsksBy(*workload.pod_sets[i].topology)),
                 "a topology request has" + std::string(kNoNodes),
                 "remove it; the pods start wherever their flavor has quota");
  }
  const FieldPath status("status");
  if (!workload.status.unhealthy_nodes.empty()) {
    problems.Add(status.Child("unhealthyNodes"), "unhealthy nodes have" + std::string(kNoNodes),
                 "remove them; muster evict takes a job off a node that failed");
  }
  if (!workload.status.admission) return;
  const FieldPath admission = status.Child("admission");
  const FieldPath assignments = admission.Child("podSetAssignments");
  for (std::size_t i = 0; i < workload.status.admission->pod_sets.size(); ++i) {
    if (!workload.status.admission->pod_sets[i].topology) continue;
    const FieldPath item = assignments.At(i);
    problems.Add(item.Child("topologyAssignment"), "a placement has" + std::string(kNoNodes),
                 "remove it; what the workload holds is charged to its flavors");
  }
}

void Find(const Configuration& config, ProblemList& problems) {
  const FieldPath gates("featureGates");
  for (const auto& [name, on] : config.feature_gates) {
    const auto gate = std::find_if(kFeatureGates.begin(), kFeatureGates.end(),
                                   [&name = name](const FeatureGate& g) { return g.name == name; });
    if (gate == kFeatureGates.end()) {
      problems.Add(gates.Entry(name), "no decision reads this feature gate", "remove it");
    } else if (gate->use == GateUse::kAlwaysOff && on) {
      problems.Add(gates.Entry(name), "what " + name + " switches on is not built",
                   "remove it, or write false");
    } else if (gate->use == GateUse::kAlwaysOn && !on) {
      problems.Add(gates.Entry(name), "what " + name + " switches off is always on",
                   "remove it, or write true");
    }
  }
}

void Find(const EngineConfiguration& config, ProblemList& problems) {
  if (!config.relaxed_durability) return;
  problems.Add(FieldPath("durability"), "every call is on disk when it returns",
               "remove it, or write full");
}

}  // namespace

void FindUnread(const Object& object, std::size_t index, std::vector<Problem>& out) {
  ProblemList problems(index, Strictness::kStrict, out);
  std::visit([&problems](const auto& spec) { Find(spec, problems); }, object);
}

bool IsAllRead(const Workload& workload, bool pod_sets_known) {
  if (!workload.status.unhealthy_nodes.empty() || workload.status.admission) return false;
  return pod_sets_known ||
         std::none_of(workload.pod_sets.begin(), workload.pod_sets.end(),
                      [](const PodSet& pod_set) { return pod_set.topology.has_value(); });
}

}  // namespace muster
