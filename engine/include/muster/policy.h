// Policy: one loaded generation of a policy package, as the engine sees it.
//
// A policy says what it prefers, as numbers; the engine owns every invariant. It calls a hook once
// per batch, checks every answer (finite, complete) and decides with the native twin whenever a
// call fails, for that whole batch. Implementations must be pure functions of the batch.
#ifndef MUSTER_POLICY_H_
#define MUSTER_POLICY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "muster/batch_abi.h"

namespace muster {

enum class Hook {
  kSubmit,
  kQueueOrder,
  kCycleOrder,
  kShare,
  kFlavorOrder,
  kPreemptLimits,
  kVictim,
};
inline constexpr int kHooks = 7;
std::string_view HookName(Hook hook);  ///< "queue_order"
std::optional<Hook> HookFromName(std::string_view name);

/// What the engine must know of one hook that a package defines.
struct HookInfo {
  Hook hook = Hook::kQueueOrder;
  int keys = 1;                    ///< numbers per item, 1..MUSTER_MAX_KEYS
  std::vector<std::string> reads;  ///< volatile inputs: "now", "cycle", ...; empty: keys stay true
  double every = 0;                ///< declared seconds between recomputations; 0: not declared
  std::string place;               ///< "policies/small-first/policy.lua:12"
};

struct PolicyInfo {
  std::string name;
  std::string hash;  ///< SHA-256 of the package's sorted (path, bytes), hex
  std::string description;
  std::vector<std::string> labels;  ///< all that its views contain, at most MUSTER_MAX_LABELS
  std::vector<HookInfo> hooks;
};

/// Result of one batched call. `keys` numbers per item are in the caller's span when it is ok.
struct HookOutcome {
  bool ok = true;
  std::string message;     ///< why not, with file:line where known
  std::int64_t fuel = 0;   ///< used by this call
  std::int64_t item = -1;  ///< index in the batch of the item it failed on; -1: none
};

class Policy {
 public:
  virtual ~Policy() = default;
  virtual const PolicyInfo& info() const = 0;  ///< the same on every call

  /// Order inside one ClusterQueue: writes HookInfo::keys numbers for every workload of the batch,
  /// row by row, larger first. `keys.size()` is batch.count * HookInfo::keys. Never throws.
  virtual HookOutcome QueueOrder(const muster_batch& batch, std::span<double> keys) = 0;
};

}  // namespace muster

#endif  // MUSTER_POLICY_H_
