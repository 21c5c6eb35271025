// LeaseKeeper: says again and again that a writer lives, on a thread and a connection of its own.
//
// Whatever it fails at costs the lease at worst, never safety: each commit checks the epoch itself.
// Now and then it ends the sessions of writers, of any ledger of the database, that stand still
// between the halves of a group.
#ifndef MUSTER_DB_POSTGRES_LEASE_KEEPER_H_
#define MUSTER_DB_POSTGRES_LEASE_KEEPER_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "db/postgres/connection.h"
#include "db/postgres/place.h"
#include "muster/status.h"

namespace muster {

/// A process of this machine as the holder of a ledger: "process 7 on host".
std::string NameOfHolder(int process);

class LeaseKeeper {
 public:
  /// kUnavailable when the system gives no thread.
  /// Sets `lost`, which must outlive it, once another has the lease, and asks no more.
  static Result<std::unique_ptr<LeaseKeeper>> Start(const PgPlace& place, std::int64_t epoch,
                                                    std::chrono::milliseconds lease,
                                                    std::atomic<bool>* lost);
  /// Ends the thread; waits for a statement that is on its way.
  ~LeaseKeeper();
  LeaseKeeper(const LeaseKeeper&) = delete;
  LeaseKeeper& operator=(const LeaseKeeper&) = delete;

 private:
  struct State;
  explicit LeaseKeeper(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_LEASE_KEEPER_H_
