// Fills the batch. Units are those of the policy API: seconds, cores, bytes, devices.
#include "engine/cycle/policy_batch.h"

#include <algorithm>
#include <limits>

namespace muster {
namespace {

double ToSeconds(TimeNs time) { return static_cast<double>(time) * 1e-9; }

double InNaturalUnits(std::string_view resource, Amount amount) {
  const auto value = static_cast<double>(amount);
  return resource == "cpu" ? value / 1000.0 : value;
}

bool IsGpu(std::string_view resource) { return resource.ends_with("/gpu"); }

}  // namespace

PolicyBatch::PolicyBatch(const World& world, const ClusterQueueState& queue,
                         std::span<const WorkloadId> workloads,
                         std::span<const std::string> labels) {
  Intern("");
  // Every resource that some queue covers can be read; what is not requested reads 0.
  for (const auto& [name, id] : world.queue_ids) {
    for (const ResourceGroupState& group : world.queue(id).groups) {
      for (const ResourceId resource : group.resources) {
        const bool known =
            std::find(resource_ids_.begin(), resource_ids_.end(), resource) != resource_ids_.end();
        if (!known && resource_ids_.size() < MUSTER_MAX_RESOURCES) {
          resource_ids_.push_back(resource);
          resource_names_.push_back(Intern(world.names.ResourceName(resource)));
        }
      }
    }
  }
  rows_.reserve(workloads.size());
  for (const WorkloadId id : workloads) rows_.push_back(Row(world, world.workload(id), labels));
  batch_.count = static_cast<unsigned int>(rows_.size());
  batch_.resource_count = static_cast<unsigned int>(resource_ids_.size());
  batch_.cluster_queue = Intern(queue.name());
  batch_.workloads = rows_.data();
  batch_.strings = strings_.data();
  batch_.resources = resource_names_.data();
  batch_.cycle = static_cast<double>(world.cycle + 1);
  batch_.now = ToSeconds(world.now);
}

unsigned int PolicyBatch::Intern(std::string_view text) {
  const auto [it, is_new] = interned_.try_emplace(text, static_cast<unsigned int>(strings_.size()));
  if (is_new) strings_.push_back({text.data(), static_cast<unsigned int>(text.size())});
  return it->second;
}

muster_workload PolicyBatch::Row(const World& world, const WorkloadRecord& workload,
                                 std::span<const std::string> labels) {
  muster_workload row = {};
  row.priority = static_cast<double>(workload.priority());
  row.created = ToSeconds(workload.spec.created);
  row.queued_at = ToSeconds(workload.key.timestamp);
  row.podsets = static_cast<double>(workload.pod_sets.size());
  row.max_run = workload.spec.max_execution_seconds
                    ? static_cast<double>(*workload.spec.max_execution_seconds)
                    : std::numeric_limits<double>::infinity();
  for (const PodSetRequests& pod_set : workload.pod_sets) {
    const double pods = pod_set.effective_count;
    row.pods += pods;
    for (const ResourceAmount& request : pod_set.per_pod) {
      const std::string& name = world.names.ResourceName(request.resource);
      const double amount = InNaturalUnits(name, request.amount) * pods;
      if (IsGpu(name)) row.gpus += amount;
      const auto column = std::find(resource_ids_.begin(), resource_ids_.end(), request.resource);
      if (column != resource_ids_.end()) row.request[column - resource_ids_.begin()] += amount;
    }
  }
  row.name = Intern(workload.spec.key.name);
  row.namespace_ = Intern(workload.spec.key.ns);
  row.local_queue = Intern(workload.spec.queue);
  if (workload.queue.valid()) row.cluster_queue = Intern(world.queue(workload.queue).name());
  for (std::size_t i = 0; i < labels.size() && i < MUSTER_MAX_LABELS; ++i) {
    const auto label = workload.spec.labels.find(labels[i]);
    if (label != workload.spec.labels.end()) row.label[i] = Intern(label->second);
  }
  return row;
}

}  // namespace muster
