// See mixed.h. Every number here is arithmetic on an index, so that the input is the same wherever
// and whenever it is made. Shape, queue and priority of a job do not depend on each other.
#include "tests/bench/mixed.h"

#include <array>
#include <string>
#include <utility>

#include "bindings/luajit/policy_package.h"
#include "tests/bench/measure.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::bench {
namespace {

constexpr const char* kPolicy = "deadline-aware";
constexpr const char* kGpu = "nvidia.com/gpu";
constexpr std::array<const char*, 3> kFlavors = {"a100", "h100", "spot"};
constexpr int kSingleOffers = 6;  ///< each of one flavor
constexpr int kQueuesACohort = 10;

/// Flavors by their numbers, in order of preference, and how the search for one stops.
struct Offer {
  std::vector<int> flavors;
  bool tries_next_before_borrowing = false;
  bool tries_next_before_preempting = true;
};

/// The offer of that number: of one flavor, of two, of all three in every order, and two that
/// differ in how they choose. None has spot alone: not every job tolerates it.
Offer OfferOf(int number) {
  static const std::vector<std::vector<int>> kOrders = {
      {0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1},
      {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  if (number < kSingleOffers) return {{number % 2}, number / 2 % 2 == 1, number < 4};
  const int several = number - kSingleOffers;
  const int orders = static_cast<int>(kOrders.size());
  return {kOrders[static_cast<std::size_t>(several % orders)], several >= orders,
          true};
}

/// A number that says nothing of those of its neighbours: splitmix64.
std::uint64_t Mixed(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15u;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9u;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebu;
  return number ^ (number >> 31);
}

int OfferOfQueue(int queue) {
  if (queue % 3 == 0) return queue / 3 % kSingleOffers;
  return kSingleOffers + queue % (kMixedOffers - kSingleOffers);
}

FlavorQuotas QuotasOf(int flavor, int queue) {
  const auto quota = [](const char* resource, std::int64_t nominal) {
    ResourceQuota entry;
    entry.name = resource;
    entry.nominal = Quantity::Units(nominal);
    entry.borrowing_limit = Quantity::Units(nominal);
    return entry;
  };
  const std::int64_t size = 1 + queue % 4;
  return {kFlavors[static_cast<std::size_t>(flavor)],
          {quota("cpu", 24 * size), quota("memory", (std::int64_t{96} << 30) * size),
           quota(kGpu, 6 * size)}};
}

ClusterQueue MixedQueue(int queue) {
  const Offer offer = OfferOf(OfferOfQueue(queue));
  ClusterQueue made;
  made.name = QueueName(queue);
  made.cohort = "team-" + std::to_string(queue / kQueuesACohort);
  made.namespace_selector = LabelSelector{};
  made.preemption = RulesOf(PreemptionPolicy::kLowerPriority, PreemptionPolicy::kLowerPriority);
  const auto next = [](bool tries) {
    return tries ? FungibilityPolicy::kTryNextFlavor : FungibilityPolicy::kMayStopSearch;
  };
  made.flavor_fungibility.when_can_borrow = next(offer.tries_next_before_borrowing);
  made.flavor_fungibility.when_can_preempt = next(offer.tries_next_before_preempting);
  ResourceGroup group{{"cpu", "memory", kGpu}, {}};
  for (const int flavor : offer.flavors) group.flavors.push_back(QuotasOf(flavor, queue));
  made.resource_groups = {std::move(group)};
  return made;
}

void AddFlavors(std::vector<Object>& objects) {
  for (const char* name : kFlavors) {
    ResourceFlavor flavor = testing::MakeFlavor(name);
    flavor.node_labels["muster.dev/hardware"] = name;
    flavor.node_labels["muster.dev/gpu"] = "yes";
    if (name == kFlavors[2]) flavor.node_taints = {{"spot", "true", TaintEffect::kNoSchedule}};
    objects.emplace_back(std::move(flavor));
  }
}

/// Each for three queues, with a deadline of its own.
void AddBindings(std::vector<Object>& objects) {
  for (int i = 0; i < kMixedBindings; ++i) {
    PolicyBinding binding;
    binding.name = "binding-" + std::to_string(i);
    binding.policy = kPolicy;
    binding.hooks = {"queue_order"};
    for (int queue = i; queue < kMixedQueues; queue += kMixedBindings) {
      binding.cluster_queues.push_back(QueueName(queue));
    }
    binding.params = {{"default", std::to_string(1 + i % 7) + "d"}};
    objects.emplace_back(std::move(binding));
  }
}

/// One podset of a shape; the second one is that of a launcher beside the workers.
PodSet PodsOf(int shape, bool launcher) {
  constexpr std::array<std::int64_t, 5> kGpus = {0, 0, 1, 2, 4};
  const auto units = [](std::int64_t n) { return Quantity::Units(n); };
  PodSet pods;
  pods.name = launcher ? "launcher" : "workers";
  pods.count = launcher ? 1 : 1 + shape % 3;
  ResourceList requests = {{"cpu", units(1 + shape % 8)},
                           {"memory", units(std::int64_t{1 + shape % 25} << 30)}};
  const std::int64_t gpus = launcher ? 0 : kGpus[static_cast<std::size_t>(shape) % kGpus.size()];
  if (gpus > 0) requests[kGpu] = units(gpus);
  pods.pods.containers.push_back({"main", std::move(requests), {}, false});
  if (shape % 10 >= 7) pods.pods.node_selector["muster.dev/gpu"] = "yes";
  if (shape % 2 == 0) {
    pods.pods.tolerations = {{"spot", TolerationOp::kExists, "", TaintEffect::kNoSchedule}};
  }
  return pods;
}

}  // namespace

std::vector<Object> MixedObjects() {
  EngineConfiguration configuration;
  configuration.keep_finished = 1'000;
  std::vector<Object> objects = {testing::MakeNamespace(), configuration,
                                 Cohort{"east", "", {}, 1.0}, Cohort{"west", "", {}, 1.0},
                                 Cohort{"north", "", {}, 1.0}};
  AddFlavors(objects);
  for (int team = 0; team < kMixedQueues / kQueuesACohort; ++team) {
    const char* const root = team % 3 == 0 ? "east" : team % 3 == 1 ? "west" : "north";
    objects.emplace_back(Cohort{"team-" + std::to_string(team), root, {}, 1.0});
  }
  for (int queue = 0; queue < kMixedQueues; ++queue) {
    objects.emplace_back(MixedQueue(queue));
    objects.emplace_back(testing::MakeLocalQueue(QueueName(queue)));
  }
  AddBindings(objects);
  return objects;
}

Workload MixedJob(std::int64_t number, TimeNs created) {
  constexpr std::array<std::int32_t, 5> kPriorities = {50, 50, 100, 100, 200};
  const std::uint64_t mixed = Mixed(static_cast<std::uint64_t>(number));
  const int shape = static_cast<int>(mixed % kMixedShapes);
  const int queue = static_cast<int>((mixed >> 16) % kMixedQueues);
  const auto draw = static_cast<std::size_t>((mixed >> 32) % 30);
  Workload job = testing::MakeWorkload("job-" + std::to_string(number), QueueName(queue), {},
                                       kPriorities[draw % kPriorities.size()]);
  job.created = created;
  job.pod_sets = {PodsOf(shape, false)};
  if (shape % 5 == 3) job.pod_sets.push_back(PodsOf(shape, true));
  job.labels["team"] = "team-" + std::to_string(queue / kQueuesACohort);
  job.labels["stage"] = shape % 3 == 0 ? "debug" : "train";
  if (draw < 20) job.labels["deadline-hours"] = std::to_string(1 + draw * 3);
  return job;
}

void DecideMixedBy(Decider decider, Engine& engine, TimeNs now) {
  if (decider == Decider::kNative) return;
  const std::string folder = testing::SourceDir() / "policies" / kPolicy;
  Require(
      engine.ActivatePolicy(Take(luajit::LoadPackage(Take(luajit::ReadPackage(folder)))), now));
}

Gateway::Gateway(Engine& engine, int jobs_a_round)
    : engine_(engine), jobs_a_round_(jobs_a_round), now_(testing::kNoon) {}

void Gateway::Prepare() {
  now_ += kSecond;
  arriving_.clear();
  for (int i = 0; i < jobs_a_round_; ++i) arriving_.push_back(MixedJob(made_++, now_));
  ending_.clear();
  if (running_.size() < kRoundsAJob) return;
  for (Key& key : running_.front()) {
    if (!WasStopped(key)) ending_.push_back(std::move(key));
  }
  running_.pop_front();
}

void Gateway::Round() {
  Require(engine_.Submit(arriving_, now_));
  const CycleResult result = Take(engine_.RunCycle(now_));
  std::vector<Key> leaving;
  for (const PreemptedWorkload& each : result.preempted) {
    leaving.push_back(each.workload);
    stopped_.insert(each.workload);
  }
  if (!leaving.empty()) Require(engine_.Evicted(leaving, now_));
  std::erase_if(ending_, [this](const Key& key) { return WasStopped(key); });
  Require(engine_.Finish(ending_, false, now_));
  running_.push_back(KeysOf(result.admitted));
  admitted_ += static_cast<std::int64_t>(result.admitted.size());
  preempted_ += static_cast<std::int64_t>(result.preempted.size());
}

bool Gateway::WasStopped(const Key& key) {
  const auto found = stopped_.find(key);
  if (found == stopped_.end()) return false;
  stopped_.erase(found);
  return true;
}

void Gateway::Settle() {
  for (std::size_t i = 0; i < 3 * kRoundsAJob; ++i) {
    Prepare();
    Round();
  }
}

}  // namespace muster::bench
