// The families, Kueue's first. Amounts are in units that people use: cores, bytes, devices.
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/lab/read.h"
#include "bindings/metrics/metrics.h"
#include "bindings/metrics/text.h"

namespace muster::metrics {
namespace {

double InUnits(std::string_view resource, Amount amount) {
  constexpr double kMillis = 1000;
  return resource == "cpu" ? static_cast<double>(amount) / kMillis : static_cast<double>(amount);
}

/// A line for each pair of quota of each queue that `value` has one for.
template <typename Value>
void AddPairs(const std::vector<ClusterQueueView>& queues, std::string_view name,
              std::string_view help, const Value& value, Text* text) {
  text->Family(name, "gauge", help);
  for (const ClusterQueueView& queue : queues) {
    for (const QuotaView& quota : queue.quotas) {
      const std::optional<Amount> amount = value(quota);
      if (!amount) continue;
      text->Add(Labels({{"cohort", queue.spec.cohort},
                        {"cluster_queue", queue.spec.name},
                        {"flavor", quota.flavor},
                        {"resource", quota.resource}}),
                InUnits(quota.resource, *amount));
    }
  }
}

void AddQueues(const std::vector<ClusterQueueView>& queues, Text* text) {
  const auto of = [](const ClusterQueueView& queue) { return queue.spec.name; };
  text->Family("kueue_pending_workloads", "gauge",
               "Workloads that wait, by whether they are tried");
  for (const ClusterQueueView& queue : queues) {
    const std::int64_t parked = queue.parked + queue.on_hold + queue.held;
    // `pending` has those on hold among its own.
    text->Add(Labels({{"cluster_queue", of(queue)}, {"status", "active"}}),
              queue.pending - queue.on_hold);
    text->Add(Labels({{"cluster_queue", of(queue)}, {"status", "inadmissible"}}), parked);
  }
  text->Family("kueue_reserving_active_workloads", "gauge", "Workloads that hold quota");
  for (const auto& queue : queues)
    text->Add(Labels({{"cluster_queue", of(queue)}}), queue.reserving);
  text->Family("kueue_admitted_active_workloads", "gauge", "Workloads that are admitted");
  for (const auto& queue : queues)
    text->Add(Labels({{"cluster_queue", of(queue)}}), queue.admitted);
  text->Family("kueue_cluster_queue_status", "gauge", "1 for the status that the queue has");
  for (const auto& queue : queues) {
    const bool ends = queue.inactive_reason == "Terminating";
    const std::array<std::pair<std::string_view, bool>, 3> statuses = {
        {{"pending", !queue.active && !ends}, {"active", queue.active}, {"terminating", ends}}};
    for (const auto& [status, has] : statuses) {
      text->Add(Labels({{"cluster_queue", of(queue)}, {"status", status}}), std::int64_t{has});
    }
  }
  text->Family("kueue_cluster_queue_weighted_share", "gauge", "Dominant resource share");
  for (const auto& queue : queues) {
    text->Add(Labels({{"cluster_queue", of(queue)}, {"cohort", queue.spec.cohort}}),
              queue.weighted_share);
  }
  using Quota = const QuotaView&;
  AddPairs(
      queues, "kueue_cluster_queue_nominal_quota", "Quota of its own",
      [](Quota q) { return std::optional(q.nominal); }, text);
  AddPairs(
      queues, "kueue_cluster_queue_borrowing_limit", "The most it may borrow",
      [](Quota q) { return q.borrowing_limit; }, text);
  AddPairs(
      queues, "kueue_cluster_queue_lending_limit", "The most it lends",
      [](Quota q) { return q.lending_limit; }, text);
  AddPairs(
      queues, "kueue_cluster_queue_resource_reservation", "What its workloads hold",
      [](Quota q) { return std::optional(q.usage); }, text);
  AddPairs(
      queues, "muster_cluster_queue_borrowed", "Of what they hold, what comes from the cohort",
      [](Quota q) { return std::optional(q.borrowed); }, text);
}

void AddCohorts(const std::vector<CohortView>& cohorts, Text* text) {
  const auto labels = [](const CohortView& cohort, const QuotaView& quota) {
    return Labels(
        {{"cohort", cohort.spec.name}, {"flavor", quota.flavor}, {"resource", quota.resource}});
  };
  text->Family("kueue_cohort_weighted_share", "gauge", "Dominant resource share");
  for (const CohortView& cohort : cohorts) {
    text->Add(Labels({{"cohort", cohort.spec.name}}), cohort.weighted_share);
  }
  text->Family("kueue_cohort_subtree_quota", "gauge", "Quota of the cohort and all below");
  for (const CohortView& cohort : cohorts) {
    for (const QuotaView& quota : cohort.quotas) {
      text->Add(labels(cohort, quota), InUnits(quota.resource, quota.total));
    }
  }
  text->Family("kueue_cohort_subtree_resource_reservations", "gauge", "What all below hold");
  for (const CohortView& cohort : cohorts) {
    for (const QuotaView& quota : cohort.quotas) {
      text->Add(labels(cohort, quota), InUnits(quota.resource, quota.usage));
    }
  }
}

void AddLocalQueues(const std::vector<LocalQueueView>& queues, Text* text) {
  const auto labels = [](const LocalQueueView& queue) {
    return Labels({{"name", queue.spec.key.name}, {"namespace", queue.spec.key.ns}});
  };
  text->Family("kueue_local_queue_pending_workloads", "gauge",
               "Workloads that wait, by whether they are tried");
  for (const LocalQueueView& queue : queues) {
    text->Add(labels(queue) + "," + Labels({{"status", "active"}}), queue.pending);
    text->Add(labels(queue) + "," + Labels({{"status", "inadmissible"}}), queue.held);
  }
  text->Family("kueue_local_queue_reserving_active_workloads", "gauge",
               "Workloads that hold quota");
  for (const auto& queue : queues) text->Add(labels(queue), queue.reserving);
  text->Family("kueue_local_queue_admitted_active_workloads", "gauge",
               "Workloads that are admitted");
  for (const auto& queue : queues) text->Add(labels(queue), queue.admitted);
  text->Family("kueue_local_queue_admission_fair_sharing_usage", "gauge",
               "Usage that orders a queue under admission fair sharing");
  for (const auto& queue : queues) text->Add(labels(queue), queue.fair_sharing_usage);
}

}  // namespace

std::string Metrics::Text(const Engine& engine) {
  metrics::Text text;
  text.Family("kueue_build_info", "gauge", "1, with the version");
  text.Add(Labels({{"git_version", version_}}), std::int64_t{1});
  text.Family("kueue_admission_attempts_total", "counter",
              "Cycles, by whether something was admitted");
  text.Add(Labels({{"result", "success"}}), cycles_with_admission_);
  text.Add(Labels({{"result", "inadmissible"}}), cycles_without_admission_);
  const auto counts = [&text](std::string_view name, std::string_view help, const Counts& counted) {
    text.Family(name, "counter", help);
    for (const auto& [labels, count] : counted) text.Add(labels, count);
  };
  counts("kueue_quota_reserved_workloads_total", "Workloads that got quota", reserved_);
  counts("kueue_admitted_workloads_total", "Workloads that were admitted", admitted_);
  counts("kueue_finished_workloads_total", "Workloads that ended", finished_);
  counts("kueue_evicted_workloads_total", "Workloads that were told to leave", evicted_);
  counts("kueue_preempted_workloads_total", "Workloads that made room for others", preempted_);
  text.Family("kueue_quota_reserved_wait_time_seconds", "histogram",
              "From creation until quota was reserved");
  for (const auto& [labels, waits] : waits_) text.Add(labels, waits);
  AddQueues(lab::Read(engine.ClusterQueues()), &text);
  AddCohorts(lab::Read(engine.Cohorts()), &text);
  AddLocalQueues(lab::Read(engine.LocalQueues()), &text);
  text.Family("muster_largest_gang", "gauge",
              "Most nodes that no workload is on, in one domain of the level");
  for (const places::Gang& gang : gangs_.Largest(engine)) {
    text.Add(Labels({{"topology", gang.topology}, {"level", gang.largest.level}}),
             std::int64_t{gang.largest.nodes});
  }
  text.Family("muster_cycle_seconds", "histogram", "What a cycle takes");
  text.Add("", cycles_);
  text.Family("muster_answer_seconds", "histogram",
              "From when the engine takes a call until it is on disk");
  text.Add("", answered_);
  counts("muster_policy_failures_total", "Hooks whose native twin decided instead",
         policy_failures_);
  text.Family("muster_policy_active", "gauge", "1 for the generation of each package that decides");
  for (const PolicyInfo& policy : lab::Read(engine.Policies())) {
    text.Add(Labels({{"policy", policy.name}, {"hash", policy.hash}}), std::int64_t{1});
  }
  const std::vector<PolicyUse> uses = lab::Read(engine.PolicyUses());
  text.Family("muster_policy_calls_total", "counter", "How often a hook of a generation was asked");
  for (const PolicyUse& use : uses) text.Add(Labels({{"hash", use.hash}}), use.calls);
  text.Family("muster_policy_fuel_total", "counter", "What the hooks of a generation used");
  for (const PolicyUse& use : uses) text.Add(Labels({{"hash", use.hash}}), use.fuel);
  return std::move(text).Take();
}

}  // namespace muster::metrics
