// Reader: everything that is read back, checked as it is read. Shared by both kinds of ledger.
//
// Each function runs in a transaction that the caller began, so that what it reads fits together.
#ifndef MUSTER_DB_SQLITE_READER_H_
#define MUSTER_DB_SQLITE_READER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "db/sqlite/connection.h"
#include "db/store_types.h"
#include "muster/status.h"

namespace muster {

/// The status for damage: "ledger PATH is damaged: WHAT".
Status Damaged(const Connection& connection, const std::string& what);

/// Rows of current state, each compared with its digest and their sum with `state_digest`; with
/// `damage`, what differs is added there (at most kMaxFindings) instead of ending the reading.
Status ReadRows(const Connection& connection, std::uint64_t state_digest, const RowVisitor& visitor,
                std::vector<std::string>* damage = nullptr);

/// The same rows, or with `tables` "base_" those that a history begins with, as they are stored
/// anew. Their digests add up to `sum`.
Status ReadState(const Connection& connection, std::string_view tables, std::uint64_t sum,
                 const StateVisitor& visitor);
inline constexpr std::string_view kBaseTables = "base_";

/// kNotFound when there is none, kDataLoss when a file differs from its digest.
Result<StoredPolicy> ReadPolicy(const Connection& connection, std::string_view hash);
Result<std::vector<std::string>> ReadPolicyHashes(const Connection& connection);

/// kFailedPrecondition unless the file is a ledger of a version from 1 to `newest`; a file in which
/// nothing was ever written passes with version 0 if `may_be_new`. kDataLoss for anything else.
Result<std::int64_t> CheckVersion(const Connection& connection, std::int64_t newest,
                                  bool may_be_new);

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_READER_H_
