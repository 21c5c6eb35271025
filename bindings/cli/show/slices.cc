// See slices.h.
#include "bindings/cli/show/slices.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/show/get_view.h"
#include "bindings/cli/table.h"
#include "bindings/manifest/slices.h"
#include "engine/model/elastic.h"

namespace muster::cli {
namespace {

/// The first slice of the job, by the note of any of them.
Key JobOf(const Engine& engine, const Key& slice) {
  const Result<WorkloadView> view = engine.GetWorkload(slice);
  if (!view.ok()) return slice;
  const LabelMap& annotations = view->spec.annotations;
  const auto first = annotations.find(kSliceNameAnnotation);
  return first == annotations.end() ? slice : Key{slice.ns, first->second};
}

std::string PodsOf(const Workload& workload) {
  std::string text;
  for (const PodSet& pods : workload.pod_sets) {
    text += (text.empty() ? "" : ", ") + pods.name + " " + std::to_string(pods.count);
  }
  return text;
}

}  // namespace

Filter MeantSlice(const Engine& engine, Filter filter) {
  if (filter.name.empty()) return filter;
  const std::vector<WorkloadView> named = Workloads(engine, filter);
  if (named.size() != 1) return filter;
  const Key key = named.front().spec.key;
  const Key job = JobOf(engine, key);
  if (job != key && !manifest::WasReplaced(named.front())) return filter;
  const Key meant = manifest::RunningSlice(engine, job);
  if (meant == key || !engine.GetWorkload(meant).ok()) return filter;
  filter.ns = meant.ns;
  filter.name = meant.name;
  return filter;
}

lab::History HistoryOfJob(const Engine& engine, const Key& workload,
                          const std::function<lab::History(const Key&)>& one) {
  const std::vector<WorkloadView> slices = manifest::SlicesOf(engine, JobOf(engine, workload));
  if (slices.size() < 2) return one(workload);
  lab::History whole;
  for (const WorkloadView& slice : slices) {
    lab::History part = one(slice.spec.key);
    whole.now = part.now;
    whole.events.insert(whole.events.end(), part.events.begin(), part.events.end());
    whole.slices.push_back(slice.spec.key.ToString());
  }
  std::stable_sort(whole.events.begin(), whole.events.end(),
                   [](const lab::PastEvent& a, const lab::PastEvent& b) { return a.at < b.at; });
  return whole;
}

void PrintSlices(const Engine& engine, const Key& workload, Io& io) {
  const std::vector<WorkloadView> slices = manifest::SlicesOf(engine, JobOf(engine, workload));
  if (slices.size() < 2) return;
  Table table({"SLICE", "PODS", "STATE"});
  for (const WorkloadView& slice : slices) {
    table.Add({slice.spec.key.ToString(), PodsOf(slice.spec),
               manifest::WasReplaced(slice) ? "Replaced" : StateOf(slice)});
  }
  io.out << '\n' << io.paint(Tone::kStrong, "Slices of this job") << '\n';
  table.Print(io.out, io.paint, "  ");
}

}  // namespace muster::cli
