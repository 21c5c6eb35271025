// Usage: which queue held how much quota for how long, told by the events of a ledger.
//
// A workload holds what its QuotaReserved event says was charged, less the pods that are reclaimed
// or resized away, until QuotaReleased or Finished; not while it is inactive or its ClusterQueue is
// gone. At every moment the holders of a ClusterQueue share its nominal quota of each flavor and
// resource in the order in which they got their quota: the first take what they hold from it, and
// what no longer fits is borrowed. So the borrowed part of a queue is max(0, usage - nominal), and
// which workload borrows changes when an earlier one ends or the quota is edited.
#ifndef MUSTER_BINDINGS_CPP_USAGE_H_
#define MUSTER_BINDINGS_CPP_USAGE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "muster/journal.h"
#include "muster/spec.h"
#include "muster/status.h"
#include "muster/types.h"
#include "muster/workload.h"

namespace muster {

/// Base units (see AdmissionPayload) times nanoseconds.
__extension__ typedef __int128 QuotaTime;

/// What the rows of a report stand for.
struct UsageGroup {
  enum class By { kQueue, kNamespace, kLabel };
  By by = By::kQueue;
  std::string label;  ///< of kLabel
};

struct UsageRow {
  std::string group;  ///< empty: of workloads without the label
  std::string flavor;
  std::string resource;
  QuotaTime nominal = 0;
  QuotaTime borrowed = 0;
  QuotaTime preempted = 0;  ///< of both: of runs that were preempted, so their work is lost
};

class UsageMeter {
 public:
  /// Measures [since, until): what was held before and after is cut off. A workload that still
  /// holds at the end of the events holds until `until`.
  UsageMeter(UsageGroup group, TimeNs since, TimeNs until);

  /// The events of the next commit, which was at `at`. kDataLoss: one cannot be read. O(events,
  /// and holders of a queue whose quota changes).
  Status Add(TimeNs at, std::span<const Event> events);
  /// Ends the measuring. Rows by group, flavor and resource; none without time.
  std::vector<UsageRow> Finish();

  /// Runs whose events hold no amounts, written before version 2 of the ledger: not measured.
  std::int64_t unmeasured() const { return unmeasured_; }

 private:
  using FlavorResource = std::pair<std::string, std::string>;
  using Charges = std::map<FlavorResource, Amount>;
  using Rows = std::map<std::tuple<std::string, std::string, std::string>, UsageRow>;

  struct Assigned {
    std::string pod_set;
    std::int32_t count = 0;
    Charges charged;
  };
  struct Job {
    SharedMap<LabelMap> labels;
    std::map<std::string, std::int32_t> counts;       ///< by podset
    std::map<std::string, std::int32_t> reclaimable;  ///< by podset
    bool active = true;
    bool reserved = false;
    bool preempted = false;  ///< in this run
    std::string cluster_queue;
    std::string group;        ///< of this run
    std::uint64_t order = 0;  ///< rises with each reservation
    std::vector<Assigned> assigned;
    Charges held;
    std::map<FlavorResource, QuotaTime> run;  ///< in the span, since the quota was reserved
  };
  /// What a job holds of one flavor and resource.
  struct Piece {
    UsageRow* row = nullptr;
    QuotaTime* run = nullptr;
    Amount amount = 0;
    Amount nominal = 0;  ///< so much of it is from nominal quota
    TimeNs since = kNoTime;
  };
  /// What holds a flavor and resource of a queue.
  struct Pool {
    Amount quota = 0;
    Amount given = 0;                       ///< sum of the nominal parts
    std::map<std::uint64_t, Piece> pieces;  ///< by order of reservation
    std::set<std::uint64_t> borrowing;      ///< those that are not all nominal
  };
  struct Queue {
    bool exists = false;
    std::map<FlavorResource, Pool> pools;
  };

  Status Submitted(const Event& event);
  Status Reserved(const Event& event);
  Status Updated(const Event& event);
  Status QueueApplied(const Event& event);
  void QueueDeleted(const std::string& name);
  /// The quota is given back; `lost`: and so is what was done.
  void EndRun(Job& job, bool lost);
  void BeginRun(Job& job, const Key& key);

  /// Brings what `job` holds in line with what is known about it.
  void Sync(Job& job);
  Charges ChargesOf(const Job& job) const;
  void Take(Job& job, const FlavorResource& what, Amount amount);
  void Give(Job& job, const FlavorResource& what);
  void Settle(Piece& piece);
  void SetNominal(Pool& pool, std::uint64_t order, Amount nominal);
  /// Hands the quota out anew, to the earliest first.
  void Refill(Pool& pool);

  const UsageGroup group_;
  const TimeNs since_;
  const TimeNs until_;
  TimeNs now_ = kNoTime;
  std::uint64_t reservations_ = 0;
  std::int64_t unmeasured_ = 0;
  std::map<std::string, Job> jobs_;  ///< by "namespace/name"
  std::map<std::string, Queue> queues_;
  Rows rows_;
};

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_USAGE_H_
