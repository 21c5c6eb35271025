// status of a Workload, written back.
#include <algorithm>
#include <cstddef>

#include "bindings/manifest/encode.h"
#include "bindings/manifest/manifest.h"

namespace muster::manifest {
namespace {

/// {universal: v} when all domains have the same value at `level`, else their values one by one.
Encoded EncodeLevel(YamlArena& arena, const std::vector<TopologyDomain>& domains,
                    std::size_t level) {
  MapWriter out(arena);
  std::vector<std::string> roots;
  for (const TopologyDomain& domain : domains) {
    roots.push_back(level < domain.values.size() ? domain.values[level] : std::string());
  }
  const bool same = std::all_of(roots.begin(), roots.end(),
                                [&](const std::string& root) { return root == roots.front(); });
  if (same) {
    out.Put("universal", Text(arena, roots.front()));
  } else {
    MapWriter individual(arena);
    individual.Put("roots", roots);
    out.Put("individual", individual);
  }
  return out.node();
}

Encoded EncodeCounts(YamlArena& arena, const std::vector<TopologyDomain>& domains) {
  MapWriter out(arena);
  std::vector<std::int32_t> counts;
  for (const TopologyDomain& domain : domains) counts.push_back(domain.count);
  const bool same = std::all_of(counts.begin(), counts.end(),
                                [&](std::int32_t count) { return count == counts.front(); });
  if (same) {
    out.Put("universal", counts.front());
  } else {
    out.Put("individual", counts);
  }
  return out.node();
}

Encoded EncodeGates(YamlArena& arena, const SharedList<std::string>& open) {
  YamlNode* list = arena.New(NodeKind::kList);
  for (const std::string& name : open) {
    MapWriter gate = EncodeName(arena, name);
    gate.Put("position", std::string("Open"));
    list->items.push_back(gate.node());
  }
  return list;
}

Encoded EncodeNodes(YamlArena& arena, const SharedList<std::string>& names) {
  YamlNode* list = arena.New(NodeKind::kList);
  for (const std::string& name : names) list->items.push_back(EncodeName(arena, name).node());
  return list;
}

}  // namespace

Encoded Encode(YamlArena& arena, const TopologyAssignment& assignment) {
  MapWriter out(arena);
  out.Put("levels", assignment.levels);
  if (assignment.domains.empty()) return out.node();
  MapWriter slice(arena);
  slice.Put("domainCount", static_cast<std::int32_t>(assignment.domains.size()));
  YamlNode* values = arena.New(NodeKind::kList);
  for (std::size_t i = 0; i < assignment.levels.size(); ++i) {
    values->items.push_back(EncodeLevel(arena, assignment.domains, i));
  }
  slice.Put("valuesPerLevel", Encoded(values));
  slice.Put("podCounts", EncodeCounts(arena, assignment.domains));
  YamlNode* slices = arena.New(NodeKind::kList);
  slices->items.push_back(slice.node());
  out.Put("slices", Encoded(slices));
  return out.node();
}

static Encoded Encode(YamlArena& arena, const PodSetAssignment& assignment) {
  MapWriter out(arena);
  out.Put("name", assignment.name);
  out.Put("flavors", assignment.flavors);
  out.Put("resourceUsage", assignment.resource_usage);
  out.Put("count", assignment.count);
  out.Put("topologyAssignment", assignment.topology);
  return out.node();
}

static Encoded Encode(YamlArena& arena, const Admission& admission) {
  MapWriter out(arena);
  out.Put("clusterQueue", Text(arena, admission.cluster_queue));
  out.Put("podSetAssignments", admission.pod_sets);
  return out.node();
}

static Encoded Encode(YamlArena& arena, const ReclaimablePods& pods) {
  MapWriter out(arena);
  out.Put("name", pods.pod_set);
  out.Put("count", pods.count);
  return out.node();
}

static Encoded Encode(YamlArena& arena, const PodSetUpdate& update) {
  MapWriter out(arena);
  out.Put("name", update.name);
  out.Put("labels", update.labels);
  out.Put("annotations", update.annotations);
  out.Put("nodeSelector", update.node_selector);
  out.Put("tolerations", update.tolerations);
  return out.node();
}

static Encoded Encode(YamlArena& arena, const AdmissionCheckStatus& check) {
  MapWriter out(arena);
  out.Put("name", check.name);
  out.Put("state", check.state);
  out.Put("message", check.message);
  out.Put("lastTransitionTime", FormatTime(check.since));
  out.PutUnless(0, "retryCount", check.retry_count);
  out.Put("requeueAfterSeconds", check.requeue_after_seconds);
  out.Put("podSetUpdates", check.pod_set_updates);
  return out.node();
}

static Encoded Encode(YamlArena& arena, const RequeueState& state) {
  MapWriter out(arena);
  out.Put("count", state.count);
  out.Put("requeueAt", FormatTime(state.requeue_at));
  return out.node();
}

static Encoded Encode(YamlArena& arena, const EvictionCount& evictions) {
  MapWriter out(arena);
  out.Put("reason", evictions.reason);
  out.Put("underlyingCause", evictions.cause);
  out.Put("count", evictions.count);
  return out.node();
}

Encoded Encode(YamlArena& arena, const WorkloadStatus& status) {
  MapWriter out(arena);
  out.Put("admission", status.admission);
  out.Put("conditions", status.conditions);
  out.Put("reclaimablePods", status.reclaimable_pods);
  out.Put("admissionChecks", status.admission_checks);
  out.Put("requeueState", status.requeue_state);
  out.PutUnless(std::int64_t{0}, "accumulatedPastExecutionTimeSeconds",
                status.past_execution_seconds);
  if (!status.open_preemption_gates.empty()) {
    out.Put("preemptionGates", EncodeGates(arena, status.open_preemption_gates));
  }
  if (!status.unhealthy_nodes.empty()) {
    out.Put("unhealthyNodes", EncodeNodes(arena, status.unhealthy_nodes));
  }
  if (!status.evictions.empty()) {
    MapWriter stats(arena);
    stats.Put("evictions", status.evictions);
    out.Put("schedulingStats", stats);
  }
  return out.node();
}

}  // namespace muster::manifest
