// FailingFiles: calls of the operating system on files, made to fail one by one.
//
// A test that includes this has open, write, fsync and the like of its own, which count and refuse
// on demand, also for SQLite; they cost a branch while nothing is to fail.
#ifndef MUSTER_TESTS_TESTING_FAILING_FILES_H_
#define MUSTER_TESTS_TESTING_FAILING_FILES_H_

#include <cstdint>

namespace muster::testing {

class FailingFiles {
 public:
  enum class Call { kOpen, kRead, kWrite, kSync, kTruncate, kRename };

  /// Of the calls of this kind made inside scopes of While, number `at`, counted from 1 now, fails
  /// with `error`, and with `from_then_on` so do all after it.
  static void Arm(Call call, std::int64_t at, int error, bool from_then_on);
  /// Whether one failed since Arm.
  static bool refused();

  /// While one lives, calls of its thread count and can fail.
  class While {
   public:
    While();
    ~While();
    While(const While&) = delete;
    While& operator=(const While&) = delete;
  };
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_FAILING_FILES_H_
