// From the accounts of a package's table to the rules that the engine charges by.
#ifndef MUSTER_BINDINGS_LUAJIT_ACCOUNT_RULE_H_
#define MUSTER_BINDINGS_LUAJIT_ACCOUNT_RULE_H_

#include <string>
#include <utility>
#include <vector>

#include "bindings/luajit/package_table.h"
#include "muster/account.h"

namespace muster::luajit {

/// In the order of their slots, then those that its hooks need for last_admitted, without a name.
/// Precondition: the prelude found no problem in the table.
std::vector<DeclaredAccount> AccountsOf(const PackageTable& table);

/// The parts of a key, as pairs of what it is by and a label.
std::vector<AccountKeyPart> KeyPartsOf(
    const std::vector<std::pair<std::string, std::string>>& parts);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_ACCOUNT_RULE_H_
