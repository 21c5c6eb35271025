// See estimate.h.
#include "bindings/eta/estimate.h"

#include <algorithm>
#include <utility>

#include "bindings/lab/read.h"

namespace muster::eta {
namespace {

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

std::string WhyNot(const Engine& engine, const Key& key, bool* never) {
  const Explanation explanation = lab::Read(engine.Explain(key));
  *never = explanation.never;
  std::string why = explanation.verdict;
  if (!explanation.cure.empty()) why += (why.empty() ? "" : " ") + explanation.cure;
  return why;
}

Status MustWait(const Engine& engine, const Key& key) {
  const Result<WorkloadView> view = engine.GetWorkload(key);
  if (!view.ok()) return view.status();
  if (view->phase == WorkloadPhase::kPending || view->phase == WorkloadPhase::kEvicting ||
      view->phase == WorkloadPhase::kReserved || view->phase == WorkloadPhase::kInactive) {
    return Status::Ok();
  }
  return {StatusCode::kFailedPrecondition, key.ToString() + " does not wait: it is " +
                                               std::string(PhaseName(view->phase))};
}

Result<std::vector<Outlook>> Ask(const Record& record, const Engine& engine, const CopyEngine& copy,
                                 TimeNs now, std::span<const Key> asked,
                                 const EstimateOptions& options) {
  for (const Key& key : asked) {
    if (Status status = MustWait(engine, key); !status.ok()) return status;
  }
  std::vector<Possible> present = PresentOf(record, engine, now);
  Future future;
  future.now = now;
  future.horizon = now + options.horizon;
  future.asked.insert(asked.begin(), asked.end());
  std::vector<Outlook> outlooks;
  for (const Key& key : asked) outlooks.emplace_back().workload = key;
  std::vector<std::vector<DurationNs>> waits(asked.size());
  std::vector<bool> can_start(asked.size(), false);
  for (std::size_t i = 0; i < options.futures; ++i) {
    simulate::Draw seeds(options.seed + i);
    simulate::Draw draw(seeds.Below(static_cast<std::uint64_t>(-1)));
    future.jobs.clear();
    for (const Possible& possible : present) {
      future.jobs.push_back(possible.job);
      if (possible.runs.empty()) continue;
      future.jobs.back().run = possible.runs[draw.Below(possible.runs.size())];
    }
    if (options.arrivals) future.next_arrival = record.Arrivals(now, draw);
    Engine fork = lab::Read(copy());
    const Course course = lab::Read(RunForward(fork, future));
    for (std::size_t k = 0; k < asked.size(); ++k) {
      const auto start = course.starts.find(asked[k]);
      if (start != course.starts.end()) {
        waits[k].push_back(start->second - now);
        can_start[k] = true;
        continue;
      }
      waits[k].push_back(options.horizon);
      bool cannot = false;
      if (outlooks[k].never++ == 0) outlooks[k].why_never = WhyNot(fork, asked[k], &cannot);
      outlooks[k].is_never = outlooks[k].is_never || cannot || course.rests;
    }
  }
  for (std::size_t k = 0; k < asked.size(); ++k) {
    std::sort(waits[k].begin(), waits[k].end());
    outlooks[k].is_never = outlooks[k].is_never && !can_start[k];
    for (std::size_t level = 0; level < kLevels.size(); ++level) {
      outlooks[k].waits[level] = AtLevel(waits[k], kLevels[level]);
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

Result<std::vector<Outlook>> Estimate(const Record& record, const Engine& engine,
                                      const CopyEngine& copy, TimeNs now,
                                      std::span<const Key> asked, const EstimateOptions& options) {
  try {
    return Ask(record, engine, copy, now, asked, options);
  } catch (const lab::Refused& refused) {
    return refused.status();
  }
}

}  // namespace muster::eta
