// See replay.h. What calls of old ledgers were given is read from their events in old_command.cc.
#include "bindings/cpp/replay.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "bindings/cpp/journal_route.h"
#include "bindings/cpp/old_command.h"
#include "bindings/cpp/stored_policies.h"
#include "db/caller.h"
#include "db/store.h"
#include "engine/codec/command_codec.h"

namespace muster {
namespace {

std::string Shown(const Event& event) {
  return std::string(EventName(event.kind)) + " " + event.subject + " " + event.payload;
}

std::string ShownAt(std::span<const Event> events, std::size_t index) {
  return index < events.size() ? Shown(events[index]) : "nothing";
}

/// What hook submit failed at is history: workloads are taken as it let them in.
std::vector<Event> Repeatable(const Command& command, std::span<const Event> events) {
  std::vector<Event> repeatable(events.begin(), events.end());
  if (KindOf(command) == CommandKind::kApply || KindOf(command) == CommandKind::kSubmit) {
    std::erase_if(repeatable,
                  [](const Event& event) { return event.kind == EventKind::kPolicyFailed; });
  }
  return repeatable;
}

/// The payload of a QuotaReserved event as version 1 of the ledger had it.
std::string WithoutCharges(std::string payload) {
  constexpr std::string_view kMember = ",\"charged\":{";
  for (std::size_t at = payload.find(kMember); at != payload.npos; at = payload.find(kMember, at)) {
    payload.erase(at, payload.find('}', at) - at + 1);
  }
  return payload;
}

bool SamePayload(const Event& recorded, const Event& now) {
  return recorded.payload == now.payload ||
         (now.kind == EventKind::kQuotaReserved && recorded.payload == WithoutCharges(now.payload));
}

bool Same(const Event& recorded, const Event& now) {
  return recorded.kind == now.kind && recorded.subject == now.subject &&
         SamePayload(recorded, now) && recorded.policy_hash == now.policy_hash;
}

/// Withdrawing a job was recorded as its failed end before it had events of its own.
bool IsOldCancel(const Command& command, const Event& recorded, const Event& now) {
  return KindOf(command) == CommandKind::kCancel && recorded.kind == EventKind::kFinished &&
         (now.kind == EventKind::kCancelled || now.kind == EventKind::kForgotten) &&
         recorded.subject == now.subject;
}

Status Compare(const Command& command, std::span<const Event> recorded,
               std::span<const Event> now) {
  for (std::size_t i = 0; i < std::max(recorded.size(), now.size()); ++i) {
    if (i < recorded.size() && i < now.size() &&
        (Same(recorded[i], now[i]) || IsOldCancel(command, recorded[i], now[i]))) {
      continue;
    }
    return Status(StatusCode::kDataLoss, "its event " + std::to_string(i + 1) +
                                             " came out as: " + ShownAt(now, i) +
                                             "; recorded: " + ShownAt(recorded, i));
  }
  return Status::Ok();
}

}  // namespace

/// Keeps the events and rows of the newest call, and the rows of all calls.
class Replayer::Recorder final : public Journal {
 public:
  explicit Recorder(Rows keep) : keeps_rows_(keep == Rows::kKeep) {}

  Result<Ticket> Append(Commit commit) override {
    events = std::move(commit.events);
    newest_rows = std::move(commit.rows);
    if (keeps_rows_) {
      for (const StateRow& row : newest_rows) KeepRow(row);
    }
    return ++appended_;
  }
  void KeepRow(StateRow row) {
    if (!keeps_rows_) return;
    std::pair<StateRow::Table, std::string> place{row.table, row.key};
    if (row.value) {
      rows[std::move(place)] = std::move(row);
    } else {
      rows.erase(place);
    }
  }
  Status Durable(Ticket) override { return Status::Ok(); }

  std::vector<Event> events;
  std::vector<StateRow> newest_rows;
  std::map<std::pair<StateRow::Table, std::string>, StateRow> rows;

 private:
  bool keeps_rows_;
  Ticket appended_ = 0;
};

Replayer::Replayer(PolicyLoader load_policy, Rows rows)
    : load_policy_([load = std::move(load_policy), late = late_](std::string_view hash) {
        Result<std::shared_ptr<Policy>> policy = load(hash);
        if (policy.ok()) policy = late.Wrap(std::move(*policy));
        return policy;
      }),
      recorder_(std::make_unique<Recorder>(rows)),
      route_(std::make_unique<JournalRoute>(*recorder_)),
      engine_(route_.get()) {
  (void)engine_.SetPolicyLoader(load_policy_);
}

Replayer::~Replayer() = default;

Result<std::int64_t> Replayer::Begin(const StoredHistory& ledger) {
  const Result<HistoryBase> base = ledger.base();
  if (!base.ok()) return base.status();
  std::vector<StateRow> rows;
  const Status loaded = ledger.LoadBase([&rows](const StateRow& row) {
    rows.push_back(row);
    return Status::Ok();
  });
  if (!loaded.ok()) return loaded;
  return Begin(*base, rows);
}

Result<std::int64_t> Replayer::Begin(const HistoryBase& base, std::span<const StateRow> rows) {
  if (base.state_at == 0) return 1;
  const Status restored = engine_.Restore([&](const Engine::RowSink& sink) {
    for (const StateRow& row : rows) {
      recorder_->KeepRow(row);
      if (Status taken = sink(row.table, row.key, *row.value); !taken.ok()) return taken;
    }
    return Status::Ok();
  });
  if (!restored.ok()) return restored;
  if (Status attached = Attach(engine_); !attached.ok()) return attached;
  return base.state_at + 1;
}

std::vector<StateRow> Replayer::StateRows() const {
  std::vector<StateRow> rows;
  for (const auto& [place, row] : recorder_->rows) rows.push_back(row);
  return rows;
}

const std::vector<StateRow>& Replayer::redone_rows() const { return recorder_->newest_rows; }

Replayer::Released Replayer::Release() {
  late_.End();
  (void)engine_.SetPolicyLoader(nullptr);
  return {std::move(route_), std::move(engine_)};
}

Status Replayer::Attach(Engine& engine) const {
  const Result<std::vector<std::string>> hashes = engine.StoredPolicyHashes();
  if (!hashes.ok()) return hashes.status();
  for (const std::string& hash : *hashes) {
    Result<std::shared_ptr<Policy>> policy = load_policy_(hash);
    if (!policy.ok()) return policy.status();
    if (Status attached = engine.AttachPolicy(std::move(*policy)); !attached.ok()) return attached;
  }
  return Status::Ok();
}

Status Replayer::Redo(const Commit& commit, CycleTrace* trace) {
  const Result<Command> command = DecodeCommand(CommandIn(commit.input));
  return command.ok() ? Redo(*command, commit.at, commit.events, trace) : command.status();
}

Status Replayer::Redo(const CommitRecord& commit, CycleTrace* trace) {
  const Result<Command> command = commit.input ? DecodeCommand(CommandIn(*commit.input))
                                               : OldCommand(commit.command, commit.events, engine_);
  return command.ok() ? Redo(*command, commit.at, commit.events, trace) : command.status();
}

Status Replayer::Redo(const Command& command, TimeNs at, std::span<const Event> events,
                      CycleTrace* trace) {
  recorder_->events.clear();
  recorder_->newest_rows.clear();
  late_.Read(events);
  const Status status = engine_.Do(command, at, trace).status();
  return status.ok() ? Compare(command, Repeatable(command, events), recorder_->events) : status;
}

Result<Replayed> ReplayLedger(const StoredHistory& ledger, const ReplayOptions& options) {
  Replayer replayer([&ledger](std::string_view hash) {
    return LoadPolicyByHash([&ledger](std::string_view h) { return ledger.LoadPolicy(h); }, hash);
  });
  const Result<std::int64_t> first = replayer.Begin(ledger);
  if (!first.ok()) return first.status();
  Replayed result;
  result.last = *first - 1;
  if (options.until && *options.until < result.last) {
    return Status(
        StatusCode::kFailedPrecondition,
        "the history that can be repeated begins after commit " + std::to_string(result.last));
  }
  bool ended = false;
  const Status status = ledger.ReadCommits(*first, [&](const CommitRecord& commit) {
    ended = options.until && commit.seq > *options.until;
    if (ended) return Status(StatusCode::kFailedPrecondition, "enough");
    ++result.commits;
    result.last = commit.seq;
    result.at = commit.at;
    const Status redone = replayer.Redo(commit, &result.last_cycle);
    if (redone.ok() && options.progress) options.progress(commit);
    if (redone.ok()) return redone;
    return Status(redone.code(), "commit " + std::to_string(commit.seq) + " (" + commit.command +
                                     ") cannot be repeated: " + redone.message());
  });
  if (!status.ok() && !ended) return status;
  Result<std::string> hash = replayer.engine().StateHash();
  if (!hash.ok()) return hash.status();
  result.state_hash = std::move(*hash);
  if (options.at_end) options.at_end(replayer.engine());
  return result;
}

}  // namespace muster
