// See known_jobs.h.
#include "bindings/manifest/known_jobs.h"

#include <string>
#include <utility>

#include "bindings/manifest/named_by_uid.h"
#include "bindings/manifest/workload_marks.h"
#include "bindings/objects/workload.h"
#include "engine/model/elastic.h"

namespace muster::manifest {
namespace {

/// Of an elastic job that Kueue has named by its generation.
Key NameOfImported(const Engine& engine, const JobObject& job) {
  if (!job.workload.annotations.Has(kElasticJobAnnotation)) return job.workload_key;
  const objects::Value& object = job.objects.front();
  NamesByUid names;
  const std::optional<WorkloadView> known =
      NamedByUid(engine, &names)
          .Find({job.workload_key, object.At("kind").text, object.At({"metadata", "uid"}).text},
                nullptr);
  return known ? NameOfJob(*known) : job.workload_key;
}

}  // namespace

std::optional<WorkloadView> KnownReplica(const Engine& engine, const ScaledObject& object,
                                         std::int64_t replica, NamesByUid* names) {
  const bool is_whole = object.kind == "StatefulSet";
  const bool is_lws = object.kind == "LeaderWorkerSet";
  const objects::KindRow& row =
      is_whole ? *objects::FindKindRow("apps/v1", "StatefulSet")
      : is_lws ? *objects::FindKindRow("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet")
               : *objects::FindKindRow("v1", "Pod");
  const std::string name =
      is_whole ? object.key.name : object.key.name + "-" + std::to_string(replica);
  for (const std::string& each :
       {objects::WorkloadName(row, name, object.uid, "", objects::Setting()),
        objects::WorkloadName(row, name, "", "", objects::Setting())}) {
    Result<WorkloadView> known = engine.GetWorkload({object.key.ns, each});
    if (!known.ok()) continue;
    if (object.uid.empty() || TextIn(known->spec.labels, kJobUidLabel).empty() ||
        TextIn(known->spec.labels, kJobUidLabel) == object.uid) {
      return *std::move(known);
    }
  }
  // The pods of a Deployment have names in a cluster that it does not tell.
  if (names == nullptr || !object.uid.empty() || row.Is("Pod")) return std::nullopt;
  const Key bare{object.key.ns, objects::WorkloadName(row, name, "", "", objects::Setting())};
  return NamedByUid(engine, names).Find({bare, object.kind, ""}, nullptr);
}

Key NameIn(const Engine& engine, const JobObject& job) {
  if (job.key_without_uid.name.empty() || engine.GetWorkload(job.workload_key).ok())
    return job.workload_key;
  const Result<WorkloadView> bare = engine.GetWorkload(job.key_without_uid);
  if (!bare.ok()) return NameOfImported(engine, job);
  const std::string uid = TextIn(bare->spec.labels, kJobUidLabel);
  const std::string& own = job.objects.front().At({"metadata", "uid"}).text;
  return uid.empty() || uid == own ? job.key_without_uid : job.workload_key;
}

}  // namespace muster::manifest
