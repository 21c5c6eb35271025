// See estimate.h.
#include "bindings/eta/estimate.h"

#include <algorithm>
#include <utility>

#include "bindings/eta/forks.h"
#include "bindings/lab/read.h"

namespace muster::eta {
namespace {

/// So many futures in which nothing starts speak for all others.
constexpr std::size_t kFewFutures = 5;

/// A job of the present, with what it may run.
struct Possible {
  PresentJob job;
  std::vector<DurationNs> runs;
};

TimeNs AdmittedAt(const WorkloadView& view, TimeNs now) {
  for (const Condition& condition : view.spec.status.conditions) {
    if (condition.type == "Admitted" && condition.status && condition.since != kNoTime) {
      return std::min(condition.since, now);
    }
  }
  return now;
}

std::vector<Possible> PresentOf(const Record& record, const Engine& engine, TimeNs now) {
  std::vector<Possible> present;
  for (const WorkloadView& view : lab::Read(engine.Workloads())) {
    if (view.phase == WorkloadPhase::kFinished || view.phase == WorkloadPhase::kInactive) continue;
    Possible possible;
    possible.job.key = view.spec.key;
    possible.job.reserved = view.phase == WorkloadPhase::kReserved;
    DurationNs elapsed = 0;
    if (view.phase == WorkloadPhase::kAdmitted) {
      possible.job.started = AdmittedAt(view, now);
      elapsed = now - possible.job.started;
    }
    possible.runs = record.runs().Expect(TraitsOf(view.spec), elapsed);
    present.push_back(std::move(possible));
  }
  return present;
}

std::string WhyNot(const Explanation& explanation) {
  std::string why = explanation.verdict;
  if (!explanation.cure.empty()) why += " What would help: " + explanation.cure + ".";
  return why;
}

/// What no future changes: only people can let it start.
Outlook WithoutFutures(const Engine& engine, const Key& key, DurationNs horizon) {
  const Explanation explanation = lab::Read(engine.Explain(key));
  const WorkloadView& view = explanation.workload;
  Outlook outlook;
  outlook.workload = key;
  outlook.waits.fill(horizon);
  outlook.is_never =
      explanation.never || !view.closed.empty() || view.phase == WorkloadPhase::kInactive;
  if (outlook.is_never) outlook.why_never = WhyNot(explanation);
  return outlook;
}

Status MustWait(const Engine& engine, const Key& key) {
  const Result<WorkloadView> view = engine.GetWorkload(key);
  if (!view.ok()) return view.status();
  if (view->phase == WorkloadPhase::kPending || view->phase == WorkloadPhase::kEvicting ||
      view->phase == WorkloadPhase::kReserved || view->phase == WorkloadPhase::kInactive) {
    return Status::Ok();
  }
  return {StatusCode::kFailedPrecondition,
          key.ToString() + " does not wait: it is " + std::string(PhaseName(view->phase))};
}

Result<std::vector<Outlook>> Ask(const Record& record, const Engine& engine, TimeNs now,
                                 std::span<const Key> asked, const EstimateOptions& options) {
  for (const Key& key : asked) {
    if (Status status = MustWait(engine, key); !status.ok()) return status;
  }
  std::vector<Outlook> outlooks;
  Future future;
  future.now = now;
  future.horizon = now + options.horizon;
  for (const Key& key : asked) {
    outlooks.push_back(WithoutFutures(engine, key, options.horizon));
    if (!outlooks.back().is_never) future.asked.insert(key);
  }
  if (future.asked.empty()) return outlooks;
  const std::vector<Possible> present = PresentOf(record, engine, now);
  for (const Possible& each : present) future.jobs.push_back(each.job);
  std::vector<std::vector<DurationNs>> waits(asked.size());
  std::vector<bool> rests(asked.size(), false);
  bool any_starts = false;
  Forks forks(engine);
  for (std::size_t i = 0; i < options.futures && (any_starts || i < kFewFutures); ++i) {
    simulate::Draw seeds(options.seed + i);
    simulate::Draw draw(seeds.Below(static_cast<std::uint64_t>(-1)));
    for (std::size_t job = 0; job < present.size(); ++job) {
      const auto& runs = present[job].runs;
      if (!runs.empty()) future.jobs[job].run = runs[draw.Below(runs.size())];
    }
    if (options.arrivals) future.next_arrival = record.Arrivals(now, draw);
    const bool others = i + 1 < options.futures && (any_starts || i + 1 < kFewFutures);
    Engine fork = forks.Take(others);
    const Course course = lab::Read(RunForward(fork, future));
    any_starts = any_starts || !course.starts.empty();
    for (std::size_t k = 0; k < asked.size(); ++k) {
      Outlook& outlook = outlooks[k];
      if (outlook.is_never) continue;
      ++outlook.futures;
      const auto start = course.starts.find(outlook.workload);
      const bool starts = start != course.starts.end();
      waits[k].push_back(starts ? start->second - now : options.horizon);
      if (starts) continue;
      rests[k] = rests[k] || course.rests;
      if (outlook.never++ > 0) continue;
      outlook.why_never = WhyNot(lab::Read(fork.Explain(outlook.workload)));
    }
    forks.GiveBack(std::move(fork));
  }
  for (std::size_t k = 0; k < asked.size(); ++k) {
    Outlook& outlook = outlooks[k];
    if (outlook.is_never) continue;
    std::sort(waits[k].begin(), waits[k].end());
    outlook.is_unknown = rests[k] && outlook.never == outlook.futures;
    for (std::size_t level = 0; level < kLevels.size(); ++level) {
      outlook.waits[level] = AtLevel(waits[k], kLevels[level]);
    }
  }
  return outlooks;
}

}  // namespace

DurationNs AtLevel(std::span<const DurationNs> ascending, std::int64_t level) {
  constexpr std::int64_t kWhole = 1000;
  const auto count = static_cast<std::int64_t>(ascending.size());
  const std::int64_t place = ((count + 1) * level + kWhole - 1) / kWhole;
  return ascending[static_cast<std::size_t>(std::clamp<std::int64_t>(place, 1, count) - 1)];
}

Result<std::vector<Outlook>> Estimate(const Record& record, const Engine& engine, TimeNs now,
                                      std::span<const Key> asked, const EstimateOptions& options) {
  try {
    return Ask(record, engine, now, asked, options);
  } catch (const lab::Refused& refused) {
    return refused.status();
  }
}

}  // namespace muster::eta
