// The words are those of policies/prelude/accounts.lua, which checked them.
#include "bindings/luajit/account_rule.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace muster::luajit {
namespace {

template <typename Enum, std::size_t N>
Enum Word(const std::pair<std::string_view, Enum> (&words)[N], std::string_view text) {
  const auto* found = std::find_if(std::begin(words), std::end(words),
                                   [&](const auto& word) { return word.first == text; });
  return found == std::end(words) ? words[0].second : found->second;
}

constexpr std::pair<std::string_view, AccountBy> kBy[] = {
    {"localqueue", AccountBy::kLocalQueue},
    {"clusterqueue", AccountBy::kClusterQueue},
    {"namespace", AccountBy::kNamespace},
    {"label", AccountBy::kLabel},
    {"user", AccountBy::kUser}};

AccountRule RuleOf(const TableAccount& account) {
  constexpr std::pair<std::string_view, AccountOf> kOf[] = {
      {"resource", AccountOf::kResource},     {"preempted", AccountOf::kPreempted},
      {"lost", AccountOf::kLost},             {"admissions", AccountOf::kAdmissions},
      {"submitted", AccountOf::kSubmitted},   {"admitted", AccountOf::kAdmitted},
      {"finished", AccountOf::kFinished},     {"failed", AccountOf::kFailed},
      {"cancelled", AccountOf::kCancelled},   {"evicted", AccountOf::kEvicted},
      {"running", AccountOf::kRunning},       {"pending", AccountOf::kPending},
      {"held", AccountOf::kHeld}};
  constexpr std::pair<std::string_view, AccountOver> kOver[] = {
      {"half_life", AccountOver::kHalfLife},
      {"window", AccountOver::kWindow},
      {"calendar-day", AccountOver::kCalendarDay},
      {"week", AccountOver::kWeek},
      {"ever", AccountOver::kNothing}};
  AccountRule rule;
  rule.by = Word(kBy, account.by);
  rule.label = account.label;
  rule.of = Word(kOf, account.of);
  rule.resource = account.resource;
  rule.over = Word(kOver, account.over);
  rule.span = static_cast<DurationNs>(std::llround(account.span * static_cast<double>(kSecond)));
  rule.also = KeyPartsOf(account.also);
  rule.where.insert(account.where.begin(), account.where.end());
  return rule;
}

DeclaredAccount LastAdmission(AccountBy by) {
  DeclaredAccount account;
  account.rule.by = by;
  account.rule.of = AccountOf::kLastAdmission;
  return account;
}

}  // namespace

std::vector<AccountKeyPart> KeyPartsOf(
    const std::vector<std::pair<std::string, std::string>>& parts) {
  std::vector<AccountKeyPart> key;
  for (const auto& [by, label] : parts) key.push_back({Word(kBy, by), label});
  return key;
}

std::vector<DeclaredAccount> AccountsOf(const PackageTable& table) {
  std::vector<DeclaredAccount> accounts;
  for (const TableAccount& account : table.accounts) {
    accounts.push_back({account.name, RuleOf(account)});
  }
  const bool reads_last = std::any_of(table.hooks.begin(), table.hooks.end(), [](const auto& hook) {
    return std::find(hook.reads.begin(), hook.reads.end(), "last_admitted") != hook.reads.end();
  });
  if (!reads_last) return accounts;
  accounts.push_back(LastAdmission(AccountBy::kLocalQueue));
  accounts.push_back(LastAdmission(AccountBy::kClusterQueue));
  return accounts;
}

}  // namespace muster::luajit
