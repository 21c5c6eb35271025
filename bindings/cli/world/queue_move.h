// QueueMove: a ClusterQueue with its LocalQueues and what waits in them goes from one service to
// another, each of which has a ledger of its own.
//
// No transaction spans two ledgers, so each step is a call of one of them, and what both have says
// which steps were done. The destination has the queues from the first step on: the ClusterQueue
// without a cohort, the LocalQueues on Hold and with labels that say what they had. So nothing
// starts there, and no quota is lent, before the source has neither. The last step puts all back in
// one command. When it is run again, it goes on where it ended.
#ifndef MUSTER_BINDINGS_CLI_WORLD_QUEUE_MOVE_H_
#define MUSTER_BINDINGS_CLI_WORLD_QUEUE_MOVE_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/cli/world/service.h"
#include "muster/spec.h"
#include "muster/workload.h"

namespace muster::cli {

struct QueueMoveAsked {
  std::string queue;                  ///< the ClusterQueue
  std::optional<std::string> cohort;  ///< that it has there; unset: as before
  bool drain = false;                 ///< what holds quota is evicted; else it may end
};

/// What became of it.
struct QueueMoved {
  bool was_there = false;     ///< all was done before
  std::vector<Key> queues;    ///< LocalQueues
  std::size_t workloads = 0;  ///< that were moved by this call
};

class QueueMove {
 public:
  QueueMove(const Service& source, const Service& destination, QueueMoveAsked asked)
      : source_(source), destination_(destination), asked_(std::move(asked)) {}

  /// Moves it, or what is left of it to move; returns an exit code. Waits until nothing in the
  /// source holds quota of it, and tells of that on io.err. kNo, with what to do, where the
  /// destination cannot take it; nothing has changed then. O(workloads of the namespaces) a step.
  int Run(Io& io, QueueMoved* moved);

 private:
  /// One side as it is now.
  struct Side {
    std::optional<ClusterQueue> queue;
    std::map<Key, LocalQueue> locals;  ///< of the source those of the queue, else all
  };
  using Jobs = std::map<Key, Workload>;

  int Look(Io& io);
  int CheckDestination(Io& io) const;
  int CheckObjects(Io& io) const;
  int CheckCohort(Io& io) const;
  int CheckBindings(Io& io) const;
  int Prepare(Io& io) const;
  int AddNamespaces(Io& io, std::vector<Object>* objects) const;
  int Stop(Io& io) const;
  int WaitForHolders(Io& io) const;
  int JobsOf(const Service& service, Io& io, Jobs* jobs) const;
  int MoveJobs(Io& io, QueueMoved* moved) const;
  int MoveSome(const std::vector<Workload>& jobs, Io& io, QueueMoved* moved) const;
  int RemoveLocals(Io& io) const;
  int RemoveQueue(Io& io) const;
  int Finish(Io& io) const;

  std::vector<Key> Marked() const;
  std::string CohortThere() const;

  const Service& source_;
  const Service& destination_;
  const QueueMoveAsked asked_;
  Side here_;   ///< the source
  Side there_;  ///< the destination
};

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_QUEUE_MOVE_H_
