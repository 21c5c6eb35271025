// The queues and the jobs; kinds that only have a spec stand in get_objects_view.cc.
#include "bindings/cli/show/get_view.h"

#include "bindings/cli/show/get_accounts.h"
#include "bindings/cli/show/get_objects_view.h"
#include "bindings/cli/show/reclaim.h"
#include "bindings/cli/table.h"
#include "bindings/cli/words.h"
#include "bindings/cli/world/read.h"
#include "bindings/manifest/manifest.h"

namespace muster::cli {
namespace {

constexpr std::size_t kQuotasShown = 3;  ///< in a cell that is not wide

Tone ToneOf(const WorkloadView& workload) {
  switch (workload.phase) {
    case WorkloadPhase::kReserved:
    case WorkloadPhase::kAdmitted:
      return Tone::kGood;
    case WorkloadPhase::kEvicting:
    case WorkloadPhase::kInactive:
      return Tone::kBad;
    case WorkloadPhase::kPending:
      return Tone::kWarning;
    case WorkloadPhase::kFinished:
      return Tone::kFaint;
  }
  return Tone::kPlain;
}

/// What the last column of a workload says: where it runs, or why it does not.
std::string Detail(const WorkloadView& workload, bool wide) {
  if (workload.phase == WorkloadPhase::kFinished) return "";
  if (workload.spec.status.admission) return Assigned(*workload.spec.status.admission);
  std::string detail(WhyItWaits(workload));
  if (wide && !workload.message.empty()) detail += ": " + workload.message;
  return detail;
}

void PrintCohorts(const std::vector<CohortView>& cohorts, bool wide, Io& io) {
  std::vector<std::string> header = {"NAME", "PARENT", ">COHORTS", ">CLUSTERQUEUES", "USED"};
  if (wide) header.insert(header.end(), {">SHARE", ">WEIGHT", "APPLIED"});
  Table table(std::move(header));
  for (const CohortView& cohort : cohorts) {
    std::vector<Cell> row = {
        cohort.spec.name, cohort.spec.parent, std::to_string(cohort.child_cohorts.size()),
        std::to_string(cohort.cluster_queues.size()), ShowUsage(cohort.quotas, wide)};
    if (wide) {
      row.insert(row.end(), {Share(cohort.weighted_share), Share(cohort.spec.fair_weight),
                             cohort.implicit ? "only by name" : "yes"});
    }
    table.Add(std::move(row));
  }
  table.Print(io.out, io.paint);
}

void PrintLocalQueues(const std::vector<LocalQueueView>& queues, bool wide, Io& io) {
  std::vector<std::string> header = {"NAMESPACE", "NAME",       "CLUSTERQUEUE",
                                     ">PENDING",  ">RESERVING", ">ADMITTED"};
  if (wide) header.insert(header.end(), {"STOP", ">WEIGHT", ">HISTORY"});
  Table table(std::move(header));
  for (const LocalQueueView& queue : queues) {
    std::vector<Cell> row = {queue.spec.key.ns,
                             queue.spec.key.name,
                             queue.spec.cluster_queue,
                             std::to_string(queue.pending),
                             std::to_string(queue.reserving),
                             std::to_string(queue.admitted)};
    if (wide) {
      row.insert(row.end(), {std::string(Spelled(queue.spec.stop_policy)),
                             Share(queue.spec.fair_weight), Share(queue.fair_sharing_usage)});
    }
    table.Add(std::move(row));
  }
  table.Print(io.out, io.paint);
}

void PrintWorkloads(const Engine& engine, const std::vector<WorkloadView>& workloads, bool wide,
                    Io& io) {
  std::vector<std::string> header = {"NAMESPACE",    "NAME",  "QUEUE",
                                     "CLUSTERQUEUE", ">PRIO", "STATE"};
  if (wide) header.insert(header.end(), {"CREATED", "RECLAIMABLE BY"});
  header.emplace_back("DETAIL");
  Table table(std::move(header));
  const Lenders lenders(engine);
  for (const WorkloadView& workload : workloads) {
    std::vector<Cell> row = {workload.spec.key.ns,
                             workload.spec.key.name,
                             workload.spec.queue.str(),
                             workload.cluster_queue,
                             std::to_string(workload.priority),
                             {StateOf(workload), ToneOf(workload)}};
    if (wide) {
      row.insert(row.end(), {manifest::FormatTime(workload.spec.created),
                             ShowReclaimers(lenders.MayReclaimFrom(workload))});
    }
    row.emplace_back(Detail(workload, wide));
    table.Add(std::move(row));
  }
  table.Print(io.out, io.paint);
}

}  // namespace

std::string StateOf(const WorkloadView& workload) {
  if (workload.phase == WorkloadPhase::kPending && workload.parked) return "Parked";
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
            FormatAmount(quota.resource, quota.nominal);
    ++shown;
  }
  return text;
}

void PrintClusterQueues(const std::vector<ClusterQueueView>& queues, bool wide, Io& io) {
  std::vector<std::string> header = {"NAME",     "COHORT",  "USED",  ">ADMITTED",
                                     ">PENDING", ">PARKED", "ACTIVE"};
  if (wide) header.insert(header.end(), {"STRATEGY", ">SHARE", ">WEIGHT"});
  Table table(std::move(header));
  for (const ClusterQueueView& queue : queues) {
    Cell active = queue.active ? Cell("yes") : Cell(queue.inactive_reason, Tone::kBad);
    std::vector<Cell> row = {queue.spec.name,
                             queue.spec.cohort,
                             ShowUsage(queue.quotas, wide),
                             std::to_string(queue.admitted),
                             std::to_string(queue.pending),
                             std::to_string(queue.parked),
                             std::move(active)};
    if (wide) {
      row.insert(row.end(), {std::string(Spelled(queue.spec.queueing_strategy)),
                             Share(queue.weighted_share), Share(queue.spec.fair_weight)});
    }
    table.Add(std::move(row));
  }
  table.Print(io.out, io.paint);
}

std::size_t PrintKind(const Engine& engine, Kind kind, const Filter& filter, bool wide, Io& io) {
  const auto print = [](const auto& list, const auto& printer) {
    if (!list.empty()) printer(list);
    return list.size();
  };
  switch (kind) {
    case Kind::kClusterQueue:
      return print(ClusterQueues(engine, filter),
                   [&](const auto& list) { PrintClusterQueues(list, wide, io); });
    case Kind::kCohort:
      return print(Cohorts(engine, filter),
                   [&](const auto& list) { PrintCohorts(list, wide, io); });
    case Kind::kLocalQueue:
      return print(LocalQueues(engine, filter),
                   [&](const auto& list) { PrintLocalQueues(list, wide, io); });
    case Kind::kWorkload:
      return print(Workloads(engine, filter),
                   [&](const auto& list) { PrintWorkloads(engine, list, wide, io); });
    case Kind::kAccount:
      return print(Accounts(engine, filter), [&](const auto& list) { PrintAccounts(list, io); });
    case Kind::kPolicy:
      return print(filter.Keep(Read(engine.Policies()),
                               [](const PolicyInfo& policy) {
                                 return Key{"", policy.name};
                               }),
                   [&](const auto& list) { PrintPolicies(list, wide, io); });
    case Kind::kPolicyBinding:
      return print(Objects(engine, kind, filter),
                   [&](const auto& list) { PrintBindings(engine, list, io); });
    default:
      return print(Objects(engine, kind, filter),
                   [&](const auto& list) { PrintObjects(kind, list, io); });
  }
}

}  // namespace muster::cli
