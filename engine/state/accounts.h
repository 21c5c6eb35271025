// Accounts: every account that packages declared, by key; see muster/account.h.
//
// They are charged where quota is charged and released, so what a workload holds and what it is
// charged cannot part. The amounts charged now are not stored: they are those of the holders.
#ifndef MUSTER_ENGINE_STATE_ACCOUNTS_H_
#define MUSTER_ENGINE_STATE_ACCOUNTS_H_

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/ids.h"
#include "engine/state/account_balance.h"
#include "muster/status.h"

namespace muster {

struct World;
struct WorkloadRecord;

struct Account {
  AccountRule rule;
  TimeNs declared_at = kNoTime;  ///< when a package declared it last
  bool declared = false;         ///< an active package does
  std::map<std::string, AccountBalance, std::less<>> balances;
};

class Accounts {
 public:
  static constexpr std::size_t kMost = 32;

  bool empty() const { return accounts_.empty(); }
  const std::map<AccountRule, Account>& all() const { return accounts_; }

  /// kFailedPrecondition when these are more than can be kept.
  static Status Check(std::span<const AccountRule> rules);
  /// Keeps an account for each rule from now on; others are kept as long as there is room, those
  /// that were not declared for longest give way. Precondition: Check. O(holders) for a new one.
  void Declare(World& world, std::span<const AccountRule> rules);
  /// The same after a restart: says which of the restored accounts are declared.
  void MarkDeclared(std::span<const AccountRule> rules);

  /// Forgets keys that have come to nothing for ever: whose period is over while nothing is charged
  /// to them. Looks when a period of the account ends after `before`, up to now: O(keys) then.
  /// Accounts that forget nothing keep every key: each still says what it came to.
  void ForgetEmpty(World& world, TimeNs before);

  /// The workload holds quota from now on, or what it holds, or in which queue, has changed.
  void Charge(World& world, const WorkloadRecord& workload);
  /// It holds nothing any more.
  void Release(World& world, const WorkloadRecord& workload);
  /// Quota was reserved for it.
  void Admit(World& world, const WorkloadRecord& workload);
  /// `victim`, which holds quota, is evicted for `preemptor`.
  void Preempt(World& world, const WorkloadRecord& victim, const WorkloadRecord& preemptor);

  /// Value for a key at `now`; 0 for one that was never charged. O(log keys).
  double Value(const AccountRule& rule, std::string_view key, TimeNs now) const;

  /// Grows whenever a value changes by more than that time passes. Begins anew with the process.
  std::uint64_t version() const { return version_; }

  /// Takes over what another process recorded; follow with ChargeRestored for every holder.
  Account& Restore(const AccountRule& rule) { return accounts_[rule]; }
  void ChargeRestored(const World& world, const WorkloadRecord& workload);

 private:
  /// What a holder is charged where.
  struct Open {
    Account* account = nullptr;
    std::string key;
    Amount amount = 0;
    bool operator==(const Open&) const = default;
  };
  AccountBalance& Settled(World& world, Account& account, const std::string& key);
  void Drop(World& world, const AccountRule& rule);
  std::vector<Open> ChargesOf(const World& world, const WorkloadRecord& workload);

  std::uint64_t version_ = 0;
  std::map<AccountRule, Account> accounts_;
  std::unordered_map<std::uint32_t, std::vector<Open>> open_;  ///< by WorkloadSlot; never walked
};

/// Whether the values of such an account change as time passes, with nothing else happening.
bool ChangesWithTime(const AccountRule& rule);

/// What such an account says the moment after the workload was admitted with `usage`, if it said
/// `value` before for the workload's key.
double AfterAdmission(const World& world, const WorkloadRecord& workload,
                      std::span<const Usage> usage, const AccountRule& rule, double value);

/// Under which key the workload is charged, by what it is and where it waits or holds.
std::string AccountKey(const World& world, const WorkloadRecord& workload, const AccountRule& rule);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_ACCOUNTS_H_
