// See settle.h.
#include "bindings/manifest/settle.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bindings/manifest/admitted_as.h"
#include "bindings/manifest/containers_digest.h"
#include "bindings/manifest/group_pods.h"
#include "bindings/manifest/known_jobs.h"
#include "bindings/manifest/manifest.h"
#include "bindings/manifest/named_by_uid.h"
#include "bindings/manifest/on_hold.h"
#include "bindings/manifest/place_index.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/slices.h"
#include "bindings/manifest/surroundings.h"
#include "bindings/manifest/update_rules.h"
#include "bindings/manifest/workload_marks.h"
#include "bindings/objects/marks.h"
#include "engine/model/admission_gate.h"
#include "engine/model/elastic.h"

namespace muster::manifest {
namespace {

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

/// Objects that jobs have become, and what is open of them.
struct Jobs {
  std::vector<Object>& objects;
  const std::map<Key, JobOrigin>& origins;
  std::vector<Diagnostic>& diagnostics;
  const std::vector<ScaledObject>& scaled;
  std::vector<WorkloadUpdate>& updates;
  /// Where a field of an object stands.
  std::function<Place(std::size_t, std::string_view)> place_of;
};

/// The object was imported, and its workload is called otherwise: it is the same job.
void FindName(const Engine& engine, const Jobs& read, NamedByUid all, Workload* workload) {
  const auto origin = read.origins.find(workload->key);
  if (origin == read.origins.end() || IsPodGroup(*workload) || Knows(engine, workload->key)) return;
  const std::string& uid = origin->second.uid;
  // Of others the name follows from the uid.
  if (!uid.empty() && TextIn(workload->annotations, kElasticJobAnnotation) != "true") return;
  const std::optional<WorkloadView> known =
      all.Find({workload->key, origin->second.kind, uid}, workload);
  if (known) BecomeKnown(engine, *known, workload);
}

/// The object has been given a uid since it was submitted: it is the same job.
void KeepName(const Engine& engine, const Jobs& read, Workload* workload) {
  const auto origin = read.origins.find(workload->key);
  if (origin == read.origins.end() || origin->second.name_without_uid.empty() ||
      Knows(engine, workload->key)) {
    return;
  }
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

/// Whether a workload that is no pod group's by its marks may be one of an earlier version, or one
/// that was imported: its podsets are called as roles are.
bool MayBePodGroup(const Workload& workload) {
  if (IsPodGroup(workload) || TextIn(workload.annotations, objects::mark::kIsGroup) == "true") {
    return true;
  }
  constexpr std::size_t kRole = 8;
  return std::all_of(workload.pod_sets.begin(), workload.pod_sets.end(), [](const PodSet& set) {
    return set.name.size() == kRole &&
           set.name.find_first_not_of("0123456789abcdef") == std::string::npos;
  });
}

/// A group that is given, where the engine has one of its name.
class Joining {
 public:
  Joining(const Engine& engine, std::size_t i, const Jobs& read)
      : engine_(engine),
        read_(read),
        workload_(std::get<Workload>(read.objects[i])),
        place_(read.place_of(i, "metadata.name")) {}

  void Join() {
    const Result<WorkloadView> known = engine_.GetWorkload(workload_.key);
    const bool is_known = known.ok() && known->phase != WorkloadPhase::kFinished;
    if (known.ok() && !MayBePodGroup(known->spec)) {
      ForgetWarning();
      return Say(Severity::kError, "has the name of a workload that is of no pod group",
                 "give the group another name");
    }
    if (!WaitsForPods(workload_)) {
      if (is_known) KeepNames(known->spec);
      return;
    }
    if (is_known) {
      JoinKnown(known->spec);
    } else if (PodsOfGroup(workload_).empty()) {
      ForgetWarning();
      Say(Severity::kError, "has " + Waits() + ": those that are given have failed",
          "give pods that are to run");
    }
  }

 private:
  /// One that is admitted by its first pod gets to know the others.
  void KeepNames(const Workload& known) {
    PodRoles members = PodsOfGroup(known);
    const PodRoles given = PodsOfGroup(workload_);
    const auto total = static_cast<std::size_t>(TotalOfGroup(workload_));
    if (given.empty() || given.size() >= total) return;
    for (const std::string& name : LostPods()) members.erase(name);
    if (const std::string* stranger = StrangerAmong(given, members, known)) {
      return Say(Severity::kError,
                 "cannot have the pod " + Quoted(*stranger) + ", which " + std::string(kOtherRole),
                 std::string(kOtherRoleCure));
    }
    members.insert(given.begin(), given.end());
    if (members.size() > total) return;
    LabelMap annotations = workload_.annotations.map();
    annotations[std::string(kPodGroupPodsAnnotation)] = TextOf(members);
    KeepNotRetriable(known, members, &annotations);
    workload_.annotations = std::move(annotations);
  }

  void JoinKnown(const Workload& known) {
    ForgetWarning();
    const PodRoles members = PodsOfGroup(known);
    const std::vector<std::string> lost = LostPods();
    const bool loses = std::any_of(lost.begin(), lost.end(), [&members](const std::string& name) {
      return members.contains(name);
    });
    if (!WaitsForPods(known) && !loses) {
      return Leave(known, "has all its pods, and is left as it is",
                   "give all its pods to change it");
    }
    Workload joined = workload_;
    const std::string wrong = JoinGroup(known, lost, &joined);
    if (!wrong.empty()) {
      return Say(Severity::kError, wrong,
                 "correct the pods, or cancel the group and give all anew");
    }
    // As in Kueue a pod that has failed keeps its place, and the quota, until another takes it.
    if (WaitsForPods(joined) && HasQuota(known)) {
      return Leave(known, "keeps the quota of pods that have failed until they are replaced",
                   "give their replacements together with those that have failed");
    }
    workload_ = std::move(joined);
    if (WaitsForPods(workload_)) {
      Say(Severity::kWarning, "waits: it has " + Waits(), std::string(kGiveTheOthers));
    }
  }

  void Leave(const Workload& known, const std::string& what, const std::string& cure) {
    Say(Severity::kWarning, what, cure);
    workload_ = known;
    workload_.status = {};
  }

  void ForgetWarning() {
    std::erase_if(read_.diagnostics, [this](const Diagnostic& each) {
      return each.cure == kGiveTheOthers && each.place == place_;
    });
  }
  void Say(Severity severity, const std::string& what, const std::string& cure) {
    read_.diagnostics.push_back(
        {severity, place_, "the pod group " + Quoted(workload_.key.ToString()) + " " + what, cure});
  }
  std::vector<std::string> LostPods() const {
    const auto origin = read_.origins.find(workload_.key);
    return origin == read_.origins.end() ? std::vector<std::string>() : origin->second.lost_pods;
  }
  std::string Waits() const { return TextIn(workload_.annotations, kPodGroupWaitsAnnotation); }

  const Engine& engine_;
  const Jobs& read_;
  Workload& workload_;
  Place place_;
};

/// Whether a gate is open, as it will be when all is applied.
bool IsOpen(const Engine& engine, const Jobs& read, std::string_view name) {
  const auto is_open = [name](const Object& object) {
    const auto* configuration = std::get_if<Configuration>(&object);
    if (configuration == nullptr) return true;
    const auto gate = configuration->feature_gates.find(name);
    return gate == configuration->feature_gates.end() || gate->second;
  };
  for (const Object& object : read.objects) {
    if (std::holds_alternative<Configuration>(object)) return is_open(object);
  }
  const Result<std::vector<Object>> known = engine.Objects(ObjectKind::kConfiguration);
  return !known.ok() || std::all_of(known->begin(), known->end(), is_open);
}

void CheckScaling(const Engine& engine, const Jobs& read) {
  const auto scales = [](const auto& origin) { return origin.second.scales_itself.has_value(); };
  const auto first = std::find_if(read.origins.begin(), read.origins.end(), scales);
  if (first == read.origins.end() || IsOpen(engine, read, kSlicesGate)) return;
  read.diagnostics.push_back({Severity::kError, *first->second.scales_itself,
                              "enableInTreeAutoscaling would grow the cluster beyond its quota "
                              "where the gate " +
                                  std::string(kSlicesGate) + " is closed",
                              "remove it, or open the gate"});
}

/// The workload that object `i` becomes again, of an elastic job one that has not ended; unset:
/// there is none.
std::optional<WorkloadView> KnownOf(const Engine& engine, const Key& key) {
  Result<WorkloadView> known = engine.GetWorkload(key);
  if (!known.ok()) return std::nullopt;
  if (!IsElastic(*known)) return *std::move(known);
  std::vector<WorkloadView> live = LiveSlicesOf(engine, key);
  if (live.empty()) return std::nullopt;
  return std::move(live.back());
}

WorkloadUpdate Activity(const Key& workload, bool active) {
  WorkloadUpdate update;
  update.workload = workload;
  update.active = active;
  return update;
}

bool HasReplicas(std::string_view kind) {
  return kind == "StatefulSet" || kind == "LeaderWorkerSet" || kind == "Deployment" ||
         kind == "ReplicaSet";
}

/// Of an elastic job whose newest slice waits, the one that runs.
std::optional<WorkloadView> HolderBeside(const Engine& engine, const WorkloadView& newest) {
  if (!IsElastic(newest) || HasQuota(newest.spec)) return std::nullopt;
  const std::string first = TextIn(newest.spec.annotations, kSliceNameAnnotation);
  const Key job{newest.spec.key.ns, first.empty() ? newest.spec.key.name : first};
  for (WorkloadView& each : LiveSlicesOf(engine, job)) {
    if (HasQuota(each.spec)) return std::move(each);
  }
  return std::nullopt;
}

/// The object's cluster scales itself and is not here to tell how large it is.
void KeepCounts(const Workload& known, Workload* workload) {
  for (PodSet& set : workload->pod_sets.Mutable()) {
    for (const PodSet& had : known.pod_sets) {
      if (had.name == set.name) set.count = had.count;
    }
  }
}

/// As in Kueue an object matches its workload by its counts and containers: node selectors, labels
/// and tolerations, as a start writes them, make no other one of it. What is left to differ is
/// counts and minima.
void KeepPods(const Engine& engine, const WorkloadView& known, Workload* workload) {
  const bool is_held = HasQuota(known.spec) || known.phase == WorkloadPhase::kFinished;
  const bool has_other = !OtherContainers(TextIn(known.spec.annotations, kContainersAnnotation),
                                          TextIn(workload->annotations, kContainersAnnotation))
                              .empty();
  if (!is_held || has_other || !AsksForTheSamePods(engine, known, *workload)) return;
  // With the pods of a part of it, it may have been admitted so.
  const bool has_its_counts = AsksForTheSame(engine, known, *workload);
  SharedList<PodSet> sets = known.spec.pod_sets;
  for (std::size_t i = 0; i < workload->pod_sets.size(); ++i) {
    const PodSet& given = std::as_const(workload->pod_sets)[i];
    if (sets[i].min_count != given.min_count) sets[i].min_count = given.min_count;
    if (!has_its_counts) sets[i].count = given.count;
  }
  workload->pod_sets = std::move(sets);
}

/// What an object may not change, and what of it has no effect.
void CheckUpdate(const Engine& engine, const Jobs& read, std::size_t i, const JobOrigin& origin) {
  auto& workload = std::get<Workload>(read.objects[i]);
  const std::string& kind = origin.kind;
  const std::optional<WorkloadView> known = KnownOf(engine, workload.key);
  if (!known) return;
  const auto say = [&](Severity severity, Place place, std::string what, std::string cure) {
    Diagnostic said{severity, std::move(place), std::move(what), std::move(cure)};
    // Of all replicas it is said once.
    const auto is_it = [&said](const Diagnostic& each) {
      return each.place == said.place && each.what == said.what;
    };
    if (std::none_of(read.diagnostics.begin(), read.diagnostics.end(), is_it)) {
      read.diagnostics.push_back(std::move(said));
    }
  };
  if (IsPodGroup(known->spec) && !IsPodGroup(workload)) {
    return say(Severity::kError, read.place_of(i, "metadata.name"),
               "its workload " + Quoted(workload.key.ToString()) + " is that of a pod group",
               "give one of them another name");
  }
  const std::optional<WorkloadView> holder = HolderBeside(engine, *known);
  const WorkloadView& bound = holder ? *holder : *known;
  if (origin.lacks_cluster && HasQuota(bound.spec)) KeepCounts(known->spec, &workload);
  const bool minds_gates = !TextIn(workload.annotations, kAdmissionGatedByAnnotation).empty() &&
                           IsOpen(engine, read, "AdmissionGatedBy");
  std::vector<UpdateProblem> problems = UpdateProblems(kind, bound, workload, minds_gates);
  if (kind == "StatefulSet") {
    auto problem = ReturnProblem(*known, workload, origin.replicas_left);
    if (problem) problems.push_back(*std::move(problem));
  }
  for (const UpdateProblem& each : problems) {
    const bool is_mark = each.field.starts_with("metadata.");
    say(Severity::kError, read.place_of(i, is_mark ? each.field : "spec.podSets[0].count"),
        each.field + " " + each.what, each.cure);
  }
  KeepPods(engine, bound, &workload);
  if (known->phase == WorkloadPhase::kFinished) return;
  KeepHold(known->spec, &workload);
  // It is queued again by a command of its own, for an object leaves it as it was evicted.
  if (HasReplicas(kind) && !known->spec.active) {
    workload.active = false;
    read.updates.push_back(Activity(workload.key, true));
  }
  if (!KeepClass(kind, known->spec, &workload)) return;
  const std::string label = "metadata.labels[kueue.x-k8s.io/priority-class]";
  say(Severity::kWarning, read.place_of(i, label),
      label + " has no effect: the workload keeps " +
          (known->spec.priority_class.empty() ? "its priority"
                                              : "the class " + Quoted(known->spec.priority_class)),
      "delete the object and submit it anew to give it another class");
}

/// Workloads of replicas that are gone wait until those come back: they are asked to leave.
void HoldReplicas(const Engine& engine, const Jobs& read, const ScaledObject& object,
                  NamesByUid* names) {
  if (object.kind == "StatefulSet" && object.replicas > 0) return;
  const bool is_deployment = object.kind == "Deployment" || object.kind == "ReplicaSet";
  std::size_t held = 0;
  for (std::int64_t i = std::max<std::int64_t>(object.replicas, 0);; ++i) {
    const std::optional<WorkloadView> known = KnownReplica(engine, object, i, names);
    if (!known) break;
    // Which pods of a Deployment go is its controller's choice: those that run are not told to.
    const bool stays = is_deployment && object.replicas > 0 && HasQuota(known->spec);
    if (known->phase != WorkloadPhase::kFinished && known->spec.active && !stays) {
      read.updates.push_back(Activity(known->spec.key, false));
      ++held;
    }
    if (object.kind == "StatefulSet") break;
  }
  if (held == 0) return;
  std::erase_if(read.diagnostics, [&object](const Diagnostic& each) {
    return each.cure == kScaleItUp && each.place == object.name;
  });
  read.diagnostics.push_back(
      {Severity::kWarning, object.place,
       object.kind + " " + Quoted(object.key.name) + " has " + std::to_string(object.replicas) +
           (object.replicas == 1 ? " replica" : " replicas") + " now: " +
           (held == 1 ? "a workload of it is" : std::to_string(held) + " workloads of it are") +
           " held back, and quota of it is released",
       "scale it up to queue it again"});
}

/// Pods are told of at their own places, of a group as it is given.
void CheckPods(const Engine& engine, const Jobs& read, const Workload& workload,
               const JobOrigin& origin, GroupsByPod* groups) {
  std::optional<WorkloadView> known;
  if (Result<WorkloadView> found = engine.GetWorkload(workload.key); found.ok()) {
    if (found->phase != WorkloadPhase::kFinished) known = *std::move(found);
  }
  for (UpdateProblem& each : PodProblems(engine, origin.pods, workload.key, known, groups)) {
    read.diagnostics.push_back({Severity::kError, each.place.value_or(Place()),
                                each.field + " " + each.what, std::move(each.cure)});
  }
}

void Settle(const Engine& engine, const Jobs& read, NamesByUid* names, GroupsByPod* groups) {
  CheckScaling(engine, read);
  SkipChildren(engine, &read.diagnostics);
  for (std::size_t i = 0; i < read.objects.size(); ++i) {
    auto* const workload = std::get_if<Workload>(&read.objects[i]);
    if (workload == nullptr) continue;
    const Key key = workload->key;
    KeepName(engine, read, workload);
    if (names != nullptr) FindName(engine, read, NamedByUid(engine, names), workload);
    const auto origin = read.origins.find(key);
    if (origin != read.origins.end() && !origin->second.pods.empty()) {
      CheckPods(engine, read, *workload, origin->second, groups);
    }
    if (IsPodGroup(*workload)) Joining(engine, i, read).Join();
    if (origin != read.origins.end()) CheckUpdate(engine, read, i, origin->second);
  }
  for (const ScaledObject& object : read.scaled) HoldReplicas(engine, read, object, names);
}

}  // namespace

void Settle(const Engine& engine, Manifests* read, NamesByUid* names) {
  ReadInSurroundings(engine, read);
  GroupsByPod of_call;
  Settle(engine,
         Jobs{read->objects, read->origins, read->diagnostics, read->scaled, read->updates,
              [read](std::size_t i, std::string_view field) { return read->PlaceOf(i, field); }},
         names, names == nullptr ? &of_call : &names->groups());
}

std::set<Key> AskedBySettle(const Manifests& read) {
  std::set<Key> asked;
  for (const Diagnostic& each : read.diagnostics) {
    asked.insert(each.unless.begin(), each.unless.end());
  }
  for (const Object& object : read.objects) {
    const auto* workload = std::get_if<Workload>(&object);
    if (workload == nullptr) continue;
    if (IsPodGroup(*workload)) asked.insert(workload->key);
    const auto origin = read.origins.find(workload->key);
    if (origin == read.origins.end() || origin->second.name_without_uid.empty()) continue;
    asked.insert(workload->key);
    asked.insert({workload->key.ns, origin->second.name_without_uid});
  }
  return asked;
}

Status Follow(Engine* engine, const Manifests& read, TimeNs now, std::vector<Applied>* applied) {
  std::set<Key> returned;
  for (const WorkloadUpdate& update : read.updates) {
    if (Status done = engine->Update(update, now); !done.ok()) return done;
    if (update.active == true) returned.insert(update.workload);
  }
  if (applied == nullptr || returned.empty()) return Status::Ok();
  for (std::size_t i = 0; i < applied->size(); ++i) {
    Applied& outcome = (*applied)[i];
    const auto* workload = std::get_if<Workload>(&read.objects[i]);
    const bool is_meant = workload != nullptr && returned.contains(workload->key);
    if (is_meant && outcome == Applied::kUnchanged) outcome = Applied::kChanged;
  }
  return Status::Ok();
}

Status SettleStep(const Engine& engine, const OpenJobs& jobs, GroupsByPod* groups,
                  command::Apply* apply, std::vector<WorkloadUpdate>* updates) {
  std::vector<Diagnostic> said = jobs.diagnostics;
  Settle(engine,
         Jobs{apply->objects, jobs.origins, said, jobs.scaled, *updates,
              [&jobs](std::size_t i, std::string_view) {
                return i < jobs.names.size() ? jobs.names[i] : Place();
              }},
         nullptr, groups);
  for (const Diagnostic& each : said) {
    if (each.severity != Severity::kError) continue;
    return Status(StatusCode::kInvalidArgument, each.what + "; " + each.cure);
  }
  return Status::Ok();
}

}  // namespace muster::manifest
