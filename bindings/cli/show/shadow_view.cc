// See shadow_view.h.
#include "bindings/cli/show/shadow_view.h"

#include <string>

#include "bindings/cli/table.h"
#include "bindings/cli/world/report.h"
#include "bindings/lab/words.h"

namespace muster::cli {

void PrintShadow(const ShadowReport& report, Io& io) {
  io.out << '\n'
         << io.paint(Tone::kStrong, "Shadow") << ": " << report.package << '@'
         << report.hash.substr(0, 12) << ", compared in "
         << lab::Counted(static_cast<std::size_t>(report.cycles), "cycle")
         << "; differences: " << report.other_heads << " in what is first in a queue, "
         << report.other_admissions << " in what is admitted, " << report.other_victims
         << " in what is preempted\n";
  if (report.skipped > 0) {
    io.out << lab::Counted(static_cast<std::size_t>(report.skipped), "cycle")
           << " had too many jobs to look at them twice\n";
  }
  if (report.failures > 0) {
    io.out << "it failed in " << lab::Counted(static_cast<std::size_t>(report.failures), "cycle")
           << ", last: " << report.last_failure << '\n';
  }
  if (report.samples.empty()) return;
  Table table({">CYCLE", "WHAT", "DECIDED", "CANDIDATE"});
  for (const ShadowSample& sample : report.samples) {
    table.Add({std::to_string(sample.cycle), sample.what, sample.active, sample.candidate});
  }
  table.Print(io.out, io.paint);
}

Json ShadowJson(const ShadowReport& report) {
  Json samples = Json::array();
  for (const ShadowSample& sample : report.samples) {
    samples.push_back({{"cycle", sample.cycle},
                       {"what", sample.what},
                       {"decided", sample.active},
                       {"candidate", sample.candidate}});
  }
  return {{"policy", report.package},
          {"hash", report.hash},
          {"cycles", report.cycles},
          {"skipped", report.skipped},
          {"failures", report.failures},
          {"otherHeads", report.other_heads},
          {"otherAdmissions", report.other_admissions},
          {"otherVictims", report.other_victims},
          {"samples", samples}};
}

}  // namespace muster::cli
