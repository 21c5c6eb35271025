// PolicyBindings that reach nothing: cohorts that no queue is in, packages that are not active and
// whose names are nearly those of one that comes with Muster.
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/lab/activate.h"
#include "bindings/lab/lint/lint.h"
#include "bindings/lab/near_names.h"
#include "bindings/lab/read.h"
#include "bindings/manifest/closest.h"
#include "bindings/manifest/quote.h"

namespace muster::lab {
namespace {

using manifest::Diagnostic;

/// Names that one may have meant: "" when none is near.
std::string_view Near(std::string_view name, const std::set<std::string>& known) {
  std::vector<std::string_view> alike;
  for (const std::string& each : known) {
    if (LookAlike(each, name)) alike.push_back(each);
  }
  return manifest::Closest(name, alike);
}

std::set<std::string> KnownCohorts(const Engine& engine) {
  std::set<std::string> known;
  for (const CohortView& cohort : Read(engine.Cohorts())) known.insert(cohort.spec.name);
  return known;
}

void LintPolicy(const manifest::Manifests& manifests, std::size_t object,
                const PolicyBinding& binding, const std::set<std::string>& active,
                std::vector<Diagnostic>* found) {
  if (active.contains(binding.policy)) return;
  std::set<std::string> known(ShippedPackages().begin(), ShippedPackages().end());
  if (known.contains(binding.policy)) return;
  if (!Near(binding.policy, active).empty()) return;  // the engine proposes that one
  const std::string_view near = Near(binding.policy, known);
  if (near.empty()) return;
  found->push_back(Advice(manifests, object, "spec.policy",
                          "no package " + manifest::Quoted(binding.policy) + " is active",
                          "write " + manifest::Quoted(near) + " if that is meant"));
}

void LintCohorts(const manifest::Manifests& manifests, std::size_t object,
                 const PolicyBinding& binding, const std::set<std::string>& cohorts,
                 std::vector<Diagnostic>* found) {
  for (std::size_t c = 0; c < binding.cohorts.size(); ++c) {
    const std::string& cohort = binding.cohorts[c];
    if (cohorts.contains(cohort)) continue;
    const std::string_view near = Near(cohort, cohorts);
    found->push_back(Advice(manifests, object, "spec.cohorts[" + std::to_string(c) + "]",
                            "no ClusterQueue is in a cohort " + manifest::Quoted(cohort) +
                                ", so nothing there is bound",
                            near.empty()
                                ? "correct the name, or apply its ClusterQueues"
                                : "write " + manifest::Quoted(near) + " if that is meant"));
  }
}

}  // namespace

std::span<const std::string_view> ShippedPackages() {
  static constexpr auto kPackages = std::to_array<std::string_view>({"aging",
                                                                     "anti-flapping",
                                                                     "business-hours",
                                                                     "cancelled-behind",
                                                                     "checkpoint-aware",
                                                                     "cpu-off-accelerators",
                                                                     "daily-lottery",
                                                                     "deadline-aware",
                                                                     "decayed-usage",
                                                                     "dominant-resource-fairness",
                                                                     "dominant-share",
                                                                     "fair-tree",
                                                                     "fifo-priority",
                                                                     "gentle-preemption",
                                                                     "hero",
                                                                     "interactive-first",
                                                                     "keep-free",
                                                                     "loss-budget",
                                                                     "minimum-run-time",
                                                                     "preemption-budget",
                                                                     "project-boost",
                                                                     "random-fair",
                                                                     "round-robin",
                                                                     "small-first",
                                                                     "spread-zones",
                                                                     "victims-lowest-priority",
                                                                     "victims-most-recent",
                                                                     "victims-smallest"});
  return kPackages;
}

std::vector<Diagnostic> LintPackages(const manifest::Manifests& manifests) {
  std::vector<Diagnostic> found;
  const std::set<std::string> shipped(ShippedPackages().begin(), ShippedPackages().end());
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const auto* binding = std::get_if<PolicyBinding>(&manifests.objects[i]);
    if (binding == nullptr) continue;
    const std::string& name = binding->policy;
    if (FindPackage(manifests.PlaceOf(i, "spec.policy").file, name)) continue;
    if (!shipped.contains(name) && !Near(name, shipped).empty()) continue;  // LintBindings says so
    found.push_back(
        Advice(manifests, i, "spec.policy",
               "there is no package " + manifest::Quoted(name) +
                   ", without which muster schedule -f refuses these files",
               "put it into policies/" + name + " beside this file, or activate it in the ledger"));
  }
  return found;
}

std::vector<Diagnostic> LintBindings(const manifest::Manifests& manifests, const Engine& engine) {
  std::vector<Diagnostic> found;
  const auto is_binding = [](const Object& object) {
    return std::holds_alternative<PolicyBinding>(object);
  };
  if (!AnyObject(manifests, is_binding)) return found;
  const std::set<std::string> cohorts = KnownCohorts(engine);
  std::set<std::string> active;
  for (const PolicyInfo& policy : Read(engine.Policies())) active.insert(policy.name);
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const auto* binding = std::get_if<PolicyBinding>(&manifests.objects[i]);
    if (binding == nullptr) continue;
    LintPolicy(manifests, i, *binding, active, &found);
    LintCohorts(manifests, i, *binding, cohorts, &found);
  }
  return found;
}

}  // namespace muster::lab
