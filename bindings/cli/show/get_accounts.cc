// Values have three decimals: an account is compared, not billed.
#include "bindings/cli/show/get_accounts.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>

#include "bindings/lab/read.h"
#include "bindings/manifest/manifest.h"

namespace muster::cli {
namespace {

/// At most `decimals`, without zeros at the end.
std::string ShowNumber(double value, int decimals) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(decimals) << value;
  std::string shown = text.str();
  while (shown.ends_with('0')) shown.pop_back();
  if (shown.ends_with('.')) shown.pop_back();
  return shown;
}

std::string ShowValue(const AccountView& account) {
  if (account.rule.of == AccountOf::kLastAdmission) {
    return manifest::FormatTime(std::llround(account.value) * kSecond);
  }
  return ShowNumber(account.value, 3);
}

/// Only hours of a resource grow by themselves.
std::string ShowRate(const AccountView& account) {
  return account.rule.of == AccountOf::kResource ? ShowNumber(account.rate, 3) : "";
}

}  // namespace

std::vector<AccountView> Accounts(const Engine& engine, const Filter& filter) {
  std::vector<AccountView> accounts = lab::Read(engine.Accounts());
  std::erase_if(accounts, [&](const AccountView& account) {
    return !filter.name.empty() && account.key != filter.name;
  });
  return accounts;
}

Table AccountsTable(const std::vector<AccountView>& accounts) {
  Table table({"BY", "KEY", "OF", "OVER", ">VALUE", ">CHARGED NOW", "IN USE"});
  for (const AccountView& account : accounts) {
    const std::string where = account.rule.WhereText();
    table.Add({account.rule.ByText(), account.key,
               account.rule.OfText() + (where.empty() ? "" : " where " + where),
               account.rule.OverText(),
               ShowValue(account), ShowRate(account), account.declared ? "yes" : "no"});
  }
  return table;
}

Json AccountItem(const AccountView& account) {
  Json item = {{"by", account.rule.ByText()}, {"key", account.key},
               {"of", account.rule.OfText()}, {"over", account.rule.OverText()},
               {"value", account.value},      {"chargedNow", account.rate},
               {"declared", account.declared}};
  if (!account.rule.where.empty()) item["where"] = account.rule.where;
  return item;
}

}  // namespace muster::cli
