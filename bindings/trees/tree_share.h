// TreeShare: how instances that share a database split its ledgers among themselves.
//
// Each says every now and then that it lives and how many ledgers it serves, and moves one ledger
// at a time: it takes a free one while no other has fewer, and gives one back while another has at
// least two fewer. So all have as many as the others, but for one, after as many moves as that
// takes. Nothing here is needed for safety, which the fence of each ledger gives.
#ifndef MUSTER_BINDINGS_TREES_TREE_SHARE_H_
#define MUSTER_BINDINGS_TREES_TREE_SHARE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/trees/trees.h"
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

/// What is known of the other instances after this one has said that it lives.
struct Census {
  std::vector<Tree> trees;           ///< all ledgers
  std::vector<std::int64_t> others;  ///< how many ledgers each other instance serves that lives
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

  /// Says that it lives, answers at `url` and serves so many. kUnavailable: the database; it may be
  /// asked again.
  Result<Census> Say(const std::string& url, std::size_t serves);

 private:
  struct State;
  explicit TreeShare(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace muster

#endif  // MUSTER_BINDINGS_TREES_TREE_SHARE_H_
