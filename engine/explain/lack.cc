// See lack.h. Flavors of one resource group are alternatives; every podset needs one of each group
// that covers what it asks for. So each podset and group without a flavor is a lack of its own, and
// what would cure them is needed together. Podsets that may use the same flavors are judged as one:
// where one of them is now says little about where it could be.
#include "engine/explain/lack.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/assign/partial_admission.h"
#include "engine/base/amount.h"
#include "engine/cure/attempt_text.h"
#include "engine/cure/cures.h"
#include "engine/cure/division.h"
#include "engine/cure/flavor_cures.h"
#include "engine/cure/limits_in_the_way.h"
#include "engine/explain/holder_list.h"
#include "engine/explain/place_lack.h"
#include "engine/model/selector.h"
#include "muster/quantity.h"

namespace muster {
namespace {

constexpr std::size_t kFlavorsNamed = 6;  ///< in a sentence; the table has all

/// The flavors tried for one podset and resource group that has found none.
using Blocked = std::vector<const FlavorAttempt*>;

std::vector<Blocked> BlockedGroups(const std::vector<FlavorAttempt>& attempts) {
  std::vector<Blocked> blocked;
  for (std::size_t begin = 0, end = 0; begin < attempts.size(); begin = end) {
    const auto of_one = [&](const FlavorAttempt& attempt) {
      return attempt.pod_set == attempts[begin].pod_set && attempt.group == attempts[begin].group;
    };
    Blocked group;
    bool fits = false;
    for (end = begin; end < attempts.size() && of_one(attempts[end]); ++end) {
      group.push_back(&attempts[end]);
      fits |= attempts[end].chosen && attempts[end].mode == FlavorMode::kFit;
    }
    if (!fits) blocked.push_back(std::move(group));
  }
  return blocked;
}

class LackFinder {
 public:
  LackFinder(const World& world, const WorkloadRecord& workload, const Entry& entry,
             const Explanation& explanation, const PlaceLack* places)
      : world_(world),
        workload_(workload),
        queue_(world.queue(workload.queue)),
        entry_(entry),
        explanation_(explanation),
        places_(places),
        divisions_(DivisionsOf(world, workload, PodsAskedFor(workload, explanation))),
        flavor_cures_(world, workload, divisions_) {}

  Lack Find() {
    if (!FindUncovered() && !FindImpossible()) {
      if (places_ == nullptr || !TellPlaces()) FindMissing();
      AddPolicies();
    }
    lack_.cure = cures_.Text();
    return std::move(lack_);
  }

 private:
  std::string Subject(const std::string& pod_set) const {
    std::string text = workload_.spec.key.ToString();
    if (workload_.pod_sets.size() > 1) text += ", podset " + pod_set + ",";
    return text + FewestPods();
  }
  std::string FewestPods() const {
    return explanation_.fewest_pods ? " with the fewest pods that it may start with" : "";
  }

  void Say(const std::string& sentence) {
    lack_.text += (lack_.text.empty() ? "" : " ") + sentence;
  }

  bool FindUncovered() {
    if (world_.catalog.config.quota_check == QuotaCheckStrategy::kIgnoreUndeclared) return false;
    for (std::size_t i = 0; i < workload_.pod_sets.size(); ++i) {
      const PodSetRequests& pod_set = workload_.pod_sets[i];
      for (const ResourceAmount& request : pod_set.per_pod) {
        const Amount asked = Mul(request.amount, pod_set.effective_count);
        if (asked == 0 || queue_.GroupOf(request.resource) >= 0) continue;
        const std::string& resource = world_.names.ResourceName(request.resource);
        Say(Subject(workload_.series().pod_sets[i].name) + " asks for " +
            FormatAmount(resource, asked) + " " + resource +
            ", which no resource group of ClusterQueue " + queue_.name() +
            " covers: it can never start there.");
        cures_.Add("cover " + resource + " in spec.resourceGroups of ClusterQueue " +
                   queue_.name());
        cures_.Add("remove the request for " + resource);
        cures_.Next();
        lack_.never = true;
      }
    }
    return lack_.never;
  }

  /// What no flavor could give, with no other workload running; then nothing else matters.
  bool FindImpossible() {
    for (const Division& division : divisions_) {
      if (!division.impossible) continue;
      lack_.never = true;
      bool told = false;
      for (const SharedDemand& demand : division.demands) {
        if (HoldsAlone(division, demand)) continue;
        told = true;
        const std::vector<FlavorAttempt> alone = Alone(division, demand);
        Blocked group;
        for (const FlavorAttempt& attempt : alone) group.push_back(&attempt);
        Tell(group);
        Cure(group);
      }
      if (!told) TellTogether(division);
    }
    return lack_.never;
  }

  static bool HoldsAlone(const Division& division, const SharedDemand& demand) {
    for (std::size_t f = 0; f < division.rooms.size(); ++f) {
      if (division.HoldsAlone(demand, f)) return true;
    }
    return false;
  }

  /// What the flavor walk would have found of one demand without the others.
  std::vector<FlavorAttempt> Alone(const Division& division, const SharedDemand& demand) const {
    const ResourceGroupState& group = queue_.groups[division.group];
    const std::string& pod_set = workload_.series().pod_sets[demand.pod_sets[0]].name;
    std::vector<FlavorAttempt> attempts;
    for (std::size_t f = 0; f < group.flavors.size(); ++f) {
      FlavorAttempt& attempt = attempts.emplace_back();
      attempt.pod_set = pod_set;
      attempt.flavor = world_.names.FlavorName(group.flavors[f].id);
      attempt.group = static_cast<std::int32_t>(division.group);
      attempt.refused = WhyRefused(group.flavors[f], demand);
      for (std::size_t r = 0; attempt.refused.empty() && r < demand.amounts.size(); ++r) {
        const Amount maximum = division.rooms[f].maximum[r];
        if (demand.amounts[r] <= maximum) continue;
        ResourceAttempt& resource = attempt.resources.emplace_back();
        resource.resource = world_.names.ResourceName(group.resources[r]);
        resource.requested = demand.amounts[r];
        resource.available = division.rooms[f].available[r];
        resource.shortage = Sub(resource.requested, resource.available);
        resource.maximum = maximum;
      }
    }
    return attempts;
  }

  /// Empty where it takes the pods of all.
  std::string WhyRefused(const FlavorOption& option, const SharedDemand& demand) const {
    if (option.flavor == nullptr) {
      return "flavor " + world_.names.FlavorName(option.id) + " not found";
    }
    for (const std::size_t p : demand.pod_sets) {
      if (auto why = FlavorMismatch(workload_.series().pod_sets[p].pods, *option.flavor)) {
        return *why;
      }
    }
    return "";
  }

  /// Each podset would fit by itself, and all do not.
  void TellTogether(const Division& division) {
    const ResourceGroupState& group = queue_.groups[division.group];
    const bool one = group.flavors.size() == 1;
    const std::string where =
        one ? "flavor " + world_.names.FlavorName(group.flavors[0].id) : "all its flavors together";
    std::string asked, most;
    for (std::size_t r = 0; r < group.resources.size(); ++r) {
      Amount sum = 0;
      Amount maximum = 0;
      for (const SharedDemand& demand : division.demands) sum = Add(sum, demand.amounts[r]);
      for (const FlavorRoom& room : division.rooms) maximum = Add(maximum, room.maximum[r]);
      if (sum <= maximum) continue;
      const std::string& resource = world_.names.ResourceName(group.resources[r]);
      asked += (asked.empty() ? "" : " and ") + FormatAmount(resource, sum) + " " + resource;
      most += (most.empty() ? "" : " and ") + FormatAmount(resource, maximum) + " " + resource;
      if (one) CureOfSum(division, r, sum, maximum);
    }
    const std::string name = workload_.spec.key.ToString() + FewestPods();
    if (asked.empty()) {
      Say(name + " has podsets that fit the flavors of ClusterQueue " + queue_.name() +
          " one by one, but not together, however they are divided. It can never start as objects "
          "are now.");
    } else {
      Say(name + " asks for " + asked + " in all its podsets, but ClusterQueue " + queue_.name() +
          " can never have more than " + most + " in " + where +
          ". It can never start as objects are now.");
    }
    if (one) return;
    cures_.Add("ask for less in its podsets");
    cures_.Add("raise the quota of ClusterQueue " + queue_.name() + " in one of its flavors");
    cures_.Next();
  }

  void CureOfSum(const Division& division, std::size_t r, Amount sum, Amount maximum) {
    const ResourceGroupState& group = queue_.groups[division.group];
    const std::string& resource = world_.names.ResourceName(group.resources[r]);
    const std::string& flavor = world_.names.FlavorName(group.flavors[0].id);
    cures_.Add("ask for at most " + FormatAmount(resource, maximum) + " " + resource +
               " of flavor " + flavor + " in all its podsets");
    const QuotaNeed need{flavor, group.resources[r], sum};
    cures_.Add(flavor_cures_.Raise(std::span(&need, 1), Horizon::kEver));
    cures_.Next();
  }

  /// What is not free now; evictions do not help.
  void FindMissing() {
    const std::vector<Blocked> blocked = BlockedGroups(explanation_.flavors);
    for (const Blocked& group : blocked) Tell(group);
    if (blocked.empty()) return TellMessage();
    for (const Division& division : divisions_) {
      std::vector<const Blocked*> here;
      for (const Blocked& group : blocked) {
        if (GroupOf(*group.front()) == division.group) here.push_back(&group);
      }
      const bool told = !here.empty();
      if (!told && AllTried(division)) continue;
      const bool known = division.missing && !division.missing->empty();
      if (known && (!told || division.demands.size() > 1)) {
        CureOfMissing(division, told);
      } else {
        for (const Blocked* group : here) Cure(*group);
      }
    }
  }

  /// Quota is there, or no quota would help; false: that is to be told first.
  bool TellPlaces() {
    if (!places_->never && !BlockedGroups(explanation_.flavors).empty()) return false;
    Say(places_->text);
    lack_.never = places_->never;
    cures_.Add(places_->cure);
    cures_.Next();
    return true;
  }

  /// Whether the flavor walk came to all its podsets; it ends at the first for which it finds none.
  bool AllTried(const Division& division) const {
    return std::all_of(
        division.demands.begin(), division.demands.end(), [&](const SharedDemand& demand) {
          const std::string& name = workload_.series().pod_sets[demand.pod_sets[0]].name;
          return std::any_of(explanation_.flavors.begin(), explanation_.flavors.end(),
                             [&](const FlavorAttempt& attempt) {
                               return attempt.pod_set == name && GroupOf(attempt) == division.group;
                             });
        });
  }

  /// What all podsets lack in all; `told`: something was said of one of them.
  void CureOfMissing(const Division& division, bool told) {
    const ResourceGroupState& group = queue_.groups[division.group];
    std::string amounts;
    std::vector<QuotaNeed> needs;
    for (const Missing& missing : *division.missing) {
      const ResourceId resource = group.resources[missing.resource];
      const std::string& name = world_.names.ResourceName(resource);
      const std::string& flavor = world_.names.FlavorName(group.flavors[missing.flavor].id);
      amounts += (amounts.empty() ? "" : " and ") + FormatAmount(name, missing.amount) + " " +
                 name + " of flavor " + flavor;
      const Amount free = division.rooms[missing.flavor].available[missing.resource];
      needs.push_back({flavor, resource, Add(free, missing.amount)});
    }
    Say(told ? "With " + amounts + " more there would be room for all its podsets."
             : "Beside that it is short of " + amounts + ".");
    cures_.Add("free " + amounts);
    cures_.Add(flavor_cures_.Raise(needs, Horizon::kNow));
    cures_.Next();
  }

  void Tell(const Blocked& group) {
    const bool hopeless = lack_.never;
    const FlavorAttempt& first = *group.front();
    const std::string subject = Subject(first.pod_set);
    if (group.size() == 1 && first.refused.empty()) {
      for (const ResourceAttempt& resource : first.resources) {
        if (IsOver(resource)) {
          Say(subject + " asks for " + Own(resource) + " " + resource.resource + Beside(resource) +
              ", but ClusterQueue " + queue_.name() + " can never have more than " +
              FormatAmount(resource.resource, resource.maximum) + " in flavor " + first.flavor +
              ".");
        } else if (resource.shortage > 0) {
          Say(subject + " is short of " + Shown(resource, resource.shortage) + " in flavor " +
              first.flavor + ": it asks for " + Own(resource) + Beside(resource) +
              ", ClusterQueue " + queue_.name() + " has " +
              FormatAmount(resource.resource, resource.available) + " left, and " +
              Evictions(resource) + Because(first, resource) + ".");
        }
      }
    } else {
      std::string text =
          subject +
          (group.size() == 1 ? " does not fit the flavor of "
                             : " fits none of " + std::to_string(group.size()) + " flavors of ") +
          "ClusterQueue " + queue_.name() + ": ";
      for (std::size_t i = 0; i < group.size(); ++i) {
        if (i == kFlavorsNamed) {
          text += "; and so on for " + std::to_string(group.size() - i) + " more";
          break;
        }
        text += (i == 0 ? "" : "; ") + Brief(*group[i], [&](const ResourceAttempt& resource) {
                  return Because(*group[i], resource);
                });
      }
      Say(text + (hopeless ? ". It can never start as objects are now." : "."));
    }
  }

  /// Why evictions that would be enough are not made.
  std::string Because(const FlavorAttempt& attempt, const ResourceAttempt& resource) const {
    if (resource.freeable < resource.shortage) return "";
    const auto pair_of = [&](const ResourceAttempt& each) {
      return flavor_cures_.PairOf(attempt.flavor, world_.names.FindResource(each.resource));
    };
    const std::optional<FlavorResourceId> pair = pair_of(resource);
    if (!pair) return "";
    std::vector<Usage> demand;
    for (const ResourceAttempt& each : attempt.resources) {
      const std::optional<FlavorResourceId> beside = pair_of(each);
      if (beside) demand.push_back({*beside, each.requested});
    }
    return BarredAsBorrower(world_, workload_, *pair, demand);
  }

  /// Flavors are alternatives.
  void Cure(const Blocked& group) {
    for (const FlavorAttempt* each : group) flavor_cures_.Add(*each, cures_);
    cures_.Next();
  }

  void TellMessage() {
    const std::string message = entry_.assignment().Message(world_.names, workload_);
    const std::string name = workload_.spec.key.ToString();
    Say(message.empty() ? name + " waits for quota." : name + ": " + message + ".");
  }

  void AddPolicies() {
    if (entry_.report == nullptr) return;
    const SearchReport& report = *entry_.report;
    if (!report.spared.empty()) {
      const std::size_t count = report.spared.size();
      Say("Policy " + report.protector + " protects " + std::to_string(count) +
          (count == 1 ? " workload" : " workloads") + " that it could evict else (hook victim).");
    }
    if (!report.limiter.empty()) {
      Say("Policy " + report.limiter +
          " forbids the evictions that would make room (hook preempt_limits).");
    }
  }

  const World& world_;
  const WorkloadRecord& workload_;
  const ClusterQueueState& queue_;
  const Entry& entry_;
  const Explanation& explanation_;
  const PlaceLack* places_;
  Lack lack_;
  Cures cures_;
  const std::vector<Division> divisions_;
  const FlavorCures flavor_cures_;
};

}  // namespace

std::vector<std::int32_t> PodsAskedFor(const WorkloadRecord& workload,
                                       const Explanation& explanation) {
  if (explanation.fewest_pods) return PartialAdmission(workload.pod_sets).Fewest();
  std::vector<std::int32_t> counts;
  for (const PodSetRequests& pod_set : workload.pod_sets) {
    counts.push_back(pod_set.effective_count);
  }
  return counts;
}

Lack WhatItLacks(const World& world, const WorkloadRecord& workload, const Entry& entry,
                 const Explanation& explanation, const PlaceLack* places) {
  return LackFinder(world, workload, entry, explanation, places).Find();
}

}  // namespace muster
