// CrashSweep: every disk that a power cut could leave, at every moment of a story, each opened with
// the ledger and compared with what had been acknowledged by then.
#ifndef MUSTER_TESTS_FAULT_LEDGER_CRASH_SWEEP_H_
#define MUSTER_TESTS_FAULT_LEDGER_CRASH_SWEEP_H_

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "tests/fault/ledger/story.h"
#include "tests/testing/crash_images.h"
#include "tests/testing/crash_vfs.h"

namespace muster::testing {

struct SweepResult {
  std::int64_t images = 0;  ///< of different content
  std::int64_t lost = 0;    ///< in which something acknowledged is missing
  std::int64_t broken = 0;  ///< that do not open, do not verify or hold half a transaction
  std::string first;        ///< what was wrong with the first bad one
};

struct SweepPlan {
  std::uint64_t seed = 1;
  int draws = 2;   ///< of each kind of loss that is random
  int every = 1;   ///< looks at every such moment
  int nested = 0;  ///< in every such image the recovery itself is cut off too; 0: in none
};

class CrashSweep {
 public:
  CrashSweep(const Story& story, const SweepPlan& plan);
  /// Sweeps the whole story, which began on an empty disk.
  SweepResult Run();

 private:
  struct Promised {
    std::int64_t commits = 0;
    bool policy = false;
  };

  void Follow(const DiskImage& disk, const std::vector<DiskOp>& record, Promised promised,
              bool nested);
  void Judge(const DiskImage& image, const Promised& promised, bool nested);
  /// Opens what `vfs_` was booted with and closes it; writes one commit in between if `write`.
  std::string Look(const Promised& promised, bool write);
  std::string Compare(const Store& ledger, const Promised& promised, std::int64_t* commits);

  const Story& story_;
  SweepPlan plan_;
  DiskModel::Random random_;
  CrashVfs vfs_;
  LedgerTesting testing_;
  std::unordered_set<std::uint64_t> seen_;
  std::int64_t written_after_recovery_ = 0;  ///< number of commits after Look wrote one
  SweepResult result_;
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_FAULT_LEDGER_CRASH_SWEEP_H_
