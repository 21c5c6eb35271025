// See lack.h. Flavors of one resource group are alternatives; every podset needs one of each group
// that covers what it asks for. So each podset and group without a flavor is a lack of its own.
#include "engine/explain/lack.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/assign/partial_admission.h"
#include "engine/base/amount.h"
#include "engine/quota/quota_tree.h"
#include "muster/quantity.h"

namespace muster {
namespace {

constexpr std::size_t kFlavorsNamed = 6;  ///< in a sentence; the table has all

bool IsOver(const ResourceAttempt& resource) { return resource.requested > resource.maximum; }

/// Whether the flavor could never do, as objects are.
bool IsHopeless(const FlavorAttempt& attempt) {
  return !attempt.refused.empty() ||
         std::any_of(attempt.resources.begin(), attempt.resources.end(), IsOver);
}

/// The flavors tried for one podset and resource group that has found none.
struct Blocked {
  std::vector<const FlavorAttempt*> flavors;
};

std::vector<Blocked> BlockedGroups(const std::vector<FlavorAttempt>& attempts) {
  std::vector<Blocked> blocked;
  for (std::size_t begin = 0, end = 0; begin < attempts.size(); begin = end) {
    const auto of_one = [&](const FlavorAttempt& attempt) {
      return attempt.pod_set == attempts[begin].pod_set && attempt.group == attempts[begin].group;
    };
    Blocked group;
    bool fits = false;
    for (end = begin; end < attempts.size() && of_one(attempts[end]); ++end) {
      group.flavors.push_back(&attempts[end]);
      fits |= attempts[end].chosen && attempts[end].mode == FlavorMode::kFit;
    }
    if (!fits) blocked.push_back(std::move(group));
  }
  return blocked;
}

class LackFinder {
 public:
  LackFinder(const World& world, const WorkloadRecord& workload, const Entry& entry,
             const Explanation& explanation)
      : world_(world),
        workload_(workload),
        queue_(world.queue(workload.queue)),
        entry_(entry),
        explanation_(explanation) {}

  Lack Find() {
    if (FindUncovered()) return std::move(lack_);
    const std::vector<Blocked> blocked = BlockedGroups(explanation_.flavors);
    for (const Blocked& group : blocked) Tell(group);
    if (blocked.empty()) TellMessage();
    if (lack_.cure.empty()) lack_.cure = std::move(last_cure_);
    AddPolicies();
    return std::move(lack_);
  }

 private:
  std::string Subject(const std::string& pod_set) const {
    std::string text = workload_.spec.key.ToString();
    if (workload_.pod_sets.size() > 1) text += ", podset " + pod_set + ",";
    if (explanation_.fewest_pods) text += " with the fewest pods that it may start with";
    return text;
  }

  void Say(const std::string& sentence) {
    lack_.text += (lack_.text.empty() ? "" : " ") + sentence;
  }
  void AddCure(const std::string& cure) {
    if (lack_.cure.find(cure) != std::string::npos) return;
    lack_.cure += (lack_.cure.empty() ? "" : ", or ") + cure;
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
        AddCure("cover " + resource + " in spec.resourceGroups of ClusterQueue " + queue_.name() +
                ", or remove the request");
        lack_.never = true;
      }
    }
    return lack_.never;
  }

  void Tell(const Blocked& group) {
    const bool hopeless = std::all_of(group.flavors.begin(), group.flavors.end(),
                                      [](const FlavorAttempt* each) { return IsHopeless(*each); });
    const FlavorAttempt& first = *group.flavors.front();
    const std::string subject = Subject(first.pod_set);
    if (group.flavors.size() == 1 && first.refused.empty()) {
      for (const ResourceAttempt& resource : first.resources) {
        if (IsOver(resource)) {
          Say(subject + " asks for " + Shown(resource, resource.requested) + ", but ClusterQueue " +
              queue_.name() + " can never have more than " +
              FormatAmount(resource.resource, resource.maximum) + " in flavor " + first.flavor +
              ".");
        } else if (resource.shortage > 0) {
          Say(subject + " is short of " + Shown(resource, resource.shortage) + " in flavor " +
              first.flavor + ": it asks for " +
              FormatAmount(resource.resource, resource.requested) + ", ClusterQueue " +
              queue_.name() + " has " + FormatAmount(resource.resource, resource.available) +
              " left, and " + Evictions(resource) + ".");
        }
      }
    } else {
      std::string text =
          subject +
          (group.flavors.size() == 1
               ? " does not fit the flavor of "
               : " fits none of " + std::to_string(group.flavors.size()) + " flavors of ") +
          "ClusterQueue " + queue_.name() + ": ";
      for (std::size_t i = 0; i < group.flavors.size(); ++i) {
        if (i == kFlavorsNamed) {
          text += "; and so on for " + std::to_string(group.flavors.size() - i) + " more";
          break;
        }
        text += (i == 0 ? "" : "; ") + Brief(*group.flavors[i]);
      }
      Say(text + (hopeless ? ". It can never start as objects are now." : "."));
    }
    lack_.never |= hopeless;
    for (const FlavorAttempt* each : group.flavors) Cure(*each);
  }

  static std::string Shown(const ResourceAttempt& resource, Amount amount) {
    return FormatAmount(resource.resource, amount) + " " + resource.resource;
  }

  static std::string Brief(const FlavorAttempt& attempt) {
    if (!attempt.refused.empty()) return attempt.refused;
    std::string text;
    for (const ResourceAttempt& resource : attempt.resources) {
      if (resource.shortage == 0) continue;
      text += text.empty() ? attempt.flavor + " " : " and ";
      if (IsOver(resource)) {
        text += "can never have more than " + Shown(resource, resource.maximum) + " (" +
                FormatAmount(resource.resource, resource.requested) + " asked)";
      } else {
        text += "is short of " + Shown(resource, resource.shortage) + " (" +
                FormatAmount(resource.resource, resource.requested) + " asked, " +
                FormatAmount(resource.resource, resource.available) + " left, " +
                Freeable(resource) + ")";
      }
    }
    return text.empty() ? attempt.flavor + " fits, but not beside the others" : text;
  }

  static std::string Freeable(const ResourceAttempt& resource) {
    return resource.freeable == 0 ? "evictions could free none"
                                  : "evictions could free at most " +
                                        FormatAmount(resource.resource, resource.freeable);
  }

  static std::string Evictions(const ResourceAttempt& resource) {
    const bool enough = resource.freeable >= resource.shortage;
    return Freeable(resource) + (enough ? ", but no set that it may evict makes room" : "");
  }

  /// What makes the flavor take its pods; empty where nothing is known.
  static std::string Acceptance(const FlavorAttempt& attempt) {
    const std::string_view why = attempt.refused;
    if (why.find("taint") != std::string_view::npos) {
      return "tolerate the taint of flavor " + attempt.flavor;
    }
    if (why.find("affinity") != std::string_view::npos) {
      return "let its node selector or affinity match the nodeLabels of flavor " + attempt.flavor;
    }
    if (why.find("not found") != std::string_view::npos) {
      return "apply ResourceFlavor " + attempt.flavor;
    }
    return "";
  }

  /// "ask for at most 2 cpu in flavor a" where a flavor that was refused never has enough; else
  /// empty.
  std::string TooLittle(const FlavorAttempt& attempt) const {
    const QuotaTree& tree = world_.tree_of(queue_);
    std::vector<std::int32_t> fewest;
    if (explanation_.fewest_pods) fewest = PartialAdmission(workload_.pod_sets).Fewest();
    std::string text;
    for (std::size_t i = 0; i < workload_.pod_sets.size(); ++i) {
      const PodSetRequests& pod_set = workload_.pod_sets[i];
      if (workload_.series().pod_sets[i].name != attempt.pod_set) continue;
      for (const ResourceAmount& request : pod_set.per_pod) {
        if (queue_.GroupOf(request.resource) != attempt.group) continue;
        const std::string& resource = world_.names.ResourceName(request.resource);
        const std::optional<FlavorResourceId> pair = PairOf(attempt.flavor, request.resource);
        if (!pair) continue;
        const std::int32_t pods = fewest.empty() ? pod_set.effective_count : fewest[i];
        const Amount maximum = tree.Potential(queue_.node, tree.ColumnOf(*pair));
        if (Mul(request.amount, pods) <= maximum) continue;
        text += (text.empty() ? "ask for at most " : " and ") + FormatAmount(resource, maximum) +
                " " + resource;
      }
    }
    return text.empty() ? text : text + " in flavor " + attempt.flavor;
  }

  void CureOfRefused(const FlavorAttempt& attempt) {
    const std::string acceptance = Acceptance(attempt);
    if (acceptance.empty()) return;
    const std::string too_little = TooLittle(attempt);
    if (too_little.empty()) return AddCure(acceptance);
    if (last_cure_.empty()) last_cure_ = too_little + ", and " + acceptance;
  }

  void Cure(const FlavorAttempt& attempt) {
    if (!attempt.refused.empty()) return CureOfRefused(attempt);
    if (IsHopeless(attempt)) return CureOfTooLittle(attempt);
    std::string free;
    for (const ResourceAttempt& resource : attempt.resources) {
      if (resource.shortage == 0) continue;
      free += (free.empty() ? "free " : " and ") + Shown(resource, resource.shortage);
    }
    if (free.empty()) return;
    AddCure(free + " of flavor " + attempt.flavor);
    for (const ResourceAttempt& resource : attempt.resources) {
      if (resource.shortage > 0) AddLimit(attempt, resource, /*for_ever=*/false);
    }
  }

  void CureOfTooLittle(const FlavorAttempt& attempt) {
    for (const ResourceAttempt& resource : attempt.resources) {
      if (!IsOver(resource)) continue;
      AddCure("ask for at most " + Shown(resource, resource.maximum) + " in flavor " +
              attempt.flavor);
      if (AddLimit(attempt, resource, /*for_ever=*/true)) continue;
      AddCure("raise the quota of " + resource.resource + " there");
    }
  }

  /// Adds the borrowing or lending limit that stands in the way; false: none does.
  bool AddLimit(const FlavorAttempt& attempt, const ResourceAttempt& resource, bool for_ever) {
    const QuotaTree& tree = world_.tree_of(queue_);
    const std::optional<FlavorResourceId> pair =
        PairOf(attempt.flavor, world_.names.FindResource(resource.resource));
    if (!pair) return false;
    const Column c = tree.ColumnOf(*pair);
    const auto amount = [&](Amount value) { return FormatAmount(resource.resource, value); };
    const auto name = [&](NodeIndex n) {
      return (tree.node(n).queue.valid() ? "ClusterQueue " : "Cohort ") + tree.node(n).name;
    };
    for (NodeIndex n = queue_.node; tree.HasParent(n); n = tree.ParentOf(n)) {
      const QuotaCell& cell = tree.cell(n, c);
      if (cell.borrowing_limit == kNoLimit) continue;
      const NodeIndex parent = tree.ParentOf(n);
      const Amount kept = std::max<Amount>(0, Sub(cell.usage, cell.local));
      const Amount lent = Sub(Sub(cell.subtree, cell.local), kept);
      const bool binds = for_ever ? Add(cell.subtree, cell.borrowing_limit) <
                                        Add(cell.local, tree.Potential(parent, c))
                                  : Add(lent, cell.borrowing_limit) < tree.Available(parent, c);
      if (!binds) continue;
      AddCure("raise borrowingLimit " + amount(cell.borrowing_limit) + " of " + name(n) +
              (for_ever ? "" : ", above which " + amount(tree.Available(parent, c)) + " are idle"));
      return true;
    }
    for (NodeIndex n = 0; n < tree.size(); ++n) {
      const QuotaCell& cell = tree.cell(n, c);
      if (cell.lending_limit == kNoLimit || tree.IsAncestor(n, queue_.node)) continue;
      const Amount kept = for_ever ? cell.local : cell.LocalAvailable();
      if (kept == 0) continue;
      AddCure("raise lendingLimit " + amount(cell.lending_limit) + " of " + name(n) +
              ", which keeps " + amount(kept) + (for_ever ? " for itself" : " idle"));
      return true;
    }
    return false;
  }

  std::optional<FlavorResourceId> PairOf(const std::string& flavor, ResourceId resource) const {
    const int group = resource.valid() ? queue_.GroupOf(resource) : -1;
    if (group < 0) return std::nullopt;
    for (const FlavorOption& option : queue_.groups[static_cast<std::size_t>(group)].flavors) {
      if (world_.names.FlavorName(option.id) != flavor) continue;
      for (const FlavorResourceId pair : option.pairs) {
        if (world_.names.ResourceOf(pair) == resource) return pair;
      }
    }
    return std::nullopt;
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
  Lack lack_;
  std::string last_cure_;  ///< takes two changes: given where there is no other
};

}  // namespace

Lack WhatItLacks(const World& world, const WorkloadRecord& workload, const Entry& entry,
                 const Explanation& explanation) {
  return LackFinder(world, workload, entry, explanation).Find();
}

}  // namespace muster
