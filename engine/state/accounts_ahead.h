// AccountsAhead: accounts as they will be once what a cycle has started so far is carried out.
#ifndef MUSTER_ENGINE_STATE_ACCOUNTS_AHEAD_H_
#define MUSTER_ENGINE_STATE_ACCOUNTS_AHEAD_H_

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "engine/state/accounts.h"
#include "muster/types.h"

namespace muster {

class AccountsAhead {
 public:
  explicit AccountsAhead(const World& world) : world_(world) {}
  /// The workload, which still waits, will be admitted with `usage`. O(accounts x log keys).
  void Admit(const WorkloadRecord& workload, std::span<const Usage> usage);
  /// As Accounts::Value does now. O(log keys).
  double Value(const AccountRule& rule, std::string_view key) const;
  /// Whether the value under the workload's key may be another than now. O(log keys).
  bool Differs(const AccountRule& rule, const WorkloadRecord& workload) const;

 private:
  const World& world_;
  std::map<AccountRule, std::map<std::string, double, std::less<>>> values_;  ///< that change
};

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_ACCOUNTS_AHEAD_H_
