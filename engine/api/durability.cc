// The engine and its journal: what a call changed goes in, a stored state comes back.
#include <algorithm>
#include <utility>

#include "engine/api/engine_run.h"
#include "engine/base/check.h"
#include "engine/cycle/invariants.h"
#include "engine/life/deadlines.h"
#include "engine/record/rows.h"
#include "engine/record/state_hash.h"

namespace muster {
namespace {

std::string Hex(std::uint64_t value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[(value >> shift) & 0xF];
  return text;
}

}  // namespace

StoredEngine Engine::State::ToStore() const {
  StoredEngine engine{world.now, world.cycle, world.next_sequence,
                      {},        {},          policies.newest_package()};
  for (const PolicyInfo& info : policies.Active()) engine.policies.push_back(info.hash);
  for (const auto& [package, line] : policies.generations().lines()) {
    engine.generations.push_back(
        {package, line.previous, line.failures, {line.failed.begin(), line.failed.end()}});
  }
  return engine;
}

Status Engine::State::MakeDurable(CommandKind kind, std::string input) {
  Commit commit;
  commit.command = kind;
  commit.input = std::move(input);
  commit.at = world.now;
  commit.cycle = kind == CommandKind::kCycle ? world.cycle : 0;
  commit.rows = ChangedRows(world);
  commit.rows.push_back(EngineRow(ToStore()));
  commit.events = std::move(world.changes.events);
  commit.policies = policies.TakeUses();
  const Result<Ticket> ticket = journal->Append(std::move(commit));
  Status status = ticket.ok() ? journal->Durable(*ticket) : ticket.status();
  if (!status.ok()) return Close(status);
  return status;
}

// Rows that break an invariant are damage: it is the ledger that is wrong.
Status Engine::State::Restore(const std::function<Status(const RowSink&)>& load) {
  if (used) {
    return Status(StatusCode::kFailedPrecondition,
                  "the engine is in use: a stored state goes into one that has done nothing yet; "
                  "make another engine for it");
  }
  touched = true;
  Status status;
  try {
    status = TakeState([&load](Restorer& restorer) {
      return load([&](StateRow::Table table, std::string_view key, std::string_view value) {
        return restorer.Add(table, key, value);
      });
    });
    if (status.ok()) CheckEverything(world);
  } catch (const InvariantBroken& broken) {
    status = Status(StatusCode::kDataLoss, broken.what());
  }
  if (!status.ok()) (void)Close(status);
  return status;
}

Status Engine::State::TakeState(const std::function<Status(Restorer&)>& fill) {
  Restorer restorer(world);
  Status status = fill(restorer);
  if (status.ok()) {
    status = restorer.Finish([&](WorkloadRecord& placed) { SyncDeadline(world, placed); });
  }
  if (!status.ok()) return status;
  stored = restorer.engine();
  for (const StoredGeneration& generation : stored.generations) {
    PackageLine& line = policies.generations().Restore(generation.package);
    line.previous = generation.previous;
    line.failures = generation.failures;
    line.failed = {generation.failed.begin(), generation.failed.end()};
  }
  return status;
}

// By way of what the rows of a journal say: it is all that a later call depends on, and tests hold
// them to that. Workloads, which are most of it, are not encoded and decoded on the way.
Status Engine::State::CopyTo(State& copy, SpareRecords spare) const {
  copy.touched = true;
  Status status = copy.TakeState([this, &spare](Restorer& restorer) {
    std::vector<StateRow> rows = AllRowsButWorkloads(world);
    rows.push_back(EngineRow(ToStore()));
    for (const StateRow& row : rows) {
      if (!row.value) continue;
      if (Status taken = restorer.Add(row.table, row.key, *row.value); !taken.ok()) return taken;
    }
    restorer.CopyWorkloads(world, std::move(spare));
    return Status::Ok();
  });
  for (const std::shared_ptr<Policy>& policy : policies.Loaded()) {
    if (status.ok()) status = copy.AttachPolicy(policy);
  }
  copy.policy_loader = policy_loader;
  if (longest_jump > 0) copy.LimitTimeJumps(longest_jump, first_time);
  return status;
}

std::vector<std::string> Engine::State::StoredPolicyHashes() const {
  std::vector<std::string> hashes = stored.policies;
  for (const StoredGeneration& generation : stored.generations) {
    if (!generation.previous.empty()) hashes.push_back(generation.previous);
  }
  return hashes;
}

Status Engine::State::AttachPolicy(std::shared_ptr<Policy> policy) {
  if (policy == nullptr) return NoPolicy();
  touched = true;
  const std::string newest = stored.default_policy;
  const std::vector<std::string>& active = stored.policies;
  const bool decides = active.empty() ||
                       std::find(active.begin(), active.end(), policy->info().hash) != active.end();
  policies.Attach(world, std::move(policy), decides);
  policies.SetNewest(newest);
  world.accounts.MarkDeclared(policies.AccountRules());
  return Status::Ok();
}

std::string Engine::State::StateHash() const {
  std::vector<std::string> deciding;
  for (const PolicyInfo& info : policies.Active()) deciding.push_back(info.hash);
  for (const auto& [package, line] : policies.generations().lines()) {
    if (!line.previous.empty()) deciding.push_back(package + " before: " + line.previous);
    if (line.failures > 0) deciding.push_back(package + " fails: " + std::to_string(line.failures));
    for (const std::string& hash : line.failed) deciding.push_back(package + " failed: " + hash);
  }
  const Hash128 hash = HashState(world, deciding);
  return Hex(hash.high) + Hex(hash.low);
}

}  // namespace muster
