// With and without GPUs, old and new, within quota and beyond it. The first four items differ in
// everything; the fields of more repeat at different lengths, so that no branch of a policy is
// always the same.
#include "bindings/luajit/made_up_batch.h"

#include <array>
#include <limits>

namespace muster::luajit {
namespace {

constexpr std::array<muster_string, 12> kStrings = {{{"", 0},
                                                     {"first", 5},
                                                     {"second", 6},
                                                     {"third", 5},
                                                     {"fourth", 6},
                                                     {"team-a", 6},
                                                     {"team-b", 6},
                                                     {"queue", 5},
                                                     {"cluster", 7},
                                                     {"cpu", 3},
                                                     {"memory", 6},
                                                     {"nvidia.com/gpu", 14}}};
constexpr std::array<unsigned int, 3> kResources = {9, 10, 11};
constexpr double kNow = 1'767'268'800;  // 2026-01-01T12:00:00Z
constexpr double kUnset = std::numeric_limits<double>::infinity();
constexpr double kGibibyte = 1'073'741'824;

/// `index`, beginning again at 0 after so many.
double Of(std::size_t index, std::size_t period) { return static_cast<double>(index % period); }
unsigned int NameOf(std::size_t index) { return static_cast<unsigned int>(1 + index % 4); }

muster_workload MakeWorkload(std::size_t i) {
  muster_workload w{};
  w.priority = i % 2 == 0 ? -1 : 99;
  w.created = kNow - 3600 * Of(i, 1009);
  w.queued_at = w.created + 60 * Of(i, 53);
  w.pods = 1 + Of(i, 13);
  w.podsets = 1 + Of(i / 2, 3);
  w.gpus = i % 2 == 0 ? 0 : 8 * Of(i, 9);
  w.attempts = Of(i / 3, 5);
  w.preemptions = Of(i / 2, 3);
  w.max_run = i % 4 == 2 ? 3600 * Of(i, 11) : kUnset;
  w.request[0] = 1 + 2 * Of(i, 31);
  w.request[1] = (1 + Of(i, 29)) * kGibibyte;
  w.request[2] = w.gpus;
  w.name = NameOf(i);
  w.namespace_ = 5 + static_cast<unsigned int>(i / 2 % 2);
  w.local_queue = 7;
  w.cluster_queue = 8;
  w.last_admitted = kNow - 60 * Of(i, 101);
  for (double& account : w.account) account = 10 * Of(i, 103);
  return w;
}

muster_holding MakeHolding(std::size_t i) {
  muster_holding holding{};
  holding.reserved_at = kNow - 600 * Of(i, 997);
  holding.checkpointed = i % 3 == 0 ? 0 : holding.reserved_at + 500 * Of(i, 997);
  holding.borrowing = Of(i, 2);
  holding.same_queue = Of(i / 2, 2);
  holding.uses[0] = 1 + 2 * Of(i, 31);
  holding.uses[1] = (1 + Of(i, 29)) * kGibibyte;
  holding.uses[2] = i % 2 == 0 ? 0 : 8 * Of(i, 9);
  holding.flavor[0] = holding.flavor[1] = NameOf(i);
  holding.flavor[2] = i % 2 == 0 ? 0 : NameOf(i);
  return holding;
}

muster_node MakeNode(std::size_t i) {
  muster_node node{};
  node.is_cohort = Of(i, 2);
  node.weight = i % 4 == 3 ? 0 : 1 + Of(i, 7);
  node.depth = 2 - node.is_cohort;
  node.last_admitted = kNow - 60 * Of(i, 101);
  for (double& account : node.account) account = 10 * Of(i, 103);
  node.native_share = i % 4 == 3 ? kUnset : 125 * Of(i, 1000);
  for (const int slot : {0, 2}) {
    node.nominal[slot] = 10;
    node.usage[slot] = 10 + Of(i, 17);
    node.borrowed[slot] = Of(i, 17);
    node.lendable[slot] = 8;
    node.borrowed_ratio[slot] = node.borrowed[slot] * 1000 / 8;
  }
  node.name = NameOf(i);
  return node;
}

muster_flavor MakeFlavor(std::size_t i) {
  muster_flavor flavor{};
  flavor.index = static_cast<double>(i);
  flavor.borrowing_level = Of(i / 2, 2);
  flavor.free[0] = flavor.free[2] = 4 * Of(i, 9);
  flavor.name = NameOf(i);
  return flavor;
}

muster_domain MakeDomain(std::size_t i) {
  muster_domain domain{};
  domain.depth = Of(i, 3);
  domain.room = 1 + Of(i, 37);
  domain.hosts = 1 + Of(i, 19);
  domain.gpus = i % 2 == 0 ? 0 : 4 * domain.hosts;
  domain.free_gpus = i % 2 == 0 ? 0 : 4 * Of(i, 1 + i % 19);
  for (double& placed : domain.placed) placed = Of(i / 2, 5);
  domain.total[0] = 64 * domain.hosts;
  domain.total[1] = 256 * kGibibyte * domain.hosts;
  domain.total[2] = domain.gpus;
  domain.free[0] = 8 * Of(i, 1 + i % 19);
  domain.free[1] = 32 * kGibibyte * Of(i, 1 + i % 17);
  domain.free[2] = domain.free_gpus;
  domain.level = 7;
  domain.name = NameOf(i);
  return domain;
}

}  // namespace

MadeUpBatch::MadeUpBatch(Hook hook, std::size_t items, bool reversed)
    : subject_(MakeWorkload(2)), queue_(MakeNode(0)) {
  const bool of_one = hook == Hook::kPreemptLimits || hook == Hook::kSubmit;
  const bool of_nodes = hook == Hook::kShare, of_flavors = hook == Hook::kFlavorOrder,
             of_domains = hook == Hook::kDomainOrder;
  const bool of_workloads = !of_one && !of_nodes && !of_flavors && !of_domains;
  const std::size_t count = of_one ? 1 : items;
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t i = reversed ? count - 1 - n : n;
    if (of_workloads) workloads_.push_back(MakeWorkload(i));
    if (hook == Hook::kVictim) holdings_.push_back(MakeHolding(i));
    if (of_nodes) nodes_.push_back(MakeNode(i));
    if (of_flavors) flavors_.push_back(MakeFlavor(i));
    if (of_domains) domains_.push_back(MakeDomain(i));
  }
  queue_.name = 8;
  batch_.count = static_cast<unsigned int>(count);
  batch_.resource_count = static_cast<unsigned int>(kResources.size());
  if (of_workloads) batch_.workloads = workloads_.data();
  if (hook == Hook::kVictim) batch_.holdings = holdings_.data();
  if (of_nodes) batch_.nodes = nodes_.data();
  if (of_flavors) batch_.flavors = flavors_.data();
  if (of_domains) batch_.domains = domains_.data();
  batch_.subject = &subject_;
  batch_.queue = &queue_;
  batch_.queues = &queue_;
  batch_.strings = kStrings.data();
  batch_.resources = kResources.data();
  batch_.cycle = 1;
  batch_.now = kNow;
}

}  // namespace muster::luajit
