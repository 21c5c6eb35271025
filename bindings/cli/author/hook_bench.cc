// Items differ from each other, so that no branch of a policy is always the same. The fastest of
// several calls is what the machine needs when nobody disturbs it.
#include "bindings/cli/author/hook_bench.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "muster/batch_abi.h"

namespace muster::cli {
namespace {

constexpr double kNow = 1'767'268'800;           // 2026-01-01T12:00:00Z
constexpr std::size_t kMeasuredItems = 200'000;  // in all calls of one size together
constexpr std::array<muster_string, 9> kStrings = {{{"", 0},
                                                    {"cpu", 3},
                                                    {"memory", 6},
                                                    {"nvidia.com/gpu", 14},
                                                    {"job", 3},
                                                    {"team", 4},
                                                    {"queue", 5},
                                                    {"cluster", 7},
                                                    {"flavor", 6}}};
constexpr std::array<unsigned int, 3> kResources = {1, 2, 3};

/// Owns the memory behind a batch of one hook.
class MadeUpBatch {
 public:
  MadeUpBatch(Hook hook, std::size_t count)
      : workloads_(count), holdings_(count), nodes_(count), flavors_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      Fill(i, &workloads_[i]);
      Fill(i, &holdings_[i]);
      Fill(i, &nodes_[i]);
      Fill(i, &flavors_[i]);
    }
    Fill(7, &subject_);
    Fill(3, &queue_);
    batch_.count = static_cast<unsigned int>(count);
    batch_.resource_count = static_cast<unsigned int>(kResources.size());
    const bool of_nodes = hook == Hook::kShare, of_flavors = hook == Hook::kFlavorOrder;
    if (!of_nodes && !of_flavors) batch_.workloads = workloads_.data();
    if (hook == Hook::kVictim) batch_.holdings = holdings_.data();
    if (of_nodes) batch_.nodes = nodes_.data();
    if (of_flavors) batch_.flavors = flavors_.data();
    batch_.subject = &subject_;
    batch_.queue = &queue_;
    batch_.strings = kStrings.data();
    batch_.resources = kResources.data();
    batch_.cycle = 1;
    batch_.now = kNow;
  }
  MadeUpBatch(const MadeUpBatch&) = delete;
  MadeUpBatch& operator=(const MadeUpBatch&) = delete;
  const muster_batch& batch() const { return batch_; }

 private:
  static void Fill(std::size_t i, muster_workload* w) {
    const auto n = [i](std::size_t modulus) { return static_cast<double>(i % modulus); };
    *w = {};
    w->priority = n(7);
    w->created = w->queued_at = kNow - 60 * n(10'007);
    w->pods = 1 + n(5);
    w->podsets = 1;
    w->gpus = w->request[2] = n(9);
    w->request[0] = 1 + n(31);
    w->attempts = w->preemptions = n(3);
    w->max_run = i % 4 == 0 ? 3600 * (1 + n(11)) : std::numeric_limits<double>::infinity();
    w->name = 4;
    w->namespace_ = 5;
    w->local_queue = 6;
    w->cluster_queue = 7;
  }
  static void Fill(std::size_t i, muster_holding* holding) {
    *holding = {};
    holding->reserved_at = kNow - 60 * static_cast<double>(i % 1009);
    holding->borrowing = static_cast<double>(i % 2);
    holding->uses[2] = static_cast<double>(i % 9);
    holding->flavor[2] = 8;
  }
  static void Fill(std::size_t i, muster_node* node) {
    *node = {};
    node->weight = 1 + static_cast<double>(i % 3);
    node->depth = 1;
    node->native_share = static_cast<double>(i % 1000);
    node->nominal[2] = 8;
    node->usage[2] = static_cast<double>(i % 17);
    node->lendable[2] = 64;
    node->name = 7;
  }
  static void Fill(std::size_t i, muster_flavor* flavor) {
    *flavor = {};
    flavor->index = static_cast<double>(i);
    flavor->free[2] = static_cast<double>(i % 9);
    flavor->name = 8;
  }

  std::vector<muster_workload> workloads_;
  std::vector<muster_holding> holdings_;
  std::vector<muster_node> nodes_;
  std::vector<muster_flavor> flavors_;
  muster_workload subject_{};
  muster_node queue_{};
  muster_batch batch_{};
};

HookBench Measure(Policy& policy, const HookInfo& info, const std::vector<std::size_t>& sizes) {
  HookBench bench;
  bench.hook = HookName(info.hook);
  for (const std::size_t size : sizes) {
    const MadeUpBatch made_up(info.hook, size);
    std::vector<double> answers(size * static_cast<std::size_t>(info.keys));
    HookCost cost{size, std::numeric_limits<double>::infinity(), 0};
    for (std::size_t done = 0; done < kMeasuredItems + size; done += size) {
      const auto begin = std::chrono::steady_clock::now();
      const HookOutcome outcome = policy.Call(info.hook, made_up.batch(), answers);
      const std::chrono::duration<double, std::nano> took =
          std::chrono::steady_clock::now() - begin;
      if (!outcome.ok) {
        bench.error = outcome.message;
        return bench;
      }
      cost.nanoseconds = std::min(cost.nanoseconds, took.count() / static_cast<double>(size));
      cost.fuel = static_cast<double>(outcome.fuel) / static_cast<double>(size);
    }
    bench.costs.push_back(cost);
  }
  if (bench.costs.size() >= 2) {
    const HookCost& large = bench.costs.back();
    const HookCost& middle = bench.costs[bench.costs.size() - 2];
    bench.exponent =
        1 + std::log(large.nanoseconds / middle.nanoseconds) /
                std::log(static_cast<double>(large.items) / static_cast<double>(middle.items));
  }
  return bench;
}

}  // namespace

std::vector<HookBench> MeasureHooks(Policy& policy, const std::vector<std::size_t>& sizes) {
  std::vector<HookBench> benches;
  for (const HookInfo& info : policy.info().hooks) {
    if (info.hook == Hook::kSubmit || info.hook == Hook::kPreemptLimits) continue;
    benches.push_back(Measure(policy, info, sizes));
  }
  return benches;
}

}  // namespace muster::cli
