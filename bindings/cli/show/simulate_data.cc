// Figures for machines: every class, all digits that mean something.
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "bindings/cli/show/simulate_view.h"
#include "bindings/report/svg.h"

namespace muster::cli {
namespace {

using simulate::ClassFigures;
using simulate::Figures;
using simulate::Fixed;

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

/// In quotes where it holds what would end it.
std::string CsvWord(const std::string& word) {
  if (word.find_first_of(",\"\n") == word.npos) return word;
  std::string quoted = "\"";
  for (const char c : word) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// To the microsecond, without the zeros behind.
std::string SecondsText(DurationNs time) {
  std::string text = Fixed(static_cast<double>(time) / static_cast<double>(kSecond), 6);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

Json QueueJson(const simulate::QueueUse& queue) {
  return {{"name", queue.name},
          {"nominal", Rounded(queue.nominal)},
          {"nominalHours", Rounded((queue.used - queue.borrowed) / 3600)},
          {"borrowedHours", Rounded(queue.borrowed / 3600)},
          {"preemptedHours", Rounded(queue.preempted / 3600)},
          {"lostHours", Rounded(queue.lost / 3600)},
          {"evictions", queue.evictions}};
}

Json ChangeJson(const simulate::Change& change) {
  Json most = Json::array();
  for (const auto& moved : change.most) {
    most.push_back(
        {{"job", moved.id}, {"queue", moved.queue}, {"seconds", Rounded(moved.seconds)}});
  }
  return {{"earlier", change.earlier},
          {"later", change.later},
          {"same", change.same},
          {"onlyBefore", change.only_base},
          {"onlyAfter", change.only_other},
          {"most", std::move(most)}};
}

Json PolicyJson(const SimulatedPolicy& policy) {
  Json classes = Json::array(), queues = Json::array(), differences = Json::array();
  for (const ClassFigures& each : policy.report.classes) classes.push_back(ClassJson(each));
  for (const simulate::QueueUse& queue : policy.run.queues) queues.push_back(QueueJson(queue));
  for (const simulate::Difference& each : policy.differences) {
    differences.push_back({{"figure", each.figure},
                           {"mean", Rounded(each.mean)},
                           {"low", Rounded(each.low)},
                           {"high", Rounded(each.high)},
                           {"beyondNoise", each.beyond_noise()}});
  }
  const simulate::Report& report = policy.report;
  Json gangs = Json::array();
  for (const simulate::LargestGang& each : report.gangs) {
    gangs.push_back({{"topology", each.topology},
                     {"level", each.level},
                     {"meanNodes", Rounded(each.mean)},
                     {"leastNodes", Rounded(each.least)}});
  }
  return {{"policy", policy.name},
          {"utilisation", Rounded(report.utilisation)},
          {"makespan", Rounded(report.makespan)},
          {"nominalHours", Rounded(report.nominal_hours)},
          {"borrowedHours", Rounded(report.borrowed_hours)},
          {"preemptedHours", Rounded(report.preempted_hours)},
          {"lostHours", Rounded(report.lost_hours)},
          {"evenness", Rounded(report.evenness)},
          {"shareError", Rounded(report.share_error)},
          {"waitingMean", Rounded(report.waiting_mean)},
          {"waitingMost", report.waiting_most},
          {"largestGangs", std::move(gangs)},
          {"evictions", report.evictions},
          {"cycles", policy.run.cycles},
          {"preemptions", policy.run.preemptions},
          {"policyFailures", policy.run.policy_failures},
          {"unfinished", policy.run.unfinished},
          {"interrupted", policy.run.interrupted},
          {"classes", std::move(classes)},
          {"clusterQueues", std::move(queues)},
          {"change", ChangeJson(policy.change)},
          {"differences", std::move(differences)}};
}

}  // namespace

Json SimulationJson(const Simulation& simulation) {
  Json list = Json::array();
  for (const SimulatedPolicy& policy : simulation.policies) list.push_back(PolicyJson(policy));
  return {{"jobs", simulation.jobs.size()},
          {"leftOut", simulation.left_out},
          {"resource", simulation.resource},
          {"warmUpSeconds", simulation.habits.warm_up / kSecond},
          {"drainSeconds", simulation.habits.drain / kSecond},
          {"notes", simulation.notes},
          {"policies", std::move(list)}};
}

void PrintSimulationCsv(const std::vector<SimulatedPolicy>& policies, Io& io) {
  io.out << "policy,queue,size";
  for (const auto& [name, value] : kCounts) io.out << ',' << name;
  for (const auto& [name, value] : kFigures) io.out << ',' << name;
  io.out << '\n';
  for (const SimulatedPolicy& policy : policies) {
    for (const ClassFigures& each : policy.report.classes) {
      io.out << CsvWord(policy.name) << ',' << CsvWord(each.queue) << ',' << each.size;
      for (const auto& [name, value] : kCounts) io.out << ',' << value(each.figures);
      for (const auto& [name, value] : kFigures) io.out << ',' << Fixed(value(each.figures), 3);
      io.out << '\n';
    }
  }
}

void PrintEachJob(const Simulation& simulation, std::ostream& out) {
  out << "policy,job,queue,size,submitted,started,ended,evictions,lost\n";
  const auto time = [&](TimeNs at) {
    return at == kNoTime ? "" : SecondsText(at - simulation.origin);
  };
  for (const SimulatedPolicy& policy : simulation.policies) {
    for (std::size_t i = 0; i < simulation.jobs.size(); ++i) {
      const simulate::TraceJob& job = simulation.jobs[i];
      const simulate::Fate& fate = policy.run.fates[i];
      out << CsvWord(policy.name) << ',' << CsvWord(job.id) << ',' << CsvWord(job.queue) << ','
          << job.size << ',' << time(fate.submitted) << ',' << time(fate.first_start) << ','
          << time(fate.end) << ',' << fate.evictions << ',' << SecondsText(fate.lost) << '\n';
    }
  }
}

}  // namespace muster::cli
