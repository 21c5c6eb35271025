// What a workload borrows is counted as `muster usage` counts it: the nominal quota of a queue goes
// to those that came first.
#include "bindings/cli/show/workload_table.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "bindings/cli/show/get_items.h"
#include "bindings/cli/show/get_view.h"
#include "bindings/cli/show/reclaim.h"
#include "bindings/lab/read.h"
#include "bindings/lab/words.h"
#include "bindings/manifest/manifest.h"

namespace muster::cli {
namespace {

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
  if (workload.spec.status.admission) return lab::Assigned(*workload.spec.status.admission);
  std::string detail = lab::WhyItWaits(workload);
  if (wide && !workload.hold && !workload.message.empty() && workload.closed.empty())
    detail += ": " + workload.message;
  return detail;
}

using Amounts = std::map<std::string, Amount>;  ///< by resource

/// When a workload got its quota.
TimeNs ReservedAt(const WorkloadView& workload) {
  for (const Condition& each : workload.spec.status.conditions) {
    if (each.type == "QuotaReserved" && each.status) return each.since;
  }
  return kNoTime;
}

/// In the order in which they got their quota. Conditions have whole seconds: of those of one
/// second, the one that comes first in the built-in order of a queue.
bool StartedBefore(const WorkloadView& a, const WorkloadView& b) {
  const auto place = [](const WorkloadView& each) {
    return std::tuple<TimeNs, std::int64_t, TimeNs, std::string_view, const Key&>(
        ReservedAt(each), -each.priority, each.spec.created, each.spec.uid, each.spec.key);
  };
  return place(a) < place(b);
}

/// What each workload holds above the nominal quota of its queue.
std::map<Key, Amounts> Borrowed(const Engine& engine) {
  // What is left of the nominal quota, by queue, flavor and resource.
  std::map<std::tuple<std::string, std::string, std::string>, Amount> left;
  for (const ClusterQueueView& queue : lab::Read(engine.ClusterQueues())) {
    for (const QuotaView& quota : queue.quotas) {
      left[{queue.spec.name, quota.flavor, quota.resource}] = quota.nominal;
    }
  }
  std::vector<WorkloadView> holders = lab::Read(engine.Workloads());
  std::erase_if(holders, [](const WorkloadView& workload) {
    return !workload.charged || !workload.spec.status.admission;
  });
  std::sort(holders.begin(), holders.end(), StartedBefore);
  std::map<Key, Amounts> borrowed;
  for (const WorkloadView& each : holders) {
    for (const PodSetAssignment& pods : each.spec.status.admission->pod_sets) {
      for (const auto& [resource, flavor] : pods.flavors) {
        const auto usage = pods.resource_usage.find(resource);
        if (usage == pods.resource_usage.end()) continue;
        const Amount amount = usage->second.ToAmount(resource);
        Amount& nominal = left[{lab::ClusterQueueOf(each), flavor, resource}];
        const Amount own = std::clamp<Amount>(nominal, 0, amount);
        nominal -= own;
        if (amount > own) borrowed[each.spec.key][resource] += amount - own;
      }
    }
  }
  return borrowed;
}

}  // namespace

Table WorkloadsTable(const Engine& engine, const std::vector<WorkloadView>& workloads, bool wide) {
  std::vector<std::string> header = {"NAMESPACE", "NAME",  "QUEUE", "CLUSTERQUEUE",
                                     ">PRIO",     "STATE", ">GPU",  "BORROWED"};
  if (wide) header.insert(header.end(), {"CREATED", "RECLAIMABLE BY"});
  header.emplace_back("DETAIL");
  Table table(std::move(header));
  const Lenders lenders(engine);
  std::map<Key, Amounts> borrowed = Borrowed(engine);
  for (const WorkloadView& workload : workloads) {
    const Amount gpus = GpusOf(engine, workload);
    std::vector<Cell> row = {workload.spec.key.ns,
                             workload.spec.key.name,
                             workload.spec.queue.str(),
                             lab::ClusterQueueOf(workload),
                             std::to_string(workload.priority),
                             {StateOf(workload), ToneOf(workload)},
                             gpus == 0 ? "" : std::to_string(gpus),
                             ShowAmounts(borrowed[workload.spec.key])};
    if (wide) {
      row.insert(row.end(), {manifest::FormatTime(workload.spec.created),
                             ShowReclaimers(lenders.MayReclaimFrom(workload))});
    }
    row.emplace_back(Detail(workload, wide));
    table.Add(std::move(row));
  }
  return table;
}

}  // namespace muster::cli
