// What happens between cycles, one overload a step.
#include "tests/oracle/history.h"

#include <algorithm>

namespace muster::oracle {

Condition* FindCondition(Workload& workload, const std::string& type) {
  for (Condition& condition : workload.status.conditions) {
    if (condition.type == type) return &condition;
  }
  return nullptr;
}

bool IsTrue(const Workload& workload, const std::string& type) {
  return std::any_of(workload.status.conditions.begin(), workload.status.conditions.end(),
                     [&](const Condition& c) { return c.type == type && c.status; });
}

void SetCondition(Workload& workload, const std::string& type, bool status,
                  const std::string& reason, TimeNs now) {
  Condition* condition = FindCondition(workload, type);
  if (condition == nullptr) condition = &workload.status.conditions.emplace_back();
  *condition = {type, status, reason, "", CutToSecond(now)};
}

History::History(const std::vector<Object>& objects, TimeNs now, bool controller)
    : now_(now), controller_(controller) {
  for (const Object& object : objects) {
    if (const auto* config = std::get_if<Configuration>(&object)) config_ = *config;
    if (const auto* config = std::get_if<EngineConfiguration>(&object)) {
      sticky_cure_ = config->sticky_cure;
    }
    if (const auto* queue = std::get_if<ClusterQueue>(&object)) {
      queues_[queue->name].by_usage = queue->admission_mode == AdmissionMode::kUsageBased;
    }
    if (const auto* queue = std::get_if<LocalQueue>(&object)) {
      FairUsage& usage = usage_[queue->key];
      if (queue->history) usage.consumed = queue->history->consumed;
      usage.last = now_;
    }
    if (!std::holds_alternative<Workload>(object)) objects_.push_back(object);
  }
  for (const Object& object : objects) {
    const auto* workload = std::get_if<Workload>(&object);
    if (workload != nullptr) Happen(Submit{{*workload}});
  }
  const auto& config = config_.admission_fair_sharing;
  for (auto& [key, usage] : usage_) {
    if (config) usage.Sample(*config, AdmittedUsage(key), now_);
  }
}

template <typename T>
const T* History::Find(const Key& key) const {
  for (const Object& object : objects_) {
    if (std::holds_alternative<T>(object) && KeyOf(object) == key) return &std::get<T>(object);
  }
  return nullptr;
}
template const LocalQueue* History::Find(const Key&) const;
template const ClusterQueue* History::Find(const Key&) const;

std::string History::QueueOf(const Workload& workload) const {
  const auto* local = Find<LocalQueue>({workload.key.ns, workload.queue});
  return local == nullptr ? "" : local->cluster_queue;
}

Snapshot History::Look() const {
  std::vector<Object> objects = objects_;
  for (const auto& [key, member] : members_) {
    const bool seen = member.workload.status.admission || member.place == Place::kHeap;
    if (seen) objects.emplace_back(member.workload);
  }
  return Load(objects, now_);
}

std::map<Key, double> History::FairUsageValues() const {
  std::map<Key, double> values;
  if (!config_.admission_fair_sharing) return values;
  for (const auto& [key, usage] : usage_) {
    const auto* local = Find<LocalQueue>(key);
    values[key] = usage.Value(*config_.admission_fair_sharing, local->fair_weight);
  }
  return values;
}

// What the admitted workloads of a LocalQueue hold.
ResourceList History::AdmittedUsage(const Key& local_queue) const {
  ResourceList sum;
  for (const Job& job : Look().holders) {
    if (job.local_queue != local_queue) continue;
    for (const auto& [fr, amount] : job.usage) {
      sum[fr.second] =
          sum[fr.second] + (fr.second == "cpu" ? Quantity::Milli(amount) : Quantity::Units(amount));
    }
  }
  return sum;
}

Decisions History::Do(const Step& step) {
  Decisions decisions;
  if (std::holds_alternative<Cycle>(step)) {
    DoWhatIsDue();
    FlushWakes();
    decisions = RunOneCycle();
  } else {
    std::visit(
        [&](const auto& what) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(what)>, Cycle>) Happen(what);
        },
        step);
  }
  FlushWakes();
  return decisions;
}

void History::Happen(const Submit& step) {
  for (const Workload& workload : step.workloads) {
    Member& member = members_[workload.key];
    member.workload = workload;
    member.evicting = workload.status.admission && IsTrue(workload, "Evicted");
    if (MayQueue(member)) Enqueue(member, /*changed=*/true, /*check_class=*/true);
  }
}

void History::Happen(const Pass& step) {
  now_ += step.time;
  DoWhatIsDue();
  const auto& config = config_.admission_fair_sharing;
  if (!config) return;
  const Snapshot world = Look();
  for (auto& [key, usage] : usage_) {
    const auto* local = Find<LocalQueue>(key);
    const auto queue = world.tree.nodes.find("queue/" + local->cluster_queue);
    const bool sampled = local->stop_policy == StopPolicy::kNone &&
                         queue != world.tree.nodes.end() && queue->second.active &&
                         now_ - usage.last >= config->usage_sampling_interval;
    if (sampled) usage.Sample(*config, AdmittedUsage(key), now_);
  }
}

// Section 5.6: "a WL held by this CQ is removed or written again"; deactivated ones are not held.
void History::AdvanceGeneration(const Member& member) {
  const auto& admission = member.workload.status.admission;
  if (admission && member.workload.active) ++queues_[admission->cluster_queue].generation;
}

// Takes the quota of a holder away.
void History::Release(Member& member) {
  if (!member.workload.status.admission) return;
  AdvanceGeneration(member);
  WakeFor(member.workload);
  member.workload.status.admission.reset();
  SetCondition(member.workload, "QuotaReserved", false, "", now_);
  SetCondition(member.workload, "Admitted", false, "", now_);
}

void History::Happen(const Finish& step) {
  for (const Key& key : step.workloads) {
    Member& member = members_.at(key);
    if (!member.workload.status.admission) continue;
    Release(member);
    SetCondition(member.workload, "Finished", true, "Succeeded", now_);
    member.finished_while_evicting = std::exchange(member.evicting, false);
  }
}

void History::Happen(const Cancel& step) {
  Member& member = members_.at(step.workload);
  Release(member);  // one that has finished is only forgotten
  Leave(member);
  members_.erase(step.workload);
}

// Section 10.5.
void History::Happen(const CompleteEvictions&) {
  for (auto& [key, member] : members_) {
    if (std::exchange(member.finished_while_evicting, false)) WakeFor(member.workload);
    if (!std::exchange(member.evicting, false)) continue;
    EndRun(member);
    Release(member);
    member.reason = PendingReason::kPendingEvaluation;
    const std::string why = FindCondition(member.workload, "Evicted")->reason;
    SetCondition(member.workload, "Requeued", why == "Preempted", why, now_);
    if (MayQueue(member)) Enqueue(member, /*changed=*/true, /*check_class=*/true);
    EndBackoff(member);
  }
  if (controller_) RunController();
}

}  // namespace muster::oracle
