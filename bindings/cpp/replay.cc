// See replay.h. What calls of old ledgers were given is read from their events in old_command.cc.
#include "bindings/cpp/replay.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "bindings/cpp/old_command.h"
#include "bindings/cpp/stored_policies.h"
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

/// Keeps the events of the newest call, and the rows of all calls.
class Replayer::Recorder final : public Journal {
 public:
  explicit Recorder(Rows keep) : keeps_rows_(keep == Rows::kKeep) {}

  Result<Ticket> Append(Commit commit) override {
    events = std::move(commit.events);
    for (StateRow& row : keeps_rows_ ? std::span<StateRow>(commit.rows) : std::span<StateRow>()) {
      if (row.value) {
        rows[{row.table, std::move(row.key)}] = std::move(*row.value);
      } else {
        rows.erase({row.table, std::move(row.key)});
      }
    }
    return ++appended_;
  }
  Status Durable(Ticket) override { return Status::Ok(); }

  std::vector<Event> events;
  std::map<std::pair<StateRow::Table, std::string>, std::string> rows;

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
      engine_(recorder_.get()) {
  (void)engine_.SetPolicyLoader(load_policy_);
}

Replayer::~Replayer() = default;

Result<Engine> Replayer::Copy() const {
  Engine copy;
  const Status status = copy.Restore([this](const Engine::RowSink& sink) {
    for (const auto& [place, value] : recorder_->rows) {
      if (Status taken = sink(place.first, place.second, value); !taken.ok()) return taken;
    }
    return Status::Ok();
  });
  if (!status.ok()) return status;
  const Result<std::vector<std::string>> hashes = copy.StoredPolicyHashes();
  if (!hashes.ok()) return hashes.status();
  for (const std::string& hash : *hashes) {
    Result<std::shared_ptr<Policy>> policy = load_policy_(hash);
    if (!policy.ok()) return policy.status();
    if (Status attached = copy.AttachPolicy(std::move(*policy)); !attached.ok()) return attached;
  }
  return copy;
}

Status Replayer::Redo(const Commit& commit, CycleTrace* trace) {
  const Result<Command> command = DecodeCommand(commit.input);
  return command.ok() ? Redo(*command, commit.at, commit.events, trace) : command.status();
}

Status Replayer::Redo(const CommitRecord& commit, CycleTrace* trace) {
  const Result<Command> command = commit.input ? DecodeCommand(*commit.input)
                                               : OldCommand(commit.command, commit.events, engine_);
  return command.ok() ? Redo(*command, commit.at, commit.events, trace) : command.status();
}

Status Replayer::Redo(const Command& command, TimeNs at, std::span<const Event> events,
                      CycleTrace* trace) {
  recorder_->events.clear();
  late_.Read(events);
  const Status status = engine_.Do(command, at, trace).status();
  return status.ok() ? Compare(command, Repeatable(command, events), recorder_->events) : status;
}

Result<Replayed> ReplayLedger(const StoredHistory& ledger) {
  Replayer replayer([&ledger](std::string_view hash) {
    return LoadPolicyByHash([&ledger](std::string_view h) { return ledger.LoadPolicy(h); }, hash);
  });
  Replayed result;
  const Status status = ledger.ReadCommits(1, [&](const CommitRecord& commit) {
    ++result.commits;
    const Status redone = replayer.Redo(commit, &result.last_cycle);
    if (redone.ok()) return redone;
    return Status(redone.code(), "commit " + std::to_string(commit.seq) + " (" + commit.command +
                                     ") cannot be repeated: " + redone.message());
  });
  if (!status.ok()) return status;
  Result<std::string> hash = replayer.engine().StateHash();
  if (!hash.ok()) return hash.status();
  result.state_hash = std::move(*hash);
  return result;
}

}  // namespace muster
