// The engine and its journal: what a call changed goes in, a stored state comes back.
#include <algorithm>
#include <utility>

#include "engine/cycle/deadlines.h"
#include "engine/cycle/engine_state.h"
#include "engine/cycle/invariants.h"
#include "engine/model/check.h"
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

Status Engine::State::MakeDurable(CommandKind kind) {
  if (journal == nullptr || world.changes.empty()) return Status::Ok();
  Commit commit;
  commit.command = kind;
  commit.at = world.now;
  commit.cycle = kind == CommandKind::kCycle ? world.cycle : 0;
  commit.rows = ChangedRows(world);
  StoredEngine engine{world.now, world.cycle, world.next_sequence,
                      {},        {},          policies.default_package()};
  for (const PolicyInfo& info : policies.Active()) engine.policies.push_back(info.hash);
  for (const auto& [package, line] : policies.generations().lines()) {
    engine.generations.push_back(
        {package, line.previous, line.failures, {line.failed.begin(), line.failed.end()}});
  }
  commit.rows.push_back(EngineRow(engine));
  commit.events = std::move(world.changes.events);
  commit.policies = policies.TakeUses();
  const Result<Ticket> ticket = journal->Append(std::move(commit));
  Status status = ticket.ok() ? journal->Durable(*ticket) : ticket.status();
  if (!status.ok()) {
    poisoned = Status(status.code(), status.message() +
                                         "; the engine is read-only and has dropped its state: "
                                         "reopen the ledger to go on from what is stored");
    world = World{};
    return poisoned;
  }
  return status;
}

Status Engine::Restore(const std::function<Status(const RowSink&)>& load) {
  Restorer restorer(state_->world);
  try {
    Status status = load([&](StateRow::Table table, std::string_view key, std::string_view value) {
      return restorer.Add(table, key, value);
    });
    World& world = state_->world;
    if (status.ok()) {
      status = restorer.Finish([&](WorkloadRecord& placed) { SyncDeadline(world, placed); });
    }
    if (status.ok()) CheckEverything(world);
    if (!status.ok()) state_->poisoned = status;
    state_->stored = restorer.engine();
    for (const StoredGeneration& stored : state_->stored.generations) {
      PackageLine& line = state_->policies.generations().Restore(stored.package);
      line.previous = stored.previous;
      line.failures = stored.failures;
      line.failed = {stored.failed.begin(), stored.failed.end()};
    }
    return status;
  } catch (const InvariantBroken& broken) {
    state_->poisoned = Status(StatusCode::kDataLoss, broken.what());
    return state_->poisoned;
  }
}

std::vector<std::string> Engine::StoredPolicyHashes() const {
  std::vector<std::string> hashes = state_->stored.policies;
  for (const StoredGeneration& stored : state_->stored.generations) {
    if (!stored.previous.empty()) hashes.push_back(stored.previous);
  }
  return hashes;
}

void Engine::AttachPolicy(std::shared_ptr<Policy> policy) {
  const std::string default_package = state_->stored.default_policy;
  const std::vector<std::string>& active = state_->stored.policies;
  const bool decides = active.empty() ||
                       std::find(active.begin(), active.end(), policy->info().hash) != active.end();
  state_->policies.Attach(state_->world, std::move(policy), decides);
  state_->policies.SetDefault(default_package);
  state_->world.accounts.MarkDeclared(state_->policies.AccountRules());
}

std::string Engine::StateHash() const {
  std::vector<std::string> policies;
  for (const PolicyInfo& info : state_->policies.Active()) policies.push_back(info.hash);
  for (const auto& [package, line] : state_->policies.generations().lines()) {
    if (!line.previous.empty()) policies.push_back(package + " before: " + line.previous);
    if (line.failures > 0) policies.push_back(package + " fails: " + std::to_string(line.failures));
    for (const std::string& hash : line.failed) policies.push_back(package + " failed: " + hash);
  }
  const Hash128 hash = HashState(state_->world, policies);
  return Hex(hash.high) + Hex(hash.low);
}

}  // namespace muster
