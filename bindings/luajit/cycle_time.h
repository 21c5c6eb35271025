// The last resort: a clock that ends calls no unit of fuel has foreseen.
//
// Fuel bounds the time of a call, and is all that decisions depend on. Should a unit take far
// longer than it was measured to, or should many packages use all that they have, the batch fails
// and says so; the engine records that, and a repetition takes the record (see
// bindings/cpp/late_policy.h). All packages have one limit together, each the same part of it: one
// that stays within its part is never late, and no cycle takes twice the limit. The clock is the
// thread's own, which stands still while others have the processor.
#ifndef MUSTER_BINDINGS_LUAJIT_CYCLE_TIME_H_
#define MUSTER_BINDINGS_LUAJIT_CYCLE_TIME_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "muster/policy.h"

namespace muster::luajit {

/// Seconds of processor time that the calling thread has used.
double ThreadSeconds();

/// What the calls of a package have taken in the running cycle. All its generations with parameters
/// share one.
class CycleTime {
 public:
  /// See Policy.
  void Begin(const std::shared_ptr<PolicyTime>& all);
  void End(const std::shared_ptr<PolicyTime>& all);
  /// Whether from here on nothing is too late.
  void Ignore(bool ignored) { ignored_ = ignored; }
  bool ignored() const { return ignored_; }

  /// Where a call that begins now is in the cycle, of its hook's: from 1; 0: there is no cycle.
  std::int64_t Count(Hook hook, std::int64_t batches);
  /// Whether a call that has taken `seconds` may not go on. Outside of a cycle each is by itself.
  bool Late(double seconds, double limit) const;
  /// Whether all calls so far took so much that the next one is looked at more often.
  bool Pressed(double limit) const;
  /// Whether the calls so far burnt so much that the next one is watched from its begin.
  bool watched() const;
  /// A call has ended.
  void Add(double seconds);
  void Burn(std::int64_t fuel);

 private:
  struct Cycle {
    std::shared_ptr<PolicyTime> all;
    double seconds = 0;
    std::array<std::int64_t, kHooks> asked = {};
  };
  bool ignored_ = false;
  std::vector<Cycle> cycles_;  ///< the innermost last
};

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_CYCLE_TIME_H_
