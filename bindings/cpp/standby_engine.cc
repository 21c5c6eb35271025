// See standby_engine.h.
#include "bindings/cpp/standby_engine.h"

#include "bindings/cpp/journal_route.h"
#include "bindings/cpp/stored_policies.h"
#include "engine/base/caught.h"
#include "muster/log.h"

namespace muster {
namespace {

std::string Place(const StateRow& row) {
  const char* const tables[] = {"object ", "workload ", "queue ", "engine "};
  return tables[static_cast<std::size_t>(row.table)] + row.key;
}

Status CompareRows(const std::vector<StateRow>& recorded, const std::vector<StateRow>& now) {
  for (std::size_t i = 0; i < recorded.size() && i < now.size(); ++i) {
    if (recorded[i] == now[i]) continue;
    return {StatusCode::kDataLoss, "its row " + Place(recorded[i]) + " came out otherwise"};
  }
  if (recorded.size() == now.size()) return Status::Ok();
  return {StatusCode::kDataLoss, "it has " + std::to_string(recorded.size()) +
                                     " rows and came to " + std::to_string(now.size())};
}

}  // namespace

Status StandbyEngine::Begin(const LastCommit& last, std::vector<StateRow> rows, FindPolicy find) {
  replayer_ = std::make_unique<Replayer>(
      [find = std::move(find)](std::string_view hash) { return LoadPolicyByHash(find, hash); });
  seq_ = last.seq;
  return replayer_->Begin({last.seq + 1, last.seq}, rows).status();
}

Status StandbyEngine::Follow(const BatchCommit& commit) {
  const CommitRecord& record = commit.stored.record;
  if (record.seq != seq_ + 1) {
    return {StatusCode::kInternal,
            "commit " + std::to_string(record.seq) + " came after " + std::to_string(seq_)};
  }
  Status status = replayer_->Redo(record);
  if (status.ok()) status = CompareRows(commit.rows, replayer_->redone_rows());
  seq_ = record.seq;
  if (status.ok()) return status;
  return {status.code(), "commit " + std::to_string(record.seq) + " (" + record.command +
                             "): " + status.message()};
}

void StandbyEngine::End(const Status& why) noexcept {
  replayer_.reset();
  (void)Guarded([&] {
    Log(LogLevel::kWarning,
        "ledger " + shown_ +
            ": no engine is kept ready, and taking over takes longer: " + why.message());
    return Status::Ok();
  });
}

std::optional<Replayer::Released> StandbyEngine::Take(std::int64_t seq) {
  if (replayer_ == nullptr || seq_ != seq) return std::nullopt;
  return std::exchange(replayer_, nullptr)->Release();
}

}  // namespace muster
