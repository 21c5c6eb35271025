// The objects of job kinds in some files, each beside the workload that Parse makes of it: what a
// start is written into, and what tells of itself by its status.
#ifndef MUSTER_BINDINGS_MANIFEST_JOB_OBJECTS_H_
#define MUSTER_BINDINGS_MANIFEST_JOB_OBJECTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bindings/manifest/declared_kinds.h"
#include "bindings/manifest/group_pods.h"
#include "bindings/manifest/manifest.h"
#include "bindings/objects/kind.h"
#include "bindings/objects/value.h"
#include "bindings/objects/workload.h"

namespace muster::manifest {

/// Of a group, the pods that were read.
struct GivenPods {
  std::int64_t total = 0;
  PodRoles members;               ///< that fill a place
  std::vector<std::string> lost;  ///< that fill none any more
};

/// What the pods of a Deployment say, of all its replicas. Which of them is whose a start has
/// written into it.
struct ReplicaPods {
  struct Pods {
    bool run = false;  ///< one may hold a place on a node
    bool ready = false;
  };
  std::map<std::string, Pods> started;     ///< by the workload that started them
  bool others_run = false;                 ///< those of which it is not told
  std::int64_t live = 0;                   ///< that were read and have not ended
  std::optional<std::int64_t> there = {};  ///< how many live, by the Deployment; unset: not read
  bool all_ready = false;                  ///< by the Deployment
};

struct JobObject {
  Key workload_key;
  Key key_without_uid = {};      ///< how it is called where it was submitted before it had a uid
  std::vector<Key> owners = {};  ///< workloads of which it may be a part
  std::vector<objects::Value> objects;  ///< one, or the pods of a group
  const objects::KindRow* row = nullptr;
  objects::JobWorkload workload;
  objects::JobStatus status;  ///< what it says of itself, of a group all pods together
  Place place;                ///< of the first object's name
  std::string of;             ///< "Deployment web", whose pod the object is; else empty
  std::optional<GivenPods> group = {};
  std::shared_ptr<const ReplicaPods> replica = {};  ///< of a pod that a Deployment makes, else null
  bool is_ready_known = true;  ///< else `status` does not say whether its pods are ready
  /// Each of its objects has the field: without it nothing is known of its pods.
  bool has_status = false;
  bool names_no_queue = false;  ///< it may have gone to the default queue, or into none
};

/// An object with a workload for each of its replicas, or for all of them together.
struct ScaledStatus {
  ScaledObject object;
  std::optional<std::int64_t> there = {};  ///< replicas that have pods, by it; unset: not said
};

struct JobObjects {
  std::vector<ScaledStatus> scaled;        ///< may have had more replicas, which `jobs` has not
  std::vector<objects::Value> slice_pods;  ///< of elastic jobs, as a start has marked them
  std::vector<JobObject> jobs;             ///< in the order of the files, groups last
  std::optional<Diagnostic> mistake;       ///< the first in a text that is no YAML, or JobKind
  std::shared_ptr<const DeclaredKinds> declared;  ///< jobs refer to their rows
};

/// Reads all objects that Parse would make workloads of, also those that have ended. What is wrong
/// with them is Parse's to tell; those whose podsets cannot be made are left out. With `only`, of
/// the replicas of a Deployment just the one of that workload is kept. With `now`, pods that should
/// be gone by then are not active.
JobObjects ReadJobObjects(std::span<const Source> sources,
                          const std::optional<Key>& only = std::nullopt,
                          std::optional<TimeNs> now = std::nullopt);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_JOB_OBJECTS_H_
