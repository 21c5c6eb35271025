// Four jobs that differ in everything a policy can see: with and without GPUs, old and new.
#include "bindings/luajit/rehearsal.h"

#include <algorithm>
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
  w.priority = 100 * (index % 2) - 1;
  w.created = kNow - 3600 * i;
  w.queued_at = w.created + 60 * i;
  w.pods = 1 + i;
  w.podsets = 1 + index / 2;
  w.gpus = index % 2 == 0 ? 0 : 8 * i;
  w.attempts = index / 3;
  w.preemptions = index / 2;
  w.max_run = index == 2 ? 7200 : kUnset;
  w.request[0] = 1 + 2 * i;
  w.request[1] = (1 + i) * 1'073'741'824;
  w.name = 1 + index;
  w.namespace_ = 5 + index / 2;
  w.local_queue = 7;
  w.cluster_queue = 8;
  return w;
}

}  // namespace

Rehearsal::Rehearsal(bool reversed) : resources_{9, 10} {
  for (unsigned int i = 0; i < 4; ++i) workloads_.push_back(MakeWorkload(i));
  if (reversed) std::reverse(workloads_.begin(), workloads_.end());
  batch_.count = static_cast<unsigned int>(workloads_.size());
  batch_.resource_count = static_cast<unsigned int>(resources_.size());
  batch_.workloads = workloads_.data();
  batch_.strings = kStrings;
  batch_.resources = resources_.data();
  batch_.cycle = 1;
  batch_.now = kNow;
  batch_.cluster_queue = 8;
}

}  // namespace muster::luajit
