// Jobs that wait for ever: their queue has no quota for them, whatever leaves; or that have ended.
// And the advice of a call as a whole.
#include <cstddef>
#include <set>
#include <utility>

#include "bindings/lab/lint/lint.h"
#include "bindings/lab/read.h"
#include "bindings/manifest/slices.h"

namespace muster::lab {
namespace {

/// More would bury what else there is to say; jobs of one template mostly say the same.
constexpr std::size_t kMostNamed = 20;

/// Whether what keeps one out keeps the other out, too.
bool AreAlike(const Workload& a, const Workload& b) {
  return a.key.ns == b.key.ns && a.queue == b.queue && a.pod_sets == b.pod_sets &&
         a.status.admission.has_value() == b.status.admission.has_value();
}

}  // namespace

std::vector<manifest::Diagnostic> LintNeverFits(const manifest::Manifests& manifests,
                                                const Engine& engine) {
  std::vector<Problem> problems;
  std::size_t jobs = 0;
  const Workload* looked_at = nullptr;  // jobs of one template mostly come together
  std::vector<Problem> found;
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const auto* workload = std::get_if<Workload>(&manifests.objects[i]);
    if (workload == nullptr) continue;
    if (looked_at == nullptr || !AreAlike(*looked_at, *workload)) {
      found = Read(engine.Misfits(*workload));
      looked_at = workload;
    }
    if (found.empty() || ++jobs > kMostNamed) continue;
    for (Problem problem : found) {
      problem.object = i;
      problem.what = workload->key.ToString() + " " + problem.what;
      problems.push_back(std::move(problem));
    }
  }
  std::vector<manifest::Diagnostic> located =
      manifest::Locate(manifests, problems, manifest::Severity::kWarning);
  if (jobs > kMostNamed && !located.empty()) {
    located.back().cure += "; " + std::to_string(jobs - kMostNamed) + " more jobs will never start";
  }
  return located;
}

std::vector<manifest::Diagnostic> Located(const manifest::Manifests& manifests,
                                          std::span<const Warning> warnings) {
  std::vector<Problem> problems;
  for (const Warning& each : warnings) {
    problems.push_back(
        {static_cast<std::size_t>(each.object), each.field, each.what, each.cure, false});
  }
  return manifest::Locate(manifests, problems, manifest::Severity::kWarning);
}

std::vector<manifest::Diagnostic> LintEnded(const manifest::Manifests& manifests,
                                            const Engine& engine, std::span<const Warning> warned) {
  std::vector<manifest::Diagnostic> found;
  std::set<std::size_t> told;
  for (const Warning& each : warned) {
    if (each.field == "metadata.name") told.insert(static_cast<std::size_t>(each.object));
  }
  std::size_t jobs = 0;
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    if (!std::holds_alternative<Workload>(manifests.objects[i]) || told.contains(i)) continue;
    const Key key = KeyOf(manifests.objects[i]);
    const Result<WorkloadView> workload = engine.GetWorkload(key);
    if (!workload.ok() || workload->phase != WorkloadPhase::kFinished) continue;
    if (!manifest::LiveSlicesOf(engine, key).empty() || ++jobs > kMostNamed) continue;
    const std::string name = key.ToString();
    found.push_back(Advice(manifests, i, "metadata.name",
                           name + " has ended and does not run again",
                           "muster cancel " + name + " forgets it, then it can be submitted anew"));
  }
  if (jobs > kMostNamed) {
    found.back().cure += "; " + std::to_string(jobs - kMostNamed) + " more jobs have ended";
  }
  return found;
}

std::vector<manifest::Diagnostic> LintBeforeApply(const manifest::Manifests& manifests,
                                                  const Engine& before) {
  std::vector<manifest::Diagnostic> found = LintNames(manifests, before);
  const std::vector<manifest::Diagnostic> divided = LintDevices(manifests);
  found.insert(found.end(), divided.begin(), divided.end());
  for (auto* const lint : {LintNotDecided, LintTakenFlavors}) {
    const std::vector<manifest::Diagnostic> more = lint(manifests, before);
    found.insert(found.end(), more.begin(), more.end());
  }
  return found;
}

std::vector<manifest::Diagnostic> LintApplied(const manifest::Manifests& manifests,
                                              const Engine& engine) {
  std::vector<manifest::Diagnostic> found = LintLocalQueues(manifests, engine);
  for (auto* const lint : {LintResourceNames, LintShares, LintBindings, LintNeverFits}) {
    const std::vector<manifest::Diagnostic> more = lint(manifests, engine);
    found.insert(found.end(), more.begin(), more.end());
  }
  return found;
}

}  // namespace muster::lab
