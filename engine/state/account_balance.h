// AccountBalance: what one key of an account has come to.
//
// Method: between two events the charged amount is constant, so the sum up to any time has a closed
// form. An event settles the balance up to its time and goes on with another amount: O(1). Reading
// changes nothing. Windows of what is counted keep each second in which something was, and the sum.
#ifndef MUSTER_ENGINE_STATE_ACCOUNT_BALANCE_H_
#define MUSTER_ENGINE_STATE_ACCOUNT_BALANCE_H_

#include <cstdint>
#include <vector>

#include "engine/base/amount.h"
#include "muster/account.h"

namespace muster {

struct AccountBalance {
  TimeNs at = kNoTime;        ///< settled up to here
  double total = 0;           ///< until `at`, natural units times hours; unused by windows
  std::vector<double> parts;  ///< windows: sums by 64ths, the running one last
  Amount rate = 0;  ///< charged since `at`, in base units, or there now; derived from the workloads

  /// What was counted in one slot of an exact window.
  struct Count {
    std::int64_t slot = 0;  ///< its begin, in widths of a slot since the epoch
    Amount amount = 0;
  };
  std::vector<Count> counts;  ///< exact windows: those that still count, the newest last
  Amount counted = 0;         ///< their sum

  /// Takes everything up to `now` into account. O(1); at most 64 steps under a window, and what
  /// has left an exact one.
  void Settle(const AccountRule& rule, TimeNs now);
  /// Adds what happened at one time, in hours. Precondition: settled.
  void Add(const AccountRule& rule, double amount);
  /// Adds what was counted at `now`, in base units. Precondition: settled.
  void Add(const AccountRule& rule, Amount amount, TimeNs now);
  /// Takes over what was stored, in its order.
  void Restore(const Count& count);
  double ValueAt(const AccountRule& rule, TimeNs now) const;
};

/// The end of the last period of the rule's that ended at `now` or before; kNoTime: it has none.
TimeNs PeriodEndBefore(const AccountRule& rule, TimeNs now);

/// An amount of the rule's resource in cores, bytes or devices.
double InNaturalUnits(const AccountRule& rule, Amount amount);

inline constexpr double kNsPerHour = 3600e9;

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_ACCOUNT_BALANCE_H_
