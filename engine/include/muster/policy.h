// Policy: one loaded generation of a policy package, as the engine sees it.
//
// A policy says what it prefers, as numbers; the engine owns every invariant. It calls a hook once
// per batch and checks every answer (finite, complete). Where a call fails, the native twin takes
// the place of that hook of the package for the whole cycle. Answers depend on the batch alone.
#ifndef MUSTER_POLICY_H_
#define MUSTER_POLICY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "muster/account.h"
#include "muster/batch_abi.h"
#include "muster/status.h"

namespace muster {

enum class Hook {
  kSubmit,
  kQueueOrder,
  kCycleOrder,
  kShare,
  kFlavorOrder,
  kPreemptLimits,
  kVictim,
  kHold,
  kBoost,
  kDomainOrder,
};
inline constexpr int kHooks = 10;
std::string_view HookName(Hook hook);  ///< "queue_order"
std::optional<Hook> HookFromName(std::string_view name);

/// What the engine must know of one hook that a package defines.
struct HookInfo {
  Hook hook = Hook::kQueueOrder;
  int keys = 1;                    ///< numbers per item, 1..MUSTER_MAX_KEYS
  std::vector<std::string> reads;  ///< volatile inputs: "now", "cycle", ...; empty: keys stay true
  double every = 0;                ///< declared seconds between recomputations; 0: not declared
  /// Fields of views that it may read beyond those of every workload's request and priority:
  /// "name", "label", ...; unset: any of them. Workloads that agree in these are alike to it.
  std::optional<std::vector<std::string>> fields = std::nullopt;
  /// Fields of any view that it may read; unset: any of them. A row may have 0 or "" for others.
  std::optional<std::vector<std::string>> named = std::nullopt;
  /// Whether its answers may differ by batch.subject; false: they are the same for all.
  bool reads_subject = true;
  /// Of victim: the key of its budgets, of one part or more. Then there are three numbers an item:
  /// the cost, what its eviction spends, and what all of its key may spend together in a cycle.
  /// Of domain_order: the key of the jobs whose pods are counted in rows.
  std::vector<AccountKeyPart> per = {};
  std::string place;  ///< "policies/small-first/policy.lua:12"
};

struct PolicyInfo {
  std::string name;
  std::string hash;  ///< SHA-256 of the package's sorted (path, bytes), hex
  std::string description;
  std::vector<std::string> labels;  ///< all that its views contain, at most MUSTER_MAX_LABELS
  /// At most MUSTER_MAX_ACCOUNTS, then those that fields of views stand for, without a name.
  std::vector<DeclaredAccount> accounts;
  std::vector<HookInfo> hooks;
  bool reject_on_error = false;  ///< a submit that fails rejects the workload; else it accepts
};

/// Longest reason that `hold` may give, in bytes.
inline constexpr std::size_t kMaxHoldReason = 200;

/// Result of one batched call. `keys` numbers per item are in the caller's span when it is ok.
struct HookOutcome {
  bool ok = true;
  std::string message;     ///< why not, with file:line where known
  std::int64_t fuel = 0;   ///< used by this call
  std::int64_t item = -1;  ///< index in the batch of the item it failed on; -1: none
  /// Not 0: it took too long, which no repetition finds out again. The number of this batch among
  /// those that the hook of the package was asked about in the cycle, from 1.
  std::int64_t late = 0;
  /// Of `hold`: why it holds back, each once; its answers count from 1 in here. At most
  /// kMaxHoldReason bytes of each are kept.
  std::vector<std::string> reasons = {};
};

/// What `submit` says about an arriving workload; unset members stay as they are.
struct SubmitAnswer {
  std::optional<std::string> rejected;  ///< why it is refused
  std::optional<double> priority;
  std::optional<std::string> queue;                        ///< LocalQueue of the same namespace
  std::map<std::string, std::string, std::less<>> labels;  ///< added or replaced
};

/// The author of a change of what decides, and the reason; for the record.
struct PolicyChange {
  std::string by;
  std::string why;
  bool operator==(const PolicyChange&) const = default;
};

/// A hook in which a package had a say and has none any more.
struct StoppedHook {
  std::string package;
  Hook hook = Hook::kQueueOrder;
  bool operator==(const StoppedHook&) const = default;
};

/// What all policies together have taken of a cycle. The engine has no clock and only hands it from
/// one to the next; those that have one add to it.
struct PolicyTime {
  std::size_t packages = 1;  ///< that may be asked
  double seconds = 0;
  std::int64_t fuel = 0;
};

/// Whether a hook may answer this number, as a key or cost: orders of workloads are finite, boosts
/// whole; elsewhere infinity means: protected, deserves nothing, no limit, or, where it is
/// negative, not this flavor now.
bool MayAnswer(Hook hook, double answer);

using PolicyParams = std::map<std::string, std::string, std::less<>>;

class Policy {
 public:
  virtual ~Policy() = default;
  virtual const PolicyInfo& info() const = 0;  ///< the same on every call

  /// Asks a hook other than submit about every item of the batch: writes HookInfo::keys numbers
  /// for each, row by row. `answers.size()` is batch.count * HookInfo::keys, maybe 0. Never throws.
  ///   queue_order, cycle_order, flavor_order, domain_order   finite, larger first
  ///   share, victim      not NaN nor -inf; smaller deserves more, or is evicted rather; +inf:
  ///                      deserves nothing more, or is protected
  ///   victim with a key  then what it spends, not below 0 and finite, and what is left
  ///   boost              whole, from -1,000,000,000 to 1,000,000,000: added to the priority
  ///   preempt_limits     most victims, most cost of them together; +inf: no limit
  ///   hold               two: 0, or which of HookOutcome::reasons, from 1; until when, in seconds
  ///                      since the epoch, +inf: not known
  virtual HookOutcome Call(Hook hook, const muster_batch& batch, std::span<double> answers) = 0;

  /// Asks about several batches, about each as Call does: with fuel and limits of its own, its
  /// answers behind those of the batch before, and in `fuel` what it used. False: some call would
  /// fail, or nothing is known; `answers` mean nothing, and a caller that wants to know asks one by
  /// one. Of hold it is said what is held back and not why. Precondition: no batch is empty, all
  /// have the same strings and resources. Never throws.
  virtual bool CallEach(Hook, std::span<const muster_batch>, std::span<double>,
                        std::span<std::int64_t>) {
    return false;
  }

  /// The calls from here to EndCycle belong to one cycle: a limit on what they take together begins
  /// anew. Outside of cycles each call is by itself. A cycle with another `all` may begin and end
  /// inside: what is asked there does not count for the one around it.
  virtual void BeginCycle(const std::shared_ptr<PolicyTime>& /*all*/) {}
  virtual void EndCycle(const std::shared_ptr<PolicyTime>& /*all*/) {}

  /// Asks submit about batch.subject. Never throws.
  virtual HookOutcome Submit(const muster_batch&, SubmitAnswer*) { return {}; }

  /// The same package with other parameters (as in a PolicyBinding), or what is wrong with them.
  virtual Result<std::shared_ptr<Policy>> WithParams(const PolicyParams&) const {
    return Status(StatusCode::kInvalidArgument, "package " + info().name + " has no parameters");
  }
};

}  // namespace muster

#endif  // MUSTER_POLICY_H_
