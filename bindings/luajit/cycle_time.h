// The last resort: a clock that ends calls no unit of fuel has foreseen.
//
// Fuel bounds the time of a call, and is all that decisions depend on. Should a unit take far
// longer than it was measured to, the batch fails and says so; the engine records that, and a
// repetition takes the record (see bindings/cpp/late_policy.h). The clock is the thread's own,
// which stands still while others have the processor, and is asked every 16,384 units only.
#ifndef MUSTER_BINDINGS_LUAJIT_CYCLE_TIME_H_
#define MUSTER_BINDINGS_LUAJIT_CYCLE_TIME_H_

#include <array>
#include <cstdint>

#include "muster/policy.h"

namespace muster::luajit {

/// Seconds of processor time that the calling thread has used.
double ThreadSeconds();

/// What the calls of a package have taken in the running cycle. All its generations with parameters
/// share one.
class CycleTime {
 public:
  void Begin() {
    *this = CycleTime();
    running_ = true;
  }
  void End() { *this = CycleTime(); }
  /// From here on nothing is too late.
  void Ignore() { ignored_ = true; }
  bool ignored() const { return ignored_; }

  /// Where a call that begins now is in the cycle, of its hook's: from 1; 0: there is no cycle.
  std::int64_t Count(Hook hook, std::int64_t batches) {
    return running_ ? asked_[static_cast<std::size_t>(hook)] += batches : 0;
  }
  /// Time that counts for the next call: outside of a cycle each has its own.
  double seconds() const { return seconds_; }
  void Add(double seconds) {
    if (running_) seconds_ += seconds;
  }
  /// Whether the calls so far burnt so much that the next one is watched from its begin.
  bool watched() const { return fuel_ > kUnwatched; }
  void Burn(std::int64_t fuel) {
    if (running_) fuel_ += fuel;
  }

 private:
  static constexpr std::int64_t kUnwatched = 16'384;
  bool running_ = false;
  bool ignored_ = false;
  double seconds_ = 0;
  std::int64_t fuel_ = 0;
  std::array<std::int64_t, kHooks> asked_ = {};
};

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_CYCLE_TIME_H_
