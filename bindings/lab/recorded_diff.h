// Which decisions that a ledger recorded would have come out differently, and for which jobs.
//
// Method: the ledger is replayed. Wherever its process began to run cycles, two copies of the
// engine as it was then run cycles until nothing changes, each under one of the policies; what they
// start and what they evict is compared. The replay goes on as it was recorded, so one difference
// does not lead to others.
#ifndef MUSTER_BINDINGS_LAB_RECORDED_DIFF_H_
#define MUSTER_BINDINGS_LAB_RECORDED_DIFF_H_

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "bindings/lab/activate.h"
#include "muster/engine.h"

namespace muster {
class StoredHistory;
}  // namespace muster

namespace muster::lab {

/// What became of one workload in one turn.
struct RecordedDifference {
  std::string workload;
  std::string cluster_queue;
  std::size_t times = 0;   ///< turns in which it fared differently
  std::int64_t cycle = 0;  ///< the first of them
  TimeNs at = kNoTime;
  std::array<std::string, 2> fates;  ///< then: "starts", "waits", "preempted for team/x"
};

struct RecordedDiff {
  std::vector<RecordedDifference> differences;  ///< by first cycle, then workload
  std::size_t turns = 0;                        ///< compared
  std::size_t different_turns = 0;
  std::array<std::size_t, 2> starts{}, preemptions{};
  std::array<std::size_t, 2> failures{};  ///< cycles in which a policy failed
  std::array<std::string, 2> last_failure;
};

/// kDataLoss when the ledger cannot be replayed. O(history + turns * state).
Result<RecordedDiff> DiffRecorded(const StoredHistory& ledger,
                                  const std::array<Decider, 2>& deciders);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_RECORDED_DIFF_H_
