// See slices.h.
#include "bindings/manifest/slices.h"

#include <algorithm>
#include <utility>

#include "engine/model/elastic.h"

namespace muster::manifest {
namespace {

bool IsSliceOf(const Workload& workload, const Key& job) {
  if (workload.key == job) return true;
  const LabelMap& annotations = workload.annotations;
  const auto first = annotations.find(kSliceNameAnnotation);
  return first != annotations.end() && first->second == job.name;
}

/// Names count upwards: "a", "a-slice-2", ..., "a-slice-10". Those of Kueue do not.
bool CameBefore(const WorkloadView& a, const WorkloadView& b) {
  if (a.spec.created != b.spec.created) return a.spec.created < b.spec.created;
  const std::string& x = a.spec.key.name;
  const std::string& y = b.spec.key.name;
  return x.size() != y.size() ? x.size() < y.size() : x < y;
}

}  // namespace

std::string FirstSliceOf(std::string_view name) {
  constexpr std::string_view kInfix = "-slice-";
  const std::size_t infix = name.rfind(kInfix);
  if (infix == name.npos || infix + kInfix.size() == name.size()) return std::string(name);
  const bool is_number = name.find_first_not_of("0123456789", infix + kInfix.size()) == name.npos;
  return std::string(is_number ? name.substr(0, infix) : name);
}

bool WasReplaced(const WorkloadView& workload) {
  const std::vector<Condition>& conditions = workload.spec.status.conditions;
  return std::any_of(conditions.begin(), conditions.end(), [](const Condition& each) {
    return each.type == "Finished" && each.status && each.reason == kSliceReplaced;
  });
}

bool IsElastic(const WorkloadView& workload) {
  const LabelMap& annotations = workload.spec.annotations;
  const auto mark = annotations.find(kElasticJobAnnotation);
  return mark != annotations.end() && mark->second == "true";
}

std::vector<WorkloadView> SlicesAmong(std::vector<WorkloadView> workloads, const Key& job) {
  std::erase_if(workloads, [&](const WorkloadView& each) { return !IsSliceOf(each.spec, job); });
  std::sort(workloads.begin(), workloads.end(), CameBefore);
  return workloads;
}

std::vector<WorkloadView> SlicesMeant(std::vector<WorkloadView> slices, bool whole_job) {
  std::vector<WorkloadView> live;
  for (const WorkloadView& each : slices) {
    if (each.phase != WorkloadPhase::kFinished) live.push_back(each);
  }
  if (live.empty()) {
    if (slices.size() > 1) slices.erase(slices.begin(), slices.end() - 1);
    return slices;
  }
  if (whole_job) return live;
  const auto running = std::find_if(live.rbegin(), live.rend(), [](const WorkloadView& each) {
    return each.spec.status.admission.has_value();
  });
  return {running == live.rend() ? live.back() : *running};
}

std::vector<WorkloadView> SlicesOf(const Engine& engine, const Key& job) {
  Result<WorkloadView> first = engine.GetWorkload(job);
  if (first.ok() && !IsElastic(*first)) return {std::move(*first)};
  Result<std::vector<WorkloadView>> all = engine.Workloads(job.ns);
  if (!all.ok()) return {};
  return SlicesAmong(std::move(*all), job);
}

std::vector<WorkloadView> LiveSlicesOf(const Engine& engine, const Key& job) {
  std::vector<WorkloadView> slices = SlicesOf(engine, job);
  std::erase_if(slices,
                [](const WorkloadView& each) { return each.phase == WorkloadPhase::kFinished; });
  return slices;
}

Key RunningSlice(const Engine& engine, const Key& job) {
  const std::vector<WorkloadView> meant = SlicesMeant(SlicesOf(engine, job), false);
  return meant.empty() ? job : meant.front().spec.key;
}

}  // namespace muster::manifest
