// Opening is restoring: state comes from rows, policies from the packages stored beside them.
#include "muster/durable_engine.h"

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/cpp/journal_route.h"
#include "bindings/cpp/open_store.h"
#include "bindings/cpp/policy_history.h"
#include "bindings/cpp/standby_engine.h"
#include "bindings/cpp/stored_policies.h"
#include "db/standby_turns.h"
#include "db/store.h"
#include "engine/base/caught.h"
#include "muster/log.h"
#include "muster/muster.h"

namespace muster {
namespace {

/// Fills `engine` from a ledger of either kind.
Status RestoreFrom(const StoredHistory& ledger, Engine& engine) {
  const Status status =
      engine.Restore([&ledger](const Engine::RowSink& sink) { return ledger.Load(sink); });
  if (!status.ok()) return status;
  return AttachStoredPolicies(engine,
                              [&ledger](std::string_view hash) { return ledger.LoadPolicy(hash); });
}

/// A wait that may be longer than this is that of a process that stands by.
constexpr std::chrono::seconds kShortWait{60};

/// Fills both with the same rows, which are read once.
Status RestoreBoth(const StoredHistory& ledger, Engine& first, Engine& second) {
  const Status status = first.Restore([&](const Engine::RowSink& into_first) {
    return second.Restore([&](const Engine::RowSink& into_second) {
      return ledger.Load([&](StateRow::Table table, std::string_view key, std::string_view value) {
        Status taken = into_first(table, key, value);
        return taken.ok() ? into_second(table, key, value) : taken;
      });
    });
  });
  if (!status.ok()) return status;
  for (Engine* const engine : {&first, &second}) {
    Status attached = AttachStoredPolicies(
        *engine, [&ledger](std::string_view hash) { return ledger.LoadPolicy(hash); });
    if (!attached.ok()) return attached;
  }
  return Status::Ok();
}

/// Says on the log that `what` was done with `policy`, or why it was not; of that the
/// caller is told, too, so it is no warning. What is done stays done where there is no memory to
/// say so.
Status Logged(const std::string& what, const std::string& policy, const Status& status) noexcept {
  try {
    Log(LogLevel::kInfo,
        "policy " + policy + " " + (status.ok() ? what : "not " + what + ": " + status.message()));
  } catch (...) {
  }
  return status;
}

}  // namespace

DurableEngine::DurableEngine(std::unique_ptr<Store> ledger)
    : ledger_(std::move(ledger)),
      route_(std::make_unique<JournalRoute>(*ledger_)),
      engine_(route_.get()) {}

DurableEngine::DurableEngine(std::unique_ptr<Store> ledger, std::unique_ptr<JournalRoute> route,
                             Engine engine)
    : ledger_(std::move(ledger)), route_(std::move(route)), engine_(std::move(engine)) {
  route_->Lead(*ledger_);
}

DurableEngine::~DurableEngine() = default;

template <typename Function>
std::invoke_result_t<Function> DurableEngine::Enter(const Function& call) const noexcept {
  if (Status closed = engine_.Closed(); !closed.ok()) return closed;
  return Guarded(call);
}

Result<std::unique_ptr<DurableEngine>> DurableEngine::Open(const std::string& path,
                                                           const DurableOptions& options) {
  return Guarded([&] { return OpenLedger(path, options); });
}

Result<std::unique_ptr<DurableEngine>> DurableEngine::OpenLedger(const std::string& path,
                                                                 const DurableOptions& options) {
  StandbyEngine standby(ShownPlace(path));
  Result<std::unique_ptr<Store>> ledger =
      OpenStore(path, options, options.lock_wait > kShortWait ? &standby : nullptr);
  if (!ledger.ok()) return ledger.status();
  const Result<LastCommit> last = (*ledger)->last();
  if (!last.ok()) return last.status();
  std::unique_ptr<DurableEngine> opened;
  std::optional<Replayer::Released> ready = standby.Take(last->seq);
  if (ready) {
    opened.reset(
        new DurableEngine(std::move(*ledger), std::move(ready->route), std::move(ready->engine)));
  } else {
    opened.reset(new DurableEngine(std::move(*ledger)));
    const Status status = RestoreFrom(*opened->ledger_, opened->engine_);
    if (!status.ok()) return status;
  }
  if (!options.allow_time_jump) {
    const Status limited = opened->engine_.LimitTimeJumps(kLongestTimeJump, WallClock());
    if (!limited.ok()) return limited;
  }
  Log(LogLevel::kInfo, "ledger " + ShownPlace(path) + " opened after commit " +
                           std::to_string(last->seq) +
                           (ready ? ", its engine was kept ready" : ""));
  if (options.turns != nullptr) options.turns->Opened(ready.has_value());
  if (opened->ledger_->health().reserve_spent) {
    Log(LogLevel::kWarning,
        "ledger " + ShownPlace(path) + ": the disk is nearly full; free some space");
  }
  return opened;
}

Status DurableEngine::SetCaller(std::string_view caller) {
  return Enter([&] {
    Status wrong = CheckCaller(caller);
    if (wrong.ok()) route_->Name(caller);
    return wrong;
  });
}

Status DurableEngine::Listen(std::function<void(const Commit&)> listener) {
  return Enter([&] {
    route_->Listen(std::move(listener));
    return Status::Ok();
  });
}

Result<TimeNs> DurableEngine::last_time() const {
  return Enter([&]() -> Result<TimeNs> {
    const Result<LastCommit> last = ledger_->last();
    if (!last.ok()) return last.status();
    return last->at;
  });
}

Status DurableEngine::ActivatePolicy(const std::string& folder, TimeNs now,
                                     const PolicyParams& params, const PolicyChange& change,
                                     std::vector<StoppedHook>* stopped) {
  return Enter([&] { return Activate(folder, now, params, change, stopped); });
}

Status DurableEngine::RollBackPolicy(TimeNs now, const PolicyChange& change) {
  return Enter([&] { return RollBack(now, change); });
}

Status DurableEngine::Activate(const std::string& folder, TimeNs now, const PolicyParams& params,
                               const PolicyChange& change, std::vector<StoppedHook>* stopped) {
  const Result<StoredPolicy> stored = ReadPolicyFolder(folder, params);
  if (!stored.ok()) return stored.status();
  Result<std::shared_ptr<Policy>> policy = LoadStoredPolicy(*stored, folder);
  if (!policy.ok()) return Logged("activated", folder, policy.status());
  if (const Status status = ledger_->StorePolicy(*stored); !status.ok()) return status;
  return Logged("activated", folder,
                engine_.ActivatePolicy(std::move(*policy), now, change, stopped));
}

Status DurableEngine::RollBack(TimeNs now, const PolicyChange& change) {
  PolicyHistory history;
  Status status =
      ledger_->ReadEvents([&history](const CommitRecord& commit) { return history.Add(commit); });
  if (!status.ok()) return status;
  if (history.steps().empty()) {
    return Status(StatusCode::kFailedPrecondition, "no policy was activated that could be undone");
  }
  std::vector<std::shared_ptr<Policy>> before;
  const FindPolicy find = [this](std::string_view hash) { return ledger_->LoadPolicy(hash); };
  for (const std::string& hash : history.BeforeNewest()) {
    Result<std::shared_ptr<Policy>> policy = LoadPolicyByHash(find, hash);
    if (!policy.ok()) return policy.status();
    before.push_back(std::move(*policy));
  }
  const std::string package = history.steps().back().package;
  return Logged("rolled back", package,
                engine_.RollBackPolicy(package, std::move(before), now, change));
}

Status DurableEngine::Close() {
  Status closed = engine_.Closed();
  Status merged = Guarded([&] { return ledger_->Close(); });
  return closed.ok() ? merged : closed;
}

Result<Engine> ReadLedger(const std::string& path) {
  return Guarded([&]() -> Result<Engine> {
    const Result<std::unique_ptr<HistoryReader>> ledger = OpenHistory(path);
    return ledger.ok() ? ReadLedger(**ledger) : ledger.status();
  });
}

Result<Engine> ReadLedger(const StoredHistory& ledger) {
  return Guarded([&]() -> Result<Engine> {
    Engine engine;
    if (const Status status = RestoreFrom(ledger, engine); !status.ok()) return status;
    return engine;
  });
}

Result<std::pair<Engine, Engine>> ReadLedgerTwice(const std::string& path) {
  return Guarded([&]() -> Result<std::pair<Engine, Engine>> {
    const Result<std::unique_ptr<HistoryReader>> ledger = OpenHistory(path);
    if (!ledger.ok()) return ledger.status();
    std::pair<Engine, Engine> engines;
    const Status status = RestoreBoth(**ledger, engines.first, engines.second);
    if (!status.ok()) return status;
    return engines;
  });
}

}  // namespace muster
