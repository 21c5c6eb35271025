// Rules of ClusterQueue, Cohort and LocalQueue.
#include <cmath>

#include "engine/model/limits.h"
#include "tests/unit/validity/rule_table.h"

namespace muster {
namespace {

Quantity Units(std::int64_t n) { return Quantity::Units(n); }

ResourceGroup Group(std::vector<std::string> resources, const std::vector<std::string>& flavors) {
  ResourceGroup group;
  group.covered_resources = std::move(resources);
  for (const std::string& name : flavors) {
    FlavorQuotas& quotas = group.flavors.emplace_back();
    quotas.name = name;
    for (const std::string& resource : group.covered_resources) {
      quotas.resources.push_back({resource, Units(4), {}, {}});
    }
  }
  return group;
}

ClusterQueue ValidQueue() {
  ClusterQueue queue;
  queue.name = "team-a";
  queue.cohort = "research";
  queue.resource_groups = {Group({"cpu", "memory"}, {"spot", "on-demand"})};
  queue.namespace_selector.emplace();
  queue.namespace_selector->match_expressions = {{"team", SelectorOp::kIn, {"a"}}};
  queue.preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
  queue.preemption.borrow_within_cohort = PreemptionPolicy::kLowerPriority;
  queue.admission_checks = {{"prov", {"spot"}}};
  return queue;
}

using C = ClusterQueue;

ResourceQuota& FirstQuota(C& c) { return c.resource_groups[0].flavors[0].resources[0]; }

/// A queue whose jobs stand in it as variants.
ConcurrentAdmission& Concurrent(C& c, const std::string& last = "") {
  return c.concurrent_admission.emplace(
      ConcurrentAdmission{MigrationMode::kTryPreferredFlavors, last});
}

TEST(ValidateClusterQueue, ConcurrentAdmission) {
  const std::string field = "spec.concurrentAdmissionPolicy";
  const std::string last = field + ".migration.constraints.lastAcceptableFlavorName";
  const auto flavors = [](std::size_t count) {
    return [count](C& c) {
      std::vector<std::string> names;
      for (std::size_t i = 0; i < count; ++i) names.push_back("f" + std::to_string(i));
      c.admission_checks.clear();
      c.resource_groups = {Group({"cpu"}, names)};
      Concurrent(c);
    };
  };
  ExpectRules<C>(ValidQueue(),
                 {{"two groups",
                   [](C& c) {
                     c.resource_groups.push_back(Group({"gpu"}, {"a100"}));
                     Concurrent(c);
                   },
                   field, [](C& c) { Concurrent(c); }},
                  {"too many flavors", flavors(kMaxVariants + 1), field, flavors(kMaxVariants)},
                  {"strict",
                   [](C& c) {
                     c.queueing_strategy = QueueingStrategy::kStrictFifo;
                     Concurrent(c);
                   },
                   field},
                  {"another's flavor", [](C& c) { Concurrent(c, "gold"); }, last,
                   [](C& c) { Concurrent(c, "spot"); }},
                  {"a last one that none moves to",
                   [](C& c) { Concurrent(c, "spot").mode = MigrationMode::kRetainFirstAdmission; },
                   last, [](C& c) { Concurrent(c).mode = MigrationMode::kRetainFirstAdmission; }}});
}

TEST(ValidateClusterQueue, NamesAndPolicies) {
  using enum PreemptionPolicy;
  ExpectRules<C>(
      ValidQueue(),
      {{"name", [](C& c) { c.name = "-A"; }, "metadata.name"},
       {"cohort", [](C& c) { c.cohort = "-A"; }, "spec.cohortName", [](C& c) { c.cohort = ""; }},
       {"preference needs both",
        [](C& c) {
          c.flavor_fungibility.preference = FungibilityPreference::kPreemptionOverBorrowing;
        },
        "spec.flavorFungibility.preference",
        [](C& c) {
          c.flavor_fungibility = {FungibilityPolicy::kTryNextFlavor,
                                  FungibilityPolicy::kTryNextFlavor,
                                  FungibilityPreference::kPreemptionOverBorrowing};
        }},
       {"within", [](C& c) { c.preemption.within_cluster_queue = kAny; },
        "spec.preemption.withinClusterQueue",
        [](C& c) { c.preemption.within_cluster_queue = kLowerOrNewerEqualPriority; }},
       {"reclaim", [](C& c) { c.preemption.reclaim_within_cohort = kLowerOrNewerEqualPriority; },
        "spec.preemption.reclaimWithinCohort",
        [](C& c) { c.preemption.reclaim_within_cohort = kLowerPriority; }},
       {"borrow", [](C& c) { c.preemption.borrow_within_cohort = kAny; },
        "spec.preemption.borrowWithinCohort.policy"},
       {"borrow needs reclaim", [](C& c) { c.preemption.reclaim_within_cohort = kNever; },
        "spec.preemption.borrowWithinCohort.policy",
        [](C& c) {
          c.preemption.reclaim_within_cohort = kNever;
          c.preemption.borrow_within_cohort = kNever;
        }},
       {"weight negative", [](C& c) { c.fair_weight = -1; }, "spec.fairSharing.weight",
        [](C& c) { c.fair_weight = 0; }},
       {"weight too small", [](C& c) { c.fair_weight = 1e-9; }, "spec.fairSharing.weight",
        [](C& c) { c.fair_weight = 1.1e-9; }},
       {"weight not a number", [](C& c) { c.fair_weight = std::nan(""); },
        "spec.fairSharing.weight"},
       {"weight infinite", [](C& c) { c.fair_weight = INFINITY; }, "spec.fairSharing.weight"}});
}

TEST(ValidateClusterQueue, NamespaceSelector) {
  using enum SelectorOp;
  const auto requirement = [](C& c) -> SelectorRequirement& {
    return c.namespace_selector->match_expressions[0];
  };
  ExpectRules<C>(ValidQueue(),
                 {{"key", [&](C& c) { requirement(c).key = ""; },
                   "spec.namespaceSelector.matchExpressions[0].key",
                   [](C& c) { c.namespace_selector.reset(); }},
                  {"In without values", [&](C& c) { requirement(c).values.clear(); },
                   "spec.namespaceSelector.matchExpressions[0].values"},
                  {"NotIn without values",
                   [&](C& c) {
                     requirement(c) = {"team", kNotIn, {}};
                   },
                   "spec.namespaceSelector.matchExpressions[0].values"},
                  {"Exists with values", [&](C& c) { requirement(c).op = kExists; },
                   "spec.namespaceSelector.matchExpressions[0].values",
                   [&](C& c) {
                     requirement(c) = {"team", kExists, {}};
                   }},
                  {"DoesNotExist with values", [&](C& c) { requirement(c).op = kDoesNotExist; },
                   "spec.namespaceSelector.matchExpressions[0].values",
                   [&](C& c) {
                     requirement(c) = {"team", kDoesNotExist, {}};
                   }},
                  {"Gt is for nodes", [&](C& c) { requirement(c).op = kGt; },
                   "spec.namespaceSelector.matchExpressions[0].operator"},
                  {"value", [&](C& c) { requirement(c).values = {"a b"}; },
                   "spec.namespaceSelector.matchExpressions[0].values[0]"},
                  {"label",
                   [](C& c) {
                     c.namespace_selector->match_labels = {{"a b", ""}};
                   },
                   "spec.namespaceSelector.matchLabels[a b]"}});
}

TEST(ValidateClusterQueue, AdmissionChecks) {
  const auto checks = [](std::size_t count) {
    return [count](C& c) {
      c.admission_checks.clear();
      for (const std::string& name : Numbered("c", count)) c.admission_checks.push_back({name, {}});
    };
  };
  ExpectRules<C>(ValidQueue(),
                 {{"count", checks(kMaxAdmissionChecks + 1),
                   "spec.admissionChecksStrategy.admissionChecks", checks(kMaxAdmissionChecks)},
                  {"name", [](C& c) { c.admission_checks[0].name = ""; },
                   "spec.admissionChecksStrategy.admissionChecks[0].name"},
                  {"unique", [](C& c) { c.admission_checks.push_back(c.admission_checks[0]); },
                   "spec.admissionChecksStrategy.admissionChecks[1].name"},
                  {"flavor twice",
                   [](C& c) {
                     c.admission_checks[0].on_flavors = {"spot", "spot"};
                   },
                   "spec.admissionChecksStrategy.admissionChecks[0].onFlavors[1]",
                   [](C& c) {
                     c.admission_checks[0].on_flavors = {"on-demand", "spot"};
                   }},
                  {"foreign flavor", [](C& c) { c.admission_checks[0].on_flavors = {"gold"}; },
                   "spec.admissionChecksStrategy.admissionChecks[0].onFlavors[0]",
                   [](C& c) { c.admission_checks[0].on_flavors = {}; }}});
}

TEST(ValidateClusterQueue, TooManyFlavorsOfACheck) {
  C queue = ValidQueue();
  queue.resource_groups = {Group({"cpu"}, Numbered("a", kMaxFlavors)),
                           Group({"memory"}, Numbered("b", kMaxFlavors))};
  std::vector<std::string> flavors = Numbered("a", kMaxCheckFlavors);
  queue.admission_checks = {{"prov", flavors}};
  EXPECT_TRUE(ProblemsOf(queue).empty()) << Describe(ProblemsOf(queue));
  queue.admission_checks[0].on_flavors.push_back("b0");
  ASSERT_EQ(ProblemsOf(queue).size(), 1u);
  EXPECT_EQ(ProblemsOf(queue)[0].field,
            "spec.admissionChecksStrategy.admissionChecks[0].onFlavors");
}

TEST(ValidateResourceGroups, NoLendingLimitIsAskedForThatWouldBeNegative) {
  C queue = ValidQueue();
  FirstQuota(queue).nominal = Units(-1);
  FirstQuota(queue).lending_limit = Units(0);
  std::vector<Problem> problems;
  ValidateObject(queue, 0, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].what, "-1 is negative");
}

TEST(ValidateResourceGroups, Quotas) {
  const char* const kQuota = "spec.resourceGroups[0].flavors[0].resources[0]";
  const std::string nominal = std::string(kQuota) + ".nominalQuota";
  const std::string borrowing = std::string(kQuota) + ".borrowingLimit";
  const std::string lending = std::string(kQuota) + ".lendingLimit";
  ExpectRules<C>(ValidQueue(),
                 {{"nominal", [](C& c) { FirstQuota(c).nominal = Units(-1); }, nominal,
                   [](C& c) { FirstQuota(c).nominal = Units(0); }},
                  {"borrowing negative", [](C& c) { FirstQuota(c).borrowing_limit = Units(-1); },
                   borrowing, [](C& c) { FirstQuota(c).borrowing_limit = Units(0); }},
                  {"lending negative", [](C& c) { FirstQuota(c).lending_limit = Units(-1); },
                   lending, [](C& c) { FirstQuota(c).lending_limit = Units(0); }},
                  {"lending above nominal", [](C& c) { FirstQuota(c).lending_limit = Units(5); },
                   lending, [](C& c) { FirstQuota(c).lending_limit = Units(4); }},
                  {"borrowing needs a cohort",
                   [](C& c) {
                     c.cohort = "";
                     FirstQuota(c).borrowing_limit = Units(1);
                   },
                   borrowing},
                  {"lending needs a cohort",
                   [](C& c) {
                     c.cohort = "";
                     FirstQuota(c).lending_limit = Units(1);
                   },
                   lending}});
}

TEST(ValidateResourceGroups, Shape) {
  ExpectRules<C>(
      ValidQueue(),
      {{"no covered resources", [](C& c) { c.resource_groups.push_back(Group({}, {"gold"})); },
        "spec.resourceGroups[1].coveredResources",
        [](C& c) {
          c.resource_groups.clear();
          c.admission_checks.clear();
        }},
       {"no flavors", [](C& c) { c.resource_groups.push_back(Group({"gpu"}, {})); },
        "spec.resourceGroups[1].flavors",
        [](C& c) { c.resource_groups.push_back(Group({"gpu"}, {"gold"})); }},
       {"resource name", [](C& c) { c.resource_groups.push_back(Group({"g p u"}, {"gold"})); },
        "spec.resourceGroups[1].coveredResources[0]"},
       {"resource twice", [](C& c) { c.resource_groups.push_back(Group({"cpu"}, {"gold"})); },
        "spec.resourceGroups[1].coveredResources[0]"},
       {"resource twice in a group",
        [](C& c) {
          c.resource_groups.push_back(Group({"gpu", "gpu"}, {"gold"}));
        },
        "spec.resourceGroups[1].coveredResources[1]"},
       {"flavor name", [](C& c) { c.resource_groups.push_back(Group({"gpu"}, {"gold-"})); },
        "spec.resourceGroups[1].flavors[0].name"},
       {"flavor twice", [](C& c) { c.resource_groups.push_back(Group({"gpu"}, {"spot"})); },
        "spec.resourceGroups[1].flavors[0].name"},
       {"missing resource", [](C& c) { c.resource_groups[0].flavors[1].resources.pop_back(); },
        "spec.resourceGroups[0].flavors[1].resources"},
       {"extra resource",
        [](C& c) {
          c.resource_groups[0].flavors[1].resources.push_back({"gpu", Units(1), {}, {}});
        },
        "spec.resourceGroups[0].flavors[1].resources"},
       {"other name", [](C& c) { c.resource_groups[0].flavors[1].resources[1].name = "gpu"; },
        "spec.resourceGroups[0].flavors[1].resources[1].name"}});
}

std::vector<ResourceGroup> Groups(std::size_t count, std::size_t resources, std::size_t flavors) {
  std::vector<ResourceGroup> groups;
  for (std::size_t g = 0; g < count; ++g) {
    const std::string tag = std::to_string(g) + "-";
    groups.push_back(Group(Numbered("r" + tag, resources), Numbered("f" + tag, flavors)));
  }
  return groups;
}

TEST(ValidateResourceGroups, Counts) {
  const auto groups = [](std::size_t count, std::size_t resources, std::size_t flavors) {
    return [=](C& c) {
      c.resource_groups = Groups(count, resources, flavors);
      c.admission_checks.clear();
    };
  };
  ExpectRules<C>(
      ValidQueue(),
      {{"groups", groups(kMaxResourceGroups + 1, 1, 1), "spec.resourceGroups",
        groups(kMaxResourceGroups, 1, 1)},
       {"resources of a group", groups(1, kMaxCoveredResources + 1, 1),
        "spec.resourceGroups[0].coveredResources", groups(1, kMaxCoveredResources, 1)},
       {"flavors of a group", groups(1, 1, kMaxFlavors + 1), "spec.resourceGroups[0].flavors",
        groups(1, 1, kMaxFlavors)},
       {"pairs of a group", groups(1, 27, 19), "spec.resourceGroups[0]", groups(1, 32, 16)},
       {"all resources", groups(5, 52, 1), "spec.resourceGroups", groups(4, 64, 1)},
       {"all flavors", groups(5, 1, 52), "spec.resourceGroups", groups(4, 1, 64)}});
}

TEST(ValidateLeniently, ToleratesWhatStillHasAMeaning) {
  C queue = ValidQueue();
  queue.cohort = "";
  FirstQuota(queue).borrowing_limit = Units(1);
  queue.preemption.reclaim_within_cohort = PreemptionPolicy::kNever;
  queue.resource_groups.push_back(Group({"cpu"}, {"gold"}));
  EXPECT_EQ(ProblemsOf(queue).size(), 3u) << Describe(ProblemsOf(queue));
  std::vector<Problem> problems;
  ValidateObject(queue, 0, problems, Strictness::kLenient);
  EXPECT_TRUE(problems.empty()) << Describe(problems);
  FirstQuota(queue).nominal = Units(-1);
  ValidateObject(queue, 0, problems, Strictness::kLenient);
  EXPECT_EQ(problems.size(), 1u) << Describe(problems);
}

TEST(ValidateCohort, EveryRule) {
  Cohort valid;
  valid.name = "research";
  valid.parent = "org";
  valid.resource_groups = {Group({"cpu"}, {"spot"})};
  using H = Cohort;
  const auto quota = [](H& h) -> ResourceQuota& {
    return h.resource_groups[0].flavors[0].resources[0];
  };
  ExpectRules<H>(valid, {{"name", [](H& h) { h.name = ""; }, "metadata.name"},
                         {"parent", [](H& h) { h.parent = "-A"; }, "spec.parentName",
                          [](H& h) { h.parent = ""; }},
                         {"weight", [](H& h) { h.fair_weight = -1; }, "spec.fairSharing.weight"},
                         {"negative", [&](H& h) { quota(h).nominal = Units(-1); },
                          "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota"},
                         {"limit needs a parent",
                          [&](H& h) {
                            h.parent = "";
                            quota(h).lending_limit = Units(1);
                          },
                          "spec.resourceGroups[0].flavors[0].resources[0].lendingLimit",
                          [&](H& h) { quota(h).lending_limit = Units(400); }}});
}

TEST(ValidateLocalQueue, EveryRule) {
  LocalQueue valid;
  valid.key = {"team-a", "jobs"};
  valid.cluster_queue = "cq";
  using L = LocalQueue;
  ExpectRules<L>(valid, {{"name", [](L& l) { l.key.name = ""; }, "metadata.name"},
                         {"namespace", [](L& l) { l.key.ns = "-A"; }, "metadata.namespace"},
                         {"labels",
                          [](L& l) {
                            l.labels = {{"a", " "}};
                          },
                          "metadata.labels[a]"},
                         {"queue", [](L& l) { l.cluster_queue = ""; }, "spec.clusterQueue"},
                         {"weight", [](L& l) { l.fair_weight = -0.5; }, "spec.fairSharing.weight",
                          [](L& l) { l.fair_weight = 0.5; }}});
}

}  // namespace
}  // namespace muster
