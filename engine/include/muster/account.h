// Accounts: what the engine remembers for policies, which have no memory of their own.
//
// A package declares them; the engine charges them natively, in the transaction of the decisions,
// and keeps them with its state. An account is its rule. Two packages that declare the same rule
// share it, and a generation that is rolled back finds it as it went on meanwhile.
#ifndef MUSTER_ACCOUNT_H_
#define MUSTER_ACCOUNT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

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
  // What happened, each time counted as one.
  kSubmitted,  ///< became known; not when it is submitted again with changes
  kAdmitted,   ///< quota reservations
  kFinished,   ///< ended, well or not
  kFailed,     ///< of those the ones that failed
  kCancelled,  ///< taken back before they ended
  kEvicted,    ///< told to leave while quota was reserved, whatever the reason; with a resource:
               ///< what was held of it then
  // What there is now.
  kRunning,  ///< workloads that hold quota, until the pods of an evicted one are gone
  kPending,  ///< workloads that wait for quota, in a backoff or without a queue too
  kHeld,     ///< what is charged of a resource
};

/// What an account forgets.
enum class AccountOver {
  kHalfLife,     ///< decays continuously by half in each span
  kWindow,       ///< the last span; see AccountRule::IsExact
  kCalendarDay,  ///< what was before the last midnight, UTC
  kWeek,         ///< what was before the last midnight from Sunday to Monday, UTC
  kNothing,
};

/// Of what a key is made.
struct AccountKeyPart {
  AccountBy by = AccountBy::kLocalQueue;
  std::string label;  ///< of kLabel
  auto operator<=>(const AccountKeyPart&) const = default;
};

struct AccountRule {
  AccountBy by = AccountBy::kLocalQueue;
  std::string label;  ///< of kLabel
  AccountOf of = AccountOf::kResource;
  std::string resource;  ///< of kResource, kPreempted, kLost and kHeld; maybe of kEvicted
  AccountOver over = AccountOver::kNothing;
  DurationNs span = 0;  ///< of kHalfLife and kWindow

  std::vector<AccountKeyPart> also;  ///< the other parts of a key that has several
  /// Labels that a workload must have to count, all of them; "" where it has none of the name.
  std::map<std::string, std::string, std::less<>> where;

  auto operator<=>(const AccountRule&) const = default;
  /// It is of what there is now: nothing of it is stored, it follows from the workloads.
  bool IsOfNow() const;
  /// A window of it counts to the second, one of more than 4096 seconds to a 4096th. Others are
  /// cut where a 64th of the window begins.
  bool IsExact() const;
  std::string ByText() const;     ///< "label:team,user"
  std::string OfText() const;     ///< "preempted:cpu"
  std::string OverText() const;   ///< "half-life 7d"
  std::string WhereText() const;  ///< "tier=gold,zone=a"; "": all count
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
  double rate = 0;       ///< charged now, in cores, bytes or devices; or workloads there are now
  bool declared = true;  ///< false: no active package reads it; it is kept for a rollback
};

}  // namespace muster

#endif  // MUSTER_ACCOUNT_H_
