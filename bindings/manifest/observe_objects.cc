#include "bindings/manifest/observe_objects.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "bindings/manifest/known_jobs.h"
#include "bindings/manifest/named_by_uid.h"
#include "bindings/manifest/on_hold.h"
#include "bindings/manifest/reporter.h"
#include "bindings/manifest/slices.h"
#include "bindings/manifest/start_objects.h"
#include "bindings/objects/marks.h"

namespace muster::manifest {
namespace {

/// Why a workload ends whose object contradicts its admission, as in Kueue.
constexpr std::string_view kFailedToStart = "FailedToStart";

bool SaidReady(const WorkloadView& view) {
  const std::vector<Condition>& conditions = view.spec.status.conditions;
  return std::any_of(conditions.begin(), conditions.end(), [](const Condition& condition) {
    return condition.type == "PodsReady" && condition.status;
  });
}

/// Pods that will not be made anew, as many as their podsets have at most.
SharedList<ReclaimablePods> ReclaimableOf(const JobObject& job, const WorkloadView& view) {
  std::vector<ReclaimablePods> out;
  for (const auto& each : *job.status.reclaimable) {
    for (const PodSet& set : view.spec.pod_sets) {
      if (set.name != each.name) continue;
      const std::int64_t count = std::min<std::int64_t>(each.count, set.count);
      out.push_back({each.name, static_cast<std::int32_t>(count)});
    }
  }
  return out;
}

/// Its objects are told of with it.
bool IsChild(const Engine& engine, const JobObject& job) {
  return std::any_of(job.owners.begin(), job.owners.end(),
                     [&engine](const Key& owner) { return engine.GetWorkload(owner).ok(); });
}

std::vector<WorkloadView> Meant(const Engine& engine, const JobObject& job) {
  if (job.workload_key.name.empty()) return {};
  const Key key = NameIn(engine, job);
  if (job.status.finished) {
    std::vector<WorkloadView> live = LiveSlicesOf(engine, key);
    if (!live.empty()) return live;
  }
  const Result<WorkloadView> running = engine.GetWorkload(RunningSlice(engine, key));
  return running.ok() ? std::vector<WorkloadView>{*running} : std::vector<WorkloadView>{};
}

/// Whether no pod of the group is any other than those that were given. One that has failed may
/// have been replaced, and then its replacement has its place: it counts where it is known by name.
bool HasAllPods(const GivenPods& given, const Workload& group) {
  if (static_cast<std::int64_t>(given.members.size()) >= given.total) return true;
  const PodRoles known = PodsOfGroup(group);
  return static_cast<std::int64_t>(known.size()) >= given.total &&
         std::all_of(known.begin(), known.end(), [&given](const auto& pod) {
           return given.members.contains(pod.first) ||
                  std::find(given.lost.begin(), given.lost.end(), pod.first) != given.lost.end();
         });
}

/// What is known of the pods of a workload.
struct Known {
  objects::JobStatus status;
  bool is_ready_known = true;
};

/// A Deployment never ends, and makes another pod for one that does: its replica keeps its place.
Known KnownOf(const ReplicaPods& replica, const Workload& workload) {
  Known known;
  const auto own = replica.started.find(workload.key.name);
  const bool is_started = own != replica.started.end();
  known.is_ready_known = is_started || replica.all_ready;
  known.status.pods_ready = is_started ? own->second.ready : replica.all_ready;
  // Those that were not given may be its own.
  known.status.pods_run = (is_started && own->second.run) || replica.others_run || !replica.there ||
                          replica.live < *replica.there;
  return known;
}

/// What the objects say. Pods that were not given may run.
Known KnownOf(const JobObject& job, const Workload& workload) {
  if (job.replica) return KnownOf(*job.replica, workload);
  Known known{job.status, job.is_ready_known};
  if (!job.group || HasAllPods(*job.group, workload)) return known;
  known.status.pods_run = true;
  known.status.finished = false;
  return known;
}

/// Why an object that is held back can never start as it was admitted; empty: it can, or runs, or
/// is held back by its pods.
std::string WhyItCannotStart(const Engine& engine, const JobObject& job, const WorkloadView& view) {
  const bool waits = !job.group && job.row != nullptr && !job.row->through_pods && !job.replica &&
                     objects::IsSuspended(*job.row, job.objects.front());
  return waits && !job.status.active ? StartConflict(engine, view, job) : "";
}

/// The one thing that is new and decides most.
Observed ObserveOne(const Engine& engine, const JobObject& job, const WorkloadView& view) {
  const std::vector<Key> keys = {view.spec.key};
  const auto [status, is_ready_known] = KnownOf(job, view.spec);
  Observed out{view.spec.key, "unchanged", {}};
  if (view.phase == WorkloadPhase::kFinished) return out;
  if (job.group && WaitsForPods(view.spec)) {
    std::optional<Workload> left = WithoutPods(view.spec, job.group->lost);
    if (!left) return out;
    out.result = "waits";
    out.commands.emplace_back(command::Apply{{*std::move(left)}, MissingReference::kAccept});
    return out;
  }
  if (HoldChange hold = ChangeOfHold(status, view); !hold.result.empty()) {
    out.result = std::move(hold.result);
    out.commands = std::move(hold.commands);
    return out;
  }
  if (status.finished) {
    out.result = status.success ? "finished" : "failed";
    out.commands.emplace_back(command::Finish{keys, !status.success});
    return out;
  }
  // Without a status nothing is known: that no pod is active gives quota back.
  const bool is_known = job.has_status || status.active_is_of_spec;
  const bool is_active = status.active && status.on_hold.empty();
  if (view.phase == WorkloadPhase::kEvicting && is_known && !is_active && !status.pods_run) {
    out.result = "evicted";
    out.commands.emplace_back(command::Evicted{keys});
    return out;
  }
  if (view.phase == WorkloadPhase::kAdmitted) {
    std::string conflict = WhyItCannotStart(engine, job, view);
    if (!conflict.empty()) {
      out.result = "cannot start";
      command::Finish failed{keys, true};
      failed.reason = kFailedToStart;
      failed.message = "In the object " + conflict + ", which contradicts its admission";
      out.commands.emplace_back(std::move(failed));
      return out;
    }
  }
  out.silent = !job.has_status;
  if (view.phase != WorkloadPhase::kAdmitted || out.silent) return out;
  if (status.reclaimable && !status.reclaimable->empty()) {
    command::Update update;
    update.workload = view.spec.key;
    update.reclaimable_pods = ReclaimableOf(job, view);
    if (!(*update.reclaimable_pods == view.spec.status.reclaimable_pods)) {
      out.result = "reclaimed";
      out.commands.emplace_back(std::move(update));
    }
  }
  if (!is_ready_known || status.pods_ready == SaidReady(view)) return out;
  out.result = status.pods_ready ? "ready" : "not ready";
  out.commands.emplace_back(command::Ready{keys, status.pods_ready});
  return out;
}

/// What is said of workloads whose replicas the object has no more: that their pods are gone.
std::vector<Observed> ObserveGone(const Engine& engine, const ScaledStatus& scaled) {
  std::vector<Observed> out;
  const ScaledObject& object = scaled.object;
  const bool is_whole = object.kind == "StatefulSet";
  if (is_whole && object.replicas > 0) return out;
  const std::int64_t there = scaled.there.value_or(0);
  // Which pods of a Deployment are there only they say.
  const bool tells_which = object.kind == "LeaderWorkerSet";
  std::int64_t first = std::max<std::int64_t>(object.replicas, 0);
  if (tells_which) first = std::max(first, there);
  NamesByUid names;
  for (std::int64_t i = first;; ++i) {
    const std::optional<WorkloadView> known = KnownReplica(engine, object, i, &names);
    if (!known) break;
    Observed one{known->spec.key, "unchanged", {}};
    one.silent = !scaled.there;
    if (known->phase == WorkloadPhase::kEvicting && scaled.there && (tells_which || there == 0)) {
      one.result = "evicted";
      one.commands.emplace_back(command::Evicted{{known->spec.key}});
    }
    out.push_back(std::move(one));
    if (is_whole) break;
  }
  return out;
}

/// What and the cure, of those whose objects say nothing; empty where all say something.
std::vector<std::string> WarningOf(std::span<const Observed> observed) {
  const auto is_silent = [](const Observed& each) { return each.silent; };
  const auto first = std::find_if(observed.begin(), observed.end(), is_silent);
  if (first == observed.end()) return {};
  const auto count = std::count_if(first, observed.end(), is_silent);
  return {"the object of " + first->workload.ToString() +
              (count == 1 ? "" : ", and those of " + std::to_string(count - 1) + " more,") +
              (count == 1 ? " has" : " have") + " no field status, so nothing is read from " +
              (count == 1 ? "it" : "them"),
          "send objects with the status that their controllers wrote"};
}

}  // namespace

std::string WhatLacks(const JobObject& job) {
  if (job.workload_key.name.empty()) {
    return "Pod " + std::string(objects::NameOf(job.objects.front())) + " is of " + job.of +
           ", and which of its workloads it was started for is not written in it";
  }
  return "there is no workload " + job.workload_key.ToString();
}

std::string CureOfLack(const JobObject& job) {
  if (job.workload_key.name.empty()) return "give the " + job.of + ", too";
  return "submit it first";
}

bool AreQueued(const Engine& engine, const JobObjects& read) {
  return std::any_of(read.jobs.begin(), read.jobs.end(),
                     [&engine](const JobObject& job) {
                       return !job.names_no_queue || !Meant(engine, job).empty();
                     }) ||
         !ObserveGone(engine, read).empty();
}

std::vector<Observed> ObserveGone(const Engine& engine, const JobObjects& read) {
  std::vector<Observed> all;
  for (const ScaledStatus& each : read.scaled) {
    for (Observed& one : ObserveGone(engine, each)) all.push_back(std::move(one));
  }
  return all;
}

Result<std::vector<Observed>> Observe(const Engine& engine, const JobObject& job) {
  const std::vector<WorkloadView> meant = Meant(engine, job);
  if (meant.empty() && (IsChild(engine, job) || job.names_no_queue)) return std::vector<Observed>{};
  if (meant.empty())
    return Status(StatusCode::kNotFound,
                  PlaceText(job.place) + ": " + WhatLacks(job) + "; " + CureOfLack(job));
  std::vector<Observed> out;
  for (const WorkloadView& view : meant) out.push_back(ObserveOne(engine, job, view));
  return out;
}

Result<std::vector<Observed>> ObserveAll(Engine* engine, const JobObjects& read, TimeNs now) {
  if (read.mistake) return Status(StatusCode::kInvalidArgument, read.mistake->ToString());
  if (!AreQueued(*engine, read)) {
    return Status(StatusCode::kInvalidArgument, "there is no object of a job kind with a queue");
  }
  for (const JobObject& job : read.jobs) {
    if (const auto known = Observe(*engine, job); !known.ok()) return known.status();
  }
  std::vector<Observed> all;
  for (const JobObject& job : read.jobs) {
    Result<std::vector<Observed>> observed = Observe(*engine, job);
    if (!observed.ok()) return observed.status();
    for (Observed& each : *observed) {
      for (const Command& command : each.commands) {
        const Result<Answer> answer = engine->Do(command, now);
        if (answer.ok()) continue;
        return Status(answer.status().code(),
                      each.workload.ToString() + ": " + std::string(answer.status().message()));
      }
      all.push_back(std::move(each));
    }
  }
  for (Observed& each : ObserveGone(*engine, read)) {
    for (const Command& command : each.commands) {
      const Result<Answer> answer = engine->Do(command, now);
      if (!answer.ok()) return answer.status();
    }
    all.push_back(std::move(each));
  }
  return all;
}

std::string ToJson(std::span<const Observed> observed) {
  objects::Value answer = objects::Value::Map();
  objects::Value& all = answer.Make("objects");
  all = objects::Value::List();
  for (const Observed& each : observed) {
    all.items.push_back(objects::Value::Texts(
        {{"kind", "Workload"}, {"name", each.workload.ToString()}, {"result", each.result}}));
  }
  if (const std::vector<std::string> warning = WarningOf(observed); !warning.empty()) {
    answer.Make("warnings") = objects::Value::List();
    answer.Make("warnings")
        .items.push_back(objects::Value::Texts({{"message", warning[0]}, {"cure", warning[1]}}));
  }
  return objects::ToJson(answer);
}

}  // namespace muster::manifest
