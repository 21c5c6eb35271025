// Time to start: the present is run forward many times, with run times and arrivals as the record
// knows them, and each time says when a pending workload starts.
//
//   eta::Record record;                          // fed with the calls of a ledger
//   auto said = eta::Estimate(record, engine, now, {&key, 1}, {});
//   said->front().waits[eta::kP90];              // nine of ten futures start it before
#ifndef MUSTER_BINDINGS_ETA_ESTIMATE_H_
#define MUSTER_BINDINGS_ETA_ESTIMATE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bindings/eta/record.h"
#include "muster/engine.h"

namespace muster::eta {

/// The parts of all futures, in thousandths, whose waits are told. The first and the last bound the
/// 90 % interval, the second and the fourth the 50 % interval.
inline constexpr std::array<std::int64_t, 6> kLevels = {50, 250, 500, 750, 900, 950};
/// Indices in kLevels.
inline constexpr std::size_t kP5 = 0, kP25 = 1, kP50 = 2, kP75 = 3, kP90 = 4, kP95 = 5;

/// Waits from the moment of the question on, ascending, one for each of kLevels.
using Waits = std::array<DurationNs, kLevels.size()>;

struct EstimateOptions {
  std::size_t futures = 39;  ///< so that every level is one of them exactly
  /// No future is looked at for longer, nor than RunForward says; a wait of this is "later than
  /// that, or never". When nothing of what is asked starts in the first five, there are no
  /// others.
  DurationNs horizon = 30 * 24 * 3600 * kSecond;
  bool arrivals = true;  ///< others come meanwhile, as they came in the past
  std::uint64_t seed = 1;
};

struct Outlook {
  Key workload;
  Waits waits{};
  std::size_t futures = 0;  ///< that were looked at
  std::size_t never = 0;    ///< of them, those in which it did not start before the horizon
  std::string why_never;    ///< what it waited for at the end of the first of those
  /// It cannot start as objects are, whatever else ends: no future was looked at.
  bool is_never = false;
  /// It starts in no future, and in one of them nothing happens any more: of what it waits for it
  /// is not known how long that runs.
  bool is_unknown = false;
};

/// The entry of `ascending`, which is not empty, below which so many thousandths of a new value's
/// chances are: (n + 1) `level` / 1000, rounded up, counted from 1.
DurationNs AtLevel(std::span<const DurationNs> ascending, std::int64_t level);

/// When each of `asked`, which are pending in `engine`, will start. The same record, state, time
/// and options give the same answer on every machine. kNotFound. kFailedPrecondition: it does not
/// wait.
/// O(futures x (state + cycles until it starts)).
Result<std::vector<Outlook>> Estimate(const Record& record, const Engine& engine, TimeNs now,
                                      std::span<const Key> asked, const EstimateOptions& options);

}  // namespace muster::eta

#endif  // MUSTER_BINDINGS_ETA_ESTIMATE_H_
