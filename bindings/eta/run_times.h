// How long jobs run, learnt from those that ended.
//
// Method: jobs are put into groups, from those that share queue, user, name, size, declared time
// and priority down to all jobs. What a job is expected to run are the newest runs of the most
// alike group that has enough of them; of one that runs already, those that were longer.
#ifndef MUSTER_BINDINGS_ETA_RUN_TIMES_H_
#define MUSTER_BINDINGS_ETA_RUN_TIMES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "muster/types.h"
#include "muster/workload.h"

namespace muster::eta {

/// Label with the seconds that the owner of a job says it will take.
inline constexpr const char* kRequestedLabel = "muster.dev/requested";

inline constexpr std::size_t kGroups = 11;

/// What is known of a job before it runs.
struct Traits {
  std::array<std::uint64_t, kGroups> groups{};  ///< the most alike first; the last is all jobs
  DurationNs declared = 0;                      ///< what its owner says it takes; 0: nothing
  DurationNs limit = 0;                         ///< it may run no longer; 0: as long as it likes
};

/// O(size of the workload).
Traits TraitsOf(const Workload& workload);

/// The part of a name that jobs of one kind have in common: "train" of "train-17" and of
/// "train-x7k2p". What ends it are digits, or a last word with one in it.
std::string_view NamePrefix(std::string_view name);

class RunTimes {
 public:
  /// Such a job ran so long, which is above 0. O(log jobs).
  void Learn(const Traits& job, DurationNs run);
  /// How long it may run in all when it has run for `elapsed`: equally likely times, ascending, all
  /// longer than that. Empty: it is not known, as no job has ended and
  /// this one declares nothing. O(group log group).
  std::vector<DurationNs> Expect(const Traits& job, DurationNs elapsed) const;
  std::size_t learnt() const { return learnt_; }

 private:
  /// The newest runs of a group, in a ring.
  struct Group {
    std::vector<DurationNs> runs;
    std::size_t next = 0;
  };
  std::map<std::uint64_t, Group> groups_;
  std::size_t learnt_ = 0;
};

/// Says in the label muster.dev/expected-run how long `job` is expected to run: the middle of
/// what it may run, in whole seconds. Left alone are one that says it itself, and one of which
/// nothing is known. What is told is recorded with the job, and so is part of each replay.
void SayExpectedRun(const RunTimes& runs, Workload* job);

}  // namespace muster::eta

#endif  // MUSTER_BINDINGS_ETA_RUN_TIMES_H_
