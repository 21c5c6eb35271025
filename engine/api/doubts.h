// What is said about workloads that come, beside whether they are valid: uids that others have, and
// what was taken and may not have been meant.
#ifndef MUSTER_ENGINE_API_DOUBTS_H_
#define MUSTER_ENGINE_API_DOUBTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/state/world.h"
#include "muster/command.h"
#include "muster/object.h"
#include "muster/status.h"

namespace muster {

/// Whether the uid of a newcomer is that of a live workload, or stands twice among those that come
/// together: then RefuseSharedUids finds more to say. O(n log n) in those with a uid.
bool MayShareUids(const World& world, std::span<const Workload> newcomers);

/// A mistake for each workload that gives a uid which a live one of another name has, in `world` or
/// before it in `objects`: what follows a job by its uid would take one for the other.
void RefuseSharedUids(const World& world, std::span<const Object> objects,
                      std::vector<Problem>& problems);

/// Warnings about the workloads of one call, gathered before and after it.
class Doubts {
 public:
  /// `warnings` may be null: nothing is looked at then.
  Doubts(std::vector<Warning>* warnings, TimeNs now) : warnings_(warnings), now_(now) {}

  /// Workload number `index` comes: it may have been created in the future. Clocks that are read in
  /// whole seconds are behind by less than one.
  void Comes(const Workload& workload, std::size_t index) {
    if (warnings_ == nullptr || workload.created <= now_) return;
    const auto ahead =
        static_cast<std::uint64_t>(workload.created) - static_cast<std::uint64_t>(now_);
    if (ahead >= std::uint64_t{kSecond}) WarnOfCreated(workload, index);
  }
  /// It was submitted again with another spec.
  void Changed(const WorkloadRecord& workload, std::size_t index) {
    if (warnings_ != nullptr && IsTrue(workload.spec.status, condition::kFinished)) {
      WarnOfEnded(workload, index);
    }
  }

 private:
  void WarnOfCreated(const Workload& workload, std::size_t index);
  void WarnOfEnded(const WorkloadRecord& workload, std::size_t index);
  void Add(Warning warning);

  std::vector<Warning>* warnings_;
  TimeNs now_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_API_DOUBTS_H_
