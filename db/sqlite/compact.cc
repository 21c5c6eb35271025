// See compact.h. What is dropped is read once more on the way, each commit against its hash.
#include "db/sqlite/compact.h"

#include "db/sqlite/base.h"
#include "db/sqlite/chain_reader.h"
#include "db/sqlite/statements.h"

namespace muster {
namespace {

/// Events before the oldest commit that stays, of those that `plan` keeps.
Status CollectCarried(const Connection& connection, const CompactionPlan& plan,
                      std::vector<CarriedEvent>* carried) {
  Status status = ReadCarried(connection, [&](const CarriedEvent& event) {
    if (plan.carry(event.event)) carried->push_back(event);
    return Status::Ok();
  });
  if (!status.ok()) return status;
  bool reached = false;
  status = WalkChain(connection, 1, [&](const StoredCommit& stored) {
    const CommitRecord& commit = stored.record;
    reached = commit.seq >= plan.first;
    if (reached) return Status(StatusCode::kFailedPrecondition, "enough");
    std::int64_t seq = commit.first_event;
    for (const Event& event : commit.events) {
      if (plan.carry(event)) carried->push_back({seq, commit.seq, commit.at, event});
      ++seq;
    }
    return Status::Ok();
  });
  return reached ? Status::Ok() : status;
}

}  // namespace

Status WriteCompaction(const Connection& connection, const CompactionPlan& plan) {
  std::vector<CarriedEvent> carried;
  Status status = CollectCarried(connection, plan, &carried);
  for (const char* sql :
       {"DELETE FROM event WHERE commit_seq < ?", "DELETE FROM policy_use WHERE commit_seq < ?",
        "DELETE FROM commit_log WHERE seq < ?"}) {
    if (!status.ok()) return status;
    Result<Statement> remove = Statement::Prepare(connection, sql);
    if (!remove.ok()) return remove.status();
    remove->Bind(plan.first);
    status = remove->Execute();
  }
  if (!status.ok()) return status;
  return WriteBase(connection, {plan.first, plan.first}, plan.rows, carried);
}

}  // namespace muster
