// StandbyTurns: tells a store that waits for its ledger when there is something to do, so that one
// that looks for many ledgers at once saves each the looking.
#ifndef MUSTER_DB_STANDBY_TURNS_H_
#define MUSTER_DB_STANDBY_TURNS_H_

#include <cstdint>

#include "muster/status.h"

namespace muster {

/// Called by the thread that opens the store.
class StandbyTurns {
 public:
  virtual ~StandbyTurns() = default;

  /// Waits until the ledger has commits after `followed`, the newest that is known (-1: none), or
  /// the store may try to take it; whether it may. One that may is asked again after each try, so
  /// it waits for a moment then, too. An error ends the opening.
  virtual Result<bool> MayTake(std::int64_t followed) = 0;
  /// The ledger is taken and open; whether its engine was `kept_ready`.
  virtual void Opened(bool kept_ready) = 0;
};

}  // namespace muster

#endif  // MUSTER_DB_STANDBY_TURNS_H_
