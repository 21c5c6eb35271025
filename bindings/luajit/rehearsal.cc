// Four items that differ in everything a policy can see: with and without GPUs, old and new, within
// quota and beyond it.
#include "bindings/luajit/rehearsal.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace muster::luajit {
namespace {

constexpr muster_string kStrings[] = {{"", 0},        {"first", 5},  {"second", 6}, {"third", 5},
                                      {"fourth", 6},  {"team-a", 6}, {"team-b", 6}, {"queue", 5},
                                      {"cluster", 7}, {"cpu", 3},    {"memory", 6}};
constexpr double kNow = 1'767'268'800;  // 2026-01-01T12:00:00Z
constexpr double kUnset = std::numeric_limits<double>::infinity();

muster_workload MakeWorkload(unsigned int index) {
  muster_workload w{};
  const double i = index;
  w.priority = index % 2 == 0 ? -1 : 99;
  w.created = kNow - 3600 * i;
  w.queued_at = w.created + 60 * i;
  w.pods = 1 + i;
  w.podsets = std::floor(1 + i / 2);
  w.gpus = index % 2 == 0 ? 0 : 8 * i;
  w.attempts = std::floor(i / 3);
  w.preemptions = std::floor(i / 2);
  w.max_run = index == 2 ? 7200 : kUnset;
  w.request[0] = 1 + 2 * i;
  w.request[1] = (1 + i) * 1'073'741'824;
  w.name = 1 + index;
  w.namespace_ = 5 + index / 2;
  w.local_queue = 7;
  w.cluster_queue = 8;
  w.last_admitted = kNow - 60 * i;
  for (double& account : w.account) account = 10 * i;
  return w;
}

muster_holding MakeHolding(unsigned int index) {
  muster_holding holding{};
  holding.reserved_at = kNow - 600 * index;
  holding.borrowing = index % 2;
  holding.same_queue = index >= 2 ? 1 : 0;
  holding.uses[0] = 1 + 2 * index;
  holding.uses[1] = (1 + index) * 1'073'741'824.0;
  holding.flavor[0] = holding.flavor[1] = 1 + index;
  return holding;
}

muster_node MakeNode(unsigned int index) {
  muster_node node{};
  const double i = index;
  node.is_cohort = index % 2;
  node.weight = index == 3 ? 0 : 1 + i;
  node.depth = 2 - node.is_cohort;
  node.last_admitted = kNow - 60 * i;
  for (double& account : node.account) account = 10 * i;
  node.native_share = index == 3 ? kUnset : 125 * i;
  node.nominal[0] = 10;
  node.usage[0] = 10 + i;
  node.borrowed[0] = i;
  node.lendable[0] = 8;
  node.borrowed_ratio[0] = i * 1000 / 8;
  node.name = 1 + index;
  return node;
}

muster_flavor MakeFlavor(unsigned int index) {
  muster_flavor flavor{};
  flavor.index = index;
  flavor.borrowing_level = index >= 2 ? 1 : 0;
  flavor.free[0] = 4 * index;
  flavor.name = 1 + index;
  return flavor;
}

}  // namespace

Rehearsal::Rehearsal(Hook hook, bool reversed)
    : subject_(MakeWorkload(2)), queue_(MakeNode(0)), resources_{9, 10} {
  const unsigned int count = hook == Hook::kPreemptLimits ? 1 : 4;
  for (unsigned int i = 0; i < count; ++i) {
    const unsigned int item = reversed ? count - 1 - i : i;
    workloads_.push_back(MakeWorkload(item));
    holdings_.push_back(MakeHolding(item));
    nodes_.push_back(MakeNode(item));
    flavors_.push_back(MakeFlavor(item));
  }
  queue_.name = 8;
  const bool compares_nodes = hook == Hook::kShare;
  const bool compares_flavors = hook == Hook::kFlavorOrder;
  const bool about_workloads =
      hook == Hook::kQueueOrder || hook == Hook::kCycleOrder || hook == Hook::kVictim;
  batch_.count = count;
  batch_.resource_count = static_cast<unsigned int>(resources_.size());
  if (about_workloads) batch_.workloads = workloads_.data();
  if (hook == Hook::kVictim) batch_.holdings = holdings_.data();
  if (compares_nodes) batch_.nodes = nodes_.data();
  if (compares_flavors) batch_.flavors = flavors_.data();
  batch_.subject = &subject_;
  batch_.queue = &queue_;
  batch_.queues = &queue_;
  batch_.strings = kStrings;
  batch_.resources = resources_.data();
  batch_.cycle = 1;
  batch_.now = kNow;
}

}  // namespace muster::luajit
