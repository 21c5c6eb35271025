// Policy packages in a ledger: from a folder to stored files, and back to a policy that works.
//
// Parameters are part of a generation: they are stored as one more file, whose name no file of a
// package has, so that the hash covers them.
#ifndef MUSTER_BINDINGS_CPP_STORED_POLICIES_H_
#define MUSTER_BINDINGS_CPP_STORED_POLICIES_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "db/store_types.h"
#include "muster/engine.h"

namespace muster {

/// Looks a package up in a ledger, by hash.
using FindPolicy = std::function<Result<StoredPolicy>(std::string_view hash)>;

/// The package in `folder` as a ledger keeps it. kNotFound, kInvalidArgument.
Result<StoredPolicy> ReadPolicyFolder(const std::string& folder, const PolicyParams& params);

/// The policy that these files make; `folder` is what its messages call the package, which is new
/// then. Empty: the hash, of one that is stored and is not tried on more than it was.
/// kInvalidArgument with the package's mistakes.
Result<std::shared_ptr<Policy>> LoadStoredPolicy(const StoredPolicy& stored,
                                                 const std::string& folder = {});

/// The hash its files give, for comparison with the one they are stored under.
std::string HashOf(const StoredPolicy& stored);

/// LoadStoredPolicy of the package that `find` knows as `hash`; kDataLoss when it does not match.
Result<std::shared_ptr<Policy>> LoadPolicyByHash(const FindPolicy& find, std::string_view hash);

/// The same for a command that names one: kNotFound, with `cure` behind it, when there is none.
Result<std::shared_ptr<Policy>> LoadNamedPolicy(const FindPolicy& find, std::string_view hash,
                                                const std::string& cure = {});

/// Puts every generation back to work that a restored engine names.
Status AttachStoredPolicies(Engine& engine, const FindPolicy& find);

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_STORED_POLICIES_H_
