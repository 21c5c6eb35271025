// An explanation says what is proven of its search for victims: that no fewer would do, that none
// would, or which rule spares those that would.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/unit/explain/explaining.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using ::testing::ElementsAre;
using testing::Holding;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeLocalQueue;
using testing::MakeQueue;
using testing::MakeWorkload;

class Proofs : public Explaining {
 protected:
  SearchCertificate Certificate(const Workload& workload) { return OfNew(workload).certificate; }
};

std::vector<SparingRule> RulesOf(const SearchCertificate& certificate) {
  std::vector<SparingRule> rules;
  for (const SparedBy& spared : certificate.spared_by) rules.push_back(spared.rule);
  return rules;
}

TEST_F(Proofs, WhatFitsOrHasNoSearchHasNone) {
  Apply({MakeQueue("a", "", {{.nominal = 4}}), MakeLocalQueue("a")});
  EXPECT_EQ(Certificate(MakeWorkload("w", "a", Cpu(4))).proof, SearchProof::kNone);
  EXPECT_EQ(Certificate(MakeWorkload("large", "a", Cpu(5))).proof, SearchProof::kNone);
}

TEST_F(Proofs, VictimsOfWhichFewerWouldNotDoAreTheFewest) {
  Apply({MakeQueue("a", "", {{.nominal = 6}}, kLowerOrAny), MakeLocalQueue("a"),
         Holding(MakeWorkload("x", "a", Cpu(2), 1), "a"),
         Holding(MakeWorkload("y", "a", Cpu(2), 2), "a"),
         Holding(MakeWorkload("z", "a", Cpu(2), 3), "a")});
  const SearchCertificate certificate = Certificate(MakeWorkload("w", "a", Cpu(3), 9));
  EXPECT_EQ(certificate.proof, SearchProof::kMinimal);
  EXPECT_EQ(certificate.taken, 2);
  EXPECT_EQ(certificate.fewest, 2);
  EXPECT_EQ(certificate.candidates, 3);
}

TEST_F(Proofs, ASmallerSetThatTheOrderPassesByIsNamed) {
  Apply({MakeQueue("a", "", {{.nominal = 8}}, kLowerOrAny), MakeLocalQueue("a"),
         Holding(MakeWorkload("small", "a", Cpu(2), 1), "a"),
         Holding(MakeWorkload("other", "a", Cpu(2), 2), "a"),
         Holding(MakeWorkload("big", "a", Cpu(4), 3), "a")});
  const SearchCertificate certificate = Certificate(MakeWorkload("w", "a", Cpu(4), 9));
  EXPECT_EQ(certificate.proof, SearchProof::kBound);
  EXPECT_EQ(certificate.taken, 2);
  EXPECT_EQ(certificate.fewest, 1);
  EXPECT_THAT(certificate.smaller, ElementsAre(DefaultKey("big")));
}

TEST_F(Proofs, ThatNoneHelpsNamesTheQuotaThatStaysShort) {
  Apply({MakeQueue("a", "", {{.nominal = 6}}, kLowerOrAny), MakeLocalQueue("a"),
         Holding(MakeWorkload("low", "a", Cpu(1), 1), "a"),
         Holding(MakeWorkload("high", "a", Cpu(4), 9), "a")});
  const SearchCertificate certificate = Certificate(MakeWorkload("w", "a", Cpu(4), 5));
  EXPECT_EQ(certificate.proof, SearchProof::kImpossible);
  EXPECT_EQ(certificate.candidates, 1);
  ASSERT_TRUE(certificate.binding.has_value());
  EXPECT_EQ(certificate.binding->kind, ObjectKind::kClusterQueue);
  EXPECT_EQ(certificate.binding->name, "a");
  EXPECT_EQ(certificate.binding->field, QuotaField::kNominalQuota);
  EXPECT_EQ(certificate.binding->flavor, "default");
  EXPECT_EQ(certificate.binding->resource, "cpu");
  EXPECT_EQ(certificate.binding->missing, 2000);
}

TEST_F(Proofs, ThatNoneHelpsNamesTheLimitThatStaysShort) {
  Apply({MakeQueue("a", "co", {{.nominal = 2, .borrow = 2}}, kLowerOrAny),
         MakeQueue("b", "co", {{.nominal = 9}}), MakeLocalQueue("a"), MakeLocalQueue("b"),
         Holding(MakeWorkload("own", "a", Cpu(3), 9), "a")});
  const SearchCertificate certificate = Certificate(MakeWorkload("w", "a", Cpu(2), 5));
  EXPECT_EQ(certificate.proof, SearchProof::kImpossible);
  EXPECT_EQ(certificate.candidates, 0);
  ASSERT_TRUE(certificate.binding.has_value());
  EXPECT_EQ(certificate.binding->name, "a");
  EXPECT_EQ(certificate.binding->field, QuotaField::kBorrowingLimit);
  EXPECT_EQ(certificate.binding->missing, 1000);
}

TEST_F(Proofs, ABorrowerThatMayNotReclaimIsToldSo) {
  Apply({MakeQueue("a", "co", {{.nominal = 4}}, kLowerOrAny),
         MakeQueue("b", "co", {{.nominal = 4}}), MakeLocalQueue("a"), MakeLocalQueue("b"),
         Holding(MakeWorkload("own", "a", Cpu(2), 9), "a"),
         Holding(MakeWorkload("other", "b", Cpu(5)), "b")});
  const SearchCertificate certificate = Certificate(MakeWorkload("w", "a", Cpu(3)));
  EXPECT_EQ(certificate.proof, SearchProof::kRefused);
  EXPECT_THAT(RulesOf(certificate), ElementsAre(SparingRule::kBorrowWithinCohort));
}

// c gives one and is within its quota then; that its other one would help does not count.
TEST_F(Proofs, WhatOthersKeepWithinTheirQuotaIsToldSo) {
  Apply({MakeQueue("a", "co", {{.nominal = 4}}, kLowerOrAny),
         MakeQueue("b", "co", {{.nominal = 2}}), MakeQueue("c", "co", {{.nominal = 2}}),
         MakeLocalQueue("a"), MakeLocalQueue("b"), MakeLocalQueue("c"),
         Holding(MakeWorkload("own", "a", Cpu(4), 9), "a"),
         Holding(MakeWorkload("c1", "c", Cpu(1), 1), "c"),
         Holding(MakeWorkload("c2", "c", Cpu(2), 2), "c")});
  PreemptionRules rules = kLowerOrAny;
  rules.borrow_within_cohort = PreemptionPolicy::kLowerPriority;
  Apply({MakeQueue("a", "co", {{.nominal = 4}}, rules)});
  const SearchCertificate certificate = Certificate(MakeWorkload("w", "a", Cpu(3), 5));
  EXPECT_EQ(certificate.proof, SearchProof::kRefused);
  EXPECT_THAT(RulesOf(certificate), ElementsAre(SparingRule::kOwnQuota));
}

TEST_F(Proofs, FairSharingThatProtectsIsToldSo) {
  Configuration config;
  config.fair_sharing = FairSharingConfig{};
  Apply({config, MakeQueue("a", "co", {{.nominal = 2}}, kLowerOrAny),
         MakeQueue("b", "co", {{.nominal = 2}}), MakeLocalQueue("a"), MakeLocalQueue("b"),
         Holding(MakeWorkload("own", "a", Cpu(1), 9), "a"),
         Holding(MakeWorkload("other", "b", Cpu(3)), "b")});
  const SearchCertificate certificate = Certificate(MakeWorkload("w", "a", Cpu(3)));
  EXPECT_EQ(certificate.proof, SearchProof::kRefused);
  EXPECT_THAT(RulesOf(certificate), ElementsAre(SparingRule::kFairSharing));
}

/// Hook victim protects all, and preempt_limits allows none.
class Forbids : public Policy {
 public:
  explicit Forbids(Hook hook) {
    info_.name = "careful";
    info_.hash = std::string(64, 'a');
    info_.hooks.emplace_back().hook = hook;
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook hook, const muster_batch&, std::span<double> answers) override {
    const double all = std::numeric_limits<double>::infinity();
    for (double& answer : answers) answer = hook == Hook::kVictim ? all : 0;
    return {};
  }

 private:
  PolicyInfo info_;
};

class PolicyProofs : public Proofs {
 protected:
  void ExpectSparedBy(Hook hook, SparingRule rule) {
    Apply({MakeQueue("a", "", {{.nominal = 2}}, kLowerOrAny), MakeLocalQueue("a"),
           Holding(MakeWorkload("h", "a", Cpu(2), 5), "a")});
    EXPECT_TRUE(engine_.ActivatePolicy(std::make_shared<Forbids>(hook), kNoon).ok());
    const SearchCertificate certificate = Certificate(MakeWorkload("w", "a", Cpu(1), 9));
    EXPECT_EQ(certificate.proof, SearchProof::kRefused);
    ASSERT_THAT(RulesOf(certificate), ElementsAre(rule));
    EXPECT_EQ(certificate.spared_by[0].policy, "careful");
  }
};

TEST_F(PolicyProofs, ProtectionByAPolicyIsToldWithItsName) {
  ExpectSparedBy(Hook::kVictim, SparingRule::kProtection);
}

TEST_F(PolicyProofs, LimitsOfAPolicyAreToldWithItsName) {
  ExpectSparedBy(Hook::kPreemptLimits, SparingRule::kLimits);
}

class ManyHolders : public Proofs {
 protected:
  /// Of 1, 2, ... cpu, the smallest of the lowest priority.
  void Hold(std::int64_t count, std::int64_t step) {
    std::int64_t total = 0;
    std::vector<Object> objects{MakeLocalQueue("a")};
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t size = 1 + step * i;
      total += size;
      objects.emplace_back(Holding(
          MakeWorkload("h" + std::to_string(i), "a", Cpu(size), static_cast<std::int32_t>(i)),
          "a"));
    }
    objects.emplace_back(MakeQueue("a", "", {{.nominal = total}}, kLowerOrAny));
    Apply(std::move(objects));
  }
};

TEST_F(ManyHolders, OfTooManyToBeReadNothingIsClaimed) {
  Hold(1100, 0);
  const Workload job = MakeWorkload("w", "a", Cpu(3), 5000);
  const SearchCertificate certificate = Certificate(job);
  EXPECT_EQ(certificate.proof, SearchProof::kBound);
  EXPECT_TRUE(certificate.more_candidates);
  EXPECT_EQ(certificate.taken, 3);
  EXPECT_EQ(certificate.fewest, 1);
  EXPECT_THAT(certificate.smaller, IsEmpty());
}

TEST_F(ManyHolders, ThoseThatAreAlikeAreCountedAndNotTried) {
  Hold(1000, 0);
  const SearchCertificate certificate = Certificate(MakeWorkload("w", "a", Cpu(400), 5000));
  EXPECT_EQ(certificate.proof, SearchProof::kMinimal);
  EXPECT_EQ(certificate.fewest, 400);
}

TEST_F(ManyHolders, TheLargestAreTheFewest) {
  Hold(60, 1);  // 1, 2, ..., 60 cpu
  const SearchCertificate certificate = Certificate(MakeWorkload("w", "a", Cpu(100), 5000));
  EXPECT_EQ(certificate.proof, SearchProof::kBound);
  EXPECT_EQ(certificate.fewest, 2);
  EXPECT_THAT(certificate.smaller, ElementsAre(DefaultKey("h59"), DefaultKey("h58")));
  EXPECT_GT(certificate.taken, 2);
}

/// Holders of much cpu and no memory, or of the reverse: sums allow fewer than any set does, and
/// there are too many sets to try them all.
TEST_F(Proofs, WhereTryingEndsTheBoundIsWhatWasRuledOut) {
  ClusterQueue queue = MakeQueue("a", "", {{.nominal = 10000}}, kLowerOrAny);
  ResourceGroup& group = queue.resource_groups.front();
  group.covered_resources = {"cpu", "memory"};
  ResourceQuota memory = group.flavors.front().resources.front();
  memory.name = "memory";
  group.flavors.front().resources.push_back(memory);
  std::vector<Object> objects{MakeLocalQueue("a"), queue};
  std::int64_t cpu = 0;
  for (std::int32_t i = 0; i < 40; ++i) {
    const std::int64_t size = 100 + i;
    cpu += size;
    ResourceList requests = Cpu(size);
    requests["memory"] = Quantity::Units(1 + 7 * i % 40);
    objects.emplace_back(Holding(MakeWorkload("h" + std::to_string(i), "a", requests, i), "a"));
  }
  ResourceList rest = Cpu(10000 - cpu);
  rest["memory"] = Quantity::Units(10000 - 820);
  objects.emplace_back(Holding(MakeWorkload("rest", "a", rest, 9000), "a"));
  Apply(std::move(objects));
  ResourceList asked = Cpu(1200);
  asked["memory"] = Quantity::Units(430);
  const Workload job = MakeWorkload("w", "a", asked, 5000);
  const SearchCertificate certificate = Certificate(job);
  EXPECT_EQ(certificate.proof, SearchProof::kBound);
  EXPECT_GE(certificate.fewest, 9);
  EXPECT_LT(certificate.fewest, certificate.taken);
  EXPECT_EQ(Of("w").certificate.fewest, certificate.fewest) << "the same each time";
}

}  // namespace
}  // namespace muster
