// See replay.h. What a call was given is read from its events in replay_input.cc.
#include "bindings/cpp/replay.h"

#include <algorithm>
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

bool Same(const Event& a, const Event& b) {
  return a.kind == b.kind && a.subject == b.subject && a.payload == b.payload &&
         a.policy_hash == b.policy_hash;
}

Status Compare(std::span<const Event> recorded, std::span<const Event> now) {
  for (std::size_t i = 0; i < std::max(recorded.size(), now.size()); ++i) {
    if (i < recorded.size() && i < now.size() && Same(recorded[i], now[i])) continue;
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
    : load_policy_(std::move(load_policy)),
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
  for (const std::string& hash : copy.StoredPolicyHashes()) {
    Result<std::shared_ptr<Policy>> policy = load_policy_(hash);
    if (!policy.ok()) return policy.status();
    copy.AttachPolicy(std::move(*policy));
  }
  return copy;
}

Status Replayer::Redo(CommandKind command, TimeNs at, std::span<const Event> events,
                      CycleTrace* trace) {
  recorder_->events.clear();
  const Status status = Call(command, at, events, trace);
  return status.ok() ? Compare(events, recorder_->events) : status;
}

Status Replayer::Call(CommandKind command, TimeNs at, std::span<const Event> events,
                      CycleTrace* trace) {
  switch (command) {
    case CommandKind::kApply:
    case CommandKind::kSubmit: {
      Result<std::vector<Object>> objects = AppliedObjects(events);
      if (!objects.ok()) return objects.status();
      const bool only_workloads =
          std::all_of(objects->begin(), objects->end(),
                      [](const Object& o) { return KindOf(o) == ObjectKind::kWorkload; });
      if (command == CommandKind::kApply && only_workloads) {
        // The other objects were unchanged and left no event, but the lifecycle controller ran.
        const std::vector<Object> same = engine_.Objects(ObjectKind::kConfiguration);
        objects->insert(objects->end(), same.begin(), same.end());
      }
      return engine_.Apply(*objects, at, MissingReference::kAccept, nullptr, Submission::kTaken);
    }
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
      return engine_.Cancel(SubjectsOf(events, EventKind::kFinished), at);
    case CommandKind::kEvict: {
      const std::vector<Key> workloads = SubjectsOf(events, EventKind::kEvicted);
      if (workloads.size() != 1) return Unreadable("Evicted");
      return engine_.Evict(workloads.front(), ReasonOf(events, EventKind::kEvicted), at);
    }
    case CommandKind::kEvicted:
    case CommandKind::kEvictedAlone:
      return engine_.Evicted(SubjectsOf(events, EventKind::kQuotaReleased), at,
                             command == CommandKind::kEvicted ? Lifecycle::kRun : Lifecycle::kSkip);
    case CommandKind::kAdvance:
      return engine_.Advance(at);
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
        return engine_.ActivatePolicy(std::move(policies.front()), at);
      }
      return engine_.RollBackPolicy(change->package, std::move(policies), at);
    }
  }
  return Unreadable("its command");
}

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
  result.state_hash = replayer.engine().StateHash();
  return result;
}

}  // namespace muster
