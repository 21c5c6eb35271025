#include "db/postgres/builder.h"

#include <string_view>
#include <utility>

#include "db/postgres/history.h"
#include "db/postgres/policies.h"
#include "db/postgres/schema.h"
#include "db/postgres/snapshots.h"

namespace muster {
namespace {

// As large as the groups of a busy writer.
constexpr std::int64_t kBatchBytes = 1 << 18;
constexpr std::size_t kBatchCommits = 1000;

}  // namespace

Result<std::unique_ptr<PgBuilder>> PgBuilder::Begin(const std::string& url) {
  if (Status status = PrepareHashing(); !status.ok()) return status;
  Result<PgPlace> place = PlaceFrom(url);
  if (!place.ok()) return place.status();
  Result<PgConnection> opened = PgConnection::Open(place->url);
  if (!opened.ok()) return opened.status();
  std::unique_ptr<PgBuilder> builder(new PgBuilder(*std::move(place), *std::move(opened)));
  if (Status status = builder->Claim(); !status.ok()) return status;
  return builder;
}

Status PgBuilder::Claim() {
  Status status = MakeTables(connection_);
  if (status.ok()) status = connection_.RunScript("BEGIN");
  if (!status.ok()) return status;
  const Result<PgRows> claimed = connection_.Run(
      "INSERT INTO muster_shard (id, version, epoch, seq, head_hash, holder, lease_until) VALUES "
      "($1, $2, 0, 0, $3, '', now()) ON CONFLICT DO NOTHING",
      {std::string_view(place_.shard), std::int64_t{kPgVersion}, PgBytes{Bytes(kFirstPrevHash)}});
  if (!claimed.ok()) return claimed.status();
  if (claimed->affected() == 1) return Status::Ok();
  const Result<PgRows> there = connection_.Run(
      "SELECT seq, holder, CASE WHEN lease_until > now() THEN 1::int8 ELSE 0::int8 END, (SELECT "
      "count(*) FROM muster_policy WHERE "
      "shard = $1) FROM muster_shard WHERE id = $1 FOR UPDATE",
      {std::string_view(place_.shard)});
  if (!there.ok()) return there.status();
  if (there->empty()) return {StatusCode::kUnavailable, "ledger " + place_.shown + " has gone"};
  if (there->Number(0, 0) > 0 || there->Number(0, 3) > 0) {
    return {StatusCode::kFailedPrecondition,
            "ledger " + place_.shown + " is not empty: it has " +
                std::to_string(there->Number(0, 0)) +
                " commits; name a new one with another word after #"};
  }
  if (there->Number(0, 2) != 0) {
    return {StatusCode::kUnavailable,
            "ledger " + place_.shown + " is held by " + std::string(there->Text(0, 1))};
  }
  return Status::Ok();
}

Status PgBuilder::AddCommit(const StoredCommit& commit) {
  if (last_ == 0) base_.base.first = commit.record.seq;
  last_ = commit.record.seq;
  if (commit.record.cycle != 0) cycle_ = commit.record.cycle;
  hash_ = commit.hash;
  state_digest_ = commit.state_digest;
  batch_bytes_ += 200;
  if (commit.record.input) batch_bytes_ += static_cast<std::int64_t>(commit.record.input->size());
  for (const Event& event : commit.record.events) {
    batch_bytes_ += static_cast<std::int64_t>(event.payload.size() + event.subject.size());
  }
  batch_.push_back({commit, {}});
  const bool full = batch_bytes_ >= kBatchBytes || batch_.size() >= kBatchCommits;
  return full ? Flush() : Status::Ok();
}

Status PgBuilder::Flush() {
  if (batch_.empty()) return Status::Ok();
  const std::string body = EncodeBatch(batch_);
  const Result<PgRows> written = connection_.Run(
      "INSERT INTO muster_batch (shard, seq, epoch, hash, body) VALUES ($1, $2, 0, $3, $4)",
      {std::string_view(place_.shard), last_, PgBytes{Bytes(hash_)}, PgBytes{body}});
  batch_.clear();
  batch_bytes_ = 0;
  return written.status();
}

Status PgBuilder::AddPolicy(const StoredPolicy& policy) {
  return WritePolicy(connection_, place_.shard, policy);
}

Status PgBuilder::SetState(std::span<const StateRow> rows) {
  std::uint64_t sum = 0;
  FieldBuffer fields;
  for (const StateRow& row : rows) sum += DigestOf(row, &fields);
  if (sum != state_digest_) {
    return {StatusCode::kDataLoss, "the rows are not those that the newest commit speaks of"};
  }
  base_.rows_from = last_ + 1;
  if (last_ == 0) return Status::Ok();
  return PgSnapshots(connection_, place_.shard)
      .Write({last_, kNoTime, cycle_}, rows, /*kept=*/true);
}

Status PgBuilder::SetBase(const HistoryBase& base, std::span<const StateRow> rows,
                          std::span<const CarriedEvent> events) {
  base_.base = base;
  base_.carried.assign(events.begin(), events.end());
  if (base.state_at == 0) return Status::Ok();
  return PgSnapshots(connection_, place_.shard)
      .Write({base.state_at, kNoTime, 0}, rows, /*kept=*/true);
}

Result<VerifyReport> PgBuilder::Finish(const VerifyOptions& options,
                                       const std::function<Status(const VerifyReport&)>& judge) {
  if (Status status = Flush(); !status.ok()) return status;
  if (last_ > 0) {
    const Status based = PgSnapshots(connection_, place_.shard).WriteBase(base_);
    if (!based.ok()) return based;
  }
  const Result<PgRows> ended = connection_.Run(
      "UPDATE muster_shard SET seq = $2, head_hash = $3, version = $4 WHERE id = $1",
      {std::string_view(place_.shard), last_, PgBytes{Bytes(hash_)}, std::int64_t{kPgVersion}});
  if (!ended.ok()) return ended.status();
  Result<VerifyReport> report = PgHistory(connection_, place_.shard, place_.shown).Verify(options);
  if (!report.ok()) return report;
  if (Status status = judge(*report); !status.ok()) return status;
  if (Status status = connection_.RunScript("COMMIT"); !status.ok()) return status;
  return report;
}

}  // namespace muster
