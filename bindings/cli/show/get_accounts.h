// Accounts: what the engine remembers for policies, as a table and in JSON.
#ifndef MUSTER_BINDINGS_CLI_SHOW_GET_ACCOUNTS_H_
#define MUSTER_BINDINGS_CLI_SHOW_GET_ACCOUNTS_H_

#include <vector>

#include "bindings/cli/json.h"
#include "bindings/cli/show/get_items.h"
#include "bindings/cli/table.h"

namespace muster::cli {

/// A name means the key: a queue, a namespace, a label's value.
std::vector<AccountView> Accounts(const Engine& engine, const Filter& filter);
Table AccountsTable(const std::vector<AccountView>& accounts);
Json AccountItem(const AccountView& account);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_GET_ACCOUNTS_H_
