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

template <typename T>
void Find(const T&, ProblemList&) {}

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

}  // namespace muster
