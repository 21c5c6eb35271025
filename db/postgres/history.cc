// Batches are fetched some at a time, so that memory does not grow with the history.
#include "db/postgres/history.h"

#include <algorithm>
#include <map>
#include <utility>

#include "db/chain_links.h"
#include "db/postgres/schema.h"

namespace muster {
namespace {

constexpr const char* kHead =
    "SELECT epoch, seq, head_hash, holder, version FROM muster_shard WHERE id = $1";
/// As many as stay well below a few megabytes where groups are large.
constexpr const char* kBatches =
    "SELECT seq, hash, body, (SELECT a.body FROM muster_body a WHERE a.shard = b.shard AND a.seq = "
    "b.seq AND a.epoch = b.epoch) FROM muster_batch b WHERE shard = $1 AND seq >= $2 AND seq <= $3 "
    "ORDER BY seq LIMIT 16";
// A writer adds what stands apart together with its group.
constexpr const char* kWithoutGroup =
    "SELECT count(*) FROM muster_body a WHERE shard = $1 AND NOT EXISTS (SELECT 1 FROM "
    "muster_batch b WHERE b.shard = a.shard AND b.seq = a.seq AND b.epoch = a.epoch)";

std::string WhatDiffers(std::int64_t seq) {
  return "the rows after commit " + std::to_string(seq) + " are not those that it speaks of";
}

/// Adds to a state what commits changed, and compares it with what each says.
class StateSum {
 public:
  explicit StateSum(PgState* state) : state_(*state) {}

  /// What is wrong; empty: nothing. The commit of the state itself is only compared.
  std::string Add(BatchCommit& commit) {
    const CommitRecord& record = commit.stored.record;
    const std::int64_t seq = record.seq;
    const bool is_new = seq > state_.last.seq;
    const std::int64_t cycle = record.cycle != 0 ? record.cycle : state_.last.cycle;
    state_.last = {seq, record.at, cycle};
    state_.next_event = record.first_event + static_cast<std::int64_t>(record.events.size());
    if (is_new) {
      for (StateRow& row : commit.rows) {
        state_.tail_bytes += SizeOf(row);
        Add(std::move(row));
      }
    }
    return state_.digest == commit.stored.state_digest ? "" : WhatDiffers(seq);
  }

 private:
  void Add(StateRow row) {
    RowPlace place = PlaceOf(row);
    const auto before = state_.rows.find(place);
    if (before != state_.rows.end()) state_.digest -= DigestOf(before->second, &fields_);
    if (row.value) {
      state_.digest += DigestOf(row, &fields_);
      state_.rows.insert_or_assign(std::move(place), std::move(row));
    } else if (before != state_.rows.end()) {
      state_.rows.erase(before);
    }
  }

  PgState& state_;
  FieldBuffer fields_;
};

}  // namespace

Status PgHistory::Damaged(const std::string& what) const {
  return {StatusCode::kDataLoss, "ledger " + name_ + " is damaged: " + what};
}

Status PgHistory::Hold() {
  Result<PgHead> head = Head();
  if (!head.ok()) return head.status();
  held_ = *std::move(head);
  return Status::Ok();
}

Result<PgHead> PgHistory::Head() const {
  if (held_) return *held_;
  const Result<PgRows> rows = connection_.Run(kHead, {std::string_view(shard_)});
  const bool missing =
      rows.status().code() == StatusCode::kNotFound || (rows.ok() && rows->empty());
  if (missing) return Status(StatusCode::kNotFound, "ledger " + name_ + " does not exist");
  if (!rows.ok()) return rows.status();
  if (rows->Number(0, 4) > kPgVersion) {
    return Status(StatusCode::kFailedPrecondition,
                  "ledger " + name_ + " is of version " + std::to_string(rows->Number(0, 4)) +
                      "; this Muster knows versions up to " + std::to_string(kPgVersion));
  }
  if (rows->Number(0, 4) < kPgVersion) {
    return Status(StatusCode::kFailedPrecondition,
                  "ledger " + name_ + " is of version " + std::to_string(rows->Number(0, 4)) +
                      "; opening it for writing brings it to version " +
                      std::to_string(kPgVersion));
  }
  const std::optional<ChainHash> hash = HashFrom(rows->Text(0, 2));
  if (!hash) return Damaged("the hash of its head is unreadable");
  return PgHead{rows->Number(0, 0), rows->Number(0, 1), *hash, std::string(rows->Text(0, 3))};
}

Status PgHistory::Walk(std::int64_t first, const PgHead& head,
                       const std::function<Status(BatchCommit& commit)>& visitor,
                       std::int64_t* broken) const {
  const Result<PgBase> base = WholeBase();
  if (!base.ok()) return base.status();
  first = std::max(first, base->base.first);
  std::int64_t expected = first;
  const auto fail = [&](const std::string& what) {
    if (broken != nullptr) *broken = expected;
    return Damaged("commit " + std::to_string(expected) + ": " + what);
  };
  ChainLinks links;
  ChainHash newest = kFirstPrevHash;
  while (expected <= head.seq) {
    const Result<PgRows> rows =
        connection_.Run(kBatches, {std::string_view(shard_), expected, head.seq});
    if (!rows.ok()) return rows.status();
    if (rows->empty()) return fail("it is missing");
    for (int i = 0; i < rows->size(); ++i) {
      Result<std::vector<BatchCommit>> batch = DecodeBatch(rows->Text(i, 2), rows->Text(i, 3));
      if (!batch.ok() || batch->empty()) return fail("its group cannot be read");
      if (batch->back().stored.record.seq != rows->Number(i, 0) ||
          Bytes(batch->back().stored.hash) != rows->Text(i, 1)) {
        return fail("its group is not where it should be");
      }
      for (BatchCommit& commit : *batch) {
        const StoredCommit& stored = commit.stored;
        if (stored.record.seq < expected) continue;
        if (stored.record.seq != expected) return fail("it is missing");
        const std::string what =
            links.Check(stored.record, stored.state_digest, Bytes(stored.prev), Bytes(stored.hash));
        if (!what.empty()) return fail(what);
        newest = stored.hash;
        if (visitor) {
          if (Status status = visitor(commit); !status.ok()) return status;
        }
        ++expected;
      }
    }
  }
  if (first <= head.seq && newest != head.hash)
    return fail("the newest commit is not the one at the head");
  return Status::Ok();
}

Result<PgBase> PgHistory::WholeBase() const {
  if (base_) return *base_;
  Result<PgBase> base = Snapshots().Base();
  if (base.status().code() == StatusCode::kDataLoss) return Damaged(base.status().message());
  if (base.ok()) base_ = *base;
  return base;
}

Result<PgState> PgHistory::Rows(const PgHead& head) const {
  Result<PgState> state = Snapshots().Newest(head.seq);
  if (state.status().code() == StatusCode::kDataLoss) return Damaged(state.status().message());
  if (!state.ok()) return state;
  if (Status status = Follow(head, &*state); !status.ok()) return status;
  return state;
}

Status PgHistory::WalkOn(std::int64_t last, const PgHead& head,
                         const std::function<Status(BatchCommit& commit)>& visitor) const {
  if (head.seq < last) {
    return {StatusCode::kDataLoss,
            "ledger " + name_ + " ends with commit " + std::to_string(head.seq) + ", but commit " +
                std::to_string(last) + " was there: the database has lost what it confirmed"};
  }
  return Walk(std::max<std::int64_t>(last, 1), head, visitor);
}

Status PgHistory::Differs(std::int64_t seq) const { return Damaged(WhatDiffers(seq)); }

Status PgHistory::Follow(const PgHead& head, PgState* state) const {
  StateSum sum(state);
  return WalkOn(state->last.seq, head, [&](BatchCommit& commit) {
    const std::string wrong = sum.Add(commit);
    return wrong.empty() ? Status::Ok() : Damaged(wrong);
  });
}

Status PgHistory::LoadWhole(const StateVisitor& visitor) const {
  const Result<PgHead> head = Head();
  if (!head.ok()) return head.status();
  const Result<PgState> state = Rows(*head);
  if (!state.ok()) return state.status();
  for (const auto& [place, row] : state->rows) {
    if (Status status = visitor(row); !status.ok()) return status;
  }
  return Status::Ok();
}

Status PgHistory::ReadChain(std::int64_t first, const ChainVisitor& visitor) const {
  const Result<PgHead> head = Head();
  if (!head.ok()) return head.status();
  return Walk(first, *head, [&](const BatchCommit& commit) {
    return visitor ? visitor(commit.stored) : Status::Ok();
  });
}

Result<LastCommit> PgHistory::Last() const {
  const Result<PgHead> head = Head();
  if (!head.ok()) return head.status();
  const Result<HistoryBase> base = Base();
  if (!base.ok()) return base.status();
  LastCommit last;
  // The newest cycle may be in any group; mostly it is in one of the last.
  for (std::int64_t first = head->seq; head->seq >= base->first;
       first = std::max(first / 2, base->first)) {
    const Status status = Walk(first, *head, [&last](const BatchCommit& commit) {
      const CommitRecord& record = commit.stored.record;
      last = {record.seq, record.at, record.cycle != 0 ? record.cycle : last.cycle};
      return Status::Ok();
    });
    if (!status.ok()) return status;
    if (last.cycle != 0 || first == base->first) break;
  }
  return last;
}

Result<HistoryBase> PgHistory::Base() const {
  const Result<PgBase> base = WholeBase();
  if (!base.ok()) return base.status();
  return base->base;
}

Status PgHistory::LoadBase(const StateVisitor& visitor) const {
  const Result<HistoryBase> base = Base();
  if (!base.ok() || base->state_at == 0) return base.status();
  const Result<PgHead> head = Head();
  if (!head.ok()) return head.status();
  const Result<PgState> state = Snapshots().Read(base->state_at);
  if (!state.ok()) return Damaged(state.status().message());
  std::optional<std::uint64_t> said;
  const Status found = Walk(base->state_at, *head, [&said](const BatchCommit& commit) {
    said = commit.stored.state_digest;
    return Status(StatusCode::kFailedPrecondition, "enough");
  });
  if (!said) return found;
  if (*said != state->digest) return Damaged(WhatDiffers(base->state_at));
  for (const auto& [place, row] : state->rows) {
    if (Status status = visitor(row); !status.ok()) return status;
  }
  return Status::Ok();
}

Status PgHistory::ReadCarried(const CarriedVisitor& visitor) const {
  const Result<PgBase> base = WholeBase();
  if (!base.ok()) return base.status();
  for (const CarriedEvent& carried : base->carried) {
    if (Status status = visitor(carried); !status.ok()) return status;
  }
  return Status::Ok();
}

Result<StoredPolicy> PgHistory::LoadPolicy(std::string_view hash) const {
  const Result<PgRows> rows = connection_.Run(
      "SELECT path, bytes, digest FROM muster_policy WHERE shard = $1 AND hash = $2 ORDER BY path "
      "COLLATE \"C\"",
      {std::string_view(shard_), hash});
  if (!rows.ok()) return rows.status();
  StoredPolicy policy{std::string(hash), {}};
  FieldBuffer fields;
  for (int i = 0; i < rows->size(); ++i) {
    const std::string_view path = rows->Text(i, 0);
    const std::string_view bytes = rows->Text(i, 1);
    const auto digest = static_cast<std::uint64_t>(rows->Number(i, 2));
    if (DigestOfPolicyFile(hash, path, bytes, &fields) != digest) {
      return Damaged("file " + std::string(path) + " of policy " + policy.hash);
    }
    policy.files.push_back({std::string(path), std::string(bytes)});
  }
  if (!policy.files.empty()) return policy;
  return Status(StatusCode::kNotFound, "the ledger holds no policy package " + policy.hash);
}

Result<std::vector<std::string>> PgHistory::PolicyHashes() const {
  const Result<PgRows> rows = connection_.Run(
      "SELECT DISTINCT hash COLLATE \"C\" FROM muster_policy WHERE shard = $1 ORDER BY 1",
      {std::string_view(shard_)});
  if (!rows.ok()) return rows.status();
  std::vector<std::string> hashes;
  for (int i = 0; i < rows->size(); ++i) hashes.emplace_back(rows->Text(i, 0));
  return hashes;
}

Result<VerifyReport> PgHistory::Verify(const VerifyOptions& options) const {
  VerifyReport report;
  Status unreadable;
  const auto add = [&](const Status& status) {
    if (status.code() == StatusCode::kUnavailable) unreadable = status;
    if (report.findings.size() < kMaxFindings) report.findings.push_back(status.message());
  };
  const Result<PgHead> head = Head();
  if (!head.ok()) return head.status();
  std::map<std::string, std::int64_t> named;  // packages, and the first commit that names each
  // The state is added up from where its rows are known on, not from the newest snapshot.
  const Result<PgBase> base = WholeBase();
  if (!base.ok()) add(base.status());
  std::map<std::int64_t, std::uint64_t> said;  // by the commits after which there are snapshots
  const Result<std::vector<std::int64_t>> snapshots = Snapshots().Seqs();
  if (!snapshots.ok()) return snapshots.status();
  for (const std::int64_t seq : *snapshots) said.emplace(seq, 0);
  PgState state;
  const std::int64_t rows_from = base.ok() ? base->rows_from : 1;
  if (rows_from > 1) {
    Result<PgState> begin = Snapshots().Read(rows_from - 1);
    if (!begin.ok()) add(Damaged(begin.status().message()));
    if (begin.ok()) state = *std::move(begin);
  }
  StateSum sum(&state);
  bool adds_up = true;
  const auto check = [&](BatchCommit& commit) {
    const CommitRecord& record = commit.stored.record;
    ++report.commits;
    report.events += static_cast<std::int64_t>(record.events.size());
    for (const PolicyUse& use : record.policies) named.emplace(use.hash, record.seq);
    for (const Event& event : record.events) {
      if (!event.policy_hash.empty()) named.emplace(event.policy_hash, record.seq);
    }
    const auto snapshot = said.find(record.seq);
    if (snapshot != said.end()) snapshot->second = commit.stored.state_digest;
    if (record.seq < rows_from - 1 || !adds_up) return Status::Ok();
    const std::string wrong = sum.Add(commit);
    adds_up = wrong.empty();
    if (!adds_up) add(Damaged(wrong));
    return Status::Ok();
  };
  const Status chain = base.ok() ? Walk(1, *head, check, &report.first_bad_commit) : base.status();
  if (base.ok() && !chain.ok()) add(chain);
  for (const auto& [seq, digest] : said) {
    if (!chain.ok() || seq > head->seq) continue;
    const Result<PgState> snapshot = Snapshots().Read(seq);
    if (snapshot.status().code() == StatusCode::kNotFound) {
      // The writer may drop old ones meanwhile.
      const Result<std::vector<std::int64_t>> now = Snapshots().Seqs();
      if (now.ok() && std::find(now->begin(), now->end(), seq) == now->end()) continue;
    }
    if (!snapshot.ok()) {
      add(Damaged(snapshot.status().message()));
    } else if (snapshot->digest != digest) {
      add(Damaged("the snapshot: " + WhatDiffers(seq)));
    }
  }
  for (const auto& [place, row] : state.rows) {
    ++report.rows;
    if (!options.rows) continue;
    const Status status = options.rows(row.table, row.key, *row.value);
    if (!status.ok()) add({status.code(), "row " + row.key + ": " + status.message()});
  }
  const Result<PgRows> beyond =
      connection_.Run("SELECT count(*) FROM muster_batch WHERE shard = $1 AND seq > $2",
                      {std::string_view(shard_), head->seq});
  if (!beyond.ok()) return beyond.status();
  const Result<PgRows> alone = connection_.Run(kWithoutGroup, {std::string_view(shard_)});
  if (!alone.ok()) return alone.status();
  if (alone->Number(0, 0) > 0) add(Damaged("there are changes whose group of commits is missing"));
  const Result<std::vector<std::string>> hashes = PolicyHashes();
  if (!hashes.ok()) return hashes.status();
  for (const std::string& hash : *hashes) {
    named.erase(hash);
    const Result<StoredPolicy> policy = LoadPolicy(hash);
    if (!policy.ok()) {
      add(policy.status());
    } else if (options.policy_hash && options.policy_hash(*policy) != hash) {
      add(Damaged("policy " + hash + " has other files than its hash says"));
    }
  }
  for (const auto& [hash, seq] : options.policy_hash ? named : decltype(named)()) {
    add(Damaged("policy " + hash + " is missing, which commit " + std::to_string(seq) + " names"));
  }
  // A writer may have gone on since; what is beyond the head that there is now is none of its.
  const Result<PgHead> now = Head();
  if (now.ok() && now->seq == head->seq && beyond->Number(0, 0) > 0) {
    add(Damaged("there are groups of commits behind the newest"));
  }
  if (!unreadable.ok()) return unreadable;
  return report;
}

}  // namespace muster
