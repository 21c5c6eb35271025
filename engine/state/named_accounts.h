// ReadsInput and MayReadAccount: which inputs, and which of the accounts that a package declares,
// one of its hooks may read.
#ifndef MUSTER_ENGINE_STATE_NAMED_ACCOUNTS_H_
#define MUSTER_ENGINE_STATE_NAMED_ACCOUNTS_H_

#include <algorithm>
#include <string>
#include <string_view>

#include "muster/policy.h"

namespace muster {

inline bool ReadsInput(const HookInfo& hook, std::string_view input) {
  return std::find(hook.reads.begin(), hook.reads.end(), input) != hook.reads.end();
}

/// Those without a name stand for fields of views. A hook that names fields and no account
/// may read all.
inline bool MayReadAccount(const PolicyInfo& info, const HookInfo& hook,
                           const DeclaredAccount& account) {
  const auto names = [&hook](const DeclaredAccount& each) {
    return std::find(hook.named->begin(), hook.named->end(), each.name) != hook.named->end();
  };
  if (account.name.empty()) return ReadsInput(hook, "last_admitted");
  if (!ReadsInput(hook, "account")) return false;
  return !hook.named || names(account) ||
         std::none_of(info.accounts.begin(), info.accounts.end(), names);
}

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_NAMED_ACCOUNTS_H_
