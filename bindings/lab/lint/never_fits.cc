// Jobs that wait for ever: their queue has no quota for them, whatever leaves.
#include <cstddef>
#include <utility>

#include "bindings/lab/lint/lint.h"
#include "bindings/lab/read.h"

namespace muster::lab {
namespace {

/// More would bury what else there is to say; jobs of one template mostly say the same.
constexpr std::size_t kMostNamed = 20;

}  // namespace

std::vector<manifest::Diagnostic> LintNeverFits(const manifest::Manifests& manifests,
                                                const Engine& engine) {
  std::vector<Problem> problems;
  std::size_t jobs = 0;
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const auto* workload = std::get_if<Workload>(&manifests.objects[i]);
    if (workload == nullptr) continue;
    std::vector<Problem> found = Read(engine.Misfits(*workload));
    if (found.empty() || ++jobs > kMostNamed) continue;
    for (Problem& problem : found) {
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
