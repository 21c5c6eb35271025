// Stories of amounts near the limits: whatever is applied, submitted, held, ended and taken away,
// every call is taken or refused with a word, and every invariant holds after it.
#include <gtest/gtest.h>

#include <random>

#include "engine/model/limits.h"
#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster::testing {
namespace {

constexpr const char* kResources[] = {"cpu", "memory", "nvidia.com/gpu"};
constexpr const char* kFlavors[] = {"one", "two"};

class AmountStory {
 public:
  explicit AmountStory(std::uint64_t seed) : random_(seed) {
    Do(engine_.Apply(std::vector<Object>{MakeNamespace(), MakeFlavor("one"), MakeFlavor("two")},
                     now_));
  }

  /// One call; false when the engine is broken.
  bool Step() {
    now_ += kSecond;
    switch (Any(12)) {
      case 0:
        Do(engine_.Apply(std::vector<Object>{AnyQueue(), AnyLocalQueue()}, now_));
        break;
      case 1:
        Do(engine_.Apply(std::vector<Object>{AnyCohort()}, now_));
        break;
      case 2:
        Do(engine_.Apply(std::vector<Object>{AnyHolder()}, now_, Missing()));
        break;
      case 3:
      case 4:
        Do(engine_.Apply(std::vector<Object>{AnyWorkload()}, now_, Missing()));
        break;
      case 5:
        Do(engine_.Finish(std::vector{AnyKey()}, false, now_));
        break;
      case 6:
        Do(engine_.Cancel(std::vector{AnyKey()}, now_));
        break;
      case 7: {
        WorkloadUpdate update;
        update.workload = AnyKey();
        update.active = Any(2) == 0;
        Do(engine_.Update(update, now_));
        break;
      }
      case 8:
        Do(engine_.Evicted(*engine_.Evicting(), now_));
        break;
      case 9:
        if (Any(4) == 0) {
          Do(engine_.Delete(ObjectKind::kClusterQueue, {"", QueueName()}, now_, /*force=*/true));
        }
        break;
      default:
        Do(engine_.RunCycle(now_).status());
    }
    const Status status = engine_.CheckInvariants();
    if (!status.ok()) ADD_FAILURE() << status.message();
    return status.ok() && LooksAtWhatCannotBeCounted();
  }

  /// How often one was seen put aside because no more can be counted, over all steps.
  std::int64_t put_aside() const { return put_aside_; }
  std::int64_t taken() const { return taken_; }
  std::int64_t refused() const { return refused_; }

 private:
  /// One that cannot be counted is parked, blocks none behind it, and is told so.
  bool LooksAtWhatCannotBeCounted() {
    for (const PendingWorkload& waits : *engine_.Pending()) {
      if (waits.message.find("as much as can be counted") == std::string::npos) continue;
      ++put_aside_;
      if (!waits.parked) continue;  // it was woken: a cycle will look again
      const std::string verdict = engine_.Explain(waits.workload)->verdict;
      const bool never = verdict.find("in the next cycle") == std::string::npos;
      if (!never) ADD_FAILURE() << verdict;
      if (!never) return false;
    }
    return true;
  }

  std::uint64_t Any(std::uint64_t below) { return random_() % below; }

  void Do(const Status& status) {
    ++(status.ok() ? taken_ : refused_);
    if (status.code() == StatusCode::kInternal) ADD_FAILURE() << status.message();
  }

  MissingReference Missing() {
    return Any(3) == 0 ? MissingReference::kAccept : MissingReference::kRefuse;
  }

  /// In units of the resource: near a limit, near its half, near the end of int64, or small.
  Quantity AnyAmount(const std::string& resource) {
    const std::int64_t scale = resource == "cpu" ? 1000 : 1;
    constexpr std::int64_t kNear[] = {kMostAsked,     kMostAsked / 2,    kMostHeld, kMostHeld / 2,
                                      kUnlimited / 2, kMostAsked / 1000, 100,       1};
    const std::int64_t base = kNear[Any(std::size(kNear))] / scale;
    const auto away = static_cast<std::int64_t>(Any(5)) - 2;
    if (Any(20) == 0) return Quantity::Units(kUnlimited);
    return Quantity::Units(std::max<std::int64_t>(0, base + away));
  }

  std::string QueueName() { return "q" + std::to_string(Any(4)); }
  std::string CohortName() { return Any(3) == 0 ? "" : "c" + std::to_string(Any(3)); }
  Key AnyKey() { return DefaultKey("w" + std::to_string(Any(30))); }

  std::vector<ResourceGroup> AnyGroups(bool limits, bool lend_within) {
    ResourceGroup group;
    for (const char* resource : kResources) group.covered_resources.push_back(resource);
    for (const char* flavor : kFlavors) {
      FlavorQuotas quotas{flavor, {}};
      for (const char* resource : kResources) {
        ResourceQuota quota;
        quota.name = resource;
        quota.nominal = AnyAmount(resource);
        if (limits && Any(3) == 0) quota.borrowing_limit = AnyAmount(resource);
        if (limits && Any(3) == 0) {
          quota.lending_limit = AnyAmount(resource);
          if (lend_within) quota.lending_limit = std::min(*quota.lending_limit, quota.nominal);
        }
        quotas.resources.push_back(quota);
      }
      group.flavors.push_back(quotas);
    }
    return {group};
  }

  ClusterQueue AnyQueue() {
    ClusterQueue queue = MakeQueue(last_ = QueueName(), CohortName(), {});
    queue.resource_groups = AnyGroups(!queue.cohort.empty(), true);
    queue.preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    if (Any(2) == 0) queue.preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
    return queue;
  }
  LocalQueue AnyLocalQueue() { return MakeLocalQueue(last_); }
  Cohort AnyCohort() {
    const std::uint64_t number = Any(3);  // below one of a smaller number: never a circle
    Cohort cohort = MakeCohort("c" + std::to_string(number),
                               number == 0 ? "" : "c" + std::to_string(Any(number)));
    cohort.resource_groups = AnyGroups(number != 0, false);
    return cohort;
  }

  Workload AnyWorkload() {
    ResourceList request;
    for (const char* resource : kResources) {
      if (Any(2) == 0) request[resource] = AnyAmount(resource);
    }
    return MakeWorkload(AnyKey().name, QueueName(), request, static_cast<std::int32_t>(Any(3)),
                        Any(3) == 0 ? static_cast<std::int32_t>(1 + Any(3)) : 1);
  }
  Workload AnyHolder() { return Holding(AnyWorkload(), QueueName(), kFlavors[Any(2)], now_); }

  std::mt19937_64 random_;
  Engine engine_;
  TimeNs now_ = kNoon;
  std::string last_;
  std::int64_t put_aside_ = 0;
  std::int64_t taken_ = 0;
  std::int64_t refused_ = 0;
};

void TellStories(int stories, std::uint64_t first_seed) {
  std::int64_t taken = 0;
  std::int64_t refused = 0;
  std::int64_t put_aside = 0;
  for (int i = 0; i < stories; ++i) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    AmountStory story(seed);
    for (int step = 0; step < 150; ++step) {
      if (!story.Step()) return;
    }
    taken += story.taken();
    refused += story.refused();
    put_aside += story.put_aside();
  }
  EXPECT_GT(taken, refused / 4) << "most of the stories would tell nothing";
  EXPECT_GT(refused, 0);
  EXPECT_GT(put_aside, stories / 10) << "no story came to the end of counting";
}

TEST(Amounts, NearTheLimitsBreakNoInvariant) { TellStories(200, 20261123); }
TEST(LongAmounts, NearTheLimitsBreakNoInvariant) { TellStories(5'000, std::random_device{}()); }
TEST(NightAmounts, NearTheLimitsBreakNoInvariant) { TellStories(20'000, std::random_device{}()); }

}  // namespace
}  // namespace muster::testing
