// VictimRule: what evicting each candidate would cost one preemptor, and how much it may cost at
// all
// - hooks victim and preempt_limits of the policy of the preemptor's queue.
//
// Answers depend on the row of the candidate, the preemptor and its queue, and the usage there is.
// What the hook does not read of these makes no difference, so preemptors share the answers: each
// candidate is asked about once for all of them. A preemptor's first question is a call all the
// same, if only of an empty batch: so calls have the numbers that they would have without sharing.
// A search looks at costs at every comparison, so they are kept by the slot of the candidate.
//
// The limits of a hook are those of whole batches. Where a batch fails that left out what was known
// already, the whole one is asked about, and its outcome counts.
#ifndef MUSTER_ENGINE_POLICY_VICTIM_RULE_H_
#define MUSTER_ENGINE_POLICY_VICTIM_RULE_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/policy/budget.h"
#include "engine/policy/policy_calls.h"

namespace muster {

class VictimRule {
 public:
  using List = std::vector<const WorkloadRecord*>;
  /// So many sets of answers are kept; the first is for what no other preemptor can use.
  static constexpr std::size_t kSets = 16;

  /// `calls` may be null: candidates cost nothing and there are no limits. It must outlive this,
  /// and the holders stay as they are as long as this lives.
  explicit VictimRule(PolicyCalls* calls) : calls_(calls) {}

  /// Begins the search of `preemptor`, which waits in `queue`.
  void Begin(const WorkloadRecord& preemptor, const ClusterQueueState& queue);
  /// Whether the policy of the queue has costs, so that Ask must come before Cost.
  bool scripted() const { return victim_ != nullptr; }
  /// Finds the set of answers that is this preemptor's, `tree` being that of its queue. It stays
  /// the same for all its searches in a row.
  void FindAnswers(const QuotaTree& tree);
  /// Which set that is, and a number that tells it from those that had its place before.
  std::size_t place() const { return place_; }
  /// Whether other preemptors may have the same set.
  bool shared() const { return place_ != 0; }
  /// Whether candidates of the preemptor's own queue have answers apart, as others were told that
  /// it is another's.
  bool own_apart() const { return sets_[place_].own_apart; }
  std::int64_t edition() const { return sets_[place_].edition; }
  /// Asks for the costs of `unknown`, none of which is known. `all()` lists all candidates, in the
  /// order in which they are asked about. O(unknown), and once O(slots).
  void Ask(std::span<const WorkloadRecord* const> unknown, const std::function<List()>& all);
  /// Whether a preemptor's first question was asked, so that there is no need to ask about nothing.
  bool asked() const { return asked_; }
  /// Smaller is evicted rather. Precondition: asked for, if scripted. O(1).
  double Cost(const WorkloadRecord& candidate) const;
  /// Whether the policy forbids to evict it; what is evicted already has nothing to lose.
  bool Protects(const WorkloadRecord& candidate) const {
    return !candidate.evicted && Cost(candidate) == std::numeric_limits<double>::infinity();
  }
  /// Whether the policy keeps budgets, by keys of the candidates.
  bool budgeted() const { return victim_ != nullptr && per_ != nullptr; }
  /// What its eviction spends. Precondition: asked for, and budgeted. O(1).
  const Spending& SpendingOf(const WorkloadRecord& candidate) const;
  /// The key with this number.
  const std::string& KeyOf(const Spending& spending) const { return key_names_[spending.key]; }
  /// Whether these may be evicted together; those evicted already do not count.
  bool Permits(std::span<const WorkloadRecord* const> victims);
  /// The package whose costs count, and the one whose limits do; empty: native.
  std::string package() const { return victim_ == nullptr ? "" : victim_->info().name; }
  const std::string& limiter() const { return limiter_; }

 private:
  struct Limits {
    double victims = std::numeric_limits<double>::infinity();
    double cost = std::numeric_limits<double>::infinity();
  };
  struct Answer {
    std::int64_t edition = 0;  ///< of the set when it was given
    double cost = 0;
    Spending spending = {};
  };
  /// On what the answers depend beside the candidates.
  struct Key {
    const Policy* policy = nullptr;
    std::int64_t search = 0;    ///< not 0: they are for the preemptor of this search alone
    QueueId queue;              ///< valid: for those that wait in this queue
    std::string subject;        ///< what the hook reads of the preemptor; see SubjectKey
    std::string borrowing;      ///< which queues borrow what, if that is all it reads of usage
    std::uint32_t tree = 0;     ///< 0 too if nothing is read of usage
    std::uint64_t version = 0;  ///< of that tree, if it reads how much is used
    bool operator==(const Key&) const = default;
  };
  struct Answers {
    Key key;
    std::int64_t edition = 0;
    bool own_apart = false;
    std::vector<Answer> costs;      ///< by WorkloadSlot
    std::vector<Answer> own_costs;  ///< likewise, apart: as asked by their own queue
  };
  Key KeyOf(const QuotaTree& tree);
  bool IsApart(const Answers& set, const WorkloadRecord& candidate) const {
    return set.own_apart && candidate.holds_in == queue_->id;
  }
  void AskLimits();
  /// `answers`: of each candidate as many as the hook has.
  void Keep(std::span<const WorkloadRecord* const> candidates, std::span<const double> answers);
  HookOutcome Try(std::span<const WorkloadRecord* const> candidates, std::vector<double>* answers);
  std::size_t AnswersEach() const { return per_ == nullptr ? 1 : 3; }
  const Answer& AnswerOf(const WorkloadRecord& candidate) const;
  std::uint32_t NumberOf(const WorkloadRecord& candidate);
  /// An empty batch for the policy, in the memory of the last one.
  PolicyBatch& NewBatch();

  PolicyCalls* calls_;
  const WorkloadRecord* preemptor_ = nullptr;
  const ClusterQueueState* queue_ = nullptr;
  Policy* victim_ = nullptr;    ///< null: native
  const std::vector<AccountKeyPart>* per_ = nullptr;  ///< its key of budgets; null: it keeps none
  std::map<std::string, std::uint32_t> keys_;         ///< of budgets, and their numbers
  std::vector<std::string> key_names_;                ///< by number
  std::int64_t search_ = 0;     ///< counts preemptors
  std::int64_t found_for_ = 0;  ///< the search whose set place_ is
  std::vector<Answers> sets_;   ///< kSets of them, or none before one is asked for
  std::size_t place_ = 0;
  std::size_t newest_ = 0;  ///< the set that was begun last
  std::int64_t editions_ = 0;
  bool asked_ = false;  ///< for this preemptor
  std::optional<PolicyBatch> batch_;
  const Policy* batch_of_ = nullptr;  ///< whose hook the batch is for
  bool limits_known_ = false;
  Limits limits_;
  std::string limiter_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_VICTIM_RULE_H_
