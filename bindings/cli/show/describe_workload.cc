// Podsets, conditions, admission checks and events as tables under the fields.
#include "bindings/cli/show/describe_workload.h"

#include <algorithm>
#include <string>
#include <vector>

#include "bindings/cli/fields.h"
#include "bindings/cli/show/describe_places.h"
#include "bindings/cli/show/get_items.h"
#include "bindings/cli/show/get_view.h"
#include "bindings/cli/show/reclaim.h"
#include "bindings/cli/show/slices.h"
#include "bindings/cli/show/workload_events.h"
#include "bindings/cli/table.h"
#include "bindings/lab/words.h"
#include "bindings/manifest/manifest.h"
#include "engine/model/names.h"

namespace muster::cli {
namespace {

/// "cpu 7, nvidia.com/gpu 2"
std::string Listed(const ResourceList& requests) {
  std::string text;
  for (const auto& [resource, quantity] : requests) {
    text += (text.empty() ? "" : ", ") + resource + " " + quantity.ToString();
  }
  return text;
}

std::int32_t ReclaimableOf(const Workload& workload, const std::string& pod_set) {
  for (const ReclaimablePods& pods : workload.status.reclaimable_pods) {
    if (pods.pod_set == pod_set) return pods.count;
  }
  return 0;
}

const PodSetAssignment* AssignmentOf(const Workload& workload, const std::string& pod_set) {
  if (!workload.status.admission) return nullptr;
  const auto& assigned = workload.status.admission->pod_sets;
  const auto found =
      std::find_if(assigned.begin(), assigned.end(),
                   [&pod_set](const PodSetAssignment& each) { return each.name == pod_set; });
  return found == assigned.end() ? nullptr : &*found;
}

void PrintPodSets(const Engine& engine, const Workload& workload, Io& io) {
  const Result<std::vector<ResourceList>> requests = engine.PodRequests(workload.key);
  Table table({"PODSET", ">PODS", ">AT LEAST", ">RECLAIMABLE", "EACH REQUESTS", "FLAVORS"});
  for (std::size_t i = 0; i < workload.pod_sets.size(); ++i) {
    const PodSet& pod_set = workload.pod_sets[i];
    std::string flavors;
    std::string pods = std::to_string(pod_set.count);
    if (const PodSetAssignment* assigned = AssignmentOf(workload, pod_set.name)) {
      if (assigned->count != pod_set.count) pods = std::to_string(assigned->count) + " of " + pods;
      for (const auto& [resource, flavor] : assigned->flavors) {
        flavors += (flavors.empty() ? "" : ", ") + resource + " on " + flavor;
      }
    }
    table.Add({pod_set.name, pods, std::to_string(pod_set.min_count.value_or(pod_set.count)),
               std::to_string(ReclaimableOf(workload, pod_set.name)),
               requests.ok() ? Listed((*requests)[i]) : "", flavors});
  }
  io.out << '\n' << io.paint(Tone::kStrong, "Podsets") << '\n';
  table.Print(io.out, io.paint, "  ");
}

void PrintConditions(const WorkloadView& workload, Io& io) {
  const std::vector<Condition> conditions = ConditionsOf(workload);
  if (conditions.empty()) return;
  Table table({"CONDITION", "STATUS", "SINCE", "REASON", "MESSAGE"});
  for (const Condition& condition : conditions) {
    table.Add({condition.type.str(), condition.status ? "True" : "False",
               condition.since == kNoTime ? "" : manifest::FormatTime(condition.since),
               condition.reason.str(), condition.message.str()});
  }
  io.out << '\n' << io.paint(Tone::kStrong, "Conditions") << '\n';
  table.Print(io.out, io.paint, "  ");
}

/// "main: label a=b, node selector pool=p1" for each podset that gets something.
std::string UpdatesOf(const AdmissionCheckStatus& check) {
  std::string text;
  const auto add = [&text](std::string_view what, const LabelMap& labels) {
    for (const auto& [key, value] : labels) {
      text += (text.empty() ? "" : ", ") + std::string(what) + ' ' + key + '=' + value;
    }
  };
  for (const PodSetUpdate& update : check.pod_set_updates) {
    add("label", update.labels);
    add("annotation", update.annotations);
    add("node selector", update.node_selector);
  }
  return text;
}

void PrintChecks(const WorkloadStatus& status, Io& io) {
  if (status.admission_checks.empty()) return;
  Table table({"CHECK", "STATE", "SINCE", ">RETRIES", "MESSAGE", "GIVES ITS PODS"});
  for (const AdmissionCheckStatus& check : status.admission_checks) {
    table.Add({check.name, std::string(EnumName(check.state)),
               check.since == kNoTime ? "" : manifest::FormatTime(check.since),
               std::to_string(check.retry_count), check.message, UpdatesOf(check)});
  }
  io.out << '\n' << io.paint(Tone::kStrong, "Admission checks") << '\n';
  table.Print(io.out, io.paint, "  ");
}

/// "Preempted 2, Deactivated (AdmissionCheck) 1"
std::string EvictionsOf(const WorkloadStatus& status) {
  std::string text;
  for (const EvictionCount& each : status.evictions) {
    text += (text.empty() ? "" : ", ") + each.reason +
            (each.cause.empty() ? "" : " (" + each.cause + ")") + " " + std::to_string(each.count);
  }
  return text;
}

/// "until 12:01:00, after 2 tries"
std::string BackoffOf(const WorkloadStatus& status) {
  if (!status.requeue_state) return "";
  const RequeueState& state = *status.requeue_state;
  const std::string tries = std::to_string(state.count) + (state.count == 1 ? " try" : " tries");
  if (state.requeue_at == kNoTime) return state.count == 0 ? "" : "after " + tries;
  return "until " + manifest::FormatTime(state.requeue_at) + ", after " + tries;
}

/// ", 5 without a boost of 10 by policy aging"
std::string BoostOf(const WorkloadView& workload) {
  if (workload.boost == 0) return "";
  return ", " + std::to_string(workload.priority - workload.boost) + " without a boost of " +
         std::to_string(workload.boost) + " by " +
         (workload.boosted_by.empty() ? "its annotation" : "policy " + workload.boosted_by);
}

}  // namespace

void DescribeWorkload(const Engine& engine, const WorkloadView& workload,
                      const lab::History& history, Io& io) {
  const Workload& spec = workload.spec;
  Fields fields;
  fields.Add("Name", spec.key.name);
  fields.Add("Namespace", spec.key.ns);
  fields.Add("Queue", spec.queue);
  fields.Add("ClusterQueue", lab::ClusterQueueOf(workload));
  fields.Add("Priority", std::to_string(workload.priority) +
                             (spec.priority_class.empty() ? "" : " (" + spec.priority_class + ")") +
                             BoostOf(workload));
  fields.Add("Created", manifest::FormatTime(spec.created));
  fields.Add("State", StateOf(workload));
  if (!spec.status.admission && workload.phase != WorkloadPhase::kFinished) {
    fields.Add("Waits because", std::string(lab::WhyItWaits(workload)));
    if (workload.closed.empty() && !workload.hold) fields.Add("Message", workload.message);
  }
  fields.Add("Backoff", BackoffOf(spec.status));
  if (spec.max_execution_seconds) {
    fields.Add("May run", std::to_string(*spec.max_execution_seconds) + " s, of which " +
                              std::to_string(spec.status.past_execution_seconds) +
                              " s in earlier runs");
  }
  if (workload.checkpointed != kNoTime) {
    fields.Add("Checkpointed", manifest::FormatTime(workload.checkpointed));
  }
  fields.Add("Evictions", EvictionsOf(spec.status));
  fields.Add("May be reclaimed by", ShowReclaimers(MayReclaimFrom(engine, workload)));
  fields.Print(io.out);
  PrintPodSets(engine, spec, io);
  PrintSlices(engine, spec.key, io);
  PrintPlaces(engine, spec, io);
  PrintConditions(workload, io);
  PrintChecks(spec.status, io);
  PrintEvents(history, spec.key, io);
}

}  // namespace muster::cli
