// Batches are fetched some at a time, so that memory does not grow with the history.
#include "db/postgres/history.h"

#include <algorithm>
#include <set>

#include "db/chain_links.h"
#include "engine/model/names.h"

namespace muster {
namespace {

constexpr const char* kHead =
    "SELECT epoch, seq, head_hash, holder FROM muster_shard WHERE id = $1";
/// As many as stay well below a few megabytes where groups are large.
constexpr const char* kBatches =
    "SELECT seq, hash, body FROM muster_batch WHERE shard = $1 AND seq >= $2 AND seq <= $3 "
    "ORDER BY seq LIMIT 16";

}  // namespace

RowPlace PlaceOf(const StateRow& row) {
  const bool split =
      row.table == StateRow::Table::kWorkload || row.table == StateRow::Table::kObject;
  if (!split) return {row.table, row.key, ""};
  const SplitKey key = SplitAtSlash(row.key);
  return {row.table, std::string(key.first), std::string(key.rest)};
}

std::uint64_t DigestOf(const StateRow& row, FieldBuffer* fields) {
  if (row.table != StateRow::Table::kWorkload) {
    return DigestOf(row.table, row.key, *row.value, fields);
  }
  static const WorkloadSummary kNone;
  const WorkloadSummary& summary = row.workload ? *row.workload : kNone;
  const SplitKey key = SplitAtSlash(row.key);
  return DigestOf(
      WorkloadRow{key.first, key.rest, summary.uid, summary.local_queue, summary.cluster_queue,
                  EnumName(summary.phase), summary.priority, summary.created, summary.reserved_at,
                  summary.admitted_at, summary.finished_at, *row.value},
      fields);
}

Status PgHistory::Damaged(const std::string& what) const {
  return {StatusCode::kDataLoss, "ledger " + name_ + " is damaged: " + what};
}

Result<PgHead> PgHistory::Head() const {
  const Result<PgRows> rows = connection_.Run(kHead, {std::string_view(shard_)});
  const bool missing =
      rows.status().code() == StatusCode::kNotFound || (rows.ok() && rows->empty());
  if (missing) return Status(StatusCode::kNotFound, "ledger " + name_ + " does not exist");
  if (!rows.ok()) return rows.status();
  const std::optional<ChainHash> hash = HashFrom(rows->Text(0, 2));
  if (!hash) return Damaged("the hash of its head is unreadable");
  return PgHead{rows->Number(0, 0), rows->Number(0, 1), *hash, std::string(rows->Text(0, 3))};
}

Status PgHistory::Walk(std::int64_t first, const PgHead& head,
                       const std::function<Status(BatchCommit& commit)>& visitor,
                       std::int64_t* broken) const {
  std::int64_t expected = std::max<std::int64_t>(first, 1);
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
      Result<std::vector<BatchCommit>> batch = DecodeBatch(rows->Text(i, 2));
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
  const bool ends = expected > 1 && first <= head.seq;
  if (ends && newest != head.hash) return fail("the newest commit is not the one at the head");
  return Status::Ok();
}

Result<std::map<RowPlace, StateRow>> PgHistory::Rows(const PgHead& head, LastCommit* last) const {
  std::map<RowPlace, StateRow> rows;
  std::uint64_t stored = 0;
  const Status status = Walk(1, head, [&](BatchCommit& commit) {
    const CommitRecord& record = commit.stored.record;
    stored = commit.stored.state_digest;
    if (last != nullptr) {
      *last = {record.seq, record.at, record.cycle != 0 ? record.cycle : last->cycle};
    }
    for (StateRow& row : commit.rows) {
      RowPlace place = PlaceOf(row);
      if (row.value) {
        rows[std::move(place)] = std::move(row);
      } else {
        rows.erase(place);
      }
    }
    return Status::Ok();
  });
  if (!status.ok()) return status;
  std::uint64_t sum = 0;
  FieldBuffer fields;
  for (const auto& [place, row] : rows) sum += DigestOf(row, &fields);
  if (sum != stored) {
    return Damaged("the rows of current state are not those of the newest commit");
  }
  return rows;
}

Status PgHistory::Load(const RowVisitor& visitor) const {
  const Result<PgHead> head = Head();
  if (!head.ok()) return head.status();
  const Result<std::map<RowPlace, StateRow>> rows = Rows(*head);
  if (!rows.ok()) return rows.status();
  for (const auto& [place, row] : *rows) {
    if (Status status = visitor(row.table, row.key, *row.value); !status.ok()) return status;
  }
  return Status::Ok();
}

Status PgHistory::ReadCommits(std::int64_t first, const CommitVisitor& visitor) const {
  const Result<PgHead> head = Head();
  if (!head.ok()) return head.status();
  return Walk(first, *head,
              [&](const BatchCommit& commit) { return visitor(commit.stored.record); });
}

Result<LastCommit> PgHistory::Last() const {
  const Result<PgHead> head = Head();
  if (!head.ok()) return head.status();
  LastCommit last;
  // The newest cycle may be in any group; mostly it is in one of the last.
  for (std::int64_t first = head->seq; first >= 1; first = first / 2) {
    const Status status = Walk(first, *head, [&last](const BatchCommit& commit) {
      const CommitRecord& record = commit.stored.record;
      last = {record.seq, record.at, record.cycle != 0 ? record.cycle : last.cycle};
      return Status::Ok();
    });
    if (!status.ok()) return status;
    if (last.cycle != 0) break;
  }
  return last;
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
  const Status chain = Walk(
      1, *head,
      [&](const BatchCommit& commit) {
        const CommitRecord& record = commit.stored.record;
        ++report.commits;
        report.events += static_cast<std::int64_t>(record.events.size());
        for (const PolicyUse& use : record.policies) named.emplace(use.hash, record.seq);
        for (const Event& event : record.events) {
          if (!event.policy_hash.empty()) named.emplace(event.policy_hash, record.seq);
        }
        return Status::Ok();
      },
      &report.first_bad_commit);
  if (!chain.ok()) add(chain);
  if (chain.ok()) {
    const Result<std::map<RowPlace, StateRow>> rows = Rows(*head);
    if (!rows.ok()) add(rows.status());
    for (const auto& [place, row] : rows.ok() ? *rows : std::map<RowPlace, StateRow>()) {
      ++report.rows;
      if (!options.rows) continue;
      const Status status = options.rows(row.table, row.key, *row.value);
      if (!status.ok()) add({status.code(), "row " + row.key + ": " + status.message()});
    }
  }
  const Result<PgRows> beyond =
      connection_.Run("SELECT count(*) FROM muster_batch WHERE shard = $1 AND seq > $2",
                      {std::string_view(shard_), head->seq});
  if (!beyond.ok()) return beyond.status();
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
