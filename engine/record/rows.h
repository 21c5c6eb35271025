// Rows: the current state as the journal keeps it, and back.
#ifndef MUSTER_ENGINE_RECORD_ROWS_H_
#define MUSTER_ENGINE_RECORD_ROWS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/codec/read_memory.h"
#include "engine/record/read_record.h"
#include "engine/record/stored_state.h"
#include "engine/state/recent_charges.h"
#include "engine/state/world.h"
#include "muster/journal.h"
#include "muster/status.h"

namespace muster {

/// Rows of everything `world.changes` names, in a fixed order. O(changes).
std::vector<StateRow> ChangedRows(const World& world);

/// Rows of everything there is but the engine's own. O(state).
std::vector<StateRow> AllRows(const World& world);
/// The same without those of workloads. O(objects + accounts + decisions).
std::vector<StateRow> AllRowsButWorkloads(const World& world);

/// The engine's own row.
StateRow EngineRow(const StoredEngine& engine);

/// kDataLoss: the row does not decode, or contradicts another one.
Status DamagedRow(std::string_view key);

/// Builds a world from rows, in any order, then Finish. The world must be empty.
class Restorer {
 public:
  explicit Restorer(World& world) : world_(world) {}
  /// kDataLoss for a row that does not decode.
  Status Add(StateRow::Table table, std::string_view key, std::string_view value);
  /// What the rows of all workloads of another world would say, without the rows: what two records
  /// can share they share. Those of `spare`, of an earlier copy, become theirs.
  void CopyWorkloads(const World& from, SpareRecords spare);
  /// Puts everything in its place, calling `placed` for each workload that is; kDataLoss when rows
  /// contradict each other.
  Status Finish(const std::function<void(WorkloadRecord&)>& placed);
  const StoredEngine& engine() const { return engine_; }

 private:
  /// A workload that was read. Slots follow arrival, so none has one before all are read.
  struct Read {
    std::unique_ptr<WorkloadRecord> record;  ///< until it has its id
    WorkloadSlot slot;
  };
  /// What is left to do for it then.
  struct Turn {
    WorkloadRecord* workload = nullptr;
    std::int64_t stored_at = 0;
    QueuePlace place = QueuePlace::kNone;
  };
  /// Conditions of another world that were copied last, and the copy.
  struct CopiedConditions {
    ConditionList original;
    TimeNs since = kNoTime;  ///< of the first
    ConditionList copy;
  };
  /// A place in `turns_`.
  struct Cursor {
    std::size_t queue = 0;
    std::size_t at = 0;
  };

  Status AddObject(std::string_view key, std::string_view value);
  Status AddWorkload(std::string_view key, std::string_view value);
  void Copy(const World& from, const WorkloadRecord& original,
            std::unique_ptr<WorkloadRecord> record);
  /// Conditions in memory of this world, which may go to another thread; those of one queue mostly
  /// share it.
  ConditionList CopyConditions(const WorkloadRecord& original);
  Status AddEngineRow(std::string_view key, std::string_view value);
  /// What is stored of a workload beside the spec, which its record has already.
  template <typename Stored>
  void Take(std::unique_ptr<WorkloadRecord> record, Stored& stored);
  template <typename Spec>
  void Put(Spec spec);

  /// Its queues, what it asks for, and its place in the order of its queue but for its slot.
  void Derive(WorkloadRecord& workload);
  template <typename Stored>
  void SetProgress(WorkloadRecord& workload, const Stored& stored);
  void FindQueuesOfLocalQueues();
  void GiveSlots();
  void ListWorkloads();
  Status RestoreQueues();
  Status PlaceWorkloads(const std::function<void(WorkloadRecord&)>& placed);
  const Turn* Next(Cursor& cursor) const;
  Status PlaceWorkload(const Turn& turn);
  Status RestoreRoom(WorkloadRecord& workload);
  void EnqueueRestored(WorkloadRecord& workload, QueuePlace place, std::int64_t stored_at);
  void RestoreAccounts();

  World& world_;
  ReadMemory memory_;
  RecentRecords recent_;
  RecentCharges charges_;
  bool derive_again_ = false;  ///< an object came after a workload
  bool copies_ = false;        ///< an engine that may be asked one thing, and then is gone
  bool forest_stale_ = false;  ///< a holder has a pair that no quota names
  StoredEngine engine_;
  std::vector<StoredAccount> accounts_;
  std::vector<StoredBalance> balances_;
  StoredNumbers numbers_;
  HandOver::Consumers consumers_;
  std::vector<Decision> decisions_;
  std::vector<Read> reads_;  ///< as the rows came, and so as the records lie in memory
  /// Those of one queue together, so that it is at hand when they are placed; first those without.
  std::vector<std::vector<Turn>> turns_;
  std::vector<CopiedConditions> copied_;  ///< by queue of the other world: waiting, holding
  std::vector<std::pair<std::int64_t, std::uint32_t>> arrivals_;  ///< and of which of them
  std::map<const WorkloadRecord*, std::vector<Key>> rooms_;       ///< for which they are kept
  std::vector<std::pair<std::string, StoredClusterQueue>> queues_;
  std::vector<std::pair<Key, StoredLocalQueue>> local_queues_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_RECORD_ROWS_H_
