// Podsets, conditions and admission checks as tables under the fields.
#include "bindings/cli/show/describe_workload.h"

#include <algorithm>
#include <string>

#include "bindings/cli/fields.h"
#include "bindings/cli/show/get_view.h"
#include "bindings/cli/show/reclaim.h"
#include "bindings/cli/table.h"
#include "bindings/cli/words.h"
#include "bindings/manifest/manifest.h"

namespace muster::cli {
namespace {

/// "cpu 7, nvidia.com/gpu 2" of one container list, added up.
std::string RequestsOf(const PodTemplate& pods) {
  ResourceList total;
  for (const Container& container : pods.containers) {
    ResourceList requests = container.limits;  // a limit stands in for a missing request
    for (const auto& [resource, quantity] : container.requests) requests[resource] = quantity;
    for (const auto& [resource, quantity] : requests) {
      total[resource] = total[resource] + quantity;
    }
  }
  std::string text;
  for (const auto& [resource, quantity] : total) {
    text += (text.empty() ? "" : ", ") + resource + " " + quantity.ToString();
  }
  return text;
}

const PodSetAssignment* AssignmentOf(const Workload& workload, const std::string& pod_set) {
  if (!workload.status.admission) return nullptr;
  const auto& assigned = workload.status.admission->pod_sets;
  const auto found =
      std::find_if(assigned.begin(), assigned.end(),
                   [&pod_set](const PodSetAssignment& each) { return each.name == pod_set; });
  return found == assigned.end() ? nullptr : &*found;
}

void PrintPodSets(const Workload& workload, Io& io) {
  Table table({"PODSET", ">PODS", ">AT LEAST", "EACH REQUESTS", "FLAVORS"});
  for (const PodSet& pod_set : workload.pod_sets) {
    std::string flavors;
    if (const PodSetAssignment* assigned = AssignmentOf(workload, pod_set.name)) {
      for (const auto& [resource, flavor] : assigned->flavors) {
        flavors += (flavors.empty() ? "" : ", ") + resource + " on " + flavor;
      }
    }
    table.Add({pod_set.name, std::to_string(pod_set.count),
               std::to_string(pod_set.min_count.value_or(pod_set.count)), RequestsOf(pod_set.pods),
               flavors});
  }
  io.out << '\n' << io.paint(Tone::kStrong, "Podsets") << '\n';
  table.Print(io.out, io.paint, "  ");
}

void PrintConditions(const WorkloadStatus& status, Io& io) {
  if (status.conditions.empty()) return;
  Table table({"CONDITION", "STATUS", "SINCE", "REASON", "MESSAGE"});
  for (const Condition& condition : status.conditions) {
    table.Add({condition.type, condition.status ? "True" : "False",
               condition.since == kNoTime ? "" : manifest::FormatTime(condition.since),
               condition.reason, condition.message});
  }
  io.out << '\n' << io.paint(Tone::kStrong, "Conditions") << '\n';
  table.Print(io.out, io.paint, "  ");
}

}  // namespace

void DescribeWorkload(const Engine& engine, const WorkloadView& workload, Io& io) {
  const Workload& spec = workload.spec;
  Fields fields;
  fields.Add("Name", spec.key.name);
  fields.Add("Namespace", spec.key.ns);
  fields.Add("Queue", spec.queue);
  fields.Add("ClusterQueue", workload.cluster_queue);
  fields.Add("Priority", std::to_string(workload.priority) +
                             (spec.priority_class.empty() ? "" : " (" + spec.priority_class + ")"));
  fields.Add("Created", manifest::FormatTime(spec.created));
  fields.Add("State", StateOf(workload));
  if (!spec.status.admission && workload.phase != WorkloadPhase::kFinished) {
    fields.Add("Waits because", std::string(InWords(workload.reason)));
    fields.Add("Message", workload.message);
  }
  fields.Add("May be reclaimed by", ShowReclaimers(Lenders(engine).MayReclaimFrom(workload)));
  fields.Print(io.out);
  PrintPodSets(spec, io);
  PrintConditions(spec.status, io);
}

}  // namespace muster::cli
