// Accounts: what the engine remembers for policies, which have no memory of their own.
//
// A package declares them; the engine charges them natively, in the transaction of the decisions,
// and keeps them with its state. An account is its rule. Two packages that declare the same rule
// share it, and a generation that is rolled back finds it as it went on meanwhile.
#ifndef MUSTER_ACCOUNT_H_
#define MUSTER_ACCOUNT_H_

#include <cstdint>
#include <string>

#include "muster/types.h"

namespace muster {

/// Label of a workload that names its user, for accounts by user.
inline constexpr const char* kUserLabel = "muster.dev/user";

enum class AccountBy { kLocalQueue, kClusterQueue, kNamespace, kLabel, kUser };

enum class AccountOf {
  kResource,    ///< hours of a resource while quota is held, running workloads included
  kPreempted,   ///< hours of a resource that preemptions destroyed, charged to the one that caused
                ///< them
  kAdmissions,  ///< quota reservations
  kLastAdmission,  ///< no sum: when quota was reserved last, in seconds since the epoch
  kLost,           ///< as kPreempted, charged to whose work it was
};

/// What an account forgets.
enum class AccountOver {
  kHalfLife,     ///< decays continuously by half in each span
  kWindow,       ///< at most the last span, cut where a 64th of it begins
  kCalendarDay,  ///< what was before the last midnight, UTC
  kWeek,         ///< what was before the last midnight from Sunday to Monday, UTC
  kNothing,
};

struct AccountRule {
  AccountBy by = AccountBy::kLocalQueue;
  std::string label;  ///< of kLabel
  AccountOf of = AccountOf::kResource;
  std::string resource;  ///< of kResource, kPreempted and kLost
  AccountOver over = AccountOver::kNothing;
  DurationNs span = 0;  ///< of kHalfLife and kWindow

  auto operator<=>(const AccountRule&) const = default;
  std::string ByText() const;    ///< "label:team"
  std::string OfText() const;    ///< "preempted:cpu"
  std::string OverText() const;  ///< "half-life 7d"
};

/// An account under the name that a package gives it.
struct DeclaredAccount {
  std::string name;
  AccountRule rule;
};

/// What one account says about one queue, namespace, label value or user.
struct AccountView {
  AccountRule rule;
  std::string key;
  double value = 0;      ///< at the time of the last call; cores, bytes or devices times hours
  double rate = 0;       ///< charged now, in cores, bytes or devices
  bool declared = true;  ///< false: no active package reads it; it is kept for a rollback
};

}  // namespace muster

#endif  // MUSTER_ACCOUNT_H_
