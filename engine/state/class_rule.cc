// Requests, pods and priority are in the form already.
#include "engine/state/class_rule.h"

#include <string_view>

namespace muster {

Hash128 ClassOf(const ClassRule& rule, const WorkloadRecord& workload) {
  if (rule.fields.empty()) return workload.form();
  Hasher128 hasher;
  hasher.Add(workload.form().high).Add(workload.form().low);
  const Series& series = workload.series();
  for (const std::string& field : rule.fields) {
    hasher.Add(field);
    if (field == "name") hasher.Add(workload.spec.key.name);
    if (field == "namespace") hasher.Add(workload.spec.key.ns);
    if (field == "local_queue") hasher.Add(workload.spec.queue);
    if (field == "created") hasher.Add(static_cast<std::uint64_t>(workload.created()));
    if (field == "queued_at" || field == "waited") {
      hasher.Add(static_cast<std::uint64_t>(workload.key.timestamp));
    }
    if (field == "max_run") {
      hasher.Add(static_cast<std::uint64_t>(series.max_execution_seconds.value_or(-1)));
    }
    if (field == "attempts" || field == "preemptions") {
      for (const EvictionCount& evictions : workload.spec.status.rare->evictions) {
        hasher.Add(evictions.reason).Add(static_cast<std::uint64_t>(evictions.count));
      }
    }
    if (field != "label") continue;
    for (const std::string& name : rule.labels) {
      const auto label = series.labels.find(name);
      hasher.Add(label == series.labels.end() ? std::string_view() : label->second);
    }
  }
  return hasher.Value();
}

}  // namespace muster
