// What happened, counted; metrics_text.cc writes it down.
#include "bindings/metrics/metrics.h"

#include <utility>
#include <variant>

#include "bindings/metrics/text.h"

namespace muster::metrics {
namespace {

struct Subject {
  std::string priority_class;
  TimeNs created = kNoTime;
};

Subject SubjectOf(const Engine& engine, const Key& key) {
  const Result<WorkloadView> workload = engine.GetWorkload(key);
  if (!workload.ok()) return {};
  return {std::string(workload->spec.priority_class), workload->spec.created};
}

std::string QueueLabels(std::string_view cluster_queue, std::string_view priority_class) {
  return Labels({{"cluster_queue", cluster_queue}, {"priority_class", priority_class}});
}

std::string EvictionLabels(std::string_view cluster_queue, std::string_view reason,
                           std::string_view priority_class) {
  return Labels({{"cluster_queue", cluster_queue},
                 {"reason", reason},
                 {"underlying_cause", ""},
                 {"priority_class", priority_class}});
}

}  // namespace

void Metrics::NoteCycle(const CycleResult& cycle, double seconds, const Engine& engine) {
  cycles_.Add(seconds);
  ++(cycle.admitted.empty() ? cycles_without_admission_ : cycles_with_admission_);
  for (const AdmittedWorkload& each : cycle.admitted) {
    const Subject subject = SubjectOf(engine, each.workload);
    const std::string labels =
        QueueLabels(std::string_view(each.admission.cluster_queue), subject.priority_class);
    ++reserved_[labels];
    if (each.admitted) ++admitted_[labels];
    if (subject.created != kNoTime) {
      waits_.try_emplace(labels, Histogram::OfWaits())
          .first->second.Add(static_cast<double>(cycle.at - subject.created) /
                             static_cast<double>(kSecond));
    }
  }
  for (const PreemptedWorkload& each : cycle.preempted) {
    const Result<WorkloadView> victim = engine.GetWorkload(each.workload);
    const Result<WorkloadView> by = engine.GetWorkload(each.by);
    ++preempted_[Labels({{"preempting_cluster_queue", by.ok() ? by->cluster_queue : ""},
                         {"reason", ReasonName(each.reason)}})];
    if (!victim.ok()) continue;
    ++evicted_[EvictionLabels(victim->cluster_queue, "Preempted",
                              std::string_view(victim->spec.priority_class))];
  }
  for (const EvictedWorkload& each : cycle.evicted) {
    ++evicted_[EvictionLabels(each.cluster_queue, each.reason,
                              SubjectOf(engine, each.workload).priority_class)];
  }
  for (const PolicyFailure& each : cycle.policy_failures) {
    ++policy_failures_[Labels({{"policy", each.policy}, {"hook", each.hook}})];
  }
}

std::vector<std::string> Metrics::QueuesOf(const Command& command, const Engine& engine) const {
  std::vector<Key> keys;
  if (const auto* const finish = std::get_if<command::Finish>(&command)) keys = finish->workloads;
  if (const auto* const check = std::get_if<CheckUpdate>(&command)) keys = {check->workload};
  std::vector<std::string> queues;
  for (const Key& key : keys) {
    const Result<WorkloadView> workload = engine.GetWorkload(key);
    const bool over = !workload.ok() || workload->phase == WorkloadPhase::kFinished;
    queues.push_back(over ? ""
                          : QueueLabels(workload->cluster_queue,
                                        std::string_view(workload->spec.priority_class)));
  }
  return queues;
}

void Metrics::NoteDone(const Command& command, const Answer& answer,
                       const std::vector<std::string>& queues) {
  const auto* const phase = std::get_if<answer::Phase>(&answer);
  const bool admitted = phase != nullptr && phase->phase == WorkloadPhase::kAdmitted;
  const bool finished = std::holds_alternative<command::Finish>(command);
  for (const std::string& labels : queues) {
    if (labels.empty()) continue;
    if (finished) ++finished_[labels];
    if (admitted) ++admitted_[labels];
  }
  const auto* const applied = std::get_if<answer::Applied>(&answer);
  if (applied == nullptr) return;
  for (const PolicyFailure& each : applied->failures) {
    ++policy_failures_[Labels({{"policy", each.policy}, {"hook", each.hook}})];
  }
}

}  // namespace muster::metrics
