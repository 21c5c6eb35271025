// Rows: the current state as the journal keeps it, and back.
#ifndef MUSTER_ENGINE_RECORD_ROWS_H_
#define MUSTER_ENGINE_RECORD_ROWS_H_

#include <deque>
#include <functional>
#include <string_view>
#include <vector>

#include "engine/record/stored_state.h"
#include "engine/state/world.h"
#include "muster/journal.h"
#include "muster/status.h"

namespace muster {

/// Rows of everything `world.changes` names, in a fixed order. O(changes).
std::vector<StateRow> ChangedRows(const World& world);

/// The engine's own row.
StateRow EngineRow(const StoredEngine& engine);

/// Builds a world from rows, in any order, then Finish. The world must be empty.
class Restorer {
 public:
  explicit Restorer(World& world) : world_(world) {}
  /// kDataLoss for a row that does not decode.
  Status Add(StateRow::Table table, std::string_view key, std::string_view value);
  /// Puts everything in its place; kDataLoss when rows contradict each other.
  Status Finish();
  const StoredEngine& engine() const { return engine_; }

 private:
  Status AddObject(std::string_view key, std::string_view value);
  Status AddEngineRow(std::string_view key, std::string_view value);
  void RestoreAccounts();
  void AddQueue(const ClusterQueue& spec);
  void AddLocalQueue(const LocalQueue& spec);
  void PlaceWorkload(StoredWorkload&& stored);
  void EnqueueRestored(WorkloadRecord& workload, QueuePlace place, std::int64_t stored_at);
  Status RestoreQueues();
  Status RestoreRooms();

  World& world_;
  StoredEngine engine_;
  std::vector<StoredAccount> accounts_;
  std::vector<StoredBalance> balances_;
  std::deque<StoredWorkload> workloads_;
  std::vector<std::pair<WorkloadId, std::vector<Key>>> rooms_;  ///< whose victims are not known yet
  std::vector<std::pair<std::string, StoredClusterQueue>> queues_;
  std::vector<std::pair<Key, StoredLocalQueue>> local_queues_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_RECORD_ROWS_H_
