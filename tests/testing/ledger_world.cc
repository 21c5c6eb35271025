#include "tests/testing/ledger_world.h"

#include "muster/views.h"

namespace muster::testing {
namespace {

constexpr TimeNs kStart = 1'767'225'600 * kSecond;  // 2026-01-01T00:00:00Z

bool Removes(EventKind kind) {
  return kind == EventKind::kFinished || kind == EventKind::kObjectDeleted;
}

StateRow::Table TableOf(EventKind kind) {
  switch (kind) {
    case EventKind::kObjectApplied:
    case EventKind::kObjectDeleted:
      return StateRow::Table::kObject;
    case EventKind::kRequeued:
      return StateRow::Table::kQueue;
    case EventKind::kPolicyFailed:
      return StateRow::Table::kEngine;
    default:
      return StateRow::Table::kWorkload;
  }
}

}  // namespace

void FoldEvents(const std::vector<Event>& events, StateRows* rows) {
  for (const Event& event : events) {
    const std::pair<StateRow::Table, std::string> key(TableOf(event.kind), event.subject);
    if (Removes(event.kind)) {
      rows->erase(key);
    } else {
      (*rows)[key] = event.payload;
    }
  }
}

std::string JobKey(std::int64_t job) {
  return "team-" + std::to_string(job % 3) + "/job-" + std::to_string(job);
}

void LedgerWorld::Change(Commit* commit, EventKind kind, StateRow::Table table,
                         const std::string& key, bool removed) {
  std::string payload = "{\"commit\":" + std::to_string(commits_) + ",\"kind\":\"" +
                        std::string(EventName(kind)) + "\",\"note\":\"";
  if (payload.size() < payload_bytes_) payload.append(payload_bytes_ - payload.size(), 'x');
  payload += "\"}";
  StateRow row{table, key, payload};
  if (removed) row.value.reset();
  if (table == StateRow::Table::kWorkload && !removed) {
    row.workload = WorkloadSummary{"uid-" + key, "main",    "research", WorkloadPhase::kPending,
                                   commits_ % 7, commit->at};
    if (kind != EventKind::kSubmitted) {
      row.workload->phase = WorkloadPhase::kAdmitted;
      row.workload->reserved_at = row.workload->admitted_at = commit->at;
    }
  }
  const bool decision = kind == EventKind::kAdmitted;
  commit->events.push_back({kind, key, std::move(payload), decision ? "5ca1ab1e" : ""});
  commit->rows.push_back(std::move(row));
}

void LedgerWorld::AddSubmit(Commit* commit) {
  const std::string key = JobKey(++submitted_);
  Change(commit, EventKind::kSubmitted, StateRow::Table::kWorkload, key);
  pending_.push_back(key);
}

Commit LedgerWorld::Submit(int jobs) {
  Commit commit;
  commit.input = std::string("\0jobs ", 6) + std::to_string(jobs);
  commit.at = kStart + ++commits_ * kSecond;
  for (int i = 0; i < jobs; ++i) AddSubmit(&commit);
  return commit;
}

void LedgerWorld::AddStarts(Commit* commit, int jobs) {
  for (int i = 0; i < jobs && !pending_.empty(); ++i) {
    Change(commit, EventKind::kAdmitted, StateRow::Table::kWorkload, pending_.front());
    running_.push_back(pending_.front());
    pending_.pop_front();
  }
}

Commit LedgerWorld::Start(int jobs) {
  Commit commit;
  commit.command = CommandKind::kUpdate;
  commit.at = kStart + ++commits_ * kSecond;
  AddStarts(&commit, jobs);
  return commit;
}

Commit LedgerWorld::Cycle(int jobs) {
  Commit commit;
  commit.command = CommandKind::kCycle;
  commit.at = kStart + ++commits_ * kSecond;
  commit.cycle = ++cycles_;
  for (int i = 0; i < jobs; ++i) AddSubmit(&commit);
  AddStarts(&commit, jobs);
  for (int i = 0; i < jobs && running_.size() > 8; ++i) {
    Change(&commit, EventKind::kFinished, StateRow::Table::kWorkload, running_.front(), true);
    running_.pop_front();
  }
  if (cycles_ % 3 == 1) {
    const bool removed = cycles_ % 2 == 0;
    Change(&commit, removed ? EventKind::kObjectDeleted : EventKind::kObjectApplied,
           StateRow::Table::kObject, "ClusterQueue/research", removed);
  }
  Change(&commit, EventKind::kRequeued, StateRow::Table::kQueue, "research");
  Change(&commit, EventKind::kPolicyFailed, StateRow::Table::kEngine, "clock");
  commit.policies.push_back({"5ca1ab1e", jobs, 1000 * jobs});
  return commit;
}

}  // namespace muster::testing
