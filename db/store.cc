#include "db/store.h"

namespace muster {

Status StoredHistory::Load(const RowVisitor& visitor) const {
  return LoadWhole([&visitor](const StateRow& row) {
    return visitor ? visitor(row.table, row.key, *row.value) : Status::Ok();
  });
}

Status StoredHistory::ReadCommits(std::int64_t first, const CommitVisitor& visitor) const {
  if (!visitor) return ReadChain(first, {});
  return ReadChain(first,
                   [&visitor](const StoredCommit& commit) { return visitor(commit.record); });
}

Status HistoryReader::FindEvents(const std::string& subject, const std::string& mention,
                                 const CarriedVisitor& visitor) const {
  return ReadCommits(1, [&](const CommitRecord& commit) {
    std::int64_t seq = commit.first_event;
    for (const Event& event : commit.events) {
      const bool found =
          event.subject == subject ||
          (event.kind == EventKind::kPreempted && event.payload.find(mention) != std::string::npos);
      if (found) {
        if (Status status =
                visitor({seq, commit.seq, commit.at, event, std::string(commit.caller())});
            !status.ok()) {
          return status;
        }
      }
      ++seq;
    }
    return Status::Ok();
  });
}

Status StoredHistory::ReadEvents(const CommitVisitor& visitor) const {
  CommitRecord commit;
  Status status = ReadCarried([&](const CarriedEvent& carried) {
    if (carried.commit != commit.seq) {
      if (Status taken = commit.seq == 0 ? Status::Ok() : visitor(commit); !taken.ok()) {
        return taken;
      }
      commit = {};
      commit.seq = carried.commit;
      commit.at = carried.at;
    }
    commit.events.push_back(carried.event);
    return Status::Ok();
  });
  if (status.ok() && commit.seq != 0) status = visitor(commit);
  return status.ok() ? ReadCommits(1, visitor) : status;
}

}  // namespace muster
