// A row for each workload: what was decided about it where the two sides differed first, and how
// often they did.
#include "bindings/cli/author/recorded_diff_view.h"

#include "bindings/cli/author/packages.h"
#include "bindings/cli/table.h"
#include "bindings/cli/world/report.h"
#include "bindings/lab/words.h"
#include "bindings/manifest/manifest.h"

namespace muster::cli {
namespace {

constexpr std::size_t kMostRows = 100;

}  // namespace

void PrintRecordedDiff(const lab::RecordedDiff& diff, const std::array<std::string, 2>& names,
                       Io& io) {
  if (!diff.differences.empty()) {
    Table table({">CYCLE", "WORKLOAD", LastPart(names[0]), LastPart(names[1]), ">TIMES"});
    for (std::size_t i = 0; i < diff.differences.size() && i < kMostRows; ++i) {
      const lab::RecordedDifference& each = diff.differences[i];
      table.Add({std::to_string(each.cycle), each.workload, each.fates[0], each.fates[1],
                 std::to_string(each.times)});
    }
    table.Print(io.out, io.paint);
    if (diff.differences.size() > kMostRows) {
      io.out << "and " << diff.differences.size() - kMostRows << " more; -o json lists all\n";
    }
    io.out << '\n';
  }
  io.out << lab::Counted(diff.differences.size(), "workload")
         << " would have fared differently, in " << diff.different_turns << " of "
         << lab::Counted(diff.turns, "turn") << "; starts "
         << diff.starts[0] << " and " << diff.starts[1] << ", preemptions " << diff.preemptions[0]
         << " and " << diff.preemptions[1] << '\n';
  for (const std::size_t i : {0U, 1U}) {
    if (diff.failures[i] == 0) continue;
    io.out << names[i] << " failed in " << lab::Counted(diff.failures[i], "cycle")
           << ", and the engine's own rules decided there; last: " << diff.last_failure[i] << '\n';
  }
}

Json RecordedDiffJson(const lab::RecordedDiff& diff, const std::array<std::string, 2>& names) {
  Json list = Json::array();
  for (const lab::RecordedDifference& each : diff.differences) {
    list.push_back({{"workload", each.workload},
                    {"clusterQueue", each.cluster_queue},
                    {"times", each.times},
                    {"cycle", each.cycle},
                    {"at", manifest::FormatTime(each.at)},
                    {"a", each.fates[0]},
                    {"b", each.fates[1]}});
  }
  return {{"a", names[0]},
          {"b", names[1]},
          {"differences", std::move(list)},
          {"turns", diff.turns},
          {"differentTurns", diff.different_turns},
          {"starts", {{"a", diff.starts[0]}, {"b", diff.starts[1]}}},
          {"preemptions", {{"a", diff.preemptions[0]}, {"b", diff.preemptions[1]}}},
          {"failures", {{"a", diff.failures[0]}, {"b", diff.failures[1]}}}};
}

}  // namespace muster::cli
