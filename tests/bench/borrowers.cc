// See borrowers.h.
#include "tests/bench/borrowers.h"

#include <string>

#include "tests/bench/worlds.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

constexpr int kBorrowers = 10;

}  // namespace

std::vector<Object> Borrowers::Objects() const {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  if (fair) {
    Configuration configuration;
    configuration.fair_sharing = FairSharingConfig{};
    objects.emplace_back(configuration);
  }
  const PreemptionRules reclaims =
      RulesOf(equals ? PreemptionPolicy::kLowerOrNewerEqualPriority : PreemptionPolicy::kNever,
              protected_ones ? PreemptionPolicy::kLowerPriority : PreemptionPolicy::kAny);
  AddQueue(objects, kOwner, "cohort", {running, 0, reclaims});
  for (int i = 0; i < kBorrowers; ++i) {
    AddQueue(objects, QueueName(i), "cohort", {0, running, {}});
  }
  return objects;
}

std::vector<Workload> Borrowers::Running() const {
  std::vector<Workload> workloads;
  for (int i = 0; i < running; ++i) {
    const std::string queue = equals ? kOwner : QueueName(i % kBorrowers);
    const int priority = protected_ones && i < kBorrowers ? 200 : 50;
    workloads.push_back(testing::Holding(
        testing::MakeWorkload("running-" + std::to_string(i), queue, testing::Cpu(1), priority),
        queue, "default", testing::kNoon - (running - i) * kSecond));
  }
  return workloads;
}

}  // namespace muster::bench
