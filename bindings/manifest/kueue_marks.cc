// Three sorts: read here, Kueue's own notes about what it did, and all others, which are reported.
#include "bindings/manifest/kueue_marks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/well_known.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/segments.h"
#include "engine/model/admission_gate.h"
#include "engine/model/concurrent.h"
#include "engine/model/elastic.h"
#include "engine/model/on_hold.h"
#include "engine/model/priority_boost.h"

namespace muster::manifest {
namespace {

constexpr std::string_view kPrefix = "kueue.x-k8s.io/";

/// A mark that is read in one place: by the kind of the object, by the engine, or from a pod
/// template, after which those of a topology are refused.
struct MarkPlace {
  std::string_view mark;
  std::string_view map;      ///< labels or annotations
  std::string_view owner;    ///< Job or template
  bool on_workload = false;  ///< there too
};
constexpr auto kRead =
    std::to_array<MarkPlace>({{kQueueNameLabel, "labels", "Job"},
                              {kPriorityClassLabel, "labels", "Job"},
                              {kMaxExecTimeLabel, "labels", "Job"},
                              {kMinParallelismAnnotation, "annotations", "Job"},
                              {objects::mark::kSyncCompletions, "annotations", "Job"},
                              {kPriorityBoostAnnotation, "annotations", "Job", true},
                              {kAdmissionGatedByAnnotation, "annotations", "Job", true},
                              {kElasticJobAnnotation, "annotations", "Job", true},
                              {kSliceNameAnnotation, "annotations", "Workload"},
                              {kReplacementForAnnotation, "annotations", "Workload"},
                              {kAllowedFlavorsAnnotation, "annotations", "Workload"},
                              {kVariantsParentLabel, "labels", "Workload"},
                              {kRequiredTopology, "annotations", "template"},
                              {kPreferredTopology, "annotations", "template"},
                              {kUnconstrainedTopology, "annotations", "template"},
                              {kSliceTopology, "annotations", "template"},
                              {kSliceSize, "annotations", "template"},
                              {objects::mark::kSliceConstraints, "annotations", "template"},
                              {kPodSetGroup, "annotations", "template"},
                              {objects::kSegmentsMark, "annotations", "template"}});

/// What Kueue writes for others to read.
constexpr auto kNotes = std::to_array<std::string_view>(
    {"kueue.x-k8s.io/job-uid", "kueue.x-k8s.io/managed", "kueue.x-k8s.io/podset",
     "kueue.x-k8s.io/tas", "kueue.x-k8s.io/workload", "kueue.x-k8s.io/cluster-queue-name",
     "kueue.x-k8s.io/local-queue-name", "kueue.x-k8s.io/is-group-workload",
     kOwnerOfReplicasAnnotation, "kueue.x-k8s.io/multikueue-origin", objects::mark::kRayGeneration,
     objects::mark::kStopping});

struct Undecided {
  std::string_view mark;
  std::string_view cure;
};
/// They decide something in Kueue and nothing here.
constexpr auto kUndecided = std::to_array<Undecided>({
    {"kueue.x-k8s.io/prebuilt-workload-name",
     "remove it; a Job becomes a Workload of its own, or write that Workload instead"},
    {"kueue.x-k8s.io/pod-group-name",
     "write a Job or a Workload with a podset for each kind of pod"},
    {"kueue.x-k8s.io/pod-group-total-count",
     "write a Job or a Workload with a podset for each kind of pod"},
});

/// What is wrong with a mark that is read elsewhere. A Workload that a Job became has the Job's
/// labels, and templates often repeat those of their Job: Kueue ignores them there, too.
void CheckPlace(const MarkPlace& place, std::string_view map, std::string_view owner,
                const YamlEntry& entry, Decoding& decoding) {
  const bool is_label = map == "labels" && place.map == map;
  if (place.map == map && place.owner == owner) return;
  if (place.map == map && place.on_workload && owner == "Workload") return;
  if (is_label && owner == "Workload") return;
  const std::string what = "the " + std::string(map.substr(0, map.size() - 1)) + " " +
                           Quoted(place.mark) + " has no effect on a " +
                           (owner == "template" ? "pod template" : std::string(owner));
  if (place.owner == "template") {
    return decoding.Unread(entry.key->at, what,
                           "remove it; the pods start wherever their flavor has quota");
  }
  const std::string cure = owner == "Workload"
                               ? "write spec.queueName, priorityClassRef, "
                                 "maximumExecutionTimeSeconds or minCount"
                               : "write it in metadata." + std::string(place.map) + " of the Job";
  if (is_label) return decoding.reporter.Warning(entry.key->at, what, cure);
  decoding.Unread(entry.key->at, what, cure);
}

void CheckMark(std::string_view map, std::string_view owner, const YamlEntry& entry,
               Decoding& decoding) {
  const std::string_view mark = entry.key->text();
  if (entry.value->text() == "false") return;
  const auto is_it = [mark](std::string_view known) { return known == mark; };
  for (const MarkPlace& place : kRead) {
    if (is_it(place.mark)) return CheckPlace(place, map, owner, entry, decoding);
  }
  if (!mark.starts_with(kPrefix)) return;
  const std::string_view noun = map.substr(0, map.size() - 1);
  if (std::any_of(kNotes.begin(), kNotes.end(), is_it)) return;
  const std::string subject = "the " + std::string(noun) + " " + Quoted(mark);
  for (const Undecided& undecided : kUndecided) {
    if (!is_it(undecided.mark)) continue;
    return decoding.Unread(entry.key->at, subject + " has no effect", std::string(undecided.cure));
  }
  std::array<std::string_view, kRead.size()> read;
  std::transform(kRead.begin(), kRead.end(), read.begin(),
                 [](const MarkPlace& p) { return p.mark; });
  const std::string_view near = Closest(mark, read);
  decoding.Unread(entry.key->at, "unknown " + std::string(noun) + " " + Quoted(mark),
                  near.empty() ? "remove it" : "write " + Quoted(near));
}

/// Where Kueue reads or writes a mark on pods, or on what is a template of jobs.
enum class MarkMap : std::uint8_t { kLabels, kAnnotations, kBoth };
struct PodMark {
  std::string_view mark;
  MarkMap map;
};
constexpr auto kPodMarks = std::to_array<PodMark>({
    {objects::mark::kQueue, MarkMap::kLabels},
    {objects::mark::kPriorityClass, MarkMap::kLabels},
    {objects::mark::kMaxExecTime, MarkMap::kLabels},
    {objects::mark::kManaged, MarkMap::kLabels},
    {objects::mark::kPodSet, MarkMap::kLabels},
    {objects::mark::kLocalQueue, MarkMap::kLabels},
    {objects::mark::kClusterQueue, MarkMap::kLabels},
    {objects::mark::kGroupPodIndex, MarkMap::kLabels},
    {"kueue.x-k8s.io/job-uid", MarkMap::kLabels},
    {"kueue.x-k8s.io/multikueue-origin", MarkMap::kLabels},
    {"kueue.x-k8s.io/tas", MarkMap::kLabels},
    {objects::mark::kPrebuilt, MarkMap::kBoth},
    {objects::mark::kGroupName, MarkMap::kBoth},
    {objects::mark::kGroupTotal, MarkMap::kAnnotations},
    {objects::mark::kGroupFast, MarkMap::kAnnotations},
    {objects::mark::kGroupServing, MarkMap::kAnnotations},
    {objects::mark::kGroupPodIndexLabel, MarkMap::kAnnotations},
    {objects::mark::kRetriable, MarkMap::kAnnotations},
    {objects::mark::kRoleHash, MarkMap::kAnnotations},
    {objects::mark::kSuspendingParent, MarkMap::kAnnotations},
    {objects::mark::kPodIndexOffset, MarkMap::kAnnotations},
    {objects::mark::kComponentIndex, MarkMap::kAnnotations},
    {objects::mark::kIsGroup, MarkMap::kAnnotations},
    {objects::mark::kElastic, MarkMap::kAnnotations},
    {objects::mark::kGatedBy, MarkMap::kAnnotations},
    {objects::mark::kMinParallelism, MarkMap::kAnnotations},
    {objects::mark::kSyncCompletions, MarkMap::kAnnotations},
    {objects::mark::kStopping, MarkMap::kAnnotations},
    {objects::mark::kRayGeneration, MarkMap::kAnnotations},
    {objects::mark::kWorkload, MarkMap::kAnnotations},
    {objects::mark::kSliceName, MarkMap::kAnnotations},
    {objects::mark::kSliceFor, MarkMap::kAnnotations},
    {objects::mark::kRequiredTopology, MarkMap::kAnnotations},
    {objects::mark::kPreferredTopology, MarkMap::kAnnotations},
    {objects::mark::kUnconstrainedTopology, MarkMap::kAnnotations},
    {objects::mark::kSliceTopology, MarkMap::kAnnotations},
    {objects::mark::kSliceSize, MarkMap::kAnnotations},
    {objects::mark::kSliceConstraints, MarkMap::kAnnotations},
    {objects::mark::kPodSetGroup, MarkMap::kAnnotations},
    {"kueue.x-k8s.io/safe-to-forcefully-terminate", MarkMap::kAnnotations},
    {"kueue.x-k8s.io/safe-to-forcefully-delete", MarkMap::kAnnotations},
    {kPriorityBoostAnnotation, MarkMap::kAnnotations},
    {objects::kSegmentsMark, MarkMap::kAnnotations},
});

/// Whether `key` can only be meant for the queues: it has their prefix, or one much like it.
bool IsForQueues(std::string_view key, std::string_view near) {
  if (key.starts_with(kPrefix)) return true;
  const std::size_t slash = key.find('/');
  return slash != key.npos && key.substr(0, slash).find("kueue") != key.npos && !near.empty();
}

void CheckPodMark(std::string_view map, const YamlEntry& entry, Decoding& decoding) {
  const std::string_view mark = entry.key->text();
  // Whatever is for provisioning requests is passed on to them.
  if (mark.starts_with("provreq.") && map == "annotations") return;
  const auto known = std::find_if(kPodMarks.begin(), kPodMarks.end(),
                                  [mark](const PodMark& each) { return each.mark == mark; });
  const std::string noun(map.substr(0, map.size() - 1));
  if (known != kPodMarks.end()) {
    const bool is_label = map == "labels";
    if (known->map == MarkMap::kBoth || (known->map == MarkMap::kLabels) == is_label) return;
    const std::string other = is_label ? "annotations" : "labels";
    decoding.Unread(entry.key->at, Quoted(mark) + " has no effect among the " + std::string(map),
                    "write it in metadata." + other);
    return;
  }
  if (mark.find("kueue") == mark.npos) return;
  std::array<std::string_view, kPodMarks.size()> marks;
  std::transform(kPodMarks.begin(), kPodMarks.end(), marks.begin(),
                 [](const PodMark& each) { return each.mark; });
  const std::string_view near = Closest(mark, marks);
  if (!IsForQueues(mark, near)) return;
  decoding.Unread(entry.key->at, "unknown " + noun + " " + Quoted(mark),
                  near.empty() ? "remove it" : "write " + Quoted(near));
}

void CheckMarksOf(const YamlNode& metadata, Decoding& decoding) {
  for (const std::string_view map : {"labels", "annotations"}) {
    const YamlNode* marks = metadata.Find(map);
    if (marks == nullptr) continue;
    for (const YamlEntry& entry : marks->entries()) CheckPodMark(map, entry, decoding);
  }
}

/// Templates have their marks in `metadata`; those of a SparkApplication stand in the role itself.
void CheckMarksBelow(const YamlNode& node, Decoding& decoding) {
  CheckMarksOf(node, decoding);
  for (const YamlEntry& entry : node.entries()) CheckMarksBelow(*entry.value, decoding);
  for (const YamlNode* item : node.items()) CheckMarksBelow(*item, decoding);
}

}  // namespace

void CheckPodMarks(const YamlNode& document, Decoding& decoding) {
  const YamlNode* kind = document.Find("kind");
  const YamlNode* metadata = document.Find("metadata");
  const YamlNode* spec = document.Find("spec");
  const bool is_pod = kind != nullptr && kind->text() == "Pod";
  if (is_pod && metadata != nullptr) CheckMarksOf(*metadata, decoding);
  if (!is_pod && spec != nullptr) CheckMarksBelow(*spec, decoding);
}

void CheckMarks(std::string_view owner, const Value& metadata) {
  if (owner != "Job" && owner != "Workload" && owner != "template") return;
  for (const std::string_view map : {"labels", "annotations"}) {
    const YamlNode* marks = metadata.node().Find(map);
    if (marks == nullptr) continue;
    for (const YamlEntry& entry : marks->entries()) {
      CheckMark(map, owner, entry, metadata.decoding());
    }
  }
}

}  // namespace muster::manifest
