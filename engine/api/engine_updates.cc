// The public Engine, second part: what a gateway and the controllers of checks report about a
// workload that exists.
#include <algorithm>
#include <string>
#include <utility>

#include "engine/api/engine_run.h"
#include "engine/api/meant_job.h"
#include "engine/base/amount.h"
#include "engine/base/find_named.h"
#include "engine/base/join.h"
#include "engine/base/time_text.h"
#include "engine/command/scale.h"
#include "engine/explain/explain.h"
#include "engine/explain/views.h"
#include "engine/kin/variants.h"
#include "engine/life/checks.h"
#include "engine/life/deadlines.h"
#include "engine/life/lifecycle.h"
#include "engine/life/pod_set_updates.h"
#include "engine/policy/hold_rule.h"
#include "engine/state/whole_workload.h"
#include "engine/validity/validate.h"

namespace muster {
namespace {

Status Refuse(std::string message) {
  return Status(StatusCode::kFailedPrecondition, std::move(message));
}

Status UnknownCheck(const WorkloadRecord& workload, const std::string& name) {
  std::string text = workload.spec.key.ToString() + " does not wait for a check " + name;
  std::string listed;
  for (const AdmissionCheckStatus& check : workload.spec.status.rare->admission_checks) {
    listed += (listed.empty() ? "" : ", ") + check.name;
  }
  text += listed.empty() ? "; it waits for none" : "; its checks are " + listed;
  return Status(StatusCode::kNotFound, std::move(text));
}

/// Whether an answer can be taken now, and would not contradict what is there.
Status MayAnswer(const World& world, const WorkloadRecord& workload, const CheckUpdate& update) {
  const KeptStatus& status = workload.spec.status;
  const std::string name = workload.spec.key.ToString();
  if (IsTrue(status, condition::kFinished)) return Refuse(name + " has finished");
  if (!workload.active) return Refuse(name + " is not active");
  if (workload.evicted) return Refuse(name + " is being evicted; its checks begin anew");
  if (FindNamed(status.rare->admission_checks, update.check) == nullptr) {
    return UnknownCheck(workload, update.check);
  }
  if (update.requeue_after_seconds && *update.requeue_after_seconds < 0) {
    return Status(StatusCode::kInvalidArgument, "requeueAfterSeconds must be 0 or more");
  }
  if (update.pod_set_updates.empty()) return Status::Ok();
  if (!status.admission) return Refuse(name + " has no quota yet; its pods cannot be described");
  SharedList<AdmissionCheckStatus> checks = status.rare->admission_checks;
  FindNamed(checks, update.check)->pod_set_updates = update.pod_set_updates;
  return MergePodSetUpdates(world, workload, checks).status();
}

/// `before` with the new values of `update`.
Workload Changed(const Workload& before, const WorkloadUpdate& update) {
  Workload changed = before;
  if (update.priority) changed.priority = update.priority;
  if (update.active) changed.active = *update.active;
  if (update.reclaimable_pods) changed.status.reclaimable_pods = *update.reclaimable_pods;
  if (update.open_gates) changed.status.open_preemption_gates = *update.open_gates;
  return changed;
}

/// Whether nothing but a checkpoint is reported.
bool IsCheckpoint(WorkloadUpdate update) {
  if (update.checkpointed == kNoTime) return false;
  update.checkpointed = kNoTime;
  WorkloadUpdate nothing;
  nothing.workload = update.workload;
  nothing.uid = update.uid;
  nothing.run = update.run;
  return update == nothing;
}

/// Whether a checkpoint of that time can be one of the run that goes on.
Status MayCheckpoint(const World& world, const WorkloadRecord& workload, TimeNs at, TimeNs now) {
  const std::string name = workload.spec.key.ToString();
  if (!RunnerOf(world, workload).holds() || !IsTrue(workload.spec.status, condition::kAdmitted)) {
    return Refuse(name + " is not admitted: there is no run that could have a checkpoint");
  }
  if (at > now) {
    return Status(StatusCode::kInvalidArgument, "a checkpoint of " + name + " at " +
                                                    FormatTime(at) + " is in the future: it is " +
                                                    FormatTime(now));
  }
  if (at < workload.reserved_at) {
    return Status(StatusCode::kInvalidArgument, "a checkpoint of " + name + " at " +
                                                    FormatTime(at) +
                                                    " is of an earlier run: this one began at " +
                                                    FormatTime(workload.reserved_at));
  }
  return Status::Ok();
}

/// Gates can be opened that the workload has.
void CheckOpenGates(const Workload& workload, std::vector<Problem>& problems) {
  const SharedList<std::string>& gates = workload.preemption_gates;
  for (const std::string& open : workload.status.open_preemption_gates) {
    if (std::find(gates.begin(), gates.end(), open) != gates.end()) continue;
    Problem problem;
    problem.field = "spec.preemptionGates";
    problem.what = "'" + open + "' is no preemption gate of this workload";
    problem.cure = gates.empty() ? "it has none" : "its gates are " + Join(gates);
    problems.push_back(std::move(problem));
  }
}

}  // namespace

Status Engine::State::Update(const WorkloadUpdate& update, TimeNs now) {
  WorkloadRecord* workload = world.FindWorkload(update.workload);
  if (workload == nullptr) return UnknownWorkload(update.workload);
  if (Status meant = IsMeant(*workload, update.uid, update.run); !meant.ok()) return meant;
  if (update.checkpointed != kNoTime) {
    const Status may = MayCheckpoint(world, *workload, update.checkpointed, now);
    if (!may.ok()) return may;
  }
  Workload before = WholeWorkload(*workload);
  if (update.counts) {
    if (const Status status = Resize(before, *update.counts); !status.ok()) return status;
  }
  Workload changed = Changed(before, update);
  std::vector<Problem> problems;
  ValidateObject(changed, 0, problems, Strictness::kLenient);
  ValidateChange(before, changed, 0, problems);
  if (update.open_gates) CheckOpenGates(changed, problems);
  if (!problems.empty()) return Status::Invalid(std::move(problems));
  return Run(update, now, [&] {
    if (update.checkpointed != kNoTime) {
      WorkloadRecord& runner = world.workload(RunnerOf(world, *workload).id());
      NoteCheckpoint(world, runner, update.checkpointed);
      if (AsksAboutCheckpoints(policies)) WakeTreeOf(world, runner.holds_in);
    }
    if (!IsCheckpoint(update)) UpdateWorkload(world, *workload, changed);
    return Status::Ok();
  });
}

Result<WorkloadPhase> Engine::State::UpdateCheck(const CheckUpdate& update, TimeNs now) {
  WorkloadRecord* workload = world.FindWorkload(update.workload);
  if (workload == nullptr) return UnknownWorkload(update.workload);
  if (Status meant = IsMeant(*workload, update.uid, update.run); !meant.ok()) return meant;
  if (const Status may = MayAnswer(world, *workload, update); !may.ok()) return may;
  const Status status = Run(update, now, [&] {
    AnswerCheck(world, *workload, update);
    return Status::Ok();
  });
  if (!status.ok()) return status;
  return PhaseOf(*workload);
}

Status Engine::State::Ready(std::span<const Key> workloads, TimeNs now, bool ready,
                            MeantJobs meant) {
  if (Status fit = FitTogether(workloads, meant); !fit.ok()) return fit;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const Key& key = workloads[i];
    const WorkloadRecord* workload = world.FindWorkload(key);
    if (workload == nullptr) return UnknownWorkload(key);
    const Status is_meant = IsMeant(*workload, meant.uid(i), meant.run(i));
    if (!is_meant.ok()) return is_meant;
    if (Status told = MayBeTold(world, *workload); !told.ok()) return told;
    if (!RunnerOf(world, *workload).holds() ||
        !IsTrue(workload->spec.status, condition::kAdmitted)) {
      return Refuse(key.ToString() + " is not admitted");
    }
  }
  return Run(view::Ready{workloads, ready, meant.uids, meant.runs}, now, [&] {
    for (const Key& key : workloads) MarkReady(world, *world.FindWorkload(key), ready);
    return Status::Ok();
  });
}

TimeNs Engine::State::NextDeadline() const {
  TimeNs next = NextHoldEnd(world, policies);
  const auto note = [&next](TimeNs time) {
    if (time != kNoTime) next = next == kNoTime ? time : std::min(next, time);
  };
  if (!world.deadlines.empty()) note(world.deadlines.begin()->first);
  if (!world.second_passes.empty()) note(world.second_passes.begin()->first);
  const bool as_kueue = world.catalog.engine_config.overcommit_as_kueue;
  if (as_kueue && !world.wake_next.empty()) note(world.now + kSecond);
  return next;
}

Result<std::vector<PodSetUpdate>> Engine::State::PodSetUpdates(const Key& key) const {
  const WorkloadRecord* workload = world.FindWorkload(key);
  if (workload == nullptr) return UnknownWorkload(key);
  const WorkloadRecord& runner = RunnerOf(world, *workload);
  if (!runner.holds()) return Refuse(key.ToString() + " holds no quota");
  auto merged = MergePodSetUpdates(world, runner, runner.spec.status.rare->admission_checks);
  if (!merged.ok()) return Refuse(merged.status().message());
  return merged;
}

Result<std::vector<ResourceList>> Engine::State::PodRequests(const Key& key) const {
  const WorkloadRecord* workload = world.FindWorkload(key);
  if (workload == nullptr) return UnknownWorkload(key);
  std::vector<ResourceList> requests;
  for (const PodSetRequests& pod_set : workload->pod_sets) {
    ResourceList& list = requests.emplace_back();
    for (const ResourceAmount& each : pod_set.per_pod) {
      const std::string& resource = world.names.ResourceName(each.resource);
      list[resource] = QuantityOf(resource, each.amount);
    }
  }
  return requests;
}

Result<WorkloadView> Engine::State::GetWorkload(const Key& key) const {
  const WorkloadRecord* workload = world.FindWorkload(key);
  if (workload == nullptr) return UnknownWorkload(key);
  return ViewOf(world, *workload);
}

Result<Explanation> Engine::State::Explain(const Key& key) {
  WorkloadRecord* workload = world.FindWorkload(key);
  if (workload == nullptr) return UnknownWorkload(key);
  touched = true;  // it tries, and takes back
  return ExplainWorkload(world, policies, *workload);
}

}  // namespace muster
