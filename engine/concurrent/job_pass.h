// One look at one job: what the controller of concurrent admission does about it, in Kueue's order.
#ifndef MUSTER_ENGINE_CONCURRENT_JOB_PASS_H_
#define MUSTER_ENGINE_CONCURRENT_JOB_PASS_H_

#include <string_view>
#include <vector>

#include "engine/state/world.h"

namespace muster {

class JobPass {
 public:
  JobPass(World& world, WorkloadRecord& job) : world_(world), job_(job) {}
  /// Whether anything was done; then it is to be looked at again.
  bool Run();

 private:
  /// It becomes a job, if it is to be one and runs on no quota of its own.
  bool Begin();
  /// It stands in the queue by itself again, and is charged itself for what it runs on.
  bool GiveBack();
  /// What has finished has no variants that have not.
  bool FinishVariants();
  bool MakeVariants();
  void Make(std::string_view flavor);
  /// The variant says what the job says now.
  bool Follow(WorkloadRecord& variant);
  /// Of a flavor that the queue has no more. One that the job runs on goes once the job has left.
  bool Discard(WorkloadRecord& variant);
  /// Evictions go from the running variant to the job and back; what has left is released.
  bool PassEvictions();
  /// A variant was admitted beside the one that the job runs on, and is preferred: the job moves.
  bool MoveToPreferred();
  bool Activate();
  bool IsToBeActive(const WorkloadRecord& variant) const;
  /// The job is told what its variants have become, and its variant whether its pods are ready.
  bool FollowStatus();
  /// The job has left a flavor for one that it did not get after all: it may have the first again.
  bool TryAgain();

  bool HasQuota() const;
  /// The most preferred of the variants that are admitted and stay; of none the running one.
  /// Precondition: there is one that runs.
  const WorkloadRecord& BestAdmitted() const;
  bool EvictJob(std::string_view reason, std::string_view message);
  WorkloadRecord* Running();

  World& world_;
  WorkloadRecord& job_;
  std::vector<WorkloadId> variants_;         ///< by preference
  const WorkloadRecord* running_ = nullptr;  ///< RunningVariant
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CONCURRENT_JOB_PASS_H_
