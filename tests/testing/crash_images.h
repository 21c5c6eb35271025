// What a power cut may leave on the disk, from the record of a CrashVfs.
//
// DiskModel follows the record and keeps apart what was flushed and what was not. At any moment it
// can draw a disk on which each thing that was not flushed did or did not arrive.
#ifndef MUSTER_TESTS_TESTING_CRASH_IMAGES_H_
#define MUSTER_TESTS_TESTING_CRASH_IMAGES_H_

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/testing/crash_vfs.h"

namespace muster::testing {

/// How much of what was not flushed arrived.
enum class Loss {
  kNothingArrived,
  kAllArrived,
  kSubset,         ///< each operation by a toss of a coin
  kTorn,           ///< each 512-byte sector of each write by a toss
  kGarbage,        ///< as kTorn, and one sector holds neither old nor new
  kReordered,      ///< each file up to a point of its own
  kDirectoryLost,  ///< all content, no creation or deletion of a file
};
inline constexpr Loss kLosses[] = {Loss::kNothingArrived, Loss::kAllArrived, Loss::kSubset,
                                   Loss::kTorn,           Loss::kGarbage,    Loss::kReordered,
                                   Loss::kDirectoryLost};

class DiskModel {
 public:
  using Random = std::mt19937_64;

  /// The disk a CrashVfs was booted with; nothing on it is in doubt.
  explicit DiskModel(const DiskImage& flushed = {});

  /// `op` must outlive the model.
  void Apply(const DiskOp& op);
  DiskImage Draw(Loss loss, Random& random) const;
  /// Whether anything is in doubt.
  bool unsettled() const;

 private:
  struct File {
    std::string flushed;
    std::vector<const DiskOp*> pending;
  };

  std::map<std::string, int> DrawDirectory(Loss loss, Random& random) const;

  std::map<int, File> files_;
  std::map<std::string, int> directory_;
  std::vector<const DiskOp*> pending_names_;
};

/// A number for the content: equal for equal disks, different for others but by extreme chance.
std::uint64_t ContentHash(const DiskImage& image);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_CRASH_IMAGES_H_
