// What one thread makes of some job documents: the workloads, and what is wrong with them.
#ifndef MUSTER_BINDINGS_MANIFEST_JOB_MAKING_H_
#define MUSTER_BINDINGS_MANIFEST_JOB_MAKING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/manifest/containers_digest.h"
#include "bindings/manifest/decode.h"
#include "bindings/manifest/forms.h"
#include "bindings/manifest/group_pods.h"
#include "bindings/manifest/inference_pool.h"
#include "bindings/manifest/job_documents.h"
#include "bindings/manifest/job_rules.h"
#include "bindings/manifest/metadata.h"
#include "bindings/manifest/names.h"
#include "bindings/manifest/place_index.h"
#include "bindings/manifest/plain.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/reporter.h"
#include "bindings/manifest/value.h"
#include "bindings/manifest/well_known.h"
#include "bindings/manifest/workload_document.h"
#include "bindings/manifest/yaml_node.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/pod.h"
#include "bindings/objects/pod_group.h"
#include "bindings/objects/setting.h"
#include "bindings/objects/value.h"
#include "bindings/objects/workload.h"
#include "engine/model/admission_gate.h"

namespace muster::manifest {

using PlainValue = objects::Value;

inline std::string KindAndName(const PlainValue& object) {
  return object.At("kind").text + " " + Quoted(objects::NameOf(object));
}

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

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_JOB_MAKING_H_
