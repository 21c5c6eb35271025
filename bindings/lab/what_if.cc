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

}  // namespace

std::set<Key> Holders(const Engine& engine) {
  std::set<Key> holders;
  for (const WorkloadView& workload : Read(engine.Workloads())) {
    if (Holds(workload)) holders.insert(holders.end(), workload.spec.key);  // they come by name
  }
  return holders;
}

Course RunCourse(Engine& engine, TimeNs now, std::set<Key> held) {
  Course course;
  course.held = std::move(held);
  for (const Key& key : Read(engine.Evicting())) {
    if (course.held.contains(key)) course.told_off.emplace(key, WhyEvicted(engine, key));
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
    const std::size_t limit = CycleLimit(Read(engine.Workloads()).size());
    course.at_rest = Read(player.RunUntilIdle(limit - first, Evictions::kComplete));
  }
  for (const WorkloadView& each : Read(engine.Workloads())) {
    course.end.emplace_hint(course.end.end(), each.spec.key, FateOf(each));
  }
  return course;
}

WhatIf Compare(const Course& without, const Course& with) {
  WhatIf answer;
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
    std::set<Key> held = Holders(engine);
    Courses courses;
    {
      Engine with = Read(engine.Fork());
      if (Status changed = change(with); !changed.ok()) return changed;
      courses.with = RunCourse(with, now, held);
    }  // its memory is free for the other one
    Engine without = Read(engine.Fork());
    courses.without = RunCourse(without, now, std::move(held));
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
