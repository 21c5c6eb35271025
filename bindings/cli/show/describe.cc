// Queues and cohorts at length; a workload's description stands in describe_workload.cc.
#include "bindings/cli/show/describe.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bindings/cli/fields.h"
#include "bindings/cli/show/describe_places.h"
#include "bindings/cli/show/describe_workload.h"
#include "bindings/cli/show/get_objects_view.h"
#include "bindings/cli/show/get_view.h"
#include "bindings/cli/show/workload_events.h"
#include "bindings/cli/table.h"
#include "bindings/lab/read.h"
#include "bindings/lab/words.h"
#include "bindings/lab/yaml_text.h"
#include "engine/base/join.h"

namespace muster::cli {
namespace {

std::string Limit(const std::string& resource, const std::optional<Amount>& limit) {
  return limit ? FormatAmount(resource, *limit) : "none";
}

std::string Preemption(const PreemptionRules& rules) {
  std::string text = "within queue " + std::string(lab::Spelled(rules.within_cluster_queue)) +
                     ", reclaim " + std::string(lab::Spelled(rules.reclaim_within_cohort)) +
                     ", while borrowing " + std::string(lab::Spelled(rules.borrow_within_cohort));
  if (rules.max_priority_threshold) {
    text += " up to priority " + std::to_string(*rules.max_priority_threshold);
  }
  return text;
}

std::string Selector(const std::optional<LabelSelector>& selector) {
  if (!selector) return "no namespace (write `namespaceSelector: {}` for all)";
  if (selector->match_labels.empty() && selector->match_expressions.empty()) return "all";
  std::string text = ShowLabels(selector->match_labels);
  if (!selector->match_expressions.empty()) {
    text += (text.empty() ? "" : " and ") + std::to_string(selector->match_expressions.size()) +
            " expression(s)";
  }
  return text;
}

std::string Counts(const ClusterQueueView& queue) {
  return std::to_string(queue.admitted) + " admitted, " + std::to_string(queue.reserving) +
         " holding quota, " + std::to_string(queue.pending) + " pending, " +
         std::to_string(queue.parked) + " parked" +
         (queue.held == 0 ? "" : ", " + std::to_string(queue.held) + " held");
}

/// The workloads of a queue under a heading; nothing when there are none.
void PrintWorkloadsOf(const std::vector<WorkloadView>& workloads, Io& io) {
  if (workloads.empty()) return;
  io.out << '\n' << io.paint(Tone::kStrong, "Workloads") << '\n';
  Table table({"WORKLOAD", ">PRIO", "STATE", "DETAIL"});
  for (const WorkloadView& workload : workloads) {
    const auto& admission = workload.spec.status.admission;
    table.Add({workload.spec.key.ToString(), std::to_string(workload.priority), StateOf(workload),
               admission ? lab::Assigned(*admission) : lab::WhyItWaits(workload)});
  }
  table.Print(io.out, io.paint, "  ");
}

std::vector<WorkloadView> Unfinished(const Engine& engine, auto&& belongs) {
  std::vector<WorkloadView> workloads = lab::Read(engine.Workloads());
  std::erase_if(workloads, [&](const WorkloadView& workload) {
    return workload.phase == WorkloadPhase::kFinished || !belongs(workload);
  });
  return workloads;
}

void DescribeQueue(const Engine& engine, const ClusterQueueView& queue, Io& io) {
  Fields fields;
  fields.Add("Name", queue.spec.name);
  fields.Add("Cohort", queue.spec.cohort.empty() ? "none" : queue.spec.cohort);
  fields.Add("Active",
             queue.active ? "yes" : "no: " + queue.inactive_reason + ", " + queue.inactive_message);
  fields.Add("Strategy", std::string(lab::Spelled(queue.spec.queueing_strategy)));
  fields.Add("Namespaces", Selector(queue.spec.namespace_selector));
  fields.Add("Preemption", Preemption(queue.spec.preemption));
  fields.Add("Stop policy", std::string(lab::Spelled(queue.spec.stop_policy)));
  fields.Add("Fair share",
             lab::Share(queue.weighted_share) + " at weight " + lab::Share(queue.spec.fair_weight));
  fields.Add("Workloads", Counts(queue));
  fields.Print(io.out);
  io.out << '\n' << io.paint(Tone::kStrong, "Quota") << '\n';
  PrintQuotas(queue.quotas, "  ", io);
  PrintWorkloadsOf(Unfinished(engine,
                              [&queue](const WorkloadView& workload) {
                                return lab::ClusterQueueOf(workload) == queue.spec.name;
                              }),
                   io);
}

void PrintCohortQuotas(const std::vector<QuotaView>& quotas, std::string_view indent, Io& io) {
  Table table({"FLAVOR", "RESOURCE", ">NOMINAL", ">OF ITS OWN", ">USED", ">BORROWED", ">LENT",
               ">OFFERED UPWARD", ">AVAILABLE", ">BORROWING LIMIT", ">LENDING LIMIT"});
  for (const QuotaView& quota : quotas) {
    const auto amount = [&quota](Amount value) { return FormatAmount(quota.resource, value); };
    table.Add({quota.flavor, quota.resource, amount(quota.total), amount(quota.nominal),
               amount(quota.usage), amount(quota.borrowed), amount(quota.lent),
               amount(quota.offered), amount(quota.available),
               Limit(quota.resource, quota.borrowing_limit),
               Limit(quota.resource, quota.lending_limit)});
  }
  table.Print(io.out, io.paint, indent);
}

void DescribeCohort(const CohortView& cohort, Io& io) {
  Fields fields;
  fields.Add("Name", cohort.spec.name + (cohort.implicit ? " (only named, never applied)" : ""));
  fields.Add("Parent", cohort.spec.parent.empty() ? "none" : cohort.spec.parent);
  fields.Add("Cohorts", Join(cohort.child_cohorts));
  fields.Add("ClusterQueues", Join(cohort.cluster_queues));
  fields.Add("Fair share", lab::Share(cohort.weighted_share) + " at weight " +
                               lab::Share(cohort.spec.fair_weight));
  fields.Print(io.out);
  io.out << '\n' << io.paint(Tone::kStrong, "Quota of all below and its own") << '\n';
  PrintCohortQuotas(cohort.quotas, "  ", io);
}

void DescribeLocalQueue(const Engine& engine, const LocalQueueView& queue, Io& io) {
  Fields fields;
  fields.Add("Name", queue.spec.key.name);
  fields.Add("Namespace", queue.spec.key.ns);
  fields.Add("ClusterQueue", queue.spec.cluster_queue);
  fields.Add("Stop policy", std::string(lab::Spelled(queue.spec.stop_policy)));
  fields.Add("Workloads", std::to_string(queue.admitted) + " admitted, " +
                              std::to_string(queue.reserving) + " holding quota, " +
                              std::to_string(queue.pending) + " pending" +
                              (queue.held == 0 ? "" : ", " + std::to_string(queue.held) + " held"));
  fields.Print(io.out);
  PrintWorkloadsOf(Unfinished(engine,
                              [&queue](const WorkloadView& workload) {
                                return workload.spec.key.ns == queue.spec.key.ns &&
                                       workload.spec.queue == queue.spec.key.name;
                              }),
                   io);
}

void DescribeFlavor(const Engine& engine, const ResourceFlavor& flavor, Io& io) {
  Fields fields;
  fields.Add("Name", flavor.name);
  fields.Add("Node labels", flavor.node_labels.empty() ? "none" : ShowLabels(flavor.node_labels));
  fields.Add("Node taints", ShowTaints(flavor.node_taints));
  fields.Add("Topology", flavor.topology_name);
  fields.Print(io.out);
  Table table({"CLUSTERQUEUE", "RESOURCE", ">NOMINAL", ">USED"});
  for (const ClusterQueueView& queue : lab::Read(engine.ClusterQueues())) {
    for (const QuotaView& quota : queue.quotas) {
      if (quota.flavor != flavor.name) continue;
      table.Add({queue.spec.name, quota.resource, FormatAmount(quota.resource, quota.nominal),
                 FormatAmount(quota.resource, quota.usage)});
    }
  }
  if (table.empty()) return;
  io.out << '\n' << io.paint(Tone::kStrong, "Quota") << '\n';
  table.Print(io.out, io.paint, "  ");
}

/// Calls `describe` for each of `views`, with a blank line between two.
std::size_t Each(const auto& views, Io& io, auto&& describe) {
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (i > 0) io.out << '\n';
    describe(views[i]);
  }
  return views.size();
}

}  // namespace

void PrintQuotas(const std::vector<QuotaView>& quotas, std::string_view indent, Io& io) {
  Table table({"FLAVOR", "RESOURCE", ">NOMINAL", ">USED", ">BORROWED", ">LENT", ">AVAILABLE",
               ">BORROWING LIMIT", ">LENDING LIMIT"});
  for (const QuotaView& quota : quotas) {
    const auto amount = [&quota](Amount value) { return FormatAmount(quota.resource, value); };
    table.Add({quota.flavor, quota.resource, amount(quota.nominal), amount(quota.usage),
               amount(quota.borrowed), amount(quota.lent), amount(quota.available),
               Limit(quota.resource, quota.borrowing_limit),
               Limit(quota.resource, quota.lending_limit)});
  }
  table.Print(io.out, io.paint, indent);
}

std::size_t Describe(const Engine& engine, Kind kind, const Filter& filter,
                     const HistoryOf& history_of, Io& io) {
  switch (kind) {
    case Kind::kClusterQueue:
      return Each(ClusterQueues(engine, filter), io,
                  [&](const ClusterQueueView& queue) { DescribeQueue(engine, queue, io); });
    case Kind::kCohort:
      return Each(Cohorts(engine, filter), io,
                  [&](const CohortView& cohort) { DescribeCohort(cohort, io); });
    case Kind::kLocalQueue:
      return Each(LocalQueues(engine, filter), io,
                  [&](const LocalQueueView& queue) { DescribeLocalQueue(engine, queue, io); });
    case Kind::kWorkload:
      return Each(Workloads(engine, filter), io, [&](const WorkloadView& workload) {
        DescribeWorkload(engine, workload, history_of(workload.spec.key), io);
      });
    case Kind::kFlavor:
      return Each(Objects(engine, kind, filter), io, [&](const Object& object) {
        DescribeFlavor(engine, std::get<ResourceFlavor>(object), io);
      });
    case Kind::kNode:
      return Each(Objects(engine, kind, filter), io, [&](const Object& object) {
        DescribeNode(engine, std::get<Node>(object), io);
      });
    case Kind::kTopology:
      return Each(Objects(engine, kind, filter), io, [&](const Object& object) {
        DescribeTopology(engine, std::get<Topology>(object), io);
      });
    case Kind::kPolicy:
      return Each(Items(engine, kind, filter), io, [&](const Json& item) {
        io.out << lab::BlockYaml(item);
        const Key policy{"policy", item["name"].get<std::string>()};
        PrintEvents(history_of(policy), policy, io);
      });
    default:
      return Each(Items(engine, kind, filter), io,
                  [&](const Json& item) { io.out << lab::BlockYaml(item); });
  }
}

}  // namespace muster::cli
