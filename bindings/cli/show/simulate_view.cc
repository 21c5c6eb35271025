// One table says which policy is better, and for which queues; the next, how single jobs moved.
#include "bindings/cli/show/simulate_view.h"

#include <cmath>
#include <fstream>
#include <sstream>
#include <utility>

#include "bindings/cli/table.h"
#include "bindings/lab/words.h"
#include "bindings/report/html.h"
#include "bindings/report/svg.h"

namespace muster::cli {
namespace {

using simulate::ClassFigures;
using simulate::Figures;
using simulate::Fixed;

/// Seconds as people say them: "45s", "12m", "3.5h", "2.1d".
std::string Time(double seconds) {
  if (seconds < 90) return Fixed(seconds, 0) + "s";
  if (seconds < 90 * 60) return Fixed(seconds / 60, 0) + "m";
  if (seconds < 48 * 3600) return Fixed(seconds / 3600, 1) + "h";
  return Fixed(seconds / 86400, 1) + "d";
}

/// "-" where there is nothing that it could be the figure of.
std::string OfSome(std::size_t jobs, std::string figure) {
  return jobs == 0 ? "-" : std::move(figure);
}

std::string QueueName(const ClassFigures& each) { return each.queue.empty() ? "all" : each.queue; }

void PrintClasses(const std::vector<SimulatedPolicy>& policies, Io& io) {
  Table table({"QUEUE", "SIZE", "POLICY", ">JOBS", ">WAIT-P50", ">P90", ">P99", ">MAX", "LONGEST",
               ">SLOWDOWN-P50", ">MEAN", ">EVICTED"});
  for (std::size_t i = 0; i < policies.front().report.classes.size(); ++i) {
    const ClassFigures& first = policies.front().report.classes[i];
    // Queue by size is for machines; people get both alone.
    if (!first.queue.empty() && first.size != "all") continue;
    for (const SimulatedPolicy& policy : policies) {
      const ClassFigures& each = policy.report.classes[i];
      const Figures& f = each.figures;
      const bool head = &policy == &policies.front();
      table.Add(
          {head ? QueueName(each) : " ", head ? each.size : " ", policy.name,
           std::to_string(f.started) + (f.started == f.jobs ? "" : " of " + std::to_string(f.jobs)),
           OfSome(f.started, Time(f.wait_p50)), OfSome(f.started, Time(f.wait_p90)),
           OfSome(f.started, Time(f.wait_p99)), OfSome(f.started, Time(f.wait_max)),
           f.wait_max > 0 ? f.longest : "", OfSome(f.ended, Fixed(f.slowdown_p50, 2)),
           OfSome(f.ended, Fixed(f.slowdown_mean, 2)), std::to_string(f.evictions)});
    }
  }
  table.Print(io.out, io.paint);
}

void PrintTotals(const std::vector<SimulatedPolicy>& policies, Io& io) {
  Table table({"POLICY", ">UTILISATION", ">MAKESPAN", ">NOMINAL-H", ">BORROWED-H", ">PREEMPTED-H",
               ">LOST-H", ">EVENNESS", ">SHARE-ERROR", ">WAITING", ">MOST", ">EARLIER", ">LATER",
               ">NEVER"});
  for (const SimulatedPolicy& policy : policies) {
    const bool first = &policy == &policies.front();
    const simulate::Report& report = policy.report;
    const Figures& all = report.classes.front().figures;
    table.Add(
        {policy.name, Fixed(100 * report.utilisation, 1) + " %",
         policy.run.end == kNoTime ? "-" : Time(report.makespan), Fixed(report.nominal_hours, 0),
         Fixed(report.borrowed_hours, 0), Fixed(report.preempted_hours, 0),
         Fixed(report.lost_hours, 0), Fixed(report.evenness, 3), Fixed(report.share_error, 3),
         Fixed(report.waiting_mean, 1), std::to_string(report.waiting_most),
         first ? "" : std::to_string(policy.change.earlier),
         first ? "" : std::to_string(policy.change.later), std::to_string(all.jobs - all.started)});
  }
  table.Print(io.out, io.paint);
}

void PrintGangs(const std::vector<SimulatedPolicy>& policies, Io& io) {
  Table table({"POLICY", "TOPOLOGY", "LEVEL", ">LARGEST GANG, MEAN", ">LEAST"});
  for (const SimulatedPolicy& policy : policies) {
    for (const simulate::LargestGang& gang : policy.report.gangs) {
      table.Add(
          {policy.name, gang.topology, gang.level, Fixed(gang.mean, 1), Fixed(gang.least, 0)});
    }
  }
  if (table.empty()) return;
  io.out << '\n';
  table.Print(io.out, io.paint);
}

void PrintEvictions(const std::vector<SimulatedPolicy>& policies, Io& io) {
  Table table({"POLICY", "EVICTIONS BY", ">COUNT"});
  for (const SimulatedPolicy& policy : policies) {
    for (const auto& [cause, count] : policy.report.evictions) {
      table.Add({policy.name, cause, std::to_string(count)});
    }
  }
  if (table.empty()) return;
  io.out << '\n';
  table.Print(io.out, io.paint);
}

void PrintMoved(const std::vector<SimulatedPolicy>& policies, Io& io) {
  Table table({"JOB", "QUEUE", "POLICY", "STARTS"});
  for (const SimulatedPolicy& policy : policies) {
    for (const auto& moved : policy.change.most) {
      table.Add({moved.id, moved.queue, policy.name,
                 Time(std::abs(moved.seconds)) + (moved.seconds < 0 ? " earlier" : " later")});
    }
  }
  if (table.empty()) return;
  io.out << "\nMoved most, compared with " << policies.front().name << ":\n";
  table.Print(io.out, io.paint);
}

void PrintDifferences(const std::vector<SimulatedPolicy>& policies, Io& io) {
  Table table({"POLICY", "FIGURE", ">DIFFERENCE", ">FROM", ">TO", "SAYS"});
  for (const SimulatedPolicy& policy : policies) {
    for (const simulate::Difference& each : policy.differences) {
      const int digits = each.figure == "utilisation" ? 4 : 1;
      table.Add({policy.name, each.figure, Fixed(each.mean, digits), Fixed(each.low, digits),
                 Fixed(each.high, digits), each.beyond_noise() ? "beyond noise" : "noise"});
    }
  }
  if (table.empty()) return;
  io.out << "\nOn variations of the log, compared with " << policies.front().name << ":\n";
  table.Print(io.out, io.paint);
}

std::string Duration(DurationNs time) {
  return Time(static_cast<double>(time) / static_cast<double>(kSecond));
}

void PrintNotes(const Simulation& simulation, Io& io) {
  io.out << '\n'
         << lab::Counted(simulation.jobs.size(), "job") << ", counted in " << simulation.resource;
  for (const auto& [why, count] : simulation.left_out) {
    io.out << ", " << count << " more left out: " << why;
  }
  io.out << '\n';
  if (simulation.habits.warm_up > 0 || simulation.habits.drain > 0) {
    io.out << "Not counted: the first " << Duration(simulation.habits.warm_up) << " and the last "
           << Duration(simulation.habits.drain) << " of arrivals.\n";
  }
  for (const std::string& note : simulation.notes) io.out << note << '\n';
  for (const SimulatedPolicy& policy : simulation.policies) {
    if (policy.run.unfinished > 0) {
      io.out << policy.name << ": " << lab::Counted(policy.run.unfinished, "job")
             << (policy.run.interrupted ? " had not ended when the run was interrupted\n"
                                        : " had not ended when nothing happened any more\n");
    }
    if (policy.run.policy_failures > 0) {
      io.out << policy.name << ": hooks failed " << policy.run.policy_failures
             << " times, and the built-in rule decided; first: " << policy.run.first_failure
             << '\n';
    }
  }
}

std::string PageOf(const Simulation& simulation) {
  simulate::Page page{simulation.log, simulation.resource, simulation.jobs, {}};
  for (const SimulatedPolicy& each : simulation.policies) {
    page.policies.push_back({each.name, &each.run, &each.report, &each.change, each.differences});
  }
  return simulate::ToHtml(page);
}

int WriteFile(const std::string& file, const std::string& text, Io& io) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) return io.Fail(kRefused, file + ": it cannot be written");
  io.err << "written: " << file << '\n';
  return kDone;
}

}  // namespace

int Show(const Simulation& simulation, const SimulationOutput& output, Io& io) {
  int code = kDone;
  if (!output.report.empty()) code = WriteFile(output.report, PageOf(simulation), io);
  if (code == kDone && !output.each_job.empty()) {
    std::ostringstream text;
    PrintEachJob(simulation, text);
    code = WriteFile(output.each_job, text.str(), io);
  }
  if (code != kDone) return code;
  if (output.output == "json") {
    PrintJson(io.out, SimulationJson(simulation));
  } else if (output.output == "csv") {
    PrintSimulationCsv(simulation.policies, io);
  } else {
    PrintClasses(simulation.policies, io);
    io.out << '\n';
    PrintTotals(simulation.policies, io);
    PrintGangs(simulation.policies, io);
    PrintEvictions(simulation.policies, io);
    PrintMoved(simulation.policies, io);
    PrintDifferences(simulation.policies, io);
    PrintNotes(simulation, io);
  }
  return kDone;
}

}  // namespace muster::cli
