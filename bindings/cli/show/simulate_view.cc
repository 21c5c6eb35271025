// One table says which policy is better for whom; the next, by how much single jobs moved.
#include "bindings/cli/show/simulate_view.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <utility>

#include "bindings/cli/table.h"
#include "bindings/lab/words.h"
#include "bindings/manifest/manifest.h"

namespace muster::cli {
namespace {

using simulate::ClassFigures;
using simulate::Figures;

std::string Fixed(double value, int digits) {
  std::array<char, 400> text;
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

/// Seconds as people say them: "45s", "12m", "3.5h", "2.1d".
std::string Time(double seconds) {
  if (seconds < 90) return Fixed(seconds, 0) + "s";
  if (seconds < 90 * 60) return Fixed(seconds / 60, 0) + "m";
  if (seconds < 48 * 3600) return Fixed(seconds / 3600, 1) + "h";
  return Fixed(seconds / 86400, 1) + "d";
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
           Time(f.wait_p50), Time(f.wait_p90), Time(f.wait_p99), Time(f.wait_max),
           f.wait_max > 0 ? f.longest : "", Fixed(f.slowdown_p50, 2), Fixed(f.slowdown_mean, 2),
           std::to_string(f.evictions)});
    }
  }
  table.Print(io.out, io.paint);
}

void PrintTotals(const std::vector<SimulatedPolicy>& policies, Io& io) {
  Table table({"POLICY", ">UTILISATION", ">MAKESPAN", ">UNIT-HOURS", ">BORROWED", ">LOST",
               ">EVENNESS", ">PREEMPTIONS", ">EARLIER", ">LATER", ">NEVER"});
  for (const SimulatedPolicy& policy : policies) {
    const bool first = &policy == &policies.front();
    const simulate::Figures& all = policy.report.classes.front().figures;
    table.Add({policy.name, Fixed(100 * policy.report.utilisation, 1) + " %",
               Time(policy.report.makespan), Fixed(policy.report.used_hours, 0),
               Fixed(policy.report.borrowed_hours, 0), Fixed(policy.report.lost_hours, 0),
               Fixed(policy.report.evenness, 3), std::to_string(policy.run.preemptions),
               first ? "" : std::to_string(policy.change.earlier),
               first ? "" : std::to_string(policy.change.later),
               std::to_string(all.jobs - all.started)});
  }
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

const std::array<std::pair<const char*, std::function<std::int64_t(const Figures&)>>, 4> kCounts = {
    {{"jobs", [](const Figures& f) { return static_cast<std::int64_t>(f.jobs); }},
     {"started", [](const Figures& f) { return static_cast<std::int64_t>(f.started); }},
     {"never", [](const Figures& f) { return static_cast<std::int64_t>(f.jobs - f.started); }},
     {"evictions", [](const Figures& f) { return f.evictions; }}}};
const std::array<std::pair<const char*, std::function<double(const Figures&)>>, 10> kFigures = {{
    {"waitP50", [](const Figures& f) { return f.wait_p50; }},
    {"waitP90", [](const Figures& f) { return f.wait_p90; }},
    {"waitP99", [](const Figures& f) { return f.wait_p99; }},
    {"waitMax", [](const Figures& f) { return f.wait_max; }},
    {"waitMean", [](const Figures& f) { return f.wait_mean; }},
    {"slowdownP50", [](const Figures& f) { return f.slowdown_p50; }},
    {"slowdownMean", [](const Figures& f) { return f.slowdown_mean; }},
    {"turnaroundP50", [](const Figures& f) { return f.turnaround_p50; }},
    {"turnaroundMean", [](const Figures& f) { return f.turnaround_mean; }},
    {"lostHours", [](const Figures& f) { return f.lost_hours; }},
}};

/// To the thousandth: enough for seconds, and the same on every machine.
double Rounded(double value) { return std::round(value * 1000) / 1000; }

Json ClassJson(const ClassFigures& each) {
  Json json = {{"queue", each.queue}, {"size", each.size}};
  for (const auto& [name, value] : kCounts) json[name] = value(each.figures);
  for (const auto& [name, value] : kFigures) json[name] = Rounded(value(each.figures));
  json["longest"] = each.figures.longest;
  return json;
}

}  // namespace

void PrintSimulation(const SimulationHead& head, const std::vector<SimulatedPolicy>& policies,
                     Io& io) {
  PrintClasses(policies, io);
  io.out << '\n';
  PrintTotals(policies, io);
  PrintMoved(policies, io);
  io.out << '\n' << lab::Counted(head.jobs, "job") << ", counted in " << head.resource;
  for (const auto& [why, count] : head.left_out) {
    io.out << ", " << count << " more left out: " << why;
  }
  io.out << '\n';
  for (const SimulatedPolicy& policy : policies) {
    if (policy.run.unfinished > 0) {
      io.out << policy.name << ": " << lab::Counted(policy.run.unfinished, "job")
             << (policy.run.interrupted ? " had not ended when the run was interrupted\n"
                                        : " never ended: nothing would have let them start\n");
    }
    if (policy.run.policy_failures > 0) {
      io.out << policy.name << ": hooks failed " << policy.run.policy_failures
             << " times, and the built-in rule decided; first: " << policy.run.first_failure
             << '\n';
    }
  }
}

Json SimulationJson(const SimulationHead& head, const std::vector<SimulatedPolicy>& policies) {
  Json list = Json::array();
  for (const SimulatedPolicy& policy : policies) {
    Json classes = Json::array();
    for (const ClassFigures& each : policy.report.classes) classes.push_back(ClassJson(each));
    Json queues = Json::array();
    for (const simulate::QueueUse& queue : policy.run.queues) {
      queues.push_back({{"name", queue.name},
                        {"nominal", queue.nominal},
                        {"usedHours", Rounded(queue.used / 3600)},
                        {"borrowedHours", Rounded(queue.borrowed / 3600)},
                        {"lostHours", Rounded(queue.lost / 3600)}});
    }
    Json most = Json::array();
    for (const auto& moved : policy.change.most) {
      most.push_back({{"job", moved.id}, {"queue", moved.queue}, {"seconds", moved.seconds}});
    }
    list.push_back({{"policy", policy.name},
                    {"utilisation", Rounded(policy.report.utilisation)},
                    {"makespan", Rounded(policy.report.makespan)},
                    {"evenness", Rounded(policy.report.evenness)},
                    {"cycles", policy.run.cycles},
                    {"preemptions", policy.run.preemptions},
                    {"policyFailures", policy.run.policy_failures},
                    {"unfinished", policy.run.unfinished},
                    {"interrupted", policy.run.interrupted},
                    {"classes", std::move(classes)},
                    {"clusterQueues", std::move(queues)},
                    {"change",
                     {{"earlier", policy.change.earlier},
                      {"later", policy.change.later},
                      {"same", policy.change.same},
                      {"onlyBefore", policy.change.only_base},
                      {"onlyAfter", policy.change.only_other},
                      {"most", std::move(most)}}}});
  }
  return {{"jobs", head.jobs},
          {"leftOut", head.left_out},
          {"resource", head.resource},
          {"policies", std::move(list)}};
}

void PrintSimulationCsv(const std::vector<SimulatedPolicy>& policies, Io& io) {
  io.out << "policy,queue,size";
  for (const auto& [name, value] : kCounts) io.out << ',' << name;
  for (const auto& [name, value] : kFigures) io.out << ',' << name;
  io.out << '\n';
  for (const SimulatedPolicy& policy : policies) {
    for (const ClassFigures& each : policy.report.classes) {
      io.out << policy.name << ',' << each.queue << ',' << each.size;
      for (const auto& [name, value] : kCounts) io.out << ',' << value(each.figures);
      for (const auto& [name, value] : kFigures) io.out << ',' << Fixed(value(each.figures), 3);
      io.out << '\n';
    }
  }
}

}  // namespace muster::cli
