#include "db/postgres/snapshot_keeper.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "db/postgres/connection.h"
#include "db/postgres/history.h"
#include "db/postgres/snapshots.h"
#include "engine/base/caught.h"

namespace muster {
namespace {

/// Makes one now, of the newest commit; its size.
Result<std::int64_t> TakeSnapshot(const PgPlace& place) {
  Result<PgConnection> connection = PgConnection::Open(place.url);
  if (!connection.ok()) return connection.status();
  const PgHistory history(*connection, place.shard, place.shown);
  const Result<PgHead> head = history.Head();
  if (!head.ok()) return head.status();
  if (head->seq == 0) return 0;
  Result<PgState> state = history.Rows(*head);
  if (!state.ok()) return state.status();
  std::vector<StateRow> rows;
  rows.reserve(state->rows.size());
  std::int64_t bytes = 0;
  for (auto& [row_place, row] : state->rows) {
    bytes += SizeOf(row);
    rows.push_back(std::move(row));
  }
  const PgSnapshots snapshots(*connection, place.shard);
  Status status = connection->RunScript("BEGIN");
  if (status.ok()) status = snapshots.Write(state->last, rows, /*kept=*/false);
  if (status.ok()) status = snapshots.DropOld();
  if (status.ok()) status = connection->RunScript("COMMIT");
  if (!status.ok()) return status;
  return bytes;
}

}  // namespace

struct SnapshotKeeper::State {
  PgPlace place;
  std::int64_t least_bytes;
  std::mutex mutex;
  std::condition_variable changed;
  bool stopping = false;
  std::int64_t snapshot = 0;  ///< size of the newest
  std::int64_t since = 0;     ///< bytes of history after it
  std::thread thread;

  bool Due() const { return since >= std::max(least_bytes, 2 * snapshot); }
  void Run();
};

Result<std::unique_ptr<SnapshotKeeper>> SnapshotKeeper::Start(const PgPlace& place,
                                                              std::int64_t least_bytes) {
  auto state = std::make_unique<State>();
  state->place = place;
  state->least_bytes = least_bytes;
  std::unique_ptr<SnapshotKeeper> keeper(new SnapshotKeeper(std::move(state)));
  try {
    keeper->state_->thread = std::thread([runs = keeper->state_.get()] { runs->Run(); });
  } catch (const std::system_error& error) {
    return Status(StatusCode::kUnavailable,
                  std::string("no thread for snapshots: ") + error.what());
  }
  return keeper;
}

SnapshotKeeper::SnapshotKeeper(std::unique_ptr<State> state) : state_(std::move(state)) {}

SnapshotKeeper::~SnapshotKeeper() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->changed.notify_one();
  if (state_->thread.joinable()) state_->thread.join();
}

void SnapshotKeeper::Grown(std::int64_t snapshot, std::int64_t bytes) {
  bool due = false;
  {
    const std::lock_guard lock(state_->mutex);
    if (snapshot > 0) state_->snapshot = snapshot;
    state_->since += bytes;
    due = state_->Due();
  }
  if (due) state_->changed.notify_one();
}

void SnapshotKeeper::State::Run() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return stopping || Due(); });
    if (stopping) return;
    since = 0;
    lock.unlock();
    const Result<std::int64_t> size =
        Guarded([this]() -> Result<std::int64_t> { return TakeSnapshot(place); });
    lock.lock();
    // After a failure the next one is tried when as much has come again.
    if (size.ok()) snapshot = *size;
  }
}

}  // namespace muster
