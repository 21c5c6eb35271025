// See elastic_job.h.
#include "engine/kin/elastic_job.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/model/elastic.h"
#include "engine/state/whole_workload.h"

namespace muster {
namespace {

/// Behind the name of the job's workload, before the number of a slice.
constexpr std::string_view kInfix = "-slice-";
/// So much of that name is kept: names have at most 253 characters.
constexpr std::size_t kLongestStem = 230;

std::string StemOf(std::string_view first) {
  std::string stem(first.substr(0, kLongestStem));
  while (stem.ends_with('-') || stem.ends_with('.')) stem.pop_back();
  return stem.append(kInfix);
}

constexpr std::int64_t kMostNumber = 1'000'000'000;  // of a slice, in its name

/// The name of the first slice.
std::string_view FirstOfJob(const Key& key, const LabelMap& annotations) {
  const auto first = annotations.find(kSliceNameAnnotation);
  return first == annotations.end() ? std::string_view(key.name) : std::string_view(first->second);
}

bool HasEnded(const WorkloadRecord& workload) {
  return IsTrue(workload.spec.status, condition::kFinished);
}

/// Adds those of the job whose names begin so. O(their number), and O(workloads) where some came.
void AddNamedSo(const World& world, const Key& begin, std::string_view first,
                std::vector<WorkloadId>* slices) {
  const std::vector<WorkloadId>& all = world.WorkloadsByName();
  auto next = std::lower_bound(all.begin(), all.end(), begin, [&](WorkloadId id, const Key& key) {
    return world.workload(id).spec.key < key;
  });
  for (; next != all.end(); ++next) {
    const WorkloadRecord& each = world.workload(*next);
    if (each.spec.key.ns != begin.ns || !each.spec.key.name.starts_with(begin.name)) break;
    if (FirstOfJob(each.spec.key, each.series().annotations) == first) slices->push_back(*next);
  }
}

/// What all slices begin with that Kueue has named: behind it stands a hash of five digits. Empty:
/// the job has none. A first slice of Kueue's names itself, and may be forgotten.
std::string_view StemOfKueue(const WorkloadRecord* record, std::string_view first) {
  constexpr std::size_t kDigits = 5;
  const bool may_be =
      record == nullptr || record->series().annotations.contains(kSliceNameAnnotation);
  if (!may_be || first.size() <= kDigits + 1 || first[first.size() - kDigits - 1] != '-') return "";
  return first.substr(0, first.size() - kDigits);
}

/// See SlicesOfJob; `first` is the name of the first one, which may be forgotten.
std::vector<WorkloadId> KnownSlices(const World& world, const std::string& ns,
                                    std::string_view first) {
  std::vector<WorkloadId> slices;
  const WorkloadRecord* const record = world.FindWorkload(Key{ns, std::string(first)});
  // A later slice of one job may have the name of another job.
  if (record != nullptr && FirstOfJob(record->spec.key, record->series().annotations) == first) {
    slices.push_back(record->id());
  }
  if (!world.any_slices) return slices;
  AddNamedSo(world, {ns, StemOf(first)}, first, &slices);
  const std::string stem(StemOfKueue(record, first));
  if (!stem.empty()) AddNamedSo(world, {ns, stem}, first, &slices);
  // Those that were imported have arrived in the order of their files.
  std::sort(slices.begin(), slices.end(), [&world](WorkloadId a, WorkloadId b) {
    const TimeNs created_a = world.workload(a).created();
    const TimeNs created_b = world.workload(b).created();
    return created_a != created_b ? created_a < created_b : a < b;
  });
  slices.erase(std::unique(slices.begin(), slices.end()), slices.end());
  return slices;
}

WorkloadId NewestOf(const World& world, const std::vector<WorkloadId>& slices) {
  const auto live = std::find_if(slices.rbegin(), slices.rend(),
                                 [&](WorkloadId id) { return !HasEnded(world.workload(id)); });
  return live == slices.rend() ? slices.back() : *live;
}

/// A name behind that of `newest` that no workload has.
std::string NextName(const World& world, const Key& newest, std::string_view first) {
  const std::string stem = StemOf(first);
  std::int64_t number = 1;
  if (newest.name.starts_with(stem)) {
    std::from_chars(newest.name.data() + stem.size(), newest.name.data() + newest.name.size(),
                    number);
    number = std::clamp(number, std::int64_t{1}, kMostNumber);
  }
  std::string name;
  do {
    name = stem + std::to_string(++number);
  } while (world.FindWorkload(Key{newest.ns, name}) != nullptr);
  return name;
}

enum class Counts { kOther, kSame, kFewer, kMore };

/// How the podsets of `wanted` differ: kOther where not in counts alone.
Counts Compare(const SharedList<PodSet>& held, const SharedList<PodSet>& wanted) {
  if (held.size() != wanted.size()) return Counts::kOther;
  Counts counts = Counts::kSame;
  for (std::size_t i = 0; i < held.size(); ++i) {
    PodSet as_held = wanted[i];
    as_held.count = held[i].count;
    if (as_held != held[i]) return Counts::kOther;
    if (wanted[i].count > held[i].count) counts = Counts::kMore;
    if (wanted[i].count < held[i].count && counts == Counts::kSame) counts = Counts::kFewer;
  }
  return counts;
}

bool HasQuota(const WorkloadRecord& workload) {
  return IsTrue(workload.spec.status, condition::kQuotaReserved);
}

}  // namespace

bool IsOfElasticJob(const World& world, const LabelMap& annotations) {
  if (annotations.empty()) return false;
  const auto mark = annotations.find(kElasticJobAnnotation);
  return mark != annotations.end() && mark->second == "true" &&
         world.catalog.Gate(kSlicesGate, true);
}

std::vector<WorkloadId> SlicesOfJob(const World& world, const WorkloadRecord& slice) {
  if (!world.any_slices) return {slice.id()};
  const std::string first(FirstOfJob(slice.spec.key, slice.series().annotations));
  std::vector<WorkloadId> slices = KnownSlices(world, slice.spec.key.ns, first);
  const bool listed = std::find(slices.begin(), slices.end(), slice.id()) != slices.end();
  return listed ? slices : std::vector{slice.id()};
}

WorkloadId CurrentSlice(const World& world, const WorkloadRecord& slice) {
  if (!world.any_slices) return slice.id();
  const auto finished = FindCondition(slice.spec.status, condition::kFinished);
  const bool replaced = finished && finished->status && finished->reason == kSliceReplaced;
  const bool names_job =
      FirstOfJob(slice.spec.key, slice.series().annotations) == slice.spec.key.name;
  return replaced || names_job ? NewestOf(world, SlicesOfJob(world, slice)) : slice.id();
}

std::optional<Workload> AsSlice(const World& world, const Workload& wanted) {
  if (!IsOfElasticJob(world, wanted.annotations) || !wanted.status.conditions.empty() ||
      wanted.annotations.contains(kReplacementForAnnotation)) {
    return std::nullopt;
  }
  const std::vector<WorkloadId> known = KnownSlices(world, wanted.key.ns, wanted.key.name);
  if (known.empty()) return std::nullopt;
  const WorkloadRecord& newest = world.workload(NewestOf(world, known));
  // In a queue with concurrent admission it runs as its variants and grows no more.
  if (HasEnded(newest) || newest.is_job) return std::nullopt;
  const bool grows =
      HasQuota(newest) && Compare(newest.series().pod_sets, wanted.pod_sets) == Counts::kMore;
  const bool names_first = newest.series().annotations.contains(kSliceNameAnnotation);
  if (!grows && newest.spec.key == wanted.key && !names_first) return std::nullopt;
  Workload slice = wanted;
  if (grows) {
    slice.key.name = NextName(world, newest.spec.key, wanted.key.name);
    slice.uid.clear();
    slice.created = kNoTime;
    slice.annotations[std::string(kSliceNameAnnotation)] = wanted.key.name;
    slice.annotations[std::string(kReplacementForAnnotation)] = newest.spec.key.ToString();
    return slice;
  }
  slice.key = newest.spec.key;
  for (const std::string_view name : {kSliceNameAnnotation, kReplacementForAnnotation}) {
    const auto mark = newest.series().annotations.find(name);
    if (mark == newest.series().annotations.end()) continue;
    slice.annotations[std::string(name)] = mark->second;
  }
  return slice;
}

const WorkloadRecord* HolderBeside(const World& world, const Workload& slice) {
  if (!IsOfElasticJob(world, slice.annotations)) return nullptr;
  const auto named = slice.annotations.find(kReplacementForAnnotation);
  const std::optional<Key> key =
      named == slice.annotations.end() ? std::nullopt : ParseSliceKey(named->second);
  if (!key || key->ns != slice.key.ns || *key == slice.key) return nullptr;
  const WorkloadRecord* const old = world.FindWorkload(*key);
  const bool holds = old != nullptr && HasQuota(*old) && !HasEnded(*old) &&
                     IsOfElasticJob(world, old->series().annotations);
  return holds ? old : nullptr;
}

bool OnlyShrinks(const World& world, const Workload& held, const Workload& wanted) {
  return IsOfElasticJob(world, held.annotations) && IsOfElasticJob(world, wanted.annotations) &&
         !IsTrue(Keep(held.status), condition::kFinished) &&
         Compare(held.pod_sets, wanted.pod_sets) == Counts::kFewer;
}

}  // namespace muster
