// See replay.h. What a call was given is read from its events in replay_input.cc.
#include "bindings/cpp/replay.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "bindings/cpp/replay_input.h"
#include "bindings/cpp/stored_policies.h"
#include "db/read_only_ledger.h"

namespace muster {
namespace {

Status Unreadable(std::string_view what) {
  return Status(StatusCode::kDataLoss, "an event cannot be read: " + std::string(what));
}

std::string Shown(const Event& event) {
  return std::string(EventName(event.kind)) + " " + event.subject + " " + event.payload;
}

std::string ShownAt(std::span<const Event> events, std::size_t index) {
  return index < events.size() ? Shown(events[index]) : "nothing";
}

/// What hook submit failed at is history: workloads are taken as it let them in.
std::vector<Event> Repeatable(CommandKind command, std::span<const Event> events) {
  std::vector<Event> repeatable(events.begin(), events.end());
  if (command == CommandKind::kApply || command == CommandKind::kSubmit) {
    std::erase_if(repeatable,
                  [](const Event& event) { return event.kind == EventKind::kPolicyFailed; });
  }
  return repeatable;
}

bool Has(std::span<const Event> events, EventKind kind) {
  return std::any_of(events.begin(), events.end(),
                     [kind](const Event& event) { return event.kind == kind; });
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
bool IsOldCancel(CommandKind command, const Event& recorded, const Event& now) {
  return command == CommandKind::kCancel && recorded.kind == EventKind::kFinished &&
         (now.kind == EventKind::kCancelled || now.kind == EventKind::kForgotten) &&
         recorded.subject == now.subject;
}

Status Compare(CommandKind command, std::span<const Event> recorded, std::span<const Event> now) {
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
      engine_(recorder_.get()) {}

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

Status Replayer::Redo(CommandKind command, TimeNs at, std::span<const Event> events,
                      CycleTrace* trace) {
  recorder_->events.clear();
  late_.Read(events);
  const Status status = Call(command, at, events, trace);
  return status.ok() ? Compare(command, Repeatable(command, events), recorder_->events) : status;
}

Status Replayer::Call(CommandKind command, TimeNs at, std::span<const Event> events,
                      CycleTrace* trace) {
  switch (command) {
    case CommandKind::kApply:
    case CommandKind::kSubmit:
      return Apply(command, at, events);
    case CommandKind::kDelete: {
      const auto object = DeletedObject(events);
      if (!object) return Unreadable("ObjectDeleted");
      return engine_.Delete(object->first, object->second, at, /*force=*/true);
    }
    case CommandKind::kUpdate: {
      const auto update = UpdateOf(events);
      return update ? engine_.Update(*update, at) : Unreadable("Updated");
    }
    case CommandKind::kCheck: {
      if (events.empty()) return Repeated(at);
      const auto update = CheckUpdateOf(events);
      return update ? engine_.UpdateCheck(*update, at).status() : Unreadable("CheckUpdated");
    }
    case CommandKind::kReady: {
      const std::vector<Key> lost = SubjectsOf(events, EventKind::kPodsNotReady);
      return lost.empty() ? engine_.Ready(SubjectsOf(events, EventKind::kPodsReady), at)
                          : engine_.Ready(lost, at, false);
    }
    case CommandKind::kFinish:
      return engine_.Finish(SubjectsOf(events, EventKind::kFinished),
                            ReasonOf(events, EventKind::kFinished) == "Failed", at);
    case CommandKind::kCancel:
      return engine_.Cancel(CancelledBy(events), at);
    case CommandKind::kEvict: {
      if (events.empty()) return Repeated(at);
      const std::vector<Key> workloads = SubjectsOf(events, EventKind::kEvicted);
      if (workloads.size() != 1) return Unreadable("Evicted");
      return engine_.Evict(workloads.front(), ReasonOf(events, EventKind::kEvicted), at);
    }
    case CommandKind::kEvicted:
    case CommandKind::kEvictedAlone:
      return engine_.Evicted(SubjectsOf(events, EventKind::kQuotaReleased), at,
                             command == CommandKind::kEvicted ? Lifecycle::kRun : Lifecycle::kSkip);
    case CommandKind::kAdvance: {
      if (!Has(events, EventKind::kPolicyStaged)) return engine_.Advance(at);
      const auto staging = RecordedStagingOf(events);
      if (!staging) return Unreadable("PolicyStaged");
      return engine_.NoteStaged(staging->package, staging->hash, staging->refused, staging->change,
                                at);
    }
    case CommandKind::kCycle:
      return engine_.RunCycle(at, trace).status();
    case CommandKind::kActivatePolicy:
    case CommandKind::kRollBackPolicy: {
      const auto change = RecordedChangeOf(events);
      if (!change) return Unreadable("PolicyActivated");
      std::vector<std::shared_ptr<Policy>> policies;
      for (const std::string& hash : change->hashes) {
        Result<std::shared_ptr<Policy>> policy = load_policy_(hash);
        if (!policy.ok()) return policy.status();
        policies.push_back(std::move(*policy));
      }
      if (command == CommandKind::kActivatePolicy) {
        return engine_.ActivatePolicy(std::move(policies.front()), at, change->change);
      }
      return engine_.RollBackPolicy(change->package, std::move(policies), at, change->change);
    }
  }
  return Unreadable("its command");
}

Status Replayer::Apply(CommandKind command, TimeNs at, std::span<const Event> events) {
  Result<std::vector<Object>> objects = AppliedObjects(events);
  if (!objects.ok()) return objects.status();
  const auto is_workload = [](const Object& o) { return KindOf(o) == ObjectKind::kWorkload; };
  if (command == CommandKind::kSubmit) {
    // A namespace among them was created for its workloads, which is done once more.
    const bool created_namespace = std::erase_if(*objects, std::not_fn(is_workload)) > 0;
    return engine_.Apply(*objects, at,
                         created_namespace ? MissingReference::kRefuse : MissingReference::kAsKueue,
                         nullptr, Submission::kTaken);
  }
  if (std::all_of(objects->begin(), objects->end(), is_workload)) {
    // The other objects were unchanged and left no event, but the lifecycle controller ran.
    const Result<std::vector<Object>> same = engine_.Objects(ObjectKind::kConfiguration);
    if (!same.ok()) return same.status();
    objects->insert(objects->end(), same->begin(), same->end());
  }
  return engine_.Apply(*objects, at, MissingReference::kAsKueue, nullptr, Submission::kTaken);
}

// It said again what was known: nothing came of it but what time alone brings with any call.
Status Replayer::Repeated(TimeNs at) { return engine_.Finish({}, /*failed=*/false, at); }

Result<Replayed> ReplayLedger(ReadOnlyLedger& ledger) {
  Replayer replayer([&ledger](std::string_view hash) {
    return LoadPolicyByHash([&ledger](std::string_view h) { return ledger.LoadPolicy(h); }, hash);
  });
  Replayed result;
  const Status status = ledger.ReadCommits(1, [&](const CommitRecord& commit) {
    ++result.commits;
    const Status redone =
        replayer.Redo(commit.command, commit.at, commit.events, &result.last_cycle);
    if (redone.ok()) return redone;
    return Status(redone.code(), "commit " + std::to_string(commit.seq) + " (" +
                                     std::string(CommandName(commit.command)) +
                                     ") cannot be repeated: " + redone.message());
  });
  if (!status.ok()) return status;
  Result<std::string> hash = replayer.engine().StateHash();
  if (!hash.ok()) return hash.status();
  result.state_hash = std::move(*hash);
  return result;
}

}  // namespace muster
