// See named_by_uid.h.
#include "bindings/manifest/named_by_uid.h"

#include <algorithm>
#include <utility>

#include "bindings/manifest/admitted_as.h"
#include "bindings/manifest/containers_digest.h"
#include "bindings/manifest/well_known.h"
#include "bindings/manifest/workload_marks.h"
#include "engine/model/elastic.h"

namespace muster::manifest {
namespace {

constexpr std::size_t kHashPart = 6;  ///< "-f09b8"

/// The name without the hash; a Job that has no uid is called without one.
std::string_view StemOf(const NamedObject& object) {
  const std::string_view name = object.bare.name;
  if (object.kind == "Job" && object.uid.empty()) return name;
  return name.substr(0, name.size() - std::min(kHashPart, name.size()));
}

bool HasUid(const Workload& workload) { return !TextIn(workload.labels, kJobUidLabel).empty(); }

bool HasEnded(const WorkloadView& view) { return view.phase == WorkloadPhase::kFinished; }

}  // namespace

bool IsNamedByUid(const Workload& known, const NamedObject& object) {
  const std::string& name = known.key.name;
  const std::string_view stem = StemOf(object);
  const std::string uid = TextIn(known.labels, kJobUidLabel);
  return known.key != object.bare && known.key.ns == object.bare.ns && !stem.empty() &&
         name.size() == stem.size() + kHashPart && name.starts_with(stem) &&
         name[stem.size()] == '-' &&
         name.find_first_not_of("0123456789abcdef", stem.size() + 1) == name.npos && !uid.empty() &&
         (object.uid.empty() || object.uid == uid);
}

const std::set<std::string, std::less<>>& NamesByUid::In(const Engine& engine,
                                                         const std::string& ns) {
  const auto [known, is_new] = by_namespace_.try_emplace(ns);
  if (!is_new) return known->second;
  const Result<std::vector<WorkloadView>> all = engine.Workloads(ns);
  if (!all.ok()) return known->second;
  for (const WorkloadView& each : *all) {
    if (HasUid(each.spec)) known->second.insert(each.spec.key.name);
  }
  return known->second;
}

void NamesByUid::Note(std::span<const Object> objects) {
  groups_.Note(objects);
  for (const Object& object : objects) {
    const auto* workload = std::get_if<Workload>(&object);
    if (workload == nullptr || !HasUid(*workload)) continue;
    const auto known = by_namespace_.find(workload->key.ns);
    if (known != by_namespace_.end()) known->second.insert(workload->key.name);
  }
}

std::optional<WorkloadView> NamedByUid::Find(const NamedObject& object, const Workload* content) {
  const std::string& ns = object.bare.ns;
  const std::set<std::string, std::less<>>& names = names_->In(engine_, ns);
  const std::string first = std::string(StemOf(object)) + "-";
  std::optional<WorkloadView> found;
  for (auto name = names.lower_bound(first); name != names.end() && name->starts_with(first);
       ++name) {
    Result<WorkloadView> each = engine_.GetWorkload({ns, *name});
    if (!each.ok() || !IsNamedByUid(each->spec, object)) continue;
    const bool has_ended = HasEnded(*each);
    if (has_ended && (content == nullptr || !AsksForTheSame(engine_, *each, *content))) continue;
    if (!found || (HasEnded(*found) && !has_ended)) found = *std::move(each);
  }
  if (!found) return std::nullopt;
  const std::string slice = TextIn(found->spec.annotations, kSliceNameAnnotation);
  if (!slice.empty() && slice != found->spec.key.name) {
    Result<WorkloadView> first_slice = engine_.GetWorkload({object.bare.ns, slice});
    if (first_slice.ok() && !HasEnded(*first_slice)) return *std::move(first_slice);
  }
  return found;
}

Key NameOfJob(const WorkloadView& known) {
  const std::string first = TextIn(known.spec.annotations, kSliceNameAnnotation);
  return first.empty() ? known.spec.key : Key{known.spec.key.ns, first};
}

void BecomeKnown(const Engine& engine, const WorkloadView& known, Workload* bare) {
  const Workload given = std::exchange(*bare, known.spec);
  if (!AsksForTheSame(engine, known, given)) {
    *bare = given;
    bare->key = NameOfJob(known);
    bare->labels[std::string(kJobUidLabel)] = TextIn(known.spec.labels, kJobUidLabel);
    return;
  }
  bare->status = {};
  // Which slice of the job is meant is the engine's to say.
  bare->key = NameOfJob(known);
  if (bare->annotations.contains(kReplacementForAnnotation)) {
    bare->annotations.Mutable().erase(std::string(kReplacementForAnnotation));
  }
  for (const std::string_view mark : {kContainersAnnotation, kSyncCompletionsAnnotation}) {
    const std::string text = TextIn(given.annotations, mark);
    if (!text.empty()) bare->annotations[std::string(mark)] = text;
  }
  bare->queue = given.queue;
  const std::string label = TextIn(given.labels, kPriorityClassLabel);
  if (!label.empty()) bare->labels[std::string(kPriorityClassLabel)] = label;
  if (given.priority_class != known.spec.priority_class && !given.priority_class.empty()) {
    bare->priority_class = given.priority_class;
    bare->priority_source = given.priority_source;
    bare->priority = given.priority;
  }
}

}  // namespace muster::manifest
