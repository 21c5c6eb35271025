// Objects of all ledgers of a database, as a flavor: each has a number, and every ledger takes them
// in the order of their numbers, at a commit of its own whose caller is "all-trees/NUMBER".
//
// What a ledger has taken stands beside it, for those that look and for its next service. That a
// service ends between the commit and that row is found from the commit itself.
#ifndef MUSTER_BINDINGS_TREES_ALL_TREES_H_
#define MUSTER_BINDINGS_TREES_ALL_TREES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "db/store_types.h"
#include "muster/status.h"

namespace muster {

class PgConnection;

/// A number that a ledger does not take.
struct RefusedForAll {
  std::int64_t number = 0;
  std::string why;
};

/// What has one number: manifests, or a package that is to be the active generation.
struct ForAll {
  std::string manifests;
  std::optional<StoredPolicy> policy = std::nullopt;
};

/// Applies or activates it with this caller, all or nothing; why the ledger refuses it, or nothing.
/// An error: it could not be asked, so it is asked again.
using TakeForAll =
    std::function<Result<std::string>(const std::string& caller, const ForAll& objects)>;

/// Tables for what is said here; they may be there.
extern const char* const kForAllTables;

/// Keeps it for every ledger of the database that `place` names; its number. kUnavailable: the
/// database.
Result<std::int64_t> AddForAll(const std::string& place, const ForAll& objects);

/// Has `take` take what ledger `shard`, which is the one at `place`, has not taken yet, in order.
/// A refusal is noted, and the next number is taken. The tables are there. O(what is new).
Status TakeAllNew(PgConnection& connection, const std::string& place, const std::string& shard,
                  const TakeForAll& take);

/// What ledgers refuse, by their names. kNotFound: the tables are not there.
Result<std::map<std::string, std::vector<RefusedForAll>>> ReadRefused(PgConnection& connection);

}  // namespace muster

#endif  // MUSTER_BINDINGS_TREES_ALL_TREES_H_
