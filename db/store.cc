#include "db/store.h"

namespace muster {

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
