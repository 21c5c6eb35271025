// Objects to the oracle's own world (sections 0.1, 1.6 and 3.1 of the reference).
#include <algorithm>

#include "tests/oracle/world.h"

namespace muster::oracle {
namespace {

// "cpu is held in milli-units, every other resource in whole units. Conversion rounds up."
Amount Convert(const std::string& resource, const Quantity& quantity) {
  const Quantity::Nano unit = resource == "cpu" ? 1'000'000 : 1'000'000'000;
  return static_cast<Amount>((quantity.nano() + unit - 1) / unit);
}

const Condition* FindTrue(const Workload& workload, const std::string& type) {
  for (const Condition& condition : workload.status.conditions) {
    if (condition.type == type && condition.status) return &condition;
  }
  return nullptr;
}

void AddNode(Tree& tree, const std::string& id, const std::string& cohort,
             const std::vector<ResourceGroup>& groups) {
  TreeNode& node = tree.nodes[id];
  node.is_queue = id.starts_with("queue/");
  node.parent = cohort.empty() ? "" : "cohort/" + cohort;
  if (!cohort.empty()) tree.nodes[node.parent];
  for (const ResourceGroup& group : groups) {
    for (const FlavorQuotas& flavor : group.flavors) {
      for (const ResourceQuota& quota : flavor.resources) {
        Limits& limits = node.limits[{flavor.name, quota.name}];
        limits.nominal = Convert(quota.name, quota.nominal);
        if (quota.borrowing_limit) limits.borrowing = Convert(quota.name, *quota.borrowing_limit);
        if (quota.lending_limit) limits.lending = Convert(quota.name, *quota.lending_limit);
      }
    }
  }
}

// "Evicted for PodsReadyTimeout or AdmissionCheck: that transition time; otherwise creation time."
TimeNs QueuedAt(const Workload& workload) {
  const Condition* evicted = FindTrue(workload, "Evicted");
  const bool counts = evicted != nullptr && (evicted->reason == "PodsReadyTimeout" ||
                                             evicted->reason == "AdmissionCheck");
  return counts ? evicted->since : workload.created;
}

// Section 1.6, step 4: pods that are done and will not come back are not counted.
std::int32_t CountPods(const Workload& workload, const PodSet& pod_set) {
  std::int32_t count = pod_set.count;
  for (const ReclaimablePods& reclaimable : workload.status.reclaimable_pods) {
    if (reclaimable.pod_set == pod_set.name) count -= std::min(reclaimable.count, count);
  }
  return count;
}

// Section 1.6, step 5: "divide by the recorded count (integer division) and multiply by
// min(recordedCount, count - min(reclaimable, count))".
Amounts ReadUsage(const Workload& workload) {
  Amounts usage;
  for (const PodSetAssignment& assigned : workload.status.admission->pod_sets) {
    const auto pod_set = std::find_if(workload.pod_sets.begin(), workload.pod_sets.end(),
                                      [&](const PodSet& p) { return p.name == assigned.name; });
    const std::int32_t left = std::min(assigned.count, CountPods(workload, *pod_set));
    for (const auto& [resource, flavor] : assigned.flavors) {
      const auto used = assigned.resource_usage.find(resource);
      const bool counts = used != assigned.resource_usage.end() && assigned.count > 0;
      usage[{flavor, resource}] +=
          counts ? Convert(resource, used->second) / assigned.count * left : 0;
    }
  }
  return usage;
}

// Section 3.1: priority, then timestamp, then UID.
bool IsAhead(const Job& a, const Job& b) {
  return std::tuple(-a.priority, a.queued_at, a.uid) < std::tuple(-b.priority, b.queued_at, b.uid);
}

}  // namespace

Job ReadJob(const Workload& workload, TimeNs now) {
  Job job;
  job.key = workload.key;
  job.local_queue = {workload.key.ns, workload.queue};
  job.uid = workload.uid;
  job.priority = workload.priority.value_or(0);
  job.queued_at = QueuedAt(workload);
  job.evicted = FindTrue(workload, "Evicted") != nullptr;
  for (const PodSet& pod_set : workload.pod_sets) {
    Ask ask;
    ask.name = pod_set.name;
    ask.count = CountPods(workload, pod_set);
    for (const Container& container : pod_set.pods.containers) {
      for (const auto& [resource, quantity] : container.requests) {
        ask.requests[resource] += Convert(resource, quantity) * ask.count;
      }
    }
    job.asks.push_back(ask);
  }
  const Condition* reserved = FindTrue(workload, "QuotaReserved");
  if (reserved == nullptr) return job;
  job.reserved_at = reserved->since == kNoTime ? now : reserved->since;
  job.queue = "queue/" + workload.status.admission->cluster_queue;
  job.usage = ReadUsage(workload);
  return job;
}

Snapshot Load(const std::vector<Object>& objects, TimeNs now) {
  Snapshot world;
  std::map<Key, std::string> local_queues;
  std::set<std::string> flavors;
  for (const Object& object : objects) {
    if (const auto* flavor = std::get_if<ResourceFlavor>(&object)) flavors.insert(flavor->name);
    if (const auto* cohort = std::get_if<Cohort>(&object)) {
      AddNode(world.tree, "cohort/" + cohort->name, cohort->parent, cohort->resource_groups);
    }
    if (const auto* queue = std::get_if<ClusterQueue>(&object)) {
      AddNode(world.tree, "queue/" + queue->name, queue->cohort, queue->resource_groups);
      world.queues["queue/" + queue->name] = *queue;
    }
    if (const auto* queue = std::get_if<LocalQueue>(&object)) {
      local_queues[queue->key] = "queue/" + queue->cluster_queue;
    }
  }
  for (const auto& [id, queue] : world.queues) {
    TreeNode& node = world.tree.nodes.at(id);
    node.active = queue.stop_policy == StopPolicy::kNone;
    for (const auto& [fr, limits] : node.limits) node.active &= flavors.contains(fr.first);
  }
  for (const Object& object : objects) {
    const auto* workload = std::get_if<Workload>(&object);
    if (workload == nullptr || !workload->active || FindTrue(*workload, "Finished")) continue;
    Job job = ReadJob(*workload, now);
    if (!job.queue.empty()) {
      world.tree.Charge(job.queue, job.usage);
      world.holders.push_back(job);
    } else if (local_queues.contains({workload->key.ns, workload->queue})) {
      job.queue = local_queues.at({workload->key.ns, workload->queue});
      if (world.queues.contains(job.queue)) world.heaps[job.queue].push_back(job);
    }
  }
  for (auto& [id, heap] : world.heaps) std::sort(heap.begin(), heap.end(), IsAhead);
  return world;
}

void Snapshot::Remove(const std::set<Key>& jobs) {
  for (const Job& job : holders) {
    if (jobs.contains(job.key)) tree.Release(job.queue, job.usage);
  }
  std::erase_if(holders, [&](const Job& job) { return jobs.contains(job.key); });
}

}  // namespace muster::oracle
