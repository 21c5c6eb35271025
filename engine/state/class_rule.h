// ClassRule: which workloads of a queue wait together, because they get the same answer.
//
// Without policies flavor assignment tells workloads apart by their form alone. Policies that have
// a say in it may look at more: that goes into the class too, or there are no classes at all.
#ifndef MUSTER_ENGINE_STATE_CLASS_RULE_H_
#define MUSTER_ENGINE_STATE_CLASS_RULE_H_

#include <set>
#include <string>

#include "engine/state/workload_record.h"

namespace muster {

struct ClassRule {
  bool none = false;             ///< each waits for itself
  std::set<std::string> fields;  ///< of a policy's view of the workload
  std::set<std::string> labels;  ///< meaningful with field "label"
  bool operator==(const ClassRule&) const = default;
};

/// The class of the workload. Precondition: the rule has classes. O(fields + labels).
Hash128 ClassOf(const ClassRule& rule, const WorkloadRecord& workload);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_CLASS_RULE_H_
