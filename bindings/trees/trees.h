// Trees: the ledgers of one database, which process serves each, and where their LocalQueues are.
//
// Trees of cohorts share no quota, so each may be a ledger with a service of its own. What is told
// here only guides callers: the fence of each ledger is what keeps it safe, and a job that comes to
// the wrong service is not queued there.
#ifndef MUSTER_BINDINGS_TREES_TREES_H_
#define MUSTER_BINDINGS_TREES_TREES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bindings/trees/all_trees.h"
#include "muster/status.h"
#include "muster/types.h"

namespace muster {

/// A ledger of a database.
struct Tree {
  std::string name;          ///< what stands behind the # of its URL
  std::int64_t commits = 0;  ///< number of the newest one
  std::int64_t writers = 0;  ///< how many have written it, one after the other: its epoch
  std::string holder;        ///< the process that writes it, or was the last to; empty: none
  bool held = false;         ///< its lease runs, and its writer has a session
  std::string url;           ///< where its service says that it answers; empty: not said
  std::int64_t queues = 0;   ///< LocalQueues that its service has told of
  std::int64_t objects = 0;  ///< of all ledgers: the newest number that it took or refused
  std::vector<RefusedForAll> refused = {};
  std::vector<std::string> standbys = {};  ///< URLs of the instances that could take it at once
};

/// All ledgers of the database that `place` names, by name. kInvalidArgument: `place` is a file.
/// kNotFound: no ledger is there. kUnavailable: the database.
Result<std::vector<Tree>> ReadTrees(const std::string& place);

/// Tells the others of a database where a ledger is served, and knows where theirs are, on a thread
/// and a connection of its own. What it cannot do is logged, and tried again a second later.
class TreeKeeper {
 public:
  /// For the service of the ledger at `place`. kUnavailable: no thread. kInvalidArgument: `place`
  /// names no database.
  static Result<std::unique_ptr<TreeKeeper>> ForLedger(const std::string& place);
  /// For one that has no ledger, and looks for all of the database at `place`.
  static Result<std::unique_ptr<TreeKeeper>> ForAll(const std::string& place);
  ~TreeKeeper();
  TreeKeeper(const TreeKeeper&) = delete;
  TreeKeeper& operator=(const TreeKeeper&) = delete;

  /// Where others reach this service; before, nothing is told to them. Any thread.
  void ServedAt(const std::string& url);
  /// The LocalQueues of this ledger from now on. Any thread; asks nothing of the database.
  void Tell(std::set<Key> queues);
  /// The service of another ledger that has this LocalQueue, as known a second ago; nullopt where
  /// none is served that has it, or this ledger has one, too. Any thread; asks nothing of the
  /// database.
  std::optional<std::string> UrlOf(const Key& queue) const;
  /// Looks at once where the others are, not within a second. Any thread.
  void LookNow();
  /// From now on what is for all ledgers is taken by `take`, on the thread of this one; empty: by
  /// none, and on return it is called no more. Any thread.
  void TakeBy(TakeForAll take);
  struct Other {
    std::string name;
    std::string url;
  };
  /// The other ledgers that have LocalQueues in a namespace and are served, by name; as UrlOf.
  std::vector<Other> InNamespace(const std::string& ns) const;
  /// The name of its own ledger; empty: it has none.
  const std::string& name() const;

 private:
  struct State;
  static Result<std::unique_ptr<TreeKeeper>> Start(const std::string& place, bool has_ledger);
  explicit TreeKeeper(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace muster

#endif  // MUSTER_BINDINGS_TREES_TREES_H_
