// Accounts: every account that packages declared, by key; see muster/account.h.
//
// They are charged where quota is charged and released, so what a workload holds and what it is
// charged cannot part. The amounts charged now are not stored: they are those of the holders. So is
// what accounts of now say, which have no rows at all: a workload is looked at wherever it comes to
// wait, to hold or to neither, and wherever its queue or its labels change.
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
  std::uint64_t version = 0;     ///< raised with each change that is not one of time alone
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
  /// that were not declared for longest give way. Precondition: Check. A new one begins with what
  /// there is now, and with nothing that has happened. O(workloads) for a new one.
  void Declare(World& world, std::span<const AccountRule> rules);
  /// The same after a restart: says which of the restored accounts are declared.
  void MarkDeclared(std::span<const AccountRule> rules);

  /// Forgets keys that have come to nothing for ever: whose period is over while nothing is charged
  /// to them. Looks when a period of the account ends after `before`, up to now: O(keys) then.
  /// Accounts that forget nothing keep every key: each still says what it came to.
  void ForgetEmpty(World& world, TimeNs before);

  /// What the workload holds, whether it waits, in which queue, or its labels may have changed.
  void Charge(World& world, const WorkloadRecord& workload);
  /// It is there no more.
  void Release(World& world, const WorkloadRecord& workload);
  /// Something happened to it that `of` counts, by what it is and holds now.
  void Count(World& world, const WorkloadRecord& workload, AccountOf of);
  /// Quota was reserved for it.
  void Admit(World& world, const WorkloadRecord& workload);
  /// `victim`, which holds quota, is evicted for `preemptor`.
  void Preempt(World& world, const WorkloadRecord& victim, const WorkloadRecord& preemptor);

  /// Value for a key at `now`; 0 for one that was never charged. O(log keys).
  double Value(const AccountRule& rule, std::string_view key, TimeNs now) const;
  /// As long as it is the same nothing but time has changed what the account says; begins anew
  /// with each process. 0: there is no such account. O(log accounts).
  std::uint64_t Version(const AccountRule& rule) const;

  /// Takes over what another process recorded; follow with ChargeRestored for every workload.
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
  /// Changes what is charged now by `amount`.
  void Move(World& world, const Open& charge, Amount amount);
  void Drop(World& world, const AccountRule& rule);
  std::vector<Open> ChargesOf(const World& world, const WorkloadRecord& workload);

  std::map<AccountRule, Account> accounts_;
  std::unordered_map<std::uint32_t, std::vector<Open>> open_;  ///< by WorkloadSlot; never walked
};

/// Under which key the workload is charged, by what it is and where it waits or holds. Of several
/// parts "research,anna": in a part `,` and `\` stand behind a `\`.
std::string AccountKey(const World& world, const WorkloadRecord& workload, const AccountRule& rule);
std::string AccountKey(const World& world, const WorkloadRecord& workload,
                       std::span<const AccountKeyPart> parts);

/// Whether the values of such an account change as time passes, with nothing else happening.
bool ChangesWithTime(const AccountRule& rule);

/// What an admission of the workload, which waits, with `usage` adds at once to what the account
/// says under the workload's key: in workloads, cores, bytes or devices.
double AddedByAdmission(const World& world, const WorkloadRecord& workload,
                        std::span<const Usage> usage, const AccountRule& rule);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_ACCOUNTS_H_
