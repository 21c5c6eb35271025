// See explain.h.
#include "engine/explain/explain.h"

#include <cstdint>
#include <set>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include "engine/assign/flavor_assigner.h"
#include "engine/assign/partial_admission.h"
#include "engine/base/amount.h"
#include "engine/base/time_text.h"
#include "engine/certify/certificate.h"
#include "engine/cycle/nominate.h"
#include "engine/explain/explain_notes.h"
#include "engine/explain/foresee.h"
#include "engine/explain/holder_list.h"
#include "engine/explain/lack.h"
#include "engine/explain/verdict.h"
#include "engine/explain/views.h"
#include "engine/kin/elastic_job.h"
#include "engine/kin/slices.h"
#include "engine/life/kept_room.h"
#include "engine/life/queueing.h"
#include "engine/model/limits.h"
#include "engine/policy/hold_rule.h"
#include "engine/policy/policy_calls.h"
#include "engine/policy/queue_order.h"
#include "engine/remedy/remedies.h"
#include "engine/state/places.h"
#include "muster/quantity.h"

namespace muster {
namespace {

/// Pairs that the workload is short of in the flavors that were tried; of `chosen` ones alone
/// where it has found victims there.
std::set<std::pair<std::string, std::string>> ShortPairs(const std::vector<FlavorAttempt>& flavors,
                                                         bool chosen) {
  std::set<std::pair<std::string, std::string>> pairs;
  for (const FlavorAttempt& attempt : flavors) {
    if (chosen && !attempt.chosen) continue;
    for (const ResourceAttempt& resource : attempt.resources) {
      if (resource.shortage > 0) pairs.insert({attempt.flavor, resource.resource});
    }
  }
  return pairs;
}

class Explainer {
 public:
  Explainer(World& world, PolicyTable& policies, WorkloadRecord& workload)
      : world_(world), policies_(policies), workload_(workload) {}

  Explanation Explain() {
    explanation_.workload = ViewOf(world_, workload_);
    if (workload_.queue.valid()) {
      NamePolicy();
      if (workload_.queued()) {
        NominateAsInACycle();
        LookAtPlaces();
        AskWhetherHeld();
        ListAhead();
        LookAtOtherHeads();
      }
      ListHolders();
    }
    GiveVerdict(world_, workload_, hypothesis_, explanation_);
    AddNotes(world_, policies_, workload_, hypothesis_, explanation_);
    NameFailures();
    return std::move(explanation_);
  }

 private:
  void NamePolicy() {
    const Decider decider =
        policies_.Find(world_, world_.queue(workload_.queue), Hook::kQueueOrder);
    if (decider.policy == nullptr) {
      explanation_.order_policy = "fifo-priority (native)";
      return;
    }
    for (const Policy* policy : decider.All()) {
      const PolicyInfo& info = policy->info();
      std::string& text = explanation_.order_policy;
      if (!text.empty()) text += ", then ";
      text += info.name + "@" + info.hash.substr(0, 12) + " " +
              FindHook(*policy, Hook::kQueueOrder)->place;
    }
  }

  /// Says which hooks have no say now, because they fail.
  void NameFailures() {
    for (const PolicyFailure& failure : failures_) {
      if (failure.hook == HookName(Hook::kQueueOrder)) {
        explanation_.order_policy =
            "fifo-priority (native), as queue_order of " + explanation_.order_policy + " fails";
      }
      explanation_.verdict += " Hook " + failure.hook + " of policy " + failure.policy +
                              " fails, so the built-in rule decides: " + failure.message +
                              " (fuel " + std::to_string(failure.fuel) + ").";
    }
  }

  /// With the room charged that is kept for other queues; what it would be without is asked where
  /// that stands in its way.
  void NominateAsInACycle() {
    const std::uint32_t tree = world_.queue(workload_.queue).tree;
    const WorkloadRecord* keeper = OtherKeeperIn(tree);
    if (keeper != nullptr) {
      NominateNow();
      if (hypothesis_.entry.assignment().mode == AssignmentMode::kFit)
        hypothesis_.kept_for = keeper;
    }
    const CapacityMark mark(world_.capacity, tree);
    ChargeKeptRoom(world_, std::span(&tree, 1));
    TakeRoom(world_, workload_.queue);
    NominateNow();
  }

  void LookAtPlaces() {
    const Entry& entry = hypothesis_.entry;
    if (!entry.nominated || entry.assignment().mode == AssignmentMode::kFit) return;
    hypothesis_.places = WhatPlacesLack(world_, workload_, entry);
  }

  /// One that no cycle has seen yet may be held back in the next one.
  void AskWhetherHeld() {
    hypothesis_.hold = workload_.hold();
    const ClusterQueueState& queue = world_.queue(workload_.queue);
    if (!hypothesis_.hold.policy.empty() || !queue.pending.InHeap(workload_.key)) return;
    PolicyCalls calls(world_, policies_, world_.cycle + 1, PolicyCalls::Record::kForget);
    if (auto hold = AskHold(world_, calls, workload_, queue)) hypothesis_.hold = *std::move(hold);
    failures_.insert(failures_.end(), calls.failures().begin(), calls.failures().end());
  }

  /// One of another queue of the tree for which room is kept; null when there is none.
  const WorkloadRecord* OtherKeeperIn(std::uint32_t tree) const {
    for (const auto& [queue, keeper] : world_.kept_room) {
      if (queue != workload_.queue && world_.queue(queue).tree == tree) {
        return &world_.workload(keeper);
      }
    }
    return nullptr;
  }

  void NominateNow() {
    PolicyCalls calls(world_, policies_, world_.cycle + 1, PolicyCalls::Record::kForget);
    PreemptionSearch search(world_, {}, &calls);
    Entry entry = NominateWith(search, calls, true);
    explanation_.flavors = std::move(entry.attempts);
    const bool blocked =
        entry.nominated && entry.assignment().mode != AssignmentMode::kFit && entry.victims.empty();
    explanation_.fewest_pods = blocked && TryFewestPods(search, calls);
    explanation_.remedies.clear();
    explanation_.most_pods.clear();
    if (blocked) {
      MeasureWhatEvictionsFree(search);
      FindWhatWouldFit(calls);
    }
    failures_ = calls.failures();
    explanation_.candidates.clear();
    explanation_.more_candidates = false;
    if (entry.report != nullptr) {
      explanation_.candidates = entry.report->candidates;
      explanation_.more_candidates = entry.report->more_candidates;
    }
    const bool searched = entry.report != nullptr && entry.nominated &&
                          entry.assignment().mode == AssignmentMode::kPreempt;
    explanation_.certificate = searched
                                   ? Certify(world_, workload_, *entry.report, entry.victims)
                                   : SearchCertificate();
    hypothesis_.entry = std::move(entry);
  }

  Entry NominateWith(PreemptionSearch& search, PolicyCalls& calls, bool traced) {
    Entry entry;
    Seldom<FlavorProgress> progress = workload_.TakeProgress();
    do {  // again without a hook that failed
      entry = {};
      entry.Begin(workload_.id(), workload_.queue);
      Nominate(world_, search, entry, nullptr, traced);
    } while (calls.TakeFailed());
    workload_.SetProgress(std::move(progress));
    return entry;
  }

  /// Not of a slice: it asks for a difference only.
  void FindWhatWouldFit(PolicyCalls& calls) {
    if (ReplacedBy(world_, workload_) != nullptr) return;
    const auto fits = [&] {
      PreemptionSearch search(world_, {}, &calls);
      const Entry entry = NominateWith(search, calls, false);
      return entry.nominated && entry.assignment().mode == AssignmentMode::kFit;
    };
    explanation_.remedies =
        FindRemedies(world_, workload_, PodsAskedFor(workload_, explanation_), fits);
    // Where pods have places, which ones are taken depends on their number.
    if (!world_.capacity.places().empty() || AsksForPlaces(workload_)) return;
    PreemptionSearch search(world_, {}, &calls);
    explanation_.most_pods =
        FindMostPods(world_, workload_, [&](std::span<const std::int32_t> pods) {
          AssignmentMode mode{};
          do {
            mode = FlavorAssigner(world_, world_.queue(workload_.queue), search, &calls)
                       .Assign(workload_, pods, FlavorProgress())
                       .mode;
          } while (calls.TakeFailed());
          return mode == AssignmentMode::kFit;
        });
  }

  /// With the fewest pods that it may start with, it lacks least; false: it starts with all.
  bool TryFewestPods(PreemptionSearch& search, PolicyCalls& calls) {
    const PartialAdmission partial(workload_.pod_sets);
    if (!partial.Possible() || !world_.catalog.Gate("PartialAdmission", true)) return false;
    const std::vector<std::int32_t> counts = partial.Fewest();
    FlavorAssigner(world_, world_.queue(workload_.queue), search, &calls, &explanation_.flavors)
        .Assign(workload_, counts, FlavorProgress(), nullptr);
    return true;
  }

  void MeasureWhatEvictionsFree(PreemptionSearch& search) {
    const ClusterQueueState& queue = world_.queue(workload_.queue);
    for (FlavorAttempt& attempt : explanation_.flavors) {
      for (ResourceAttempt& resource : attempt.resources) {
        // One that is refused at once may not even ask.
        if (resource.shortage == 0 || resource.mode == FlavorMode::kNoFit) continue;
        const Usage demand{world_.names.Pair(world_.names.Flavor(attempt.flavor),
                                             world_.names.Resource(resource.resource)),
                           resource.requested};
        SearchReport report;
        search.FindVictims({workload_, queue, std::span(&demand, 1), {demand.fr}}, &report);
        if (!report.freeable.empty()) resource.freeable = report.freeable.front().amount;
      }
    }
  }

  void ListAhead() {
    ClusterQueueState& queue = world_.queue(workload_.queue);
    OrderQueues(world_, policies_, std::span(&workload_.queue, 1), &failures_);
    if (PlaceOf(world_, workload_) != QueuePlace::kHeap) return;
    const LocalQueueUsage usage = world_.UsageOrder(queue);
    const PendingGroups::Ahead ahead = queue.pending.AheadOf(workload_.key, usage, kMaxAhead);
    explanation_.ahead_count = ahead.count;
    for (const PendingKey* key : ahead.first) explanation_.ahead.push_back(Ahead(*key, usage));
  }

  void LookAtOtherHeads() {
    const Entry& entry = hypothesis_.entry;
    if (!entry.nominated || entry.assignment().mode != AssignmentMode::kFit) return;
    if (!BackoffExpired(world_, workload_) || explanation_.ahead_count > 0) return;
    if (PlaceOf(world_, workload_) != QueuePlace::kHeap) return;
    hypothesis_.foreseen = Foresee(world_, policies_, workload_);
  }

  AheadView Ahead(const PendingKey& theirs, const LocalQueueUsage& usage) const {
    const PendingKey& ours = workload_.key;
    AheadView view;
    view.workload = world_.workload(theirs.workload).spec.key;
    if (usage && usage(theirs.local_queue) != usage(ours.local_queue)) {
      view.key = "LocalQueue usage";
      view.theirs = Text(usage(theirs.local_queue));
      view.ours = Text(usage(ours.local_queue));
      return view;
    }
    const OrderDifference difference = Compare(theirs, ours);
    view.key = OrderKeyName(difference.key);
    switch (difference.key) {
      case OrderKey::kSticky:
        break;
      case OrderKey::kPolicyKeys:
        for (std::size_t i = 0; i < ours.keys.size(); ++i) {
          if (theirs.keys[i] == ours.keys[i]) continue;
          view.key += " " + std::to_string(i + 1);
          view.theirs = Text(theirs.keys[i]);
          view.ours = Text(ours.keys[i]);
          break;
        }
        break;
      case OrderKey::kPriority:
        view.theirs = std::to_string(theirs.effective_priority());
        view.ours = std::to_string(ours.effective_priority());
        break;
      case OrderKey::kTimestamp:
        view.theirs = FormatTime(theirs.timestamp);
        view.ours = FormatTime(ours.timestamp);
        break;
      case OrderKey::kCreated:
        view.theirs = FormatTime(theirs.created);
        view.ours = FormatTime(ours.created);
        break;
      case OrderKey::kUid:
        view.theirs = theirs.uid;
        view.ours = ours.uid;
        break;
    }
    return view;
  }

  void ListHolders() {
    const Entry& entry = hypothesis_.entry;
    if (!entry.nominated || entry.assignment().mode == AssignmentMode::kFit) return;
    const auto short_pairs = ShortPairs(explanation_.flavors, !entry.victims.empty());
    if (short_pairs.empty()) return;
    HolderList holders(world_, workload_, hypothesis_.entry);
    for (const auto& [flavor, resource] : short_pairs) {
      holders.Add(world_.names.Pair(world_.names.Flavor(flavor), world_.names.Resource(resource)));
    }
    explanation_.holder_count = holders.count();
    explanation_.holders = holders.Views();
  }

  static std::string Text(double value) {
    std::ostringstream out;
    out.precision(15);
    out << value;
    return out.str();
  }

  World& world_;
  PolicyTable& policies_;
  WorkloadRecord& workload_;
  Explanation explanation_;
  std::vector<PolicyFailure> failures_;
  Hypothesis hypothesis_;
};

}  // namespace

Explanation ExplainWorkload(World& world, PolicyTable& policies, WorkloadRecord& workload) {
  return Explainer(world, policies, world.workload(CurrentSlice(world, workload))).Explain();
}

}  // namespace muster
