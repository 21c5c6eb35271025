// Only the end of each course is compared, and what had to leave on the way: the order of cycles in
// between is no promise.
#include "bindings/lab/what_if.h"

#include <utility>

#include "bindings/lab/door.h"
#include "bindings/lab/player.h"
#include "bindings/lab/read.h"
#include "bindings/lab/words.h"

namespace muster::lab {
namespace {

bool Holds(const WorkloadView& workload) {
  return workload.phase == WorkloadPhase::kReserved || workload.phase == WorkloadPhase::kAdmitted;
}

Fate FateOf(const WorkloadView& workload) {
  Fate fate{Holds(workload), workload.phase, workload.reason, ClusterQueueOf(workload), ""};
  if (workload.phase == WorkloadPhase::kFinished) {
    fate.says = "finished";
  } else if (fate.holds && workload.spec.status.admission) {
    fate.says = Assigned(*workload.spec.status.admission);
  } else {
    fate.says = WhyItWaits(workload);
  }
  return fate;
}

/// What its Evicted condition says.
std::string WhyEvicted(const Engine& engine, const Key& key) {
  for (const Condition& each : Read(engine.GetWorkload(key)).spec.status.conditions) {
    if (each.type == "Evicted" && each.status) return each.message.str();
  }
  return "evicted";
}

bool WaitsAlike(const Fate& a, const Fate& b) {
  return a.phase == b.phase && a.reason == b.reason && a.cluster_queue == b.cluster_queue;
}

/// What `workload` does with the change; empty when it does the same without it. Of its fates
/// `before` is that without the change and `after` that with it; null where it is not there.
FateChange ChangeOf(const Key& workload, const Fate* before, const Fate* after,
                    const Course& without, const Course& with) {
  const Fate nothing{};
  const bool is_new = before == nullptr;
  const Fate& old_fate = is_new ? nothing : *before;
  const Fate& fate = after == nullptr ? nothing : *after;
  const auto why = with.told_off.find(workload);
  const std::string told_off = why == with.told_off.end() ? "" : why->second;
  const bool ran = with.held.contains(workload);
  FateChange change{workload, "", fate.cluster_queue, fate.says};
  const bool gone = after == nullptr;
  const bool over = gone || fate.phase == WorkloadPhase::kFinished;
  if (over && (is_new || (!gone && old_fate.phase == fate.phase))) {
    return change;
  }
  if (over) {
    change.change = gone ? "is gone" : "ends";
    change.cluster_queue = old_fate.cluster_queue;
    change.detail = "without the change: " + old_fate.says;
  } else if (fate.holds && !old_fate.holds) {
    change.change = ran ? "stays" : "starts";
  } else if (fate.holds) {
    const bool left_before = without.told_off.contains(workload);
    if (ran && !told_off.empty() && !left_before) {
      change.change = "restarts";
      change.detail += "; it leaves first: " + told_off;
    } else if (fate.says != old_fate.says || fate.cluster_queue != old_fate.cluster_queue) {
      change.change = "starts elsewhere";
      change.detail += ", instead of " + old_fate.says;
    }
  } else if (old_fate.holds) {
    change.change = ran ? "leaves" : "waits";
    if (change.cluster_queue.empty()) change.cluster_queue = old_fate.cluster_queue;
    if (!told_off.empty()) change.detail = told_off;
    if (!ran) change.detail += "; it would start without the change";
  } else if (is_new || !WaitsAlike(old_fate, fate)) {
    change.change = "waits";
    if (!is_new) change.detail += "; without the change: " + old_fate.says;
  }
  return change;
}

/// The cycles. What is told to leave on the way counts if it `held` quota before.
Course RunToRest(Engine& engine, TimeNs now, const std::function<bool(const Key&)>& held) {
  Course course;
  for (const Key& key : Read(engine.Evicting())) {
    if (held(key)) course.told_off.emplace(key, WhyEvicted(engine, key));
  }
  const CycleSink note = [&course](const CycleOutcome& cycle) {
    ++course.cycles;
    for (const PreemptedWorkload& each : cycle.result.preempted) {
      course.told_off.emplace(
          each.workload, "for " + each.by.ToString() + ": " + std::string(InWords(each.reason)));
    }
    if (course.policy_failure.empty() && !cycle.result.policy_failures.empty()) {
      course.policy_failure = InWords(cycle.result.policy_failures.front());
    }
    return Status::Ok();
  };
  Player player(engine, now, note, Detail::kDecisions);
  // What was told to leave before the first cycle is no different from what a cycle tells.
  Read(player.CompleteEvictions());
  // To count all workloads takes longer than the few cycles that mostly are enough.
  const std::size_t first = CycleLimit(0);
  course.at_rest = Read(player.RunUntilIdle(first, Evictions::kComplete));
  if (!course.at_rest) {
    const std::size_t limit = CycleLimit(Read(engine.WorkloadCount()));
    course.at_rest = Read(player.RunUntilIdle(limit - first, Evictions::kComplete));
  }
  return course;
}

/// Which workloads the calls of an engine touch, and whether anything else.
class Touched final : public Journal {
 public:
  Result<Ticket> Append(Commit commit) override {
    for (const StateRow& row : commit.rows) {
      const bool of_time = row.table == StateRow::Table::kEngine && row.key == "engine";
      if (!of_time) anything_ = true;
      if (row.table != StateRow::Table::kWorkload) continue;
      const std::size_t slash = row.key.find('/');
      workloads_.insert({row.key.substr(0, slash), row.key.substr(slash + 1)});
    }
    return ++newest_;
  }
  Status Durable(Ticket) override { return Status::Ok(); }

  bool anything() const { return anything_; }  ///< beside time and the number of the cycle
  const std::set<Key>& workloads() const { return workloads_; }

 private:
  Ticket newest_ = 0;
  bool anything_ = false;
  std::set<Key> workloads_;
};

/// Of those of `keys` that are there.
std::map<Key, Fate> FatesOf(const Engine& engine, const std::set<Key>& keys) {
  std::map<Key, Fate> fates;
  for (const Key& key : keys) {
    const Result<WorkloadView> view = engine.GetWorkload(key);
    if (view.ok()) {
      fates.emplace_hint(fates.end(), key, FateOf(*view));
    } else if (view.status().code() != StatusCode::kNotFound) {
      throw Refused(view.status());
    }
  }
  return fates;
}

/// What only one of the courses touched is in the other one as it is in `engine`.
void FillIn(const Engine& engine, const std::set<Key>& by_time, const std::set<Key>& by_change,
            Courses* courses) {
  std::set<Key> touched = by_time;
  touched.insert(by_change.begin(), by_change.end());
  const std::map<Key, Fate> before = FatesOf(engine, touched);
  for (const auto& [key, fate] : before) {
    if (!by_time.contains(key)) courses->without.end.emplace(key, fate);
    if (!by_change.contains(key)) courses->with.end.emplace(key, fate);
  }
  for (Course* course : {&courses->without, &courses->with}) {
    for (const auto& [key, fate] : before) {
      if (fate.holds) course->held.insert(course->held.end(), key);
    }
    course->others = Read(engine.WorkloadCount()) - before.size();
  }
}

}  // namespace

std::set<Key> Holders(const Engine& engine) {
  std::set<Key> holders;
  for (const WorkloadView& workload : Read(engine.Workloads())) {
    if (Holds(workload)) holders.insert(holders.end(), workload.spec.key);  // they come by name
  }
  return holders;
}

Course RunCourse(Engine& engine, TimeNs now, std::set<Key> held) {
  Course course = RunToRest(engine, now, [&held](const Key& key) { return held.contains(key); });
  course.held = std::move(held);
  for (const WorkloadView& each : Read(engine.Workloads())) {
    course.end.emplace_hint(course.end.end(), each.spec.key, FateOf(each));
  }
  return course;
}

WhatIf Compare(const Course& without, const Course& with) {
  WhatIf answer;
  answer.same = with.others;
  // Both are by name, and are gone through side by side.
  auto before = without.end.begin();
  auto after = with.end.begin();
  while (before != without.end.end() || after != with.end.end()) {
    const bool is_new =
        before == without.end.end() || (after != with.end.end() && after->first < before->first);
    const bool is_gone = !is_new && (after == with.end.end() || before->first < after->first);
    FateChange change =
        ChangeOf(is_new ? after->first : before->first, is_new ? nullptr : &before->second,
                 is_gone ? nullptr : &after->second, without, with);
    if (!is_new) ++before;
    if (!is_gone) ++after;
    if (change.change.empty()) {
      ++answer.same;
    } else {
      answer.changes.push_back(std::move(change));
    }
  }
  return answer;
}

Result<Courses> AskWhatIf(const Engine& engine, TimeNs now, const Change& change) {
  try {
    const auto held = [&engine](const Key& key) {
      const Result<WorkloadView> before = engine.GetWorkload(key);
      return before.ok() && Holds(*before);
    };
    Courses courses;
    auto& [without, with] = courses;
    Touched touched;
    Engine fork = Read(engine.Fork(&touched));
    without = RunToRest(fork, now, held);
    without.end = FatesOf(fork, touched.workloads());
    const std::set<Key> by_time = touched.workloads();
    // A failure of a policy is counted, and so many of them stop it.
    if (touched.anything() || !without.policy_failure.empty()) {
      fork = Engine();  // its memory is free for the other one
      touched = {};
      fork = Read(engine.Fork(&touched));
    }
    if (Status changed = change(fork); !changed.ok()) return changed;
    with = RunToRest(fork, now, held);
    with.end = FatesOf(fork, touched.workloads());
    FillIn(engine, by_time, touched.workloads(), &courses);
    return courses;
  } catch (const Refused& refused) {
    return refused.status();
  }
}

Result<Courses> AskWhatIf(const Engine& engine, TimeNs now, std::span<const Command> commands,
                          std::size_t* refused) {
  if (refused != nullptr) *refused = commands.size();
  return AskWhatIf(engine, now, [&](Engine& with) {
    for (std::size_t i = 0; i < commands.size(); ++i) {
      Status status = CheckAtDoor(with, commands[i]);
      if (status.ok()) status = with.Do(commands[i], now).status();
      if (status.ok()) continue;
      if (refused != nullptr) *refused = i;
      return status;
    }
    return Status::Ok();
  });
}

}  // namespace muster::lab
