// TreeShare: how instances that share a database split its ledgers among themselves.
//
// Each says every now and then that it lives and how many ledgers it serves, and moves one ledger
// at a time: it takes a free one while no other has fewer, and gives one back while another has at
// least two fewer. So all have as many as the others, but for one, after as many moves as that
// takes. A free ledger that some follow, with an engine kept ready, is dealt to one of them at
// once.
// Nothing here is needed for safety, which the fence of each ledger gives.
#ifndef MUSTER_BINDINGS_SHARDS_TREE_SHARE_H_
#define MUSTER_BINDINGS_SHARDS_TREE_SHARE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "muster/status.h"

namespace muster {

/// What an instance knows when it decides.
struct ShareView {
  std::vector<std::string> mine;       ///< ledgers that it serves or is about to
  std::vector<std::string> free;       ///< that no instance serves
  std::vector<std::string> neglected;  ///< of the free ones, those that none took for long
  std::vector<std::int64_t> others;    ///< how many each other instance serves
};
struct ShareMove {
  std::optional<std::string> take;
  std::optional<std::string> give;
};
/// `turn` picks among several free ones, so that instances that begin together take different ones.
/// O(ledgers).
ShareMove NextMove(const ShareView& view, std::size_t turn);

/// An instance as it last said.
struct Instance {
  std::string name;
  std::int64_t serves = 0;      ///< ledgers
  bool stands_by = false;       ///< for what others serve
  std::set<std::string> ready;  ///< ledgers that it could take at once
};

/// Of the ledgers in `free`, those that instance `self` is to take at once: each goes to the one
/// that serves fewest of those that are ready for it, the first by name of several. All that
/// know the same deal alike, and none is dealt for which none is ready. O(free instances).
std::vector<std::string> DealtTo(const std::string& self, const std::vector<std::string>& free,
                                 std::vector<Instance> instances);

/// Which of the ledgers in `mine` one that has too many gives: one that an instance with fewest is
/// ready for, or any where such an instance does not stand by. nullopt: it waits until one is.
/// O(mine instances).
std::optional<std::string> OneToGive(const std::string& self, const std::vector<std::string>& mine,
                                     const std::vector<Instance>& instances);

/// All ledgers and all instances that live, this one with them.
struct Census {
  struct Ledger {
    std::string name;
    std::int64_t commits = 0;  ///< number of the newest one
    bool held = false;         ///< its lease runs, and its writer has a session
    std::string holder;        ///< the process that writes it, or was the last to; empty: none
    std::string url;           ///< where its service says that it answers; empty: not said
  };
  std::vector<Ledger> ledgers;  ///< by name
  std::vector<Instance> instances;
};

/// An instance as the others of the database see it. Used by one thread at a time.
class TreeShare {
 public:
  /// `name` is no other's; `place` as for ReadTrees.
  static Result<std::unique_ptr<TreeShare>> Open(const std::string& place, const std::string& name);
  /// It has left.
  ~TreeShare();
  TreeShare(const TreeShare&) = delete;
  TreeShare& operator=(const TreeShare&) = delete;

  // kUnavailable: the database; it may be asked again.

  /// Says that it lives, answers at `url`, serves so many, and could take those that are `ready`;
  /// nullopt: it stands by for none.
  Status Say(const std::string& url, std::size_t serves,
             const std::optional<std::set<std::string>>& ready);
  /// One SELECT.
  Result<Census> Look();

 private:
  struct State;
  explicit TreeShare(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace muster

#endif  // MUSTER_BINDINGS_SHARDS_TREE_SHARE_H_
