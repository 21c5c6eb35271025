// See accounts_ahead.h.
#include "engine/state/accounts_ahead.h"

#include "engine/state/world.h"

namespace muster {

void AccountsAhead::Admit(const WorkloadRecord& workload, std::span<const Usage> usage) {
  for (const auto& [rule, account] : world_.accounts.all()) {
    const bool last = rule.of == AccountOf::kLastAdmission;
    const double added = last ? 0 : AddedByAdmission(world_, workload, usage, rule);
    if (added == 0 && !last) continue;
    const std::string key = AccountKey(world_, workload, rule);
    const double before = Value(rule, key);
    const double after = last ? static_cast<double>(world_.now) * 1e-9 : before + added;
    if (after != before) values_[rule][key] = after;
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
  return account != values_.end() &&
         account->second.contains(AccountKey(world_, workload, rule));
}

}  // namespace muster
