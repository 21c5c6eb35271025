#include "db/postgres/commit_chain.h"

#include "db/chain_links.h"

namespace muster {

BatchCommit CommitChain::Number(Commit commit) {
  BatchCommit numbered;
  CommitRecord& record = numbered.stored.record;
  record.seq = last_.seq + 1;
  record.command = CommandName(commit.command);
  record.input = std::move(commit.input);
  record.at = commit.at;
  record.cycle = commit.cycle;
  record.engine_version = engine_version_;
  record.first_event = next_event_;
  record.events = std::move(commit.events);
  record.policies = std::move(commit.policies);
  numbered.rows = std::move(commit.rows);
  last_ = {record.seq, record.at, record.cycle != 0 ? record.cycle : last_.cycle};
  next_event_ += static_cast<std::int64_t>(record.events.size());
  return numbered;
}

void CommitChain::Link(BatchCommit* commit) {
  StoredCommit& stored = commit->stored;
  const CommitRecord& record = stored.record;
  digests_.Add(commit->rows);
  stored.prev = hash_;
  stored.state_digest = digests_.sum();
  hash_ = stored.hash = HashCommit(stored.prev, HeaderOf(record, stored.state_digest),
                                   record.events, record.policies, &fields_);
}

}  // namespace muster
