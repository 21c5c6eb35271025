// Verify: is this ledger whole? The file, the hash chain from the first commit to the last, and the
// rows of current state against the newest commit.
#ifndef MUSTER_DB_VERIFY_H_
#define MUSTER_DB_VERIFY_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "db/ledger_types.h"
#include "muster/status.h"

namespace muster {

class Connection;

struct VerifyOptions {
  /// Whether SQLite compares every index with its table too (integrity_check, not quick_check).
  bool thorough = true;
  /// Looks at every row; an error becomes a finding. For checks only the engine can make.
  RowVisitor rows;
  /// Hash of a package from its files; when given, every stored package is compared with it, and
  /// every package that commits name must be stored.
  std::function<std::string(const StoredPolicy& policy)> policy_hash;
};

struct VerifyReport {
  bool sound() const { return findings.empty(); }
  std::vector<std::string> findings;  ///< in the order found, at most kMaxFindings
  /// First commit that does not follow from what is before it; 0: the chain is whole.
  std::int64_t first_bad_commit = 0;
  std::int64_t commits = 0;  ///< that were found good
  std::int64_t events = 0;   ///< of those commits
  std::int64_t rows = 0;     ///< of current state
};
inline constexpr std::size_t kMaxFindings = 100;

/// Damage is in the report; an error means that it could not be looked for. One read transaction.
Result<VerifyReport> Verify(Connection& connection, const VerifyOptions& options);

}  // namespace muster

#endif  // MUSTER_DB_VERIFY_H_
