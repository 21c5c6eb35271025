// SnapshotKeeper: makes snapshots beside a writer, on a thread and a connection of its own.
//
// It reads the newest one and what came since, and stores the sum. So a commit never waits for it,
// and when it fails nothing is lost but time at the next opening. Each is as large as what came
// since the one before, at least: so all of them cost no more than the history itself.
#ifndef MUSTER_DB_POSTGRES_SNAPSHOT_KEEPER_H_
#define MUSTER_DB_POSTGRES_SNAPSHOT_KEEPER_H_

#include <cstdint>
#include <memory>

#include "db/postgres/place.h"
#include "muster/status.h"

namespace muster {

class SnapshotKeeper {
 public:
  /// kUnavailable when the system gives no thread.
  static Result<std::unique_ptr<SnapshotKeeper>> Start(const PgPlace& place,
                                                       std::int64_t least_bytes);
  /// Ends the thread; waits for a snapshot that is being made.
  ~SnapshotKeeper();
  SnapshotKeeper(const SnapshotKeeper&) = delete;
  SnapshotKeeper& operator=(const SnapshotKeeper&) = delete;

  /// The history has grown by `bytes`; `snapshot`, unless 0, is the size of the newest one.
  void Grown(std::int64_t snapshot, std::int64_t bytes);

 private:
  struct State;
  explicit SnapshotKeeper(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_SNAPSHOT_KEEPER_H_
