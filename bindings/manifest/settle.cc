// See settle.h.
#include "bindings/manifest/settle.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "bindings/manifest/place_index.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/slices.h"
#include "bindings/objects/value.h"
#include "engine/model/admission_gate.h"

namespace muster::manifest {
namespace {

constexpr std::string_view kJobUidLabel = "kueue.x-k8s.io/job-uid";

bool Knows(const Engine& engine, const Key& key) { return engine.GetWorkload(key).ok(); }

/// Whether `known`, which was made of an object without uid, is of the object with `uid`. One that
/// has ended is so only when it was told before.
bool IsOf(const Engine& engine, const WorkloadView& known, const std::string& uid) {
  std::vector<WorkloadView> live = LiveSlicesOf(engine, known.spec.key);
  const bool lives = known.phase != WorkloadPhase::kFinished || !live.empty();
  live.push_back(known);  // the first of a job's slices may have come before its uid
  for (const WorkloadView& each : live) {
    const auto label = each.spec.labels.find(kJobUidLabel);
    if (label != each.spec.labels.end()) return label->second == uid;
  }
  return lives;
}

/// The object has been given a uid since it was submitted: it is the same job.
void KeepName(const Engine& engine, const Manifests& read, Workload* workload) {
  const auto origin = read.origins.find(workload->key);
  if (origin == read.origins.end() || Knows(engine, workload->key)) return;
  const Key bare{workload->key.ns, origin->second.name_without_uid};
  const Result<WorkloadView> known = engine.GetWorkload(bare);
  if (!known.ok() || !IsOf(engine, *known, origin->second.uid)) return;
  workload->key = bare;
  workload->labels[std::string(kJobUidLabel)] = origin->second.uid;
}

/// Children of what the engine queues are queued with it.
void SkipChildren(const Engine& engine, std::vector<Diagnostic>* diagnostics) {
  for (Diagnostic& each : *diagnostics) {
    const auto owner = std::find_if(each.unless.begin(), each.unless.end(),
                                    [&engine](const Key& key) { return Knows(engine, key); });
    if (owner != each.unless.end()) {
      each.severity = Severity::kWarning;
      each.what = each.what.substr(0, each.what.find(':')) + " belongs to the workload " +
                  owner->ToString() + " and is skipped";
      each.cure = "its owner is queued for it";
    }
    each.unless.clear();
  }
}

using Members = std::map<std::string, std::string>;  ///< role by name

template <typename Marks>
std::string TextIn(const Marks& annotations, std::string_view key) {
  const auto found = annotations.find(key);
  return found == annotations.end() ? std::string() : std::string(found->second);
}

Members MembersIn(const std::string& text) {
  Members members;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    const std::size_t equals = text.find('=', from);
    if (equals < end) {
      members[text.substr(from, equals - from)] = text.substr(equals + 1, end - equals - 1);
    }
    from = end + 1;
  }
  return members;
}

/// The total in "1 of 2 pods"; 0 where none is.
std::int64_t TotalIn(const std::string& waits) {
  const std::size_t of = waits.find(" of ");
  if (of == std::string::npos) return 0;
  const std::size_t from = of + 4;
  return objects::WholeNumber(waits.substr(from, waits.find(' ', from) - from)).value_or(0);
}

bool Waits(const Workload& workload) {
  return !TextIn(workload.annotations, kPodGroupWaitsAnnotation).empty();
}

/// One that waits joins one that waits. What the engine has whole stays as it is.
void Join(const Engine& engine, std::size_t i, Manifests* read) {
  Workload& workload = std::get<Workload>(read->objects[i]);
  if (!Waits(workload)) return;
  const Result<WorkloadView> known = engine.GetWorkload(workload.key);
  if (!known.ok() || known->phase == WorkloadPhase::kFinished) return;
  const Place place = read->PlaceOf(i, "metadata.name");
  std::erase_if(read->diagnostics, [&](const Diagnostic& each) {
    return each.cure == kGiveTheOthers && each.place == place;
  });
  if (!Waits(known->spec)) {
    read->diagnostics.push_back({Severity::kWarning, place,
                                 "the pod group " + Quoted(workload.key.ToString()) +
                                     " has all its pods, and is left as it is",
                                 "give all its pods to change it"});
    workload = known->spec;
    workload.status = {};
    return;
  }
  std::string wrong = JoinGroup(known->spec, &workload);
  if (wrong.empty()) {
    if (!Waits(workload)) return;
    read->diagnostics.push_back({Severity::kWarning, place,
                                 "the pod group " + Quoted(workload.key.ToString()) +
                                     " waits: it has " +
                                     TextIn(workload.annotations, kPodGroupWaitsAnnotation),
                                 std::string(kGiveTheOthers)});
    return;
  }
  read->diagnostics.push_back({Severity::kError, place,
                               "the pod group " + Quoted(workload.key.ToString()) + " " + wrong,
                               "correct the pods, or cancel the group and give all anew"});
}

}  // namespace

Key NameIn(const Engine& engine, const JobObject& job) {
  if (job.key_without_uid.name.empty() || Knows(engine, job.workload_key)) return job.workload_key;
  const Result<WorkloadView> bare = engine.GetWorkload(job.key_without_uid);
  if (!bare.ok()) return job.workload_key;
  const std::string uid = TextIn(bare->spec.labels, kJobUidLabel);
  const std::string& own = job.objects.front().At({"metadata", "uid"}).text;
  return uid.empty() || uid == own ? job.key_without_uid : job.workload_key;
}

std::string JoinGroup(const Workload& known, Workload* workload) {
  const std::int64_t total = TotalIn(TextIn(workload->annotations, kPodGroupWaitsAnnotation));
  const std::int64_t other = TotalIn(TextIn(known.annotations, kPodGroupWaitsAnnotation));
  if (total != other) {
    return "names a total of " + std::to_string(other) + ", and now of " + std::to_string(total);
  }
  if (known.queue != workload->queue) return "waits in queue " + Quoted(known.queue);
  Members members = MembersIn(TextIn(known.annotations, kPodGroupPodsAnnotation));
  for (const auto& [name, role] :
       MembersIn(TextIn(workload->annotations, kPodGroupPodsAnnotation))) {
    members[name] = role;
  }
  const auto there = static_cast<std::int64_t>(members.size());
  if (there > total) {
    return "would have " + std::to_string(there) + " of " + std::to_string(total) + " pods";
  }
  std::map<std::string, PodSet> roles;
  for (const PodSet& set : known.pod_sets) roles[set.name] = set;
  for (const PodSet& set : workload->pod_sets) roles[set.name] = set;
  for (auto& [role, set] : roles) set.count = 0;
  std::string pods;
  for (const auto& [name, role] : members) {
    if (const auto set = roles.find(role); set != roles.end()) ++set->second.count;
    pods += (pods.empty() ? "" : ",") + name + "=" + role;
  }
  workload->pod_sets = {};
  for (auto& [role, set] : roles) {
    if (set.count > 0) workload->pod_sets.push_back(std::move(set));
  }
  LabelMap annotations = workload->annotations.map();
  annotations.erase(std::string(kPodGroupWaitsAnnotation));
  annotations.erase(std::string(kPodGroupPodsAnnotation));
  if (there < total) {
    annotations[std::string(kPodGroupPodsAnnotation)] = pods;
    annotations[std::string(kPodGroupWaitsAnnotation)] =
        std::to_string(there) + " of " + std::to_string(total) + " pods";
  }
  // Priority and limits are those of the pod that came first.
  Workload joined = known;
  joined.status = {};
  joined.pod_sets = workload->pod_sets;
  joined.annotations = std::move(annotations);
  *workload = std::move(joined);
  return "";
}

void Settle(const Engine& engine, Manifests* read) {
  SkipChildren(engine, &read->diagnostics);
  for (std::size_t i = 0; i < read->objects.size(); ++i) {
    auto* const workload = std::get_if<Workload>(&read->objects[i]);
    if (workload == nullptr) continue;
    KeepName(engine, *read, workload);
    Join(engine, i, read);
  }
}

}  // namespace muster::manifest
