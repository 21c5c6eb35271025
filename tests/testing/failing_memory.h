// FailingMemory: memory that runs out at one allocation, or from it on.
//
// A test that includes this has an operator new that counts, and refuses on demand; it costs a
// branch while nothing is to fail.
#ifndef MUSTER_TESTS_TESTING_FAILING_MEMORY_H_
#define MUSTER_TESTS_TESTING_FAILING_MEMORY_H_

#include <cstddef>
#include <cstdint>

namespace muster::testing {

class FailingMemory {
 public:
  enum class Lasting { kOnce, kFromThenOn };

  /// Allocation number `at` of those made inside scopes of While fails, counted from 1 now; 0:
  /// none. Those of less than `least` bytes neither count nor fail.
  static void Arm(std::int64_t at, Lasting lasting, std::size_t least = 0);
  /// None fails from here on; what was counted and refused since Arm stays known.
  static void Stop();
  /// Inside scopes of While since Arm.
  static std::int64_t allocations();
  /// Whether one was refused since Arm.
  static bool refused();
  /// Allocated and not given back, in the whole process.
  static std::int64_t blocks();

  /// While one lives, allocations count and can fail, on every thread.
  class While {
   public:
    While();
    ~While();
    While(const While&) = delete;
    While& operator=(const While&) = delete;
  };
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_FAILING_MEMORY_H_
