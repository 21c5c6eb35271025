// Read-only pictures of the engine's state, for people and for tools. Copies: they stay valid.
#ifndef MUSTER_VIEWS_H_
#define MUSTER_VIEWS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/decision.h"
#include "muster/object.h"
#include "muster/policy.h"
#include "muster/spec.h"
#include "muster/trace.h"
#include "muster/types.h"
#include "muster/workload.h"

namespace muster {

enum class WorkloadPhase { kPending, kReserved, kAdmitted, kEvicting, kInactive, kFinished };
std::string_view PhaseName(WorkloadPhase phase);  ///< "Pending"

/// Why a policy holds a workload back: hook hold.
struct HoldView {
  std::string policy;  ///< its package
  std::string reason;
  TimeNs until = kNoTime;  ///< kNoTime: the policy did not say
};

struct WorkloadView {
  Workload spec;  ///< with its status brought up to date
  std::string cluster_queue;
  WorkloadPhase phase = WorkloadPhase::kPending;
  std::int64_t priority = 0;      ///< effective
  std::int32_t boost = 0;         ///< of `priority`, what was added to that of the workload
  std::string boosted_by;         ///< the policy package that did; empty: its annotation
  TimeNs checkpointed = kNoTime;  ///< when this run last saved what it had done
  bool parked = false;
  bool held = false;  ///< waits in no queue: its LocalQueue or ClusterQueue is stopped or missing
  PendingReason reason = PendingReason::kNone;
  std::string message;
  /// What was found of its class, with which it is parked; kNone where it was looked at itself.
  PendingReason class_reason = PendingReason::kNone;
  TimeNs pending_since = kNoTime;  ///< when a cycle first said why it waits
  /// Of a pending one: why its queue starts nothing, as "ClusterQueue a is stopped"; empty: it is
  /// open.
  std::string closed = {};
  /// Its ClusterQueue is charged with what its admission says. One that was deactivated is not,
  /// though its pods may run until it is reported Evicted.
  bool charged = false;
  std::optional<HoldView> hold = {};  ///< it is on hold
};

/// One (flavor, resource) of a ClusterQueue or Cohort; amounts in base units.
struct QuotaView {
  std::string flavor;
  std::string resource;
  Amount nominal = 0;  ///< what it brings in itself
  std::optional<Amount> borrowing_limit;
  std::optional<Amount> lending_limit;
  Amount total = 0;      ///< nominal quota of all below and its own; of a queue: `nominal`
  Amount usage = 0;      ///< of a cohort: what the queues below use
  Amount taken = 0;      ///< of a cohort: of `usage`, what those below do not keep for themselves
  Amount borrowed = 0;   ///< of `usage`, what comes from above
  Amount lent = 0;       ///< idle quota that is in use elsewhere in the tree
  Amount offered = 0;    ///< of `total`, what those above may see: lending limits keep the rest
  Amount available = 0;  ///< what could be taken now, borrowing included
};

struct ClusterQueueView {
  ClusterQueue spec;
  bool active = false;
  std::string inactive_reason;  ///< "Stopped", "FlavorNotFound", ...
  std::string inactive_message;
  std::vector<QuotaView> quotas;
  double weighted_share = 0;  ///< dominant resource share; +inf for a borrower of weight 0
  std::int64_t pending = 0;   ///< in the heap
  std::int64_t parked = 0;
  std::int64_t held = 0;       ///< wait for a LocalQueue that is stopped
  std::int64_t on_hold = 0;    ///< held back by a policy
  std::int64_t reserving = 0;  ///< hold quota
  std::int64_t admitted = 0;
};

struct CohortView {
  Cohort spec;
  bool implicit = false;  ///< only named by others, never applied
  std::vector<std::string> child_cohorts;
  std::vector<std::string> cluster_queues;
  std::vector<QuotaView> quotas;
  double weighted_share = 0;
};

struct LocalQueueView {
  LocalQueue spec;
  std::int64_t pending = 0;  ///< heap, parked and on hold
  std::int64_t held = 0;     ///< wait, in no heap: this or its ClusterQueue is stopped or missing
  std::int64_t reserving = 0;
  std::int64_t admitted = 0;
  double fair_sharing_usage = 0;  ///< admission fair sharing; 0 when off
};

/// What comes of a PolicyBinding.
struct PolicyBindingView {
  std::string name;
  std::vector<Hook> decides;          ///< for one ClusterQueue at least
  std::vector<std::string> problems;  ///< why it decides nothing, or less than one may think
};

/// One difference between what was decided and what a candidate would have decided.
struct ShadowSample {
  std::int64_t cycle = 0;
  std::string what;       ///< "head of QUEUE", "admitted", "preempted"
  std::string active;     ///< only those that decided
  std::string candidate;  ///< only the candidate
};

/// A candidate beside what decides, since Engine::ShadowPolicy.
struct ShadowReport {
  std::string package;  ///< empty: there is no candidate
  std::string hash;
  std::int64_t cycles = 0;    ///< compared
  std::int64_t skipped = 0;   ///< too much was waiting to look at it twice
  std::int64_t failures = 0;  ///< cycles in which the candidate failed
  std::string last_failure;
  std::int64_t other_heads = 0;       ///< queues whose first job was another one, over all cycles
  std::int64_t other_admissions = 0;  ///< cycles in which others would have started
  std::int64_t other_victims = 0;     ///< cycles in which others would have been evicted
  std::vector<ShadowSample> samples;  ///< the first 20
};

/// A workload that uses what a pending one lacks.
struct HolderView {
  Key workload;
  std::string cluster_queue;
  std::string flavor;
  std::string resource;
  Amount amount = 0;
  bool borrowing = false;  ///< its queue uses more than its nominal quota here
  bool evictable = false;  ///< the asking workload would evict it, or could instead of another
  std::string why;         ///< it is not evictable
};

/// A workload that will be looked at earlier in the same ClusterQueue.
struct AheadView {
  Key workload;
  std::string key;  ///< first key in which it wins: "priority", "queue timestamp", "uid", ...
  std::string theirs;
  std::string ours;
};

/// A value in the quotas of a ClusterQueue or Cohort that would have to be higher.
enum class QuotaField { kNominalQuota, kBorrowingLimit };
struct QuotaRaise {
  ObjectKind kind = ObjectKind::kClusterQueue;  ///< or kCohort
  std::string name;
  QuotaField field = QuotaField::kNominalQuota;
  std::string flavor;
  std::string resource;
  Amount from = 0;
  Amount to = 0;
};

/// Raises that together would let a workload fit beside all that runs, were it its turn. Tried, and
/// proven minimal: with any of them lower by one it does not fit.
struct Remedy {
  std::vector<QuotaRaise> raises;
};

/// So many pods of the podset would fit beside all that runs, the other podsets as they are: no
/// larger number would.
struct MostPods {
  std::string pod_set;
  std::int32_t fits = 0;
  std::int32_t asked = 0;
};

/// What is proven of a search for victims. Its candidates are the holders of quota that the
/// preemption rules of the ClusterQueue let the workload evict, in the queues that it takes from.
enum class SearchProof {
  kNone,        ///< no search was made
  kMinimal,     ///< no fewer candidates than it takes make room
  kBound,       ///< it takes `taken`; fewer than `fewest` make no room
  kImpossible,  ///< no set of candidates makes room: `binding` is short though all of them leave
  kRefused,     ///< all candidates together would make room; `spared_by` says why none was
  kOpen,        ///< nothing: more than quota limits, or there are too many candidates to tell
};
std::string_view ProofName(SearchProof proof);  ///< "Minimal"

/// A rule by which a search spares candidates that would help.
enum class SparingRule {
  kBorrowWithinCohort,  ///< others stay where the workload would borrow
  kOwnQuota,            ///< a queue or cohort keeps what is within its quota
  kFairSharing,         ///< the strategies of fair sharing protect them
  kBudget,              ///< a budget that hook victim keeps is used up
  kProtection,          ///< hook victim protects them
  kLimits,              ///< hook preempt_limits forbids the set that was found
};
std::string_view RuleName(SparingRule rule);  ///< "BorrowWithinCohort"

struct SparedBy {
  SparingRule rule = SparingRule::kBorrowWithinCohort;
  std::string policy;  ///< the package whose hook it is; empty: it is no hook
};

/// A quota or limit on the way from a ClusterQueue to the root that stays short.
struct BindingQuota {
  ObjectKind kind = ObjectKind::kClusterQueue;  ///< or kCohort
  std::string name;
  QuotaField field = QuotaField::kNominalQuota;  ///< kNominalQuota: of it and of all below it
  std::string flavor;
  std::string resource;
  Amount missing = 0;  ///< above 0
};

/// About the flavors that the walk chose, with all pods. Claims of numbers are about quota: where
/// anything else limits, as places on nodes, more may be needed, and no set is named.
struct SearchCertificate {
  SearchProof proof = SearchProof::kNone;
  std::int64_t candidates = 0;   ///< those that were looked at, all of them unless there are more
  bool more_candidates = false;  ///< there may be others, of which sums alone were looked at
  std::int64_t taken = 0;        ///< victims that were found
  std::int64_t fewest = 0;       ///< so many candidates have to leave at least; 0: none is known
  /// Of kBound: `fewest` candidates that would make room, which the rules or the order of
  /// candidates do not take together. Empty: not known.
  std::vector<Key> smaller;
  std::optional<BindingQuota> binding;  ///< of kImpossible
  std::vector<SparedBy> spared_by;      ///< of kRefused: all that had a part in it
};

/// Answer to "why does it wait".
struct Explanation {
  WorkloadView workload;
  std::string verdict;                 ///< the cause, with figures
  std::string cure;                    ///< what would let it start; empty: time and turns alone
  bool never = false;                  ///< it cannot start as objects are, whatever else leaves
  std::vector<std::string> notes;      ///< what decides here against what one may think
  TimeNs until = kNoTime;              ///< when time alone ends what `verdict` names, if it does
  std::vector<Remedy> remedies;        ///< alternatives; of one that finds no room and no victims
  std::vector<MostPods> most_pods;     ///< of the same; by podset, where some would fit
  std::vector<FlavorAttempt> flavors;  ///< if it were nominated now
  bool fewest_pods = false;            ///< `flavors` are about the least that it may start with
  /// What it could evict now: the first in the order of the search, and what else it would take.
  std::vector<CandidateTrace> candidates;
  bool more_candidates = false;     ///< there are others
  SearchCertificate certificate;    ///< of the search among `candidates`
  std::int64_t holder_count = 0;    ///< all of them; `holders` lists at most kMaxHolders
  std::vector<HolderView> holders;  ///< of the (flavor, resource)s it is short of
  std::vector<AheadView> ahead;     ///< nearest to the head first, at most kMaxAhead
  std::int64_t ahead_count = 0;
  std::string order_policy;  ///< "fifo-priority (native)" or "NAME@HASH FILE:LINE"
};

}  // namespace muster

#endif  // MUSTER_VIEWS_H_
