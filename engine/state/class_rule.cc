// Requests, pods and priority are in the form already.
#include "engine/state/class_rule.h"

#include <string_view>

namespace muster {

Hash128 ClassOf(const ClassRule& rule, const WorkloadRecord& workload) {
  if (rule.fields.empty()) return workload.form();
  Hasher128 hasher;
  hasher.Add(workload.form().high).Add(workload.form().low);
  const Workload& spec = workload.spec;
  for (const std::string& field : rule.fields) {
    hasher.Add(field);
    if (field == "name") hasher.Add(spec.key.name);
    if (field == "namespace") hasher.Add(spec.key.ns);
    if (field == "local_queue") hasher.Add(spec.queue);
    if (field == "created") hasher.Add(static_cast<std::uint64_t>(spec.created));
    if (field == "queued_at" || field == "waited") {
      hasher.Add(static_cast<std::uint64_t>(workload.key.timestamp));
    }
    if (field == "max_run") {
      hasher.Add(static_cast<std::uint64_t>(spec.max_execution_seconds.value_or(-1)));
    }
    if (field == "attempts" || field == "preemptions") {
      for (const EvictionCount& evictions : spec.status.evictions) {
        hasher.Add(evictions.reason).Add(static_cast<std::uint64_t>(evictions.count));
      }
    }
    if (field != "label") continue;
    for (const std::string& name : rule.labels) {
      const auto label = spec.labels.find(name);
      hasher.Add(label == spec.labels.end() ? std::string_view() : label->second);
    }
  }
  return hasher.Value();
}

}  // namespace muster
