// Store: what an engine needs of whatever makes it durable. Start here.
//
// A store keeps two things, and changes both in one transaction. One is the history, commits
// chained by their hashes; the other is the rows of current state, which it adds up to.
// db/README.md has the promises R1 to R6. tests/unit/db/store_promises_test.cc holds every store to
// those that need no failing disk or killed process. db/sqlite has the embedded one.
#ifndef MUSTER_DB_STORE_H_
#define MUSTER_DB_STORE_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/chain_links.h"
#include "db/group_journal.h"
#include "db/store_types.h"
#include "muster/status.h"

namespace muster {

/// What was stored, for reading. Each call sees one consistent moment.
class StoredHistory {
 public:
  virtual ~StoredHistory() = default;

  /// Every row of current state; kDataLoss when one does not match its digest or their sum does not
  /// match the newest commit. O(rows).
  virtual Status Load(const RowVisitor& visitor) const;
  /// The same with what people read about workloads, as another store may keep them.
  virtual Status LoadWhole(const StateVisitor& visitor) const = 0;
  /// Commits from `first` on, or from the oldest that is kept, in order, each checked against its
  /// hash and with what proves it. O(events).
  virtual Status ReadChain(std::int64_t first, const ChainVisitor& visitor) const = 0;
  /// The same commits without their proof.
  Status ReadCommits(std::int64_t first, const CommitVisitor& visitor) const;
  virtual Result<LastCommit> last() const = 0;

  /// Where the history begins.
  virtual Result<HistoryBase> base() const = 0;
  /// Every row of the state after commit base().state_at, as Load gives them; none without one.
  virtual Status LoadBase(const StateVisitor& visitor) const = 0;
  /// What is known of events before the oldest commit, in their order.
  virtual Status ReadCarried(const CarriedVisitor& visitor) const = 0;
  /// All that is known of events: ReadCarried as commits of which number, time and those events are
  /// filled in, then ReadCommits.
  Status ReadEvents(const CommitVisitor& visitor) const;

  /// kNotFound when no package has this hash. The caller compares the hash with the files.
  virtual Result<StoredPolicy> LoadPolicy(std::string_view hash) const = 0;
  virtual Result<std::vector<std::string>> PolicyHashes() const = 0;  ///< sorted

  /// Checks everything: damage is in the report, an error means that it could not be looked for.
  virtual Result<VerifyReport> Verify(const VerifyOptions& options) const = 0;
  /// The same with every check that needs nothing from the caller.
  Result<VerifyReport> Verify() const { return Verify(VerifyOptions{}); }
};

/// Looks into a ledger, also beside its writer.
class HistoryReader : public StoredHistory {
 public:
  /// From now on every call sees this moment, for as long as this object lives: what several calls
  /// read fits together. Once.
  virtual Status HoldMoment() = 0;
  /// Events about `subject`, and preemptions whose payload has `mention`, from the oldest commit
  /// on. O(events) where the store has no index of them.
  virtual Status FindEvents(const std::string& subject, const std::string& mention,
                            const CarriedVisitor& visitor) const;
};

/// A new ledger made of what another one had. Commits keep their numbers and hashes, so the new
/// history is the old one or a part of it. None is seen before Finish.
class HistoryBuilder {
 public:
  virtual ~HistoryBuilder() = default;

  /// Commits come in order, each with the one before it but for the first.
  virtual Status AddCommit(const StoredCommit& commit) = 0;
  virtual Status AddPolicy(const StoredPolicy& policy) = 0;
  /// The state after the newest commit. kDataLoss when it is not the one that this commit says.
  virtual Status SetState(std::span<const StateRow> rows) = 0;
  virtual Status SetBase(const HistoryBase& base, std::span<const StateRow> rows,
                         std::span<const CarriedEvent> events) = 0;
  /// Verifies and commits it; what Verify finds is for the caller to judge, whose error undoes all.
  virtual Result<VerifyReport> Finish(const VerifyOptions& options,
                                      const std::function<Status(const VerifyReport&)>& judge) = 0;
};

/// One writer. Append keeps the commit in memory, Durable stores everything up to its ticket in one
/// transaction. Used by one thread at a time.
///
/// After any I/O error, full disk or lack of memory a store takes nothing more. Every later Append,
/// and Durable of what was not durable, answers kUnavailable with the first cause. What Durable had
/// confirmed is safe; what it had not may or may not be found after reopening.
class Store : public GroupJournal, public StoredHistory {
 public:
  /// Keeps a package for ever; durable on return. Storing the same hash again changes nothing.
  virtual Status StorePolicy(const StoredPolicy& policy) = 0;
  virtual StoreHealth health() const = 0;
  /// Any thread: whether another writer is known to have taken over, so that no commit will pass.
  virtual bool superseded() const noexcept { return false; }
  /// Appended commits that were not made durable are dropped, and another writer may come. Every
  /// later call answers kUnavailable.
  virtual Status Close() = 0;
};

}  // namespace muster

#endif  // MUSTER_DB_STORE_H_
