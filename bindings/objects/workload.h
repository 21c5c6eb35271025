// Workloads: what an object asks the queues for, and how a start reaches it.
#ifndef MUSTER_BINDINGS_OBJECTS_WORKLOAD_H_
#define MUSTER_BINDINGS_OBJECTS_WORKLOAD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/objects/kind.h"
#include "bindings/objects/setting.h"
#include "bindings/objects/value.h"

namespace muster::objects {

struct JobWorkload {
  std::string ns;
  std::string name;
  /// How it would be called had the object no uid yet; empty where that makes no difference.
  std::string name_without_uid;
  std::string queue;
  std::int64_t priority = 0;
  std::string class_kind;  ///< WorkloadPriorityClass or PriorityClass; empty for none
  std::string class_name;
  std::optional<std::int64_t> max_seconds;
  Value annotations = Value::Map();
  std::vector<std::string> owners;  ///< "Kind/name", sorted
  std::vector<JobPodSet> sets;
};

struct JobWorkloads {
  std::vector<JobWorkload> made;
  std::string held;  ///< why there are none yet; empty: all is well
  Value mark = {};   ///< the text of an annotation that is why; else null
};

/// The workload names of an object of which only name and uid are known: with the uid, and without.
/// Of a kind with a workload for each replica, those of the first.
std::vector<std::string> WorkloadNames(const KindRow& row, std::string_view name,
                                       std::string_view uid, const Setting& setting);

/// "job-train-f09b8": kind, name, and five digits of a hash that includes the uid and `extra`.
std::string WorkloadName(const KindRow& row, std::string_view name, std::string_view uid,
                         std::string_view extra, const Setting& setting);

/// Whether the controllers look at the object: kind, namespace, queue, ancestors.
bool IsReconciled(const KindRow& row, const Value& object, const Setting& setting);

/// What a reconciled object asks for. Pods of groups have theirs by GroupWorkload.
JobWorkloads WorkloadsOf(const KindRow& row, const Value& object, const Setting& setting);

/// Priority and class by the rules of a kind; answers what is missing, empty for nothing.
std::string SetPriority(const KindRow& row, const Value& object, const Setting& setting,
                        JobWorkload* workload);
/// Queue, execution limit and annotations that a workload has from its object.
void TakeMarks(const Value& object, const Setting& setting, JobWorkload* workload);

// ---- start and stop ----------------------------------------------------------------------------

struct PodSetAdmission {
  std::string name;
  std::int64_t count = 0;
  std::vector<std::string> flavors;  ///< by resource name, each once
  bool has_topology = false;         ///< its pods are placed by a topology assignment
};
struct JobAdmission {
  std::string cluster_queue;
  std::vector<PodSetAdmission> sets;  ///< in the order of the podsets
  std::vector<Value> checks;          ///< status.admissionChecks
};

struct StartInfos {
  std::vector<StartInfo> infos;
  std::string conflict;  ///< what contradicts; empty for nothing
};
StartInfos StartInfosFor(const JobWorkload& workload, const JobAdmission& admission,
                         std::string_view slice_name, const Setting& setting);

/// Makes the object ready to run; answers a conflict and leaves it unchanged then.
std::string Start(const KindRow& row, Value& object, const JobWorkload& workload,
                  std::span<const StartInfo> infos);
/// Takes it back, to what the workload holds.
void Stop(const KindRow& row, Value& object, const JobWorkload& workload);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_WORKLOAD_H_
