// See what_if_view.h.
#include "bindings/cli/show/what_if_view.h"

#include <algorithm>
#include <map>
#include <string>

#include "bindings/cli/table.h"
#include "bindings/cli/world/report.h"
#include "bindings/lab/words.h"

namespace muster::cli {
namespace {

constexpr std::size_t kChangesShown = 100;

Tone ToneOf(const std::string& change) {
  if (change == "leaves") return Tone::kBad;
  return change == "waits" || change == "restarts" ? Tone::kWarning : Tone::kGood;
}

}  // namespace

void PrintWhatIf(const lab::WhatIf& what_if, bool quiet, Io& io) {
  const std::vector<lab::FateChange>& changes = what_if.changes;
  std::map<std::string, std::size_t> counts;
  for (const lab::FateChange& each : changes) ++counts[each.change];
  if (!quiet && !changes.empty()) {
    Table table({"WITH IT", "WORKLOAD", "CLUSTERQUEUE", "DETAIL"});
    for (std::size_t i = 0; i < std::min(changes.size(), kChangesShown); ++i) {
      table.Add({{changes[i].change, ToneOf(changes[i].change)},
                 changes[i].workload.ToString(),
                 changes[i].cluster_queue,
                 changes[i].detail});
    }
    table.Print(io.out, io.paint);
    if (changes.size() > kChangesShown) {
      io.out << "... and " << changes.size() - kChangesShown << " more (-o json lists all)\n";
    }
    io.out << '\n';
  }
  io.out << lab::Counted(changes.size(), "workload") << (changes.size() == 1 ? " fares" : " fare")
         << " differently with the change";
  const char* between = ": ";
  for (const auto& [change, count] : counts) {
    io.out << between << count << ' ' << change;
    between = ", ";
  }
  io.out << "; " << what_if.same << " alike. Nothing was written.\n";
}

Json WhatIfJson(const lab::WhatIf& what_if) {
  Json list = Json::array();
  for (const lab::FateChange& each : what_if.changes) {
    list.push_back({{"workload", each.workload.ToString()},
                    {"change", each.change},
                    {"clusterQueue", each.cluster_queue},
                    {"detail", each.detail}});
  }
  return list;
}

Json WhatIfAnswerJson(const lab::WhatIf& what_if) {
  return {{"changes", WhatIfJson(what_if)},
          {"different", what_if.changes.size()},
          {"same", what_if.same}};
}

void WarnOfCourses(const lab::Course& without, const lab::Course& with, Io& io) {
  const std::pair<const lab::Course*, const char*> courses[] = {{&without, "without the change"},
                                                                {&with, "with the change"}};
  for (const auto& [course, which] : courses) {
    if (!course->at_rest) {
      io.Warn(std::string(which) + ": still busy after " + std::to_string(course->cycles) +
              " cycles; the jobs seem to preempt each other in turn");
    }
    if (!course->policy_failure.empty())
      io.Warn(std::string(which) + ": " + course->policy_failure);
  }
}

}  // namespace muster::cli
