// Of workloads only those of the page are written as JSON; there may be many.
#include "bindings/cli/show/served_views.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/kinds.h"
#include "bindings/cli/show/explain.h"
#include "bindings/cli/show/get_items.h"
#include "bindings/cli/show/reclaim.h"

namespace muster::cli {
namespace {

/// Of an object in JSON; policies have a name alone.
http::Subject SubjectOf(const Json& item) {
  const Json metadata = item.value("metadata", item);
  const Json spec = item.value("spec", Json::object());
  return {{metadata.value("namespace", ""), metadata.value("name", "")},
          spec.contains("clusterQueue") ? spec.value("clusterQueue", "") : ""};
}

http::Subject SubjectOf(const WorkloadView& workload) {
  return {workload.spec.key, workload.cluster_queue, std::string(workload.spec.queue)};
}

/// Leaves those that are asked for, at most a page. `all` come in the order of their keys.
template <typename T>
std::vector<T> Page(std::vector<T> all, const http::Asked& asked, http::Listed* listed) {
  std::vector<T> page;
  for (T& element : all) {
    const http::Subject subject = SubjectOf(element);
    if (!(asked.after < subject.key) || (asked.sees && !asked.sees(subject))) continue;
    listed->more = page.size() == asked.most;
    if (listed->more) break;
    listed->next = subject.key;
    page.push_back(std::move(element));
  }
  return page;
}

std::vector<WorkloadView> WorkloadsAsked(const Engine& engine, const http::Asked& asked) {
  if (asked.name.empty()) return Workloads(engine, {asked.ns, "", asked.states});
  const Result<WorkloadView> workload = engine.GetWorkload({asked.ns, asked.name});
  return workload.ok() ? std::vector<WorkloadView>{*workload} : std::vector<WorkloadView>{};
}

http::Listed List(const Engine& engine, const http::Asked& asked) {
  const std::optional<Kind> kind = FindKind(asked.kind);
  http::Listed listed;
  if (!kind) return listed;
  if (*kind == Kind::kWorkload) {
    const std::vector<WorkloadView> page = Page(WorkloadsAsked(engine, asked), asked, &listed);
    for (const WorkloadView& workload : page) listed.items.push_back(WorkloadItem(workload));
    return listed;
  }
  listed.items = Items(engine, *kind, {asked.ns, asked.name});
  // Accounts have no name of their own to go on after.
  if (*kind != Kind::kAccount) listed.items = Page(std::move(listed.items), asked, &listed);
  return listed;
}

Result<Json> Explain(const Engine& engine, const Key& key) {
  Result<Explanation> explanation = engine.Explain(key);
  if (!explanation.ok()) return explanation.status();
  const std::vector<Reclaimer> reclaimers = Lenders(engine).MayReclaimFrom(explanation->workload);
  return AnswerJson({*std::move(explanation), reclaimers});
}

}  // namespace

http::Views ServedViews() {
  http::Views views{{}, kWorkloadStates, List, Explain};
  for (const auto& [kind, name] : AllKinds()) {
    views.kinds.push_back({std::string(name), IsNamespaced(kind)});
  }
  return views;
}

}  // namespace muster::cli
