// What a store hands out: rows, commits, policy packages, its own condition.
#ifndef MUSTER_DB_STORE_TYPES_H_
#define MUSTER_DB_STORE_TYPES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/caller.h"
#include "muster/journal.h"
#include "muster/status.h"
#include "muster/types.h"

namespace muster {

/// The newest commit; seq is 0 in a ledger that has none.
struct LastCommit {
  std::int64_t seq = 0;
  TimeNs at = kNoTime;
  std::int64_t cycle = 0;  ///< number of the newest cycle, which may be in an earlier commit
};

/// Called for every row of current state: objects, workloads, queues, engine, each in key order.
/// The views die with the call. Anything but OK stops the reading and is its result.
using RowVisitor =
    std::function<Status(StateRow::Table table, std::string_view key, std::string_view value)>;

/// The same with what people read about workloads; each row has a value.
using StateVisitor = std::function<Status(const StateRow& row)>;

/// One commit as it was stored.
struct CommitRecord {
  std::int64_t seq = 0;
  std::string command;               ///< its name
  std::optional<std::string> input;  ///< in db/caller.h's envelope; nullopt before version 3
  TimeNs at = kNoTime;
  std::int64_t cycle = 0;
  std::string engine_version;
  std::int64_t first_event = 0;  ///< seq of the first of `events`
  std::vector<Event> events;
  std::vector<PolicyUse> policies;

  /// The name of the one that gave the command; empty: none is named.
  std::string_view caller() const { return input ? CallerOf(*input) : std::string_view(); }
};
using CommitVisitor = std::function<Status(const CommitRecord& commit)>;

/// Where a history begins. One that was compacted, or recovered from damage, has lost its oldest
/// commits; what is left begins with a state instead of with nothing.
struct HistoryBase {
  std::int64_t first = 1;     ///< number of the oldest commit that is kept
  std::int64_t state_at = 0;  ///< the stored state is that after this commit; 0: none is stored
  bool operator==(const HistoryBase&) const = default;
};

/// An event from before HistoryBase::first, kept because what it is about was still there.
struct CarriedEvent {
  std::int64_t seq = 0;     ///< its number in the whole history
  std::int64_t commit = 0;  ///< that of its commit
  TimeNs at = kNoTime;
  Event event;
  std::string caller = {};  ///< as CommitRecord::caller; empty where its commit is not kept
};
using CarriedVisitor = std::function<Status(const CarriedEvent& carried)>;

/// A policy package, whole.
struct StoredPolicy {
  struct File {
    std::string path;
    std::string bytes;
    bool operator==(const File&) const = default;
  };
  std::string hash;
  std::vector<File> files;  ///< in path order
  bool operator==(const StoredPolicy&) const = default;
};

struct StoreHealth {
  Status failure;              ///< OK while it accepts commits; then why it stopped
  bool reserve_spent = false;  ///< the disk was full: finish what runs, admit nothing more
  std::int64_t wal_bytes = 0;  ///< grows while a reader holds an old snapshot; see kWalAlarmBytes
};
inline constexpr std::int64_t kWalAlarmBytes = 64 << 20;

struct VerifyOptions {
  /// Whether every index is compared with its table too.
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

}  // namespace muster

#endif  // MUSTER_DB_STORE_TYPES_H_
