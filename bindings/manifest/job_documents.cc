#include "bindings/manifest/job_documents.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "bindings/manifest/beside.h"
#include "bindings/manifest/decode.h"
#include "bindings/manifest/job_fields.h"
#include "bindings/manifest/job_making.h"
#include "bindings/manifest/job_rules.h"
#include "bindings/manifest/kubernetes_fields.h"
#include "bindings/manifest/kueue_marks.h"
#include "bindings/manifest/metadata.h"
#include "bindings/manifest/place_index.h"
#include "bindings/manifest/plain.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/settle.h"
#include "bindings/manifest/well_known.h"
#include "bindings/manifest/wrapped_parts.h"
#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/owners.h"
#include "bindings/objects/pod.h"

namespace muster::manifest {
namespace {

/// What a thread takes at a time.
constexpr std::size_t kDocumentsOfRun = 256;

/// Whether a StatefulSet or LeaderWorkerSet makes it, whose workload its group is.
bool IsPodOfSet(const PlainValue& pod, std::string_view group) {
  const bool has_parent = !objects::Annotation(pod, objects::mark::kSuspendingParent).empty();
  return has_parent && objects::PrebuiltOf(pod, objects::Setting()) == group;
}

/// The ReplicaSet of a pod where that is there and nothing owns it, so that it is queued as a
/// Deployment is; else null.
const PlainValue* LoneSetOf(const PlainValue& pod, const objects::Setting& setting) {
  const PlainValue& owner = objects::ControllerOf(pod);
  if (owner.TextAt("kind") != "ReplicaSet") return nullptr;
  const PlainValue* set =
      setting.Find("ReplicaSet", objects::NamespaceOf(pod), owner.TextAt("name"));
  if (set == nullptr || !objects::ControllerOf(*set).IsNull()) return nullptr;
  return objects::IsMeant(*set, owner) && objects::IsQueued(*set, setting) ? set : nullptr;
}

}  // namespace

bool JobDocuments::IsOwners(const Document& document, Making& making) const {
  const PlainValue& object = document.object;
  const objects::Ancestor ancestor = objects::ManagedAncestor(object, making.setting);
  if (ancestor.object != nullptr && ancestor.error.empty()) {
    making.Skip(document, "belongs to " + KindAndName(*ancestor.object),
                "its owner is queued for it");
    return true;
  }
  if (const PlainValue* set = LoneSetOf(object, making.setting)) {
    making.Skip(document, "belongs to " + KindAndName(*set), "its owner is queued for it");
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
  CheckOwners(*document.node, making.reporter);
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
    } else if (document.object.TextAt("kind") == "ReplicaSet") {
      const PlainValue& owner = objects::ControllerOf(document.object);
      making.Skip(document,
                  "belongs to " + owner.At("kind").text + " " + Quoted(owner.At("name").text),
                  "its owner is queued for it, or its pods are");
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

void JobDocuments::ReportTwice(Reporter& reporter) const {
  std::map<std::tuple<std::string, std::string, Key>, Place> first;  // by group and kind
  for (const Document& document : documents_) {
    const PlainValue& object = document.object;
    const bool becomes_workload = document.row != nullptr &&
                                  objects::ControllerOf(object).IsNull();  // which is told of later
    if (!document.is_asked_for || becomes_workload || objects::NameOf(object).empty()) continue;
    reporter.BeginSource(document.source, document.file);
    const Position at = FindPlace(*document.node, "metadata.name");
    const auto [entry, is_new] = first.try_emplace(
        {std::string(objects::GroupOfVersion(object.TextAt("apiVersion"))), object.At("kind").text,
         Key{objects::NamespaceOf(object), std::string(objects::NameOf(object))}},
        reporter.PlaceAt(at));
    if (is_new) continue;
    reporter.Error(at,
                   KindAndName(object) + " is defined twice, first in " + PlaceText(entry->second),
                   "remove one of them, or rename it");
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
  ReportTwice(reporter);
  std::vector<PlainValue> owners;
  if (has_children) {
    for (const YamlNode* owner : owners_) owners.push_back(PlainOf(*owner));
  }
  for (const PlainValue& owner : owners) setting.Refer(owner);
  const bool has_pools = std::any_of(
      documents_.begin(), documents_.end(),
      [](const Document& each) { return each.is_asked_for && IsInferencePool(*each.node); });

  const auto parts_of_runs = [&](std::size_t count) {
    std::vector<Making> parts;
    while (parts.size() * kDocumentsOfRun < count) {
      parts.push_back({options, setting, reporter.ForPart()});
      parts.back().has_pools = has_pools;
    }
    return parts;
  };
  std::vector<Making> parts = parts_of_runs(documents_.size());
  BesideInRuns(documents_.size(), kDocumentsOfRun,
               [&](std::size_t i) { MakeOrGather(documents_[i], parts[i / kDocumentsOfRun]); });
  Groups gathered;
  PodLabels labels;
  for (Making& part : parts) {
    labels.Add(part.labels);
    for (auto& [id, pods] : part.groups) {
      std::vector<const Document*>& all = gathered[id];
      all.insert(all.end(), pods.begin(), pods.end());
    }
  }
  Making of_all{options, setting, reporter.ForPart()};
  CheckPools(labels, of_all);
  ReportInTwoGroups(gathered, of_all);
  parts.push_back(std::move(of_all));
  std::vector<Groups::value_type*> groups;
  for (Groups::value_type& group : gathered) groups.push_back(&group);
  std::vector<Making> parts_of_groups = parts_of_runs(groups.size());
  BesideInRuns(groups.size(), kDocumentsOfRun, [&](std::size_t i) {
    MakeGroup(groups[i]->second, parts_of_groups[i / kDocumentsOfRun]);
  });
  std::move(parts_of_groups.begin(), parts_of_groups.end(), std::back_inserter(parts));
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
