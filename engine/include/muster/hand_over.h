// Decisions as they are handed over: each with a number, kept until every consumer has
// acknowledged it.
//
// A gateway registers as a consumer, acts on the decisions behind its cursor, and acknowledges
// them. One that dies between a decision and acting sees it again; one that has acted already knows
// by the number. Without a consumer no decision is numbered or kept.
#ifndef MUSTER_HAND_OVER_H_
#define MUSTER_HAND_OVER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "muster/types.h"
#include "muster/workload.h"

namespace muster {

/// Consumers of one engine at a time.
inline constexpr std::size_t kMaxConsumers = 64;
inline constexpr std::size_t kMaxConsumerName = 63;  ///< bytes
/// Decisions that are kept. Where the slowest consumer is further behind, cycles are refused until
/// it acknowledges or is removed: nothing is ever dropped.
inline constexpr std::size_t kMaxDecisionsKept = 4'000'000;

enum class DecisionKind {
  kStart,       ///< start its pods, all of them
  kStartAgain,  ///< the same, of one that was told to leave before
  kReserve,     ///< quota is reserved; its admission checks are to be answered
  kMakeRoom,    ///< it was preempted: stop its pods
  kEvict,       ///< it has to leave: on request, its queue is stopped, a check says retry
  kExpire,      ///< it has to leave: a time limit
  kRefuse,      ///< it will not be started: a check rejected it, or it was requeued too often
  kWithdraw,    ///< it was cancelled while it held quota: stop its pods
};
std::string_view DecisionName(DecisionKind kind);  ///< "start"

struct Decision {
  std::int64_t number = 0;  ///< from 1, without gaps; never used twice in a ledger
  DecisionKind kind = DecisionKind::kStart;
  TimeNs at = kNoTime;
  std::int64_t cycle = 0;  ///< the newest cycle at that time
  Key workload;
  std::string uid;     ///< tells it from an earlier one of the same name
  std::string reason;  ///< of its condition Evicted: "Preempted", "PodsReadyTimeout", ...
  Key by;              ///< of kMakeRoom: the one that takes its place
  /// It may have pods: stop them, and report Evicted when they are gone. After kWithdraw there is
  /// nothing to report.
  bool stop = false;
  std::optional<Admission> admission;  ///< of kStart, kStartAgain, kReserve
  /// Which run of the job this is about, from 1: it is higher after each time that the job was told
  /// to leave, and the same in all that is decided about one run. 0: about none, it only waited.
  std::int64_t run = 0;
  bool operator==(const Decision&) const = default;
};

/// One that takes decisions over, and how far it is.
struct ConsumerView {
  std::string name;
  std::int64_t acknowledged = 0;  ///< the number up to which it has; 0: none
  std::int64_t behind = 0;        ///< decisions after that
  TimeNs oldest_at = kNoTime;     ///< time of the first of them; kNoTime: none
  TimeNs registered_at = kNoTime;
  TimeNs acknowledged_at = kNoTime;  ///< when it last did; kNoTime: never
  bool operator==(const ConsumerView&) const = default;
};

}  // namespace muster

#endif  // MUSTER_HAND_OVER_H_
