// What Kueue's webhooks refuse of an object that comes again, by what its workload keeps of it.
#ifndef MUSTER_BINDINGS_MANIFEST_UPDATE_RULES_H_
#define MUSTER_BINDINGS_MANIFEST_UPDATE_RULES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/groups_by_pod.h"
#include "bindings/manifest/manifest.h"
#include "muster/engine.h"

namespace muster::manifest {

struct UpdateProblem {
  std::string field;  ///< of the object: "metadata.labels[kueue.x-k8s.io/priority-class]"
  std::string what;
  std::string cure;
  std::optional<Place> place = {};  ///< of the field, where another object than the first has it
};

/// What an object of `kind` may not change in `known` to become `workload`; of one that has ended,
/// what its containers are. What holds of every workload with quota is the engine's to say.
/// `minds_gates`: gates by which admission waits are read. O(containers).
std::vector<UpdateProblem> UpdateProblems(std::string_view kind, const WorkloadView& known,
                                          const Workload& workload, bool minds_gates);

/// What `pods`, which are given for the workload `own`, may not change of what they were: each
/// stays in its group, and is not retried there once it said so. `known` is what there is of `own`,
/// unless that has ended. Each has its place. O(pods).
std::vector<UpdateProblem> PodProblems(const Engine& engine, const std::vector<GivenPod>& pods,
                                       const Key& own, const std::optional<WorkloadView>& known,
                                       GroupsByPod* groups);

/// What keeps a StatefulSet that was scaled to nothing from coming back as `workload`: pods that
/// are left, by its status or by the quota of its workload. Unset: nothing.
std::optional<UpdateProblem> ReturnProblem(const WorkloadView& known, const Workload& workload,
                                           std::int64_t replicas_left);

/// Gives `workload` the priority class of `known` where a class that is written later has no
/// effect; answers whether that is another one than it names.
bool KeepClass(std::string_view kind, const Workload& known, Workload* workload);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_UPDATE_RULES_H_
