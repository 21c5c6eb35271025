// Writing rows. A workload's row carries its whole spec; a queue's, only what runs.
#include "engine/record/rows.h"

#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "engine/codec/byte_writer.h"
#include "engine/codec/codec.h"
#include "engine/state/catalog_tables.h"

namespace muster {
namespace {

/// Encodes row after row in the same memory.
class RowEncoder {
 public:
  template <typename Stored>
  std::string Encode(const Stored& stored) {
    writer_.Clear();
    writer_.Byte(static_cast<std::uint8_t>(kCodecVersion));
    VisitFields(writer_, stored);
    return std::string(writer_.bytes());
  }

 private:
  WrittenMemory memory_;
  ByteWriter writer_{&memory_};
};

StateRow ObjectRow(const World& world, ObjectKind kind, const Key& key) {
  StateRow row;
  row.table = StateRow::Table::kObject;
  row.key = std::string(KindName(kind)) + "/" + (key.ns.empty() ? key.name : key.ToString());
  if (const std::optional<Object> object = FindObject(world, kind, key))
    row.value = Encode(*object);
  return row;
}

TimeNs Since(const KeptStatus& status, KnownWord type) {
  const auto found = FindCondition(status, type);
  return found && found->status ? found->since : kNoTime;
}

StateRow WorkloadRowOf(const World& world, const WorkloadRecord& workload, RowEncoder& encoder) {
  StateRow row;
  row.table = StateRow::Table::kWorkload;
  row.key = workload.spec.key.ToString();
  row.value = encoder.Encode(ToStored(world, workload));
  WorkloadSummary& summary = row.workload.emplace();
  summary.uid = workload.uid();
  summary.local_queue = workload.spec.queue;
  if (workload.queue.valid()) summary.cluster_queue = world.queue(workload.queue).name();
  summary.phase = PhaseOf(workload);
  summary.priority = workload.priority();
  summary.created = workload.created();
  summary.reserved_at = workload.reserved_at;
  summary.admitted_at = Since(workload.spec.status, condition::kAdmitted);
  summary.finished_at = Since(workload.spec.status, condition::kFinished);
  return row;
}

/// The same for no two rules: it is part of a row's key.
std::string RuleName(const AccountRule& rule) {
  const std::string where = rule.WhereText();
  return rule.ByText() + " " + rule.OfText() + " " + rule.OverText() +
         (where.empty() ? "" : " where " + where);
}

StateRow AccountRow(const World& world, const AccountRule& rule, RowEncoder& encoder) {
  StateRow row{StateRow::Table::kEngine, "account/" + RuleName(rule), std::nullopt, std::nullopt};
  const auto account = world.accounts.all().find(rule);
  if (account == world.accounts.all().end()) return row;
  row.value = encoder.Encode(StoredAccount{rule, account->second.declared_at});
  return row;
}

StateRow BalanceRow(const World& world, const AccountRule& rule, const std::string& key,
                    RowEncoder& encoder) {
  StateRow row{StateRow::Table::kEngine, "balance/" + RuleName(rule) + "/" + key, std::nullopt,
               std::nullopt};
  const auto account = world.accounts.all().find(rule);
  if (account == world.accounts.all().end()) return row;
  const auto balance = account->second.balances.find(key);
  if (balance == account->second.balances.end()) return row;
  row.value = encoder.Encode(ToStored(rule, key, balance->second));
  return row;
}

StateRow NumbersRow(const World& world, RowEncoder& encoder) {
  return {StateRow::Table::kEngine, "decisions",
          encoder.Encode(StoredNumbers{world.hand_over.last()}), std::nullopt};
}

/// Of a consumer, and what outlives the last one.
void AddConsumerRows(const World& world, const Changes& changes, RowEncoder& encoder,
                     std::vector<StateRow>& rows) {
  const HandOver& hand_over = world.hand_over;
  for (const std::string& name : changes.consumers) {
    StateRow& row = rows.emplace_back();
    row.table = StateRow::Table::kEngine;
    row.key = "consumer/" + name;
    const auto found = hand_over.consumers().find(name);
    if (found == hand_over.consumers().end()) continue;
    const Consumer& consumer = found->second;
    row.value = encoder.Encode(StoredConsumer{name, consumer.acknowledged, consumer.registered_at,
                                              consumer.acknowledged_at});
  }
  if (!changes.consumers.empty()) rows.push_back(NumbersRow(world, encoder));
}

void AddDecisionRows(const World& world, const Changes& changes, RowEncoder& encoder,
                     std::vector<StateRow>& rows) {
  for (const std::int64_t number : changes.decisions) {
    StateRow& row = rows.emplace_back();
    row.table = StateRow::Table::kEngine;
    row.key = "decision/" + std::to_string(number);
    if (number > world.hand_over.before()) row.value = encoder.Encode(world.hand_over.At(number));
  }
}

std::vector<StateRow> RowsOf(const World& world, const Changes& changes) {
  RowEncoder encoder;
  std::vector<StateRow> rows;
  rows.reserve(changes.workloads.size() + changes.queues.size() + 1);  // and the engine's own
  for (const auto& [kind, key] : changes.objects) rows.push_back(ObjectRow(world, kind, key));
  for (const Key& key : changes.forgotten) {
    rows.push_back({StateRow::Table::kWorkload, key.ToString(), std::nullopt, std::nullopt});
  }
  for (const std::string& key : changes.forgotten_queues) {
    rows.push_back({StateRow::Table::kQueue, key, std::nullopt, std::nullopt});
  }
  for (const WorkloadId id : changes.workloads) {
    rows.push_back(WorkloadRowOf(world, world.workload(id), encoder));
  }
  for (const QueueId id : changes.queues) {
    const ClusterQueueState& queue = world.queue(id);
    rows.push_back({StateRow::Table::kQueue, "ClusterQueue/" + queue.name(),
                    encoder.Encode(ToStored(world, queue)), std::nullopt});
  }
  for (const LocalQueueId id : changes.local_queues) {
    const LocalQueueState& queue = world.local_queue(id);
    rows.push_back({StateRow::Table::kQueue, "LocalQueue/" + queue.spec.key.ToString(),
                    encoder.Encode(ToStored(world, queue)), std::nullopt});
  }
  for (const AccountRule& rule : changes.accounts) rows.push_back(AccountRow(world, rule, encoder));
  for (const auto& [rule, key] : changes.balances) {
    rows.push_back(BalanceRow(world, rule, key, encoder));
  }
  AddConsumerRows(world, changes, encoder, rows);
  AddDecisionRows(world, changes, encoder, rows);
  return rows;
}

/// All that has a row but workloads, as if the running call had changed it.
Changes AllButWorkloads(const World& world) {
  Changes all;
  all.recording = true;
  for (std::size_t k = 0; k < kObjectKinds; ++k) {
    const auto kind = static_cast<ObjectKind>(k);
    if (kind == ObjectKind::kWorkload) continue;
    for (const Object& object : ObjectsOf(world, kind)) all.Touch(kind, KeyOf(object));
  }
  for (const auto& [name, id] : world.queue_ids) all.Touch(id);
  for (const auto& [key, id] : world.local_queue_ids) all.Touch(id);
  for (const auto& [rule, account] : world.accounts.all()) {
    all.Touch(rule);
    if (rule.IsOfNow()) continue;  // what it says follows from the workloads
    for (const auto& [key, balance] : account.balances) all.TouchBalance(rule, key);
  }
  for (const auto& [name, consumer] : world.hand_over.consumers()) all.TouchConsumer(name);
  for (std::int64_t n = world.hand_over.before() + 1; n <= world.hand_over.last(); ++n) {
    all.TouchDecision(n);
  }
  return all;
}

}  // namespace

std::vector<StateRow> ChangedRows(const World& world) { return RowsOf(world, world.changes); }

std::vector<StateRow> AllRows(const World& world) {
  Changes workloads;
  workloads.recording = true;
  for (const WorkloadId id : world.WorkloadsByName()) workloads.Touch(id);
  std::vector<StateRow> rows = AllRowsButWorkloads(world);
  std::vector<StateRow> of_workloads = RowsOf(world, workloads);
  rows.insert(rows.end(), std::make_move_iterator(of_workloads.begin()),
              std::make_move_iterator(of_workloads.end()));
  return rows;
}

std::vector<StateRow> AllRowsButWorkloads(const World& world) {
  std::vector<StateRow> rows = RowsOf(world, AllButWorkloads(world));
  if (world.hand_over.last() > 0 && world.hand_over.consumers().empty()) {
    RowEncoder encoder;
    rows.push_back(NumbersRow(world, encoder));
  }
  return rows;
}

StateRow EngineRow(const StoredEngine& engine) {
  return {StateRow::Table::kEngine, "engine", RowEncoder().Encode(engine), std::nullopt};
}

}  // namespace muster
