// The queues; workloads stand in workload_table.cc, kinds that only have a spec stand in
// get_objects_view.cc.
#include "bindings/cli/show/get_view.h"

#include <algorithm>

#include "bindings/cli/show/get_accounts.h"
#include "bindings/cli/show/get_consumers.h"
#include "bindings/cli/show/get_objects_view.h"
#include "bindings/cli/show/workload_table.h"
#include "bindings/lab/read.h"
#include "bindings/lab/words.h"

namespace muster::cli {
namespace {

constexpr std::size_t kQuotasShown = 3;  ///< in a cell that is not wide

/// Whether a queue has workloads that wait in no queue: else that column says nothing.
bool AnyHeld(const auto& queues) {
  return std::any_of(queues.begin(), queues.end(),
                     [](const auto& queue) { return queue.held > 0; });
}

Table CohortsTable(const std::vector<CohortView>& cohorts, bool wide) {
  std::vector<std::string> header = {"NAME", "PARENT", ">COHORTS", ">CLUSTERQUEUES", "USED"};
  if (wide) header.insert(header.end(), {">SHARE", ">WEIGHT", "APPLIED"});
  Table table(std::move(header));
  for (const CohortView& cohort : cohorts) {
    std::vector<Cell> row = {
        cohort.spec.name, cohort.spec.parent, std::to_string(cohort.child_cohorts.size()),
        std::to_string(cohort.cluster_queues.size()), ShowUsage(cohort.quotas, wide)};
    if (wide) {
      row.insert(row.end(), {lab::Share(cohort.weighted_share), lab::Share(cohort.spec.fair_weight),
                             cohort.implicit ? "only by name" : "yes"});
    }
    table.Add(std::move(row));
  }
  return table;
}

Table LocalQueuesTable(const std::vector<LocalQueueView>& queues, bool wide) {
  const bool held = AnyHeld(queues);
  std::vector<std::string> header = {"NAMESPACE", "NAME",       "CLUSTERQUEUE",
                                     ">PENDING",  ">RESERVING", ">ADMITTED"};
  if (held) header.emplace_back(">HELD");
  const bool stopped = wide || std::any_of(queues.begin(), queues.end(), [](const auto& queue) {
                         return queue.spec.stop_policy != StopPolicy::kNone;
                       });
  if (stopped) header.emplace_back("STOP");
  if (wide) header.insert(header.end(), {">WEIGHT", ">HISTORY"});
  Table table(std::move(header));
  for (const LocalQueueView& queue : queues) {
    std::vector<Cell> row = {queue.spec.key.ns,
                             queue.spec.key.name,
                             queue.spec.cluster_queue,
                             std::to_string(queue.pending),
                             std::to_string(queue.reserving),
                             std::to_string(queue.admitted)};
    if (held) row.emplace_back(std::to_string(queue.held));
    if (stopped) row.emplace_back(std::string(lab::Spelled(queue.spec.stop_policy)));
    if (wide) {
      row.insert(row.end(),
                 {lab::Share(queue.spec.fair_weight), lab::Share(queue.fair_sharing_usage)});
    }
    table.Add(std::move(row));
  }
  return table;
}

}  // namespace

std::string StateOf(const WorkloadView& workload) {
  if (workload.phase == WorkloadPhase::kPending && workload.parked) return "Parked";
  if (workload.held) return "Held";
  if (workload.hold) return "OnHold";
  return std::string(PhaseName(workload.phase));
}

std::string ShowLabels(const LabelMap& labels) {
  std::string text;
  for (const auto& [key, value] : labels) {
    if (!text.empty()) text += ',';
    text += key + "=" + value;
  }
  return text;
}

std::string ShowUsage(const std::vector<QuotaView>& quotas, bool wide) {
  std::string text;
  std::string_view flavor;
  std::size_t shown = 0;
  for (const QuotaView& quota : quotas) {
    if (!wide && shown == kQuotasShown) {
      return text + ", +" + std::to_string(quotas.size() - shown) + " more";
    }
    if (quota.flavor != flavor) {
      flavor = quota.flavor;
      text += (text.empty() ? "" : "; ") + quota.flavor + ": ";
    } else {
      text += ", ";
    }
    text += quota.resource + " " + FormatAmount(quota.resource, quota.usage) + "/" +
            FormatAmount(quota.resource, quota.total);
    ++shown;
  }
  return text;
}

std::string ShowBorrowed(const std::vector<QuotaView>& quotas) {
  std::map<std::string, Amount> borrowed;
  for (const QuotaView& quota : quotas) borrowed[quota.resource] += quota.borrowed;
  return ShowAmounts(borrowed);
}

std::string ShowAmounts(const std::map<std::string, Amount>& amounts) {
  std::string text;
  for (const auto& [resource, amount] : amounts) {
    if (amount == 0) continue;
    text += (text.empty() ? "" : ", ") + resource + " " + FormatAmount(resource, amount);
  }
  return text;
}

Table ClusterQueuesTable(const std::vector<ClusterQueueView>& queues, bool wide) {
  std::vector<std::string> header = {"NAME", "COHORT", "USED", ">ADMITTED", ">PENDING", ">PARKED"};
  const bool held = AnyHeld(queues);
  if (held) header.emplace_back(">HELD");
  header.emplace_back("ACTIVE");
  if (wide) header.insert(header.end(), {"BORROWED", "STRATEGY", ">SHARE", ">WEIGHT"});
  Table table(std::move(header));
  for (const ClusterQueueView& queue : queues) {
    Cell active = queue.active ? Cell("yes") : Cell(queue.inactive_reason, Tone::kBad);
    std::vector<Cell> row = {queue.spec.name,
                             queue.spec.cohort,
                             ShowUsage(queue.quotas, wide),
                             std::to_string(queue.admitted),
                             std::to_string(queue.pending),
                             std::to_string(queue.parked)};
    if (held) row.emplace_back(std::to_string(queue.held));
    row.push_back(std::move(active));
    if (wide) {
      row.insert(row.end(), {ShowBorrowed(queue.quotas),
                             std::string(lab::Spelled(queue.spec.queueing_strategy)),
                             lab::Share(queue.weighted_share), lab::Share(queue.spec.fair_weight)});
    }
    table.Add(std::move(row));
  }
  return table;
}

Table KindTable(const Engine& engine, Kind kind, const Filter& filter, bool wide) {
  switch (kind) {
    case Kind::kClusterQueue:
      return ClusterQueuesTable(ClusterQueues(engine, filter), wide);
    case Kind::kCohort:
      return CohortsTable(Cohorts(engine, filter), wide);
    case Kind::kLocalQueue:
      return LocalQueuesTable(LocalQueues(engine, filter), wide);
    case Kind::kWorkload:
      return WorkloadsTable(engine, Workloads(engine, filter), wide);
    case Kind::kAccount:
      return AccountsTable(Accounts(engine, filter));
    case Kind::kConsumer:
      return ConsumersTable(Consumers(engine, filter));
    case Kind::kPolicy:
      return PoliciesTable(filter.Keep(lab::Read(engine.Policies()),
                                       [](const PolicyInfo& policy) {
                                         return Key{"", policy.name};
                                       }),
                           wide);
    case Kind::kPolicyBinding:
      return BindingsTable(engine, Objects(engine, kind, filter));
    default:
      return ObjectsTable(kind, Objects(engine, kind, filter));
  }
}

}  // namespace muster::cli
