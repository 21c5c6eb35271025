// See certificate.h.
#include "engine/certify/certificate.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "engine/base/amount.h"
#include "engine/capacity/quota_trial.h"
#include "engine/certify/fewest.h"
#include "engine/certify/quota_limits.h"
#include "engine/preempt/candidates.h"

namespace muster {
namespace {

class Certifier {
 public:
  Certifier(World& world, const WorkloadRecord& workload, const SearchReport& report)
      : world_(world),
        queue_(world.queue(workload.queue)),
        tree_(world.tree_of(queue_)),
        report_(report),
        request_{workload, queue_, report.demand, report.contested},
        limits_(tree_, queue_.node, report.demand) {
    for (const QueueId id : report.queues) List(world.queue(id));
  }

  SearchCertificate Certify(const std::vector<Victim>& victims) {
    certificate_.taken = static_cast<std::int64_t>(victims.size());
    std::erase_if(leavers_, [this](const Leaver& leaver) { return !Helps(leaver); });
    if (victims.empty()) {
      ProveNone();
    } else {
      ProveFewest(victims.size());
    }
    return std::move(certificate_);
  }

 private:
  void List(const ClusterQueueState& from) {
    const PreemptionRules& rules = queue_.spec.preemption;
    const PreemptionPolicy policy =
        from.id == queue_.id ? rules.within_cluster_queue : rules.reclaim_within_cohort;
    if (from.holders.size() > may_read_) {
      std::vector<Usage> most = MostToGain(request_, from, policy);
      if (most.empty()) return;
      certificate_.more_candidates = true;
      leavers_.push_back({nullptr, from.node, std::move(most)});
      return;
    }
    may_read_ -= from.holders.size();
    if (policy == PreemptionPolicy::kNever || !from.active) return;
    const CandidateOrder order(world_, queue_.id, {});
    const std::set<WorkloadId> none_gone;
    const CandidateScope scope{request_, order, none_gone};
    from.holders.ForEach([&](const WorkloadRecord& holder) {
      if (report_.spared.contains(holder.id()) || !IsCandidate(scope, policy, holder)) return;
      ++certificate_.candidates;
      leavers_.push_back({&holder, from.node, {holder.usage.begin(), holder.usage.end()}});
    });
  }

  bool Helps(const Leaver& leaver) const {
    const std::vector<QuotaLimit>& all = limits_.all();
    return std::any_of(all.begin(), all.end(), [&](const QuotaLimit& limit) {
      return limits_.Gain(limit, leaver.queue, leaver.usage) > 0;
    });
  }

  void ProveFewest(std::size_t taken) {
    // Where quota is not what is short, it says no more than that one has to leave.
    const Fewest fewest =
        limits_.all().empty() ? Fewest{1, {}} : FindFewest(tree_, limits_, leavers_, taken);
    certificate_.fewest = static_cast<std::int64_t>(fewest.number);
    certificate_.proof = fewest.number == taken ? SearchProof::kMinimal : SearchProof::kBound;
    if (!report_.quota_alone) return;
    for (const WorkloadRecord* holder : fewest.set) {
      certificate_.smaller.push_back(holder->spec.key);
    }
  }

  void ProveNone() {
    QuotaTrial trial(tree_);
    for (const Leaver& leaver : leavers_) trial.Release(leaver.queue, leaver.usage);
    if (!limits_.AnyMissing()) return SayWhatSpares();
    certificate_.proof = SearchProof::kImpossible;
    certificate_.binding = Binding();
    for (const WorkloadId id : report_.spared) TryRemoval(world_, trial, id);
    if (report_.spared.empty() || limits_.AnyMissing() || !report_.quota_alone) return;
    if (certificate_.more_candidates) return;
    certificate_.proof = SearchProof::kRefused;
    certificate_.binding.reset();
    Refuse(SparingRule::kProtection, report_.protector);
  }

  /// The first of those that are short of most, by what share of the demand it is.
  BindingQuota Binding() const {
    const QuotaLimit* binding = nullptr;
    for (const QuotaLimit& limit : limits_.all()) {
      if (limits_.Missing(limit) <= 0) continue;
      if (binding == nullptr || ShareMissing(limit) > ShareMissing(*binding)) binding = &limit;
    }
    const QuotaNode& node = tree_.node(binding->node);
    const FlavorResourceId pair = tree_.ColumnPair(binding->column);
    return {node.queue.valid() ? ObjectKind::kClusterQueue : ObjectKind::kCohort,
            node.name,
            binding->field,
            world_.names.FlavorName(world_.names.FlavorOf(pair)),
            world_.names.ResourceName(world_.names.ResourceOf(pair)),
            limits_.Missing(*binding)};
  }

  double ShareMissing(const QuotaLimit& limit) const {
    return static_cast<double>(limits_.Missing(limit)) / static_cast<double>(limit.demand);
  }

  /// Without all candidates there is quota enough.
  void SayWhatSpares() {
    certificate_.proof = SearchProof::kRefused;
    if (!report_.limiter.empty()) return Refuse(SparingRule::kLimits, report_.limiter);
    if (!report_.quota_alone || certificate_.more_candidates) {
      certificate_.proof = SearchProof::kOpen;
      return;
    }
    std::set<SparingRule> rules;
    for (const Leaver& leaver : leavers_) {
      if (!report_.tried.contains(leaver.holder->id())) rules.insert(RuleFor(*leaver.holder));
    }
    for (const SparingRule rule : rules) {
      Refuse(rule, rule == SparingRule::kBudget ? report_.budgeter : "");
    }
  }

  SparingRule RuleFor(const WorkloadRecord& spared) const {
    if (report_.beyond_budget.contains(spared.id())) return SparingRule::kBudget;
    if (world_.catalog.FairSharing()) return SparingRule::kFairSharing;
    return report_.within_quota.contains(spared.holds_in) ? SparingRule::kOwnQuota
                                                          : SparingRule::kBorrowWithinCohort;
  }

  void Refuse(SparingRule rule, const std::string& policy) {
    certificate_.spared_by.push_back({rule, policy});
  }

  World& world_;
  const ClusterQueueState& queue_;
  QuotaTree& tree_;
  const SearchReport& report_;
  const PreemptionRequest request_;
  const QuotaLimits limits_;
  std::size_t may_read_ = kMostCandidatesRead;
  std::vector<Leaver> leavers_;
  SearchCertificate certificate_;
};

}  // namespace

SearchCertificate Certify(World& world, const WorkloadRecord& workload, const SearchReport& report,
                          const std::vector<Victim>& victims) {
  return Certifier(world, workload, report).Certify(victims);
}

}  // namespace muster
