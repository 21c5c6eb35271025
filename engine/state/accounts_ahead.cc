// See accounts_ahead.h.
#include "engine/state/accounts_ahead.h"

#include "engine/state/account_key.h"
#include "engine/state/world.h"

namespace muster {

void AccountsAhead::Admit(const WorkloadRecord& workload, std::span<const Usage> usage) {
  std::string room;
  for (const auto& [rule, account] : world_.accounts.all()) {
    const bool last = rule.of == AccountOf::kLastAdmission;
    const double added = last ? 0 : AddedByAdmission(world_, workload, usage, rule);
    if (added == 0 && !last) continue;
    const std::string_view key = AccountKeyIn(room, world_, workload, rule);
    auto& values = values_[rule];
    const auto ahead = values.find(key);
    double before = 0;
    if (ahead != values.end()) {
      before = ahead->second;
    } else if (const auto now = account.balances.find(key); now != account.balances.end()) {
      before = now->second.ValueAt(rule, world_.now);
    }
    const double after = last ? static_cast<double>(world_.now) * 1e-9 : before + added;
    if (ahead != values.end()) {
      ahead->second = after;
    } else if (after != before) {
      values.emplace(key, after);
    }
  }
}

double AccountsAhead::Value(const AccountRule& rule, std::string_view key) const {
  if (const auto account = values_.find(rule); account != values_.end()) {
    const auto value = account->second.find(key);
    if (value != account->second.end()) return value->second;
  }
  return world_.accounts.Value(rule, key, world_.now);
}

bool AccountsAhead::Differs(const AccountRule& rule, const WorkloadRecord& workload) const {
  const auto account = values_.find(rule);
  std::string room;
  return account != values_.end() &&
         account->second.contains(AccountKeyIn(room, world_, workload, rule));
}

}  // namespace muster
