// See roles.h.
#include "bindings/http/roles.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "bindings/lab/read.h"
#include "engine/base/join.h"
#include "engine/base/shown.h"
#include "engine/model/names.h"
#include "engine/model/priority_boost.h"
#include "muster/queue_owner.h"

namespace muster::http {
namespace {

Refusal No(std::string message, std::string cure) {
  return {403, "PermissionDenied", std::move(message), std::move(cure), {}};
}

std::string RoleText(const Caller& caller) {
  return "token " + caller.name + " has role " + std::string(RoleName(caller.role));
}

/// What stands behind "KIND:" in what the role is about.
std::set<std::string> Of(const Caller& caller, std::string_view kind) {
  std::set<std::string> names;
  const std::string prefix = std::string(kind) + ":";
  for (const std::string& about : caller.of) {
    if (about.starts_with(prefix)) names.insert(about.substr(prefix.size()));
  }
  return names;
}

bool IsSubmitters(const Caller& caller, const Key& key, std::string_view queue) {
  return Of(caller, "namespace").contains(key.ns) ||
         (!queue.empty() && Of(caller, "localqueue").contains(key.ns + "/" + std::string(queue)));
}

Refusal NotSubmitters(const Caller& caller, const Key& key) {
  return No(RoleText(caller) + " and is not of " + key.ToString(),
            "submit to a namespace or LocalQueue that the token is of");
}

/// Why the submitter may not ask for that much: of a token with priority classes each job names one
/// of them. One without may name any, or say a number. A PriorityClass of pods is another object,
/// whatever its name.
std::optional<Refusal> ForbidsPriority(const Caller& caller, const Workload& workload) {
  const std::set<std::string> classes = Of(caller, "priorityclass");
  if (classes.empty()) return std::nullopt;
  const bool pods_name_one =
      std::any_of(workload.pod_sets.begin(), workload.pod_sets.end(),
                  [](const PodSet& pod_set) { return !pod_set.pods.priority_class.empty(); });
  const bool may = workload.priority_source == PriorityClassSource::kWorkloadPriorityClass &&
                   classes.contains(workload.priority_class.str()) && !pods_name_one &&
                   !workload.priority && !workload.annotations.contains(kPriorityBoostAnnotation);
  if (may) return std::nullopt;
  return No(RoleText(caller) + " and chooses no priority for " + workload.key.ToString() +
                " but that of its classes",
            "name one of " + Join(classes) +
                " as its WorkloadPriorityClass, and neither a class of its pods nor priority nor "
                "boost");
}

/// Why the submitter may not submit it: it is not its own, or says of itself what others say.
std::optional<Refusal> ForbidsJob(const Caller& caller, const Workload& workload) {
  if (!IsSubmitters(caller, workload.key, std::string_view(workload.queue))) {
    return NotSubmitters(caller, workload.key);
  }
  if (workload.status != WorkloadStatus()) {
    return No(workload.key.ToString() + " brings a status, which would be taken as true",
              "leave out status");
  }
  if (workload.created != kNoTime) {
    return No(workload.key.ToString() + " says when it was created, which orders the queue",
              "leave out creationTimestamp; the time of the call counts");
  }
  return ForbidsPriority(caller, workload);
}

/// Whether the workload that is there, if one is, is the submitter's.
bool IsSubmitters(const Caller& caller, const Engine& engine, const Key& key) {
  if (IsSubmitters(caller, key, "")) return true;
  const Result<WorkloadView> workload = engine.GetWorkload(key);
  return workload.ok() && IsSubmitters(caller, key, std::string_view(workload->spec.queue));
}

/// Of the submitter: jobs of its own come and go.
struct SubmitterMay {
  const Caller& caller;
  const Engine& engine;

  std::optional<Refusal> operator()(const command::Submit& submit) const {
    for (const Workload& workload : submit.workloads) {
      if (auto forbidden = ForbidsJob(caller, workload)) return forbidden;
      if (submit.submission != Submission::kAsk) return No("only an admin skips hook submit", "");
    }
    return std::nullopt;
  }
  std::optional<Refusal> operator()(const command::Cancel& cancel) const {
    for (const Key& key : cancel.workloads) {
      if (!IsSubmitters(caller, engine, key)) return NotSubmitters(caller, key);
    }
    return std::nullopt;
  }
  template <typename C>
  std::optional<Refusal> operator()(const C&) const {
    return No(RoleText(caller) + ", which has commands submit and cancel only", "");
  }
};

constexpr const char* kReports =
    "it has check, ready, finish, evicted, register-consumer and acknowledge";

/// Of the agent: what became of jobs.
bool IsReport(const Command& command) {
  switch (KindOf(command)) {
    case CommandKind::kAnswerCheck:
    case CommandKind::kReady:
    case CommandKind::kFinish:
    case CommandKind::kEvicted:
    case CommandKind::kRegisterConsumer:
    case CommandKind::kAcknowledge:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool Caller::SeesAll() const {
  return role == Role::kAdmin || role == Role::kAgent || (role == Role::kViewer && of.empty());
}

std::optional<Refusal> Forbids(const Caller& caller, Act act) {
  const Role role = caller.role;
  const bool may = act == Act::kPublic || act == Act::kRead || role == Role::kAdmin ||
                   (act == Act::kApply && role == Role::kOwner) ||
                   (act == Act::kSubmit && role == Role::kSubmitter) ||
                   (act == Act::kReport && role == Role::kAgent) ||
                   (act == Act::kCommand && (role == Role::kSubmitter || role == Role::kAgent));
  if (may) return std::nullopt;
  return No(RoleText(caller) + ", which may not do that", "use a token of another role");
}

std::optional<Refusal> Forbids(const Caller& caller, const Engine& engine, const Command& command) {
  if (caller.role == Role::kAdmin) return std::nullopt;
  if (caller.role == Role::kSubmitter) return std::visit(SubmitterMay{caller, engine}, command);
  if (caller.role == Role::kAgent && IsReport(command)) return std::nullopt;
  return No(
      RoleText(caller) + ", which has no command " + std::string(CommandName(KindOf(command))),
      caller.role == Role::kAgent ? kReports : "");
}

std::optional<Refusal> Forbids(const Caller& caller, const Engine& engine,
                               std::span<const Object> objects) {
  if (caller.role == Role::kAdmin) return std::nullopt;
  if (caller.role == Role::kSubmitter) {
    for (const Object& object : objects) {
      const auto* const workload = std::get_if<Workload>(&object);
      if (workload == nullptr) return NotSubmitters(caller, KeyOf(object));
      if (auto forbidden = ForbidsJob(caller, *workload)) return forbidden;
    }
    return std::nullopt;
  }
  const Sight sight(caller, engine);
  for (const Object& object : objects) {
    std::string why = "it is of no ClusterQueue that is there";
    bool may = false;
    for (const std::string& queue : sight.own_queues()) {
      const auto problems = lab::Read(CheckQueueOwner(engine, std::span(&object, 1), queue));
      if (!problems.empty()) why = problems.front().what;
      may = may || problems.empty();
    }
    if (!may) {
      return No(RoleText(caller) + " and may not apply " + std::string(KindName(KindOf(object))) +
                    " " + KeyOf(object).name + ": " + why,
                "an owner applies PolicyBindings of one of its queues");
    }
  }
  return std::nullopt;
}

Sight::Sight(const Caller& caller, const Engine& engine) : all_(caller.SeesAll()) {
  if (all_) return;
  namespaces_ = Of(caller, "namespace");
  own_queues_ = Of(caller, "clusterqueue");
  cohorts_ = Of(caller, "cohort");
  for (const std::string& queue : Of(caller, "localqueue")) {
    const std::size_t slash = queue.find('/');
    local_queues_.insert({queue.substr(0, slash), queue.substr(slash + 1)});
  }
  std::map<std::string, std::vector<std::string>> below;
  for (const Object& object : lab::Read(engine.Objects(ObjectKind::kCohort))) {
    const auto& cohort = std::get<Cohort>(object);
    below[cohort.parent].push_back(cohort.name);
  }
  std::vector<std::string> left(cohorts_.begin(), cohorts_.end());
  while (!left.empty()) {
    const std::string cohort = std::move(left.back());
    left.pop_back();
    for (const std::string& child : below[cohort]) {
      if (cohorts_.insert(child).second) left.push_back(child);
    }
  }
  for (const Object& object : lab::Read(engine.Objects(ObjectKind::kClusterQueue))) {
    const auto& queue = std::get<ClusterQueue>(object);
    if (!queue.cohort.empty() && cohorts_.contains(queue.cohort)) own_queues_.insert(queue.name);
  }
  for (const Object& object : lab::Read(engine.Objects(ObjectKind::kLocalQueue))) {
    const auto& queue = std::get<LocalQueue>(object);
    if (namespaces_.contains(queue.key.ns) || local_queues_.contains(queue.key)) {
      seen_queues_.insert(queue.cluster_queue);
    }
  }
}

bool Sight::SeesKind(std::string_view kind) const {
  return all_ || (kind != "accounts" && kind != "consumers" && kind != "policybindings" &&
                  kind != "namespaces");
}

bool Sight::Sees(std::string_view kind, const Subject& subject) const {
  if (all_) return true;
  const Key& key = subject.key;
  if (kind == "clusterqueues") {
    return own_queues_.contains(key.name) || seen_queues_.contains(key.name);
  }
  if (kind == "cohorts") return cohorts_.contains(key.name);
  const bool own = own_queues_.contains(subject.cluster_queue) || namespaces_.contains(key.ns);
  if (kind == "localqueues") return own || local_queues_.contains(key);
  if (kind == "workloads") return own || local_queues_.contains({key.ns, subject.local_queue});
  return SeesKind(kind);
}

bool WorkloadIsSeen(const Sight& sight, const Engine& engine, const Key& key) {
  const Result<WorkloadView> workload = engine.GetWorkload(key);
  return workload.ok() &&
         sight.Sees("workloads", {key, workload->cluster_queue, std::string(workload->spec.queue)});
}

}  // namespace muster::http
