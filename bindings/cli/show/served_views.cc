// Of workloads only those of the page are written as JSON; there may be many.
#include "bindings/cli/show/served_views.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/cli/app.h"
#include "bindings/cli/kinds.h"
#include "bindings/cli/show/explain.h"
#include "bindings/cli/show/get_items.h"
#include "bindings/cli/show/get_print.h"
#include "bindings/cli/show/heat_view.h"
#include "bindings/cli/show/reclaim.h"
#include "bindings/cli/show/top_view.h"
#include "bindings/cli/show/what_if_view.h"

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

Filter FilterOf(const http::Asked& asked) {
  Filter filter{asked.ns, asked.name, asked.states};
  if (!asked.sort.empty()) filter.sort = asked.sort;
  if (!asked.sees) return filter;
  filter.sees = [sees = asked.sees](const About& about) {
    return sees({about.key, about.cluster_queue, about.local_queue});
  };
  return filter;
}

Result<std::string> PrintAsked(const Engine& engine, const http::Asked& asked,
                               const std::string& output) {
  const std::optional<Kind> kind = FindKind(asked.kind);
  if (!kind) return Status(StatusCode::kNotFound, UnknownKind(asked.kind));
  std::ostringstream out;
  const Status found = PrintKind(engine, *kind, FilterOf(asked), output, out, Paint());
  if (!found.ok()) return found;
  return out.str();
}

const Key kHidden = {"(another", "s)"};  // no workload is called so
constexpr std::string_view kHiddenName = "(another's)";

/// The names of workloads that are not seen otherwise.
void HideOthers(const http::SeesWorkload& sees, Explanation* explanation) {
  const auto hide = [&sees](auto& list) {
    for (auto& each : list) {
      if (!sees(each.workload)) each.workload = kHidden;
    }
  };
  hide(explanation->holders);
  hide(explanation->candidates);
  hide(explanation->ahead);
  for (Key& key : explanation->certificate.smaller) {
    if (!sees(key)) key = kHidden;
  }
}

Result<std::string> ExplainAsked(const Engine& engine, const Key& key,
                                 const http::SeesWorkload& sees, const std::string& output) {
  Result<Explanation> explanation = engine.Explain(key);
  if (!explanation.ok()) return explanation.status();
  const std::vector<Reclaimer> reclaimers = MayReclaimFrom(engine, explanation->workload);
  HideOthers(sees, &*explanation);
  const Answer answer{*std::move(explanation), reclaimers};
  std::ostringstream out;
  if (output == "json") {
    PrintJson(out, AnswerJson(answer));
  } else {
    std::istringstream in;
    std::ostringstream err;
    Io io{in, out, err, Paint(), Paint()};
    PrintAnswer(answer, io);
  }
  std::string text = out.str();
  const std::string hidden = kHidden.ToString();
  for (std::size_t at = text.find(hidden); at != std::string::npos; at = text.find(hidden, at)) {
    text.replace(at, hidden.size(), kHiddenName);
  }
  return text;
}

http::Said RunWords(const std::vector<std::string>& words) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Io io{in, out, err, Paint(), Paint()};
  const int code = RunMuster(words, io);
  return {code, out.str(), err.str()};
}

std::string PrintCourses(const lab::Courses& courses, const std::string& output) {
  const lab::WhatIf what_if = Compare(courses.without, courses.with);
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Io io{in, out, err, Paint(), Paint()};
  if (output == "table") {
    PrintWhatIf(what_if, /*quiet=*/false, io);
  } else {
    PrintJson(out, WhatIfAnswerJson(what_if));
  }
  return out.str();
}

std::string PrintTop(const Engine& engine, const http::TopAsked& asked, TimeNs now) {
  TopFilters filters;
  filters.workloads.ns = asked.ns;
  if (asked.sees) {
    const auto see = [&asked](Filter* filter, const char* kind) {
      filter->sees = [&asked, kind](const About& about) {
        return asked.sees(kind, {about.key, about.cluster_queue, about.local_queue});
      };
    };
    see(&filters.cohorts, "cohorts");
    see(&filters.queues, "clusterqueues");
    see(&filters.workloads, "workloads");
  }
  return TopText(engine, filters, {asked.width, asked.height}, now, Paint(asked.colour));
}

Json ShowHeat(const Engine& engine) { return HeatJson(HeatOf(engine)); }

}  // namespace

http::Views ServedViews() {
  http::Views views{{},           kWorkloadStates, kSorts,       kGetOutputs, List,    PrintAsked,
                    ExplainAsked, RunWords,        PrintCourses, PrintTop,    ShowHeat};
  for (const auto& [kind, name] : AllKinds()) {
    views.kinds.push_back({std::string(name), IsNamespaced(kind)});
  }
  return views;
}

}  // namespace muster::cli
