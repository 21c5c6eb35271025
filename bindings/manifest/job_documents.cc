#include "bindings/manifest/job_documents.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/manifest/beside.h"
#include "bindings/manifest/containers_digest.h"
#include "bindings/manifest/decode.h"
#include "bindings/manifest/forms.h"
#include "bindings/manifest/group_pods.h"
#include "bindings/manifest/job_fields.h"
#include "bindings/manifest/job_rules.h"
#include "bindings/manifest/kubernetes_fields.h"
#include "bindings/manifest/kueue_marks.h"
#include "bindings/manifest/metadata.h"
#include "bindings/manifest/names.h"
#include "bindings/manifest/place_index.h"
#include "bindings/manifest/plain.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/settle.h"
#include "bindings/manifest/well_known.h"
#include "bindings/manifest/workload_document.h"
#include "bindings/manifest/wrapped_parts.h"
#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/owners.h"
#include "bindings/objects/pod.h"
#include "bindings/objects/pod_group.h"
#include "engine/model/admission_gate.h"
#include "engine/model/elastic.h"
#include "engine/model/priority_boost.h"

namespace muster::manifest {
namespace {

using PlainValue = objects::Value;

/// What a thread takes at a time.
constexpr std::size_t kDocumentsOfRun = 256;

std::string KindAndName(const PlainValue& object) {
  return object.At("kind").text + " " + Quoted(objects::NameOf(object));
}

/// Whether a StatefulSet or LeaderWorkerSet makes it, whose workload its group is.
bool IsPodOfSet(const PlainValue& pod, std::string_view group) {
  const bool has_parent = !objects::Annotation(pod, objects::mark::kSuspendingParent).empty();
  return has_parent && objects::PrebuiltOf(pod, objects::Setting()) == group;
}

}  // namespace

struct JobDocuments::Making {
  const ParseOptions& options;
  const objects::Setting& setting;
  Reporter reporter;
  YamlArena arena = {};
  std::vector<MadeDocument> made = {};
  std::vector<ScaledObject> scaled = {};
  Groups groups = {};  ///< of the pods among the documents
  bool has_pools = false;
  PodLabels labels = {};  ///< of their pods, where pools look for theirs

  void Begin(const Document& document) { reporter.BeginSource(document.source, document.file); }
  Position NameOf(const Document& document) const {
    return FindPlace(*document.node, "metadata.name");
  }
  void Take(const Document& document, objects::JobWorkload workload,
            std::vector<std::string> lost_pods = {}, std::vector<GivenPod> pods = {}) {
    if (workload.sets.empty()) return ReportNoPods(document);
    for (const objects::JobPodSet& set : workload.sets) {
      if (HasContainers(set.pod_template.At("spec"))) continue;
      std::string field = set.field.substr(0, set.field.find(".metadata"));
      if (document.row->Is("Pod")) field = "spec";
      if (document.row->through_pods && !set.field.starts_with("spec")) field = "spec.template";
      return reporter.Error(
          FindPlace(*document.node, field.empty() ? "metadata.name" : field),
          KindAndName(document.object) + " has no containers in the pods of " + Quoted(set.name),
          "write a pod template: {spec: {containers: [...]}}");
    }
    for (const objects::JobPodSet& set : workload.sets) {
      if (IsDnsLabel(set.name)) continue;  // of other names Kueue makes no workload
      const Position at = PlaceOfName(document, set);
      if (set.name.empty()) {
        return reporter.Error(at, KindAndName(document.object) + " has a podset without a name",
                              "name each part that has pods");
      }
      return reporter.Error(
          at, KindAndName(document.object) + " would have a podset " + Quoted(set.name),
          "use lower-case letters, digits and '-' in its name, 63 at most");
    }
    const std::string digest = ContainersDigest(workload.sets);
    // Pods of a group take each other's places by what they ask for.
    if (!digest.empty() && !workload.annotations.Has(kPodGroupPodsAnnotation)) {
      workload.annotations.Set(kContainersAnnotation, PlainValue::Text(digest));
    }
    Key key{workload.ns, workload.name};
    JobOrigin origin{
        document.object.At({"metadata", "uid"}).text,
        workload.name_without_uid,
        std::move(lost_pods),
        std::move(pods),
        PlaceOfScaling(document),
        document.object.At("kind").text,
        objects::LacksCluster(document.object, setting),
        document.row->Is("StatefulSet") ? document.object.At({"status", "replicas"}).IntOr(0) : 0};
    std::vector<Position> names;
    for (const objects::JobPodSet& set : workload.sets) names.push_back(PlaceOfName(document, set));
    PlainValue made_of = WorkloadDocument(std::move(workload), document.object);
    for (std::size_t i = 0; i < names.size(); ++i) {
      PlainValue& name = made_of.Make({"spec", "podSets"}).items[i].Make("name");
      name.line = names[i].line;
      name.column = names[i].column;
    }
    PlaceCounts(document, &made_of);
    made.push_back({NodeOf(made_of, NameOf(document), arena), document.source, document.file,
                    std::move(key), KindAndName(document.object), std::move(origin)});
  }
  /// Where the part is named that has the podset.
  static Position PlaceOfName(const Document& document, const objects::JobPodSet& set) {
    const std::string field = set.field.substr(0, set.field.find(".template"));
    return FindPlace(*document.node, field.empty() ? "metadata.name" : field + ".name");
  }
  void ReportHeld(const Document& document, const objects::JobWorkloads& workloads,
                  const std::string& cure) {
    const PlainValue& mark = workloads.mark;
    reporter.Error(mark.line > 0 ? Position{mark.line, mark.column} : NameOf(document),
                   KindAndName(document.object) + ": " + workloads.held, cure);
  }
  void ReportNoPods(const Document& document) {
    std::string field = "spec";
    for (const auto& [key, value] : document.object.At("spec").entries) {
      const bool has_parts =
          key == "replicatedJobs" || key == "components" || key.ends_with("ReplicaSpecs");
      if (has_parts) field = "spec." + key;
    }
    reporter.Error(FindPlace(*document.node, field),
                   KindAndName(document.object) + " has nothing in it that asks for pods",
                   "add a part with a pod template");
  }
  /// Whether its spec is one of a pod. Of a group only the first pod of each role is read later.
  bool IsReadable(const Document& pod) {
    const std::size_t errors = reporter.errors();
    Decoding decoding{reporter, options};
    const YamlNode* spec = pod.node->Find("spec");
    PodTemplate pods;
    if (spec != nullptr) Read(Value(*spec, "spec", decoding), &pods);
    return reporter.errors() == errors;
  }
  /// Where a Ray cluster says that it scales itself; else none.
  std::optional<Place> PlaceOfScaling(const Document& document) const {
    if (!objects::ScalesItself(document.object)) return std::nullopt;
    const std::string& kind = document.object.At("kind").text;
    const std::string cluster = kind == "RayJob"       ? "spec.rayClusterSpec."
                                : kind == "RayService" ? "spec.rayClusterConfig."
                                                       : "spec.";
    return reporter.PlaceAt(FindPlace(*document.node, cluster + "enableInTreeAutoscaling"));
  }
  GivenPod Given(const Document& pod) const {
    const std::string group = objects::GroupField(pod.object, setting);
    const std::string retriable =
        "metadata.annotations[" + std::string(objects::mark::kRetriable) + "]";
    return {std::string(objects::NameOf(pod.object)), group,
            reporter.PlaceAt(FindPlace(*pod.node, group)),
            reporter.PlaceAt(FindPlace(*pod.node, retriable)),
            objects::Annotation(pod.object, objects::mark::kRetriable) == "false"};
  }
  /// Pods of serving kinds are counted where the object does it.
  static void PlaceCounts(const Document& document, PlainValue* made) {
    if (!document.row->through_pods) return;
    const bool is_lws = document.row->Is("LeaderWorkerSet");
    const Position at =
        FindPlace(*document.node, is_lws ? "spec.leaderWorkerTemplate.size" : "spec.replicas");
    for (PlainValue& set : made->Make({"spec", "podSets"}).items) {
      set.Make("count").line = at.line;
      set.Make("count").column = at.column;
    }
  }
  void Skip(const Document& document, const std::string& why, const std::string& cure) {
    reporter.Warning(NameOf(document), KindAndName(document.object) + " " + why + " and is skipped",
                     cure);
  }
};

bool JobDocuments::IsOwners(const Document& document, Making& making) const {
  const PlainValue& object = document.object;
  const objects::Ancestor ancestor = objects::ManagedAncestor(object, making.setting);
  if (ancestor.object != nullptr && ancestor.error.empty()) {
    making.Skip(document, "belongs to " + KindAndName(*ancestor.object),
                "its owner is queued for it");
    return true;
  }
  if (ancestor.error.empty()) return false;
  std::vector<Key> unless;
  if (ancestor.missing != nullptr) {
    unless = KeysOfOwner(objects::NamespaceOf(object), *ancestor.missing, making.setting);
  }
  // Pods know what has started them, however many owners are between.
  const std::string_view started_by = objects::Annotation(object, objects::mark::kWorkload);
  if (!started_by.empty()) {
    unless.push_back({objects::NamespaceOf(object), std::string(started_by)});
  }
  making.reporter.ErrorUnless(FindPlace(*document.node, "metadata.ownerReferences"),
                              KindAndName(object) + ": " + ancestor.error,
                              "add the owner to these files, or remove ownerReferences",
                              std::move(unless));
  return true;
}

bool JobDocuments::IsRight(const Document& document, Making& making) const {
  const PlainValue& object = document.object;
  const std::size_t errors = making.reporter.errors();
  Decoding decoding{making.reporter, making.options};
  const Value value(*document.node, document.row->kind, decoding);
  const YamlNode* metadata = document.node->Find("metadata");
  if (objects::NameOf(object).empty() || metadata == nullptr) {
    making.reporter.Error(FindPlace(*document.node, "metadata"),
                          object.At("kind").text + " has no metadata.name", "add a name");
    return false;
  }
  CheckUid(*document.node, making.reporter);
  if (document.row->Is("Pod")) {
    CheckPodMetadata(value);
  } else {
    Fields fields(value);
    ReadMetadata(fields);
    if (document.declared != nullptr) {
      for (const YamlEntry& entry : document.node->entries()) fields.Find(entry.key->text());
      WarnOfSpelling(*document.declared, *document.node, making.reporter);
    } else {
      fields.Accept({"spec", "status"});
      CheckSpelling(object.TextAt("kind"), *document.node, making.reporter);
      if (document.row->Is("AppWrapper") && making.reporter.errors() == errors) {
        CheckWrappedParts(object, making.reporter);
      }
    }
    CheckMarks("Job", Value(*metadata, "metadata", decoding));
  }
  if (making.reporter.errors() > errors) return false;
  if (IsOwners(document, making)) return false;
  if (objects::QueueOf(object).empty() && !making.setting.manage_without_queue) {
    ReportUnlabeled(value, document.row->kind, std::string(objects::NameOf(object)));
    return false;
  }
  ReportRules(*document.row, *document.node, object, making.setting, making.reporter);
  if (making.reporter.errors() > errors) return false;
  // Of a group all pods together decide.
  const bool is_member =
      document.row->Is("Pod") && !objects::GroupOf(object, making.setting).empty();
  if (!is_member && document.row->status(object, making.setting).finished) {
    making.Skip(document, "has ended", "remove status to queue it anew");
    return false;
  }
  return true;
}

void JobDocuments::MakeReplicas(const Document& document, Making& making) const {
  const std::int64_t replicas = document.object.At({"spec", "replicas"}).IntOr(1);
  if (replicas == 0) {
    making.Skip(document, "asks for no pods", std::string(kScaleItUp));
  }
  for (std::int64_t i = 0; i < replicas; ++i) {
    const objects::KindRow& row = *objects::FindKindRow("v1", "Pod");
    objects::JobWorkloads one =
        objects::WorkloadsOf(row, objects::PodOfReplica(document.object, i), making.setting);
    for (objects::JobWorkload& workload : one.made) making.Take(document, std::move(workload));
    if (one.held.empty()) continue;
    return making.ReportHeld(document, one, "correct its template");
  }
}

void JobDocuments::MakeOne(const Document& document, Making& making) const {
  making.Begin(document);
  const PlainValue& object = document.object;
  if (document.row->Is("Job")) {
    if (!IsOwners(document, making)) {
      making.made.push_back({document.node, document.source, document.file});
    }
    return;
  }
  if (!IsRight(document, making)) return;
  const PlainValue& replicas = object.At({"spec", "replicas"});
  if (document.row->through_pods && !document.row->Is("StatefulSet") &&
      replicas.IntOr(1) > kMostReplicas) {
    making.reporter.Error(
        FindPlace(*document.node, "spec.replicas"),
        "each replica of " + KindAndName(object) + " makes a workload, and these are too many",
        "write at most " + std::to_string(kMostReplicas));
    return;
  }
  if (document.row->runs_elsewhere != nullptr && document.row->runs_elsewhere(object)) {
    making.Skip(document, "runs on a cluster that is there", "it asks for no quota of its own");
    return;
  }
  if (document.row->through_pods) {
    making.scaled.push_back({object.At("kind").text,
                             {objects::NamespaceOf(object), std::string(objects::NameOf(object))},
                             object.At({"metadata", "uid"}).text,
                             replicas.IntOr(1),
                             making.reporter.PlaceAt(FindPlace(*document.node, "spec.replicas")),
                             making.reporter.PlaceAt(making.NameOf(document))});
  }
  if (document.row->Is("Deployment")) return MakeReplicas(document, making);
  objects::JobWorkloads workloads = objects::WorkloadsOf(*document.row, object, making.setting);
  if (document.row->Is("LeaderWorkerSet") && workloads.held.empty()) {
    // While it is rolled out there are more.
    making.scaled.back().replicas = static_cast<std::int64_t>(workloads.made.size());
  }
  if (!workloads.held.empty()) {
    return making.ReportHeld(document, workloads, "correct it");
  }
  if (workloads.made.empty()) {
    making.Skip(document, "asks for no pods", std::string(kScaleItUp));
  }
  for (objects::JobWorkload& workload : workloads.made) {
    std::vector<GivenPod> pods;
    if (document.row->Is("Pod")) pods.push_back(making.Given(document));
    making.Take(document, std::move(workload), {}, std::move(pods));
  }
}

void JobDocuments::MakeGroup(const std::vector<const Document*>& pods, Making& making) const {
  std::vector<const PlainValue*> members;
  std::set<std::string_view> names;
  std::vector<GivenPod> given;
  std::set<std::string> not_retriable;
  for (const Document* pod : pods) {
    making.Begin(*pod);
    if (!pod->is_lost && !IsRight(*pod, making)) return;
    if (pod != pods.front() && !making.IsReadable(*pod)) return;
    if (!names.insert(objects::NameOf(pod->object)).second) {
      return making.reporter.Error(making.NameOf(*pod),
                                   KindAndName(pod->object) + " stands twice in a pod group",
                                   "write each pod once");
    }
    members.push_back(&pod->object);
    given.push_back(making.Given(*pod));
    if (given.back().not_retriable) not_retriable.insert(given.back().name);
  }
  const Document& first = *pods.front();
  making.Begin(first);
  const bool are_all =
      static_cast<std::int64_t>(members.size()) >= objects::GroupTotalOf(first.object);
  if (are_all && objects::PodGroupStatus(members, making.setting).finished) {
    return making.Skip(first, "is of a group that has ended", "remove status to queue it anew");
  }
  objects::PodGroupView view = objects::ViewPodGroup(members, making.setting, true);
  const std::string group(objects::GroupOf(first.object, making.setting));
  const std::string which = "is of the pod group " + Quoted(group);
  if (view.workload.made.empty()) {
    making.reporter.Error(making.NameOf(first),
                          KindAndName(first.object) + " " + which + ": " + view.workload.held,
                          "correct the pods of the group");
    return;
  }
  objects::JobWorkload& workload = view.workload.made.front();
  if (view.waits) {
    making.reporter.Warning(
        making.NameOf(first),
        KindAndName(first.object) + " " + which + ", which waits: " + view.workload.held,
        std::string(kGiveTheOthers));
  }
  for (const PlainValue* pod : view.excess) {
    const auto at = std::find(members.begin(), members.end(), pod) - members.begin();
    const Document& excess = *pods[static_cast<std::size_t>(at)];
    making.Begin(excess);
    making.Skip(excess, "is one more than the pod group " + Quoted(group) + " has room for",
                "delete it, as Kueue does");
  }
  for (const Document* pod : pods) {
    if (objects::NameOf(pod->object) != objects::StrangerIn(view)) continue;
    making.Begin(*pod);
    return making.reporter.Error(making.NameOf(*pod),
                                 KindAndName(pod->object) + " " + std::string(kOtherRole),
                                 std::string(kOtherRoleCure));
  }
  making.Begin(first);
  MarkPods(view, objects::GroupTotalOf(first.object), not_retriable, &workload);
  std::vector<std::string> lost;
  for (const PlainValue* pod : view.finalize) lost.emplace_back(objects::NameOf(*pod));
  making.Take(first, std::move(workload), std::move(lost), std::move(given));
}

void JobDocuments::CheckPools(const PodLabels& pods, Making& making) const {
  for (const Document& document : documents_) {
    if (document.row != nullptr || !IsInferencePool(*document.node)) continue;
    making.Begin(document);
    Decoding decoding{making.reporter, making.options};
    CheckInferencePool(Value(*document.node, "InferencePool", decoding), document.object, pods);
  }
}

void JobDocuments::MakeOrGather(Document& document, Making& making) const {
  if (!document.is_asked_for) ReadPlain(document);
  if (making.has_pools && document.row != nullptr) making.labels.Add(document.object);
  if (document.row == nullptr) {
    making.Begin(document);
    CheckSpelling(document.object.TextAt("kind"), *document.node, making.reporter);
    if (document.object.TextAt("kind") == "CronJob") {
      making.Skip(document, "makes no workload by itself",
                  "submit the Job that it makes each time");
    }
    return;
  }
  std::string group;
  if (document.row->Is("Pod")) group = objects::GroupOf(document.object, making.setting);
  if (!group.empty() && IsPodOfSet(document.object, group)) {
    making.Begin(document);
    making.Skip(document, "is one of the pods of the workload " + Quoted(group),
                "its set is queued for it");
  } else if (group.empty()) {
    MakeOne(document, making);
  } else {
    making.groups[{objects::NamespaceOf(document.object), group}].push_back(&document);
    return;
  }
  if (!document.is_asked_for) document.object = {};
}

void JobDocuments::MakeGroups(Groups& groups, Making& making) const {
  for (auto& [id, pods] : groups) {
    std::stable_sort(pods.begin(), pods.end(), [](const Document* a, const Document* b) {
      return objects::NameOf(a->object) < objects::NameOf(b->object);
    });
    const auto is_lost = [](const Document* pod) { return pod->is_lost; };
    if (!std::all_of(pods.begin(), pods.end(), is_lost)) {
      MakeGroup(pods, making);
      continue;
    }
    for (const Document* pod : pods) {
      making.Begin(*pod);
      making.Skip(*pod, "has failed", "give its replacement together with it");
    }
  }
}

std::vector<MadeDocument> JobDocuments::Make(const ParseOptions& options,
                                             const objects::Setting& around, Reporter& reporter,
                                             YamlArena& arena) {
  const bool has_children = MarkAskedFor();
  BesideInRuns(documents_.size(), kDocumentsOfRun, [this](std::size_t i) {
    if (documents_[i].is_asked_for) ReadPlain(documents_[i]);
  });
  objects::Setting setting = around;
  setting.resolves_priorities = false;
  // A job that grows keeps its name; the engine names the slices.
  setting.numbers_slices = false;
  for (const Document& document : documents_) {
    if (document.is_asked_for) setting.Refer(document.object);
  }
  std::vector<PlainValue> owners;
  if (has_children) {
    for (const YamlNode* owner : owners_) owners.push_back(PlainOf(*owner));
  }
  for (const PlainValue& owner : owners) setting.Refer(owner);
  const bool has_pools = std::any_of(
      documents_.begin(), documents_.end(),
      [](const Document& each) { return each.is_asked_for && IsInferencePool(*each.node); });

  // One for each run, and one for what needs all documents.
  std::vector<Making> parts;
  while (parts.size() * kDocumentsOfRun < documents_.size() + kDocumentsOfRun) {
    parts.push_back({options, setting, reporter.ForPart()});
    parts.back().has_pools = has_pools;
  }
  BesideInRuns(documents_.size(), kDocumentsOfRun,
               [&](std::size_t i) { MakeOrGather(documents_[i], parts[i / kDocumentsOfRun]); });
  Groups groups;
  PodLabels labels;
  for (Making& part : parts) {
    labels.Take(std::move(part.labels));
    for (auto& [id, pods] : part.groups) {
      std::vector<const Document*>& all = groups[id];
      all.insert(all.end(), pods.begin(), pods.end());
    }
  }
  CheckPools(labels, parts.back());
  MakeGroups(groups, parts.back());
  std::vector<MadeDocument> made;
  made.reserve(documents_.size());
  for (Making& part : parts) {
    std::move(part.made.begin(), part.made.end(), std::back_inserter(made));
    std::move(part.scaled.begin(), part.scaled.end(), std::back_inserter(scaled_));
    reporter.Add(std::move(part.reporter));
    arena.Take(std::move(part.arena));
  }
  BesideInRuns(documents_.size(), kDocumentsOfRun,
               [this](std::size_t i) { documents_[i].object = {}; });
  documents_.clear();
  owners_.clear();
  return made;
}

}  // namespace muster::manifest
