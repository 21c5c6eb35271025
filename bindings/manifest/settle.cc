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

#include "bindings/manifest/group_pods.h"
#include "bindings/manifest/manifest.h"
#include "bindings/manifest/place_index.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/slices.h"
#include "engine/model/admission_gate.h"
#include "engine/model/elastic.h"

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

/// Objects that jobs have become, and what is open of them.
struct Jobs {
  std::vector<Object>& objects;
  const std::map<Key, JobOrigin>& origins;
  std::vector<Diagnostic>& diagnostics;
  std::function<Place(std::size_t)> name_of;  ///< of an object, where it stands
};

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

template <typename Marks>
std::string TextIn(const Marks& annotations, std::string_view key) {
  const auto found = annotations.find(key);
  return found == annotations.end() ? std::string() : std::string(found->second);
}

bool HoldsQuota(const Workload& workload) {
  const std::vector<Condition>& conditions = workload.status.conditions;
  return std::any_of(conditions.begin(), conditions.end(), [](const Condition& each) {
    return each.type == "QuotaReserved" && each.status;
  });
}

/// A group that is given, where the engine has one of its name.
class Joining {
 public:
  Joining(const Engine& engine, std::size_t i, const Jobs& read)
      : engine_(engine),
        read_(read),
        workload_(std::get<Workload>(read.objects[i])),
        place_(read.name_of(i)) {}

  void Join() {
    const Result<WorkloadView> known = engine_.GetWorkload(workload_.key);
    const bool is_known = known.ok() && known->phase != WorkloadPhase::kFinished;
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
    members.insert(given.begin(), given.end());
    if (members.size() > total) return;
    LabelMap annotations = workload_.annotations.map();
    annotations[std::string(kPodGroupPodsAnnotation)] = TextOf(members);
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
    if (WaitsForPods(joined) && HoldsQuota(known)) {
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

/// Whether Ray clusters may scale themselves: what they have more is a slice that waits for quota.
bool MayScale(const Engine& engine, const Jobs& read) {
  const auto is_open = [](const Object& object) {
    const auto* configuration = std::get_if<Configuration>(&object);
    if (configuration == nullptr) return true;
    const auto gate = configuration->feature_gates.find(kSlicesGate);
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
  if (first == read.origins.end() || MayScale(engine, read)) return;
  read.diagnostics.push_back({Severity::kError, *first->second.scales_itself,
                              "enableInTreeAutoscaling would grow the cluster beyond its quota "
                              "where the gate " +
                                  std::string(kSlicesGate) + " is closed",
                              "remove it, or open the gate"});
}

void Settle(const Engine& engine, const Jobs& read) {
  CheckScaling(engine, read);
  SkipChildren(engine, &read.diagnostics);
  for (std::size_t i = 0; i < read.objects.size(); ++i) {
    auto* const workload = std::get_if<Workload>(&read.objects[i]);
    if (workload == nullptr) continue;
    KeepName(engine, read, workload);
    if (IsPodGroup(*workload)) Joining(engine, i, read).Join();
  }
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

void Settle(const Engine& engine, Manifests* read) {
  Settle(engine, Jobs{read->objects, read->origins, read->diagnostics,
                      [read](std::size_t i) { return read->PlaceOf(i, "metadata.name"); }});
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

Status SettleStep(const Engine& engine, const OpenJobs& jobs, command::Apply* apply) {
  std::vector<Diagnostic> said = jobs.diagnostics;
  Settle(engine, Jobs{apply->objects, jobs.origins, said, [&jobs](std::size_t i) {
                        return i < jobs.names.size() ? jobs.names[i] : Place();
                      }});
  for (const Diagnostic& each : said) {
    if (each.severity != Severity::kError) continue;
    return Status(StatusCode::kInvalidArgument, each.what + "; " + each.cure);
  }
  return Status::Ok();
}

}  // namespace muster::manifest
