// Memory of one Lua state: counts, and drains the fuel above its soft limits.
//
// LuaJIT's compiler does not survive the refusal of its small buffers, so over a limit an
// allocation still succeeds and the policy raises at its next tick, a safe point that knows its
// line. Refused is only what is far above: a single block larger than the overshoot, or the limit
// plus the overshoot.
#ifndef MUSTER_BINDINGS_LUAJIT_MEMORY_GAUGE_H_
#define MUSTER_BINDINGS_LUAJIT_MEMORY_GAUGE_H_

#include <cstddef>
#include <cstdint>
#include <limits>

#include "bindings/luajit/call_frame.h"
#include "bindings/luajit/sandbox_options.h"

namespace muster::luajit {

class MemoryGauge {
 public:
  enum class Trip { kNone, kMemory, kBlock };
  enum class Running { kFile, kHook };  ///< which of the limits hold

  explicit MemoryGauge(const SandboxOptions& options) : options_(options) {}

  /// The lua_Alloc contract; `self` is the gauge.
  static void* Allocate(void* self, void* block, std::size_t old_size, std::size_t new_size);

  /// From here on allocations are counted for `fail_allocation`: LuaJIT does not survive a refusal
  /// while it makes a state and opens its libraries.
  void BeginCounting() { allocations_ = 0; }
  /// Limits hold between Arm and Disarm: while a policy's code can run. `fuel` is drained on a
  /// trip.
  void Arm(muster_fuel* fuel, Running running);
  void Disarm() { armed_ = false; }
  void Clear() { trip_ = Trip::kNone; }

  bool armed() const { return armed_; }
  std::size_t most() const { return most_; }  ///< limit that the last Arm set
  std::size_t most_in_block() const { return most_in_block_; }
  std::size_t used() const { return used_; }
  std::size_t peak() const { return peak_; }  ///< since the last Arm
  Trip trip() const { return trip_; }         ///< first limit exceeded since Clear

 private:
  bool Permit(std::size_t old_size, std::size_t new_size);
  void Drain(Trip why);

  const SandboxOptions& options_;
  std::size_t most_ = 0;
  std::size_t most_in_block_ = 0;
  std::size_t used_ = 0;
  std::size_t peak_ = 0;
  std::int64_t allocations_ = std::numeric_limits<std::int64_t>::min();
  bool armed_ = false;
  Trip trip_ = Trip::kNone;
  muster_fuel* fuel_ = nullptr;
};

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_MEMORY_GAUGE_H_
