// The manifest binding writes the object; the counters that Kueue keeps in its status are added
// here.
#include "bindings/cli/show/get_items.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "bindings/cli/show/get_accounts.h"
#include "bindings/cli/show/get_consumers.h"
#include "bindings/lab/read.h"
#include "bindings/lab/words.h"
#include "bindings/manifest/manifest.h"

namespace muster::cli {
namespace {

Json ObjectJson(const Object& object) { return Json::parse(manifest::ToJson(object)); }

/// Kueue shows the share rounded up, and the largest integer for a borrower of weight 0.
std::int64_t ShownShare(double share) {
  constexpr double kMax = 9.2e18;
  const double up = std::ceil(share);
  return up < kMax ? static_cast<std::int64_t>(up) : std::numeric_limits<std::int64_t>::max();
}

Json FairSharing(double share) { return {{"weightedShare", ShownShare(share)}}; }

Json Usage(const std::vector<QuotaView>& quotas) {
  Json flavors = Json::array();
  for (const QuotaView& quota : quotas) {
    if (flavors.empty() || flavors.back()["name"] != quota.flavor) {
      flavors.push_back({{"name", quota.flavor}, {"resources", Json::array()}});
    }
    flavors.back()["resources"].push_back(
        {{"name", quota.resource},
         {"total", FormatAmount(quota.resource, quota.usage)},
         {"borrowed", FormatAmount(quota.resource, quota.borrowed)}});
  }
  return flavors;
}

/// Of a cohort more is told than Kueue does: its quota stands in no one object.
Json CohortUsage(const std::vector<QuotaView>& quotas) {
  Json flavors = Usage(quotas);
  std::size_t next = 0;
  for (Json& flavor : flavors) {
    for (Json& resource : flavor["resources"]) {
      const QuotaView& quota = quotas[next++];
      const auto amount = [&quota](Amount value) { return FormatAmount(quota.resource, value); };
      resource["nominal"] = amount(quota.total);
      resource["ownNominal"] = amount(quota.nominal);
      resource["lent"] = amount(quota.lent);
      resource["offered"] = amount(quota.offered);
      resource["available"] = amount(quota.available);
    }
  }
  return flavors;
}

Json Item(const ClusterQueueView& view) {
  Json json = ObjectJson(view.spec);
  Json active = {{"type", "Active"}, {"status", view.active ? "True" : "False"}};
  if (!view.active) {
    active["reason"] = view.inactive_reason;
    active["message"] = view.inactive_message;
  }
  json["status"] = {{"conditions", Json::array({std::move(active)})},
                    {"pendingWorkloads", view.pending + view.parked},
                    {"reservingWorkloads", view.reserving},
                    {"admittedWorkloads", view.admitted},
                    {"flavorsUsage", Usage(view.quotas)},
                    {"fairSharing", FairSharing(view.weighted_share)}};
  if (view.held > 0) json["status"]["heldWorkloads"] = view.held;
  return json;
}

Json Item(const CohortView& view) {
  Json json = ObjectJson(view.spec);
  json["status"] = {{"flavorsUsage", CohortUsage(view.quotas)},
                    {"fairSharing", FairSharing(view.weighted_share)}};
  return json;
}

Json Item(const LocalQueueView& view) {
  Json json = ObjectJson(view.spec);
  Json& status = json["status"];
  status["pendingWorkloads"] = view.pending;
  status["reservingWorkloads"] = view.reserving;
  status["admittedWorkloads"] = view.admitted;
  if (view.held > 0) status["heldWorkloads"] = view.held;
  return json;
}

Json Item(const WorkloadView& view) { return WorkloadItem(view); }

Json Item(const AccountView& account) { return AccountItem(account); }
Json Item(const ConsumerView& consumer) { return ConsumerItem(consumer); }

Json Item(const PolicyInfo& policy) {
  Json hooks = Json::array();
  for (const HookInfo& hook : policy.hooks) {
    hooks.push_back({{"hook", HookName(hook.hook)}, {"place", hook.place}});
  }
  return {{"name", policy.name},
          {"hash", policy.hash},
          {"description", policy.description},
          {"hooks", std::move(hooks)}};
}

template <typename T>
std::vector<Json> ItemsOf(const std::vector<T>& views) {
  std::vector<Json> items;
  for (const T& view : views) items.push_back(Item(view));
  return items;
}

std::vector<Json> BindingItems(const Engine& engine, const Filter& filter) {
  std::map<std::string, PolicyBindingView> views;
  for (PolicyBindingView& view : lab::Read(engine.PolicyBindings())) {
    const std::string name = view.name;
    views[name] = std::move(view);
  }
  std::vector<Json> items;
  for (const Object& object : Objects(engine, Kind::kPolicyBinding, filter)) {
    const PolicyBindingView& view = views[KeyOf(object).name];
    Json hooks = Json::array();
    for (const Hook hook : view.decides) hooks.push_back(HookName(hook));
    Json item = ObjectJson(object);
    item["status"] = {{"decides", std::move(hooks)}, {"problems", view.problems}};
    items.push_back(std::move(item));
  }
  return items;
}

/// Whether `state`, one of kWorkloadStates, is the workload's; what is parked is pending, too.
bool IsIn(const WorkloadView& workload, std::string_view state) {
  switch (workload.phase) {
    case WorkloadPhase::kPending:
      return state == "pending" || (workload.parked && state == "parked") ||
             (workload.hold && state == "onhold") || (workload.held && state == "held");
    case WorkloadPhase::kReserved:
      return state == "reserved";
    case WorkloadPhase::kAdmitted:
      return state == "admitted";
    case WorkloadPhase::kEvicting:
      return state == "evicting";
    case WorkloadPhase::kInactive:
      return state == "inactive";
    case WorkloadPhase::kFinished:
      return state == "finished";
  }
  return false;
}

/// Workloads come by namespace and name, which stays the order where `field` is equal.
void Sort(const Engine& engine, std::string_view field, std::vector<WorkloadView>* workloads) {
  const auto by = [workloads](const auto& less) {
    std::stable_sort(workloads->begin(), workloads->end(), less);
  };
  using View = const WorkloadView&;
  if (field == "created") by([](View a, View b) { return a.spec.created < b.spec.created; });
  if (field == "priority") by([](View a, View b) { return a.priority > b.priority; });
  if (field == "queue") by([](View a, View b) { return a.spec.queue < b.spec.queue; });
  if (field == "clusterqueue") {
    by([](View a, View b) { return lab::ClusterQueueOf(a) < lab::ClusterQueueOf(b); });
  }
  if (field == "state") {
    by([](View a, View b) {
      return std::tuple(a.phase, a.parked) < std::tuple(b.phase, b.parked);
    });
  }
  if (field == "gpu") {
    std::map<Key, Amount> gpus;
    for (View each : *workloads) gpus[each.spec.key] = GpusOf(engine, each);
    by([&gpus](View a, View b) { return gpus[a.spec.key] > gpus[b.spec.key]; });
  }
}

}  // namespace

std::vector<ClusterQueueView> ClusterQueues(const Engine& engine, const Filter& filter) {
  return filter.Keep(lab::Read(engine.ClusterQueues()), [](const ClusterQueueView& v) {
    return Key{"", v.spec.name};
  });
}

std::vector<CohortView> Cohorts(const Engine& engine, const Filter& filter) {
  return filter.Keep(lab::Read(engine.Cohorts()), [](const CohortView& v) {
    return Key{"", v.spec.name};
  });
}

std::vector<LocalQueueView> LocalQueues(const Engine& engine, const Filter& filter) {
  return filter.Keep(lab::Read(engine.LocalQueues()), [](const LocalQueueView& v) {
    return About{v.spec.key, v.spec.cluster_queue, ""};
  });
}

std::vector<WorkloadView> Workloads(const Engine& engine, const Filter& filter) {
  std::vector<WorkloadView> workloads =
      filter.Keep(lab::Read(engine.Workloads(filter.ns)), [](const WorkloadView& v) {
        return About{v.spec.key, v.cluster_queue, std::string(v.spec.queue)};
      });
  if (!filter.states.empty()) {
    std::erase_if(workloads, [&filter](const WorkloadView& workload) {
      return std::none_of(filter.states.begin(), filter.states.end(),
                          [&](const std::string& state) { return IsIn(workload, state); });
    });
  }
  Sort(engine, filter.sort, &workloads);
  return workloads;
}

Amount GpusOf(const Engine& engine, const WorkloadView& workload) {
  Amount gpus = 0;
  const auto add = [&gpus](const ResourceList& resources, std::int64_t times) {
    for (const auto& [resource, quantity] : resources) {
      if (resource.ends_with("/gpu")) gpus += quantity.ToAmount(resource) * times;
    }
  };
  if (workload.spec.status.admission) {
    for (const PodSetAssignment& each : workload.spec.status.admission->pod_sets) {
      add(each.resource_usage, 1);
    }
    return gpus;
  }
  const Result<std::vector<ResourceList>> requests = engine.PodRequests(workload.spec.key);
  if (!requests.ok()) return 0;
  for (std::size_t i = 0; i < workload.spec.pod_sets.size(); ++i) {
    add((*requests)[i], workload.spec.pod_sets[i].count);
  }
  return gpus;
}

std::vector<Condition> ConditionsOf(const WorkloadView& workload) {
  std::vector<Condition> conditions = workload.spec.status.conditions;
  const bool inactive = workload.phase == WorkloadPhase::kInactive;
  if (workload.phase != WorkloadPhase::kPending && !inactive) return conditions;
  const PendingReason reason = inactive ? PendingReason::kDeactivated : workload.reason;
  Condition waits{"QuotaReserved", false, std::string(ReasonName(reason)), workload.message,
                  workload.pending_since};
  if (reason == PendingReason::kNone) {
    waits.reason = "Pending";
    waits.since = workload.spec.created;
  }
  // What no cycle has found out, or no longer holds, is said as for people.
  if (reason == PendingReason::kNone || !workload.closed.empty()) {
    waits.message = lab::WhyItWaits(workload);
  }
  for (Condition& condition : conditions) {
    if (condition.type != waits.type) continue;
    waits.since = condition.since;
    condition = waits;
    return conditions;
  }
  conditions.insert(conditions.begin(), waits);
  return conditions;
}

Filter MeantBy(const Engine& engine, Kind kind, Filter filter) {
  if (kind != Kind::kWorkload || filter.name.empty()) return filter;
  const auto is_there = [&](const std::string& name) {
    Filter named{filter.ns, name};
    named.sees = filter.sees;
    return !Workloads(engine, named).empty();
  };
  const std::string as_job = "job-" + filter.name;
  if (!is_there(filter.name) && is_there(as_job)) filter.name = as_job;
  return filter;
}

std::vector<Object> Objects(const Engine& engine, Kind kind, const Filter& filter) {
  std::vector<ObjectKind> kinds;
  switch (kind) {
    case Kind::kFlavor:
      kinds = {ObjectKind::kResourceFlavor};
      break;
    case Kind::kPriorityClass:
      kinds = {ObjectKind::kWorkloadPriorityClass, ObjectKind::kPriorityClass};
      break;
    case Kind::kPolicyBinding:
      kinds = {ObjectKind::kPolicyBinding};
      break;
    case Kind::kNamespace:
      kinds = {ObjectKind::kNamespace};
      break;
    case Kind::kTopology:
      kinds = {ObjectKind::kTopology};
      break;
    case Kind::kNode:
      kinds = {ObjectKind::kNode};
      break;
    case Kind::kAdmissionCheck:
      kinds = {ObjectKind::kAdmissionCheck};
      break;
    default:
      break;
  }
  std::vector<Object> objects;
  for (const ObjectKind each : kinds) {
    for (Object& object : lab::Read(engine.Objects(each))) objects.push_back(std::move(object));
  }
  return filter.Keep(std::move(objects), KeyOf);
}

Json WorkloadItem(const WorkloadView& workload) {
  Workload shown = workload.spec;
  shown.status.conditions = ConditionsOf(workload);
  return ObjectJson(shown);
}

std::vector<Json> Items(const Engine& engine, Kind kind, const Filter& filter) {
  switch (kind) {
    case Kind::kClusterQueue:
      return ItemsOf(ClusterQueues(engine, filter));
    case Kind::kCohort:
      return ItemsOf(Cohorts(engine, filter));
    case Kind::kLocalQueue:
      return ItemsOf(LocalQueues(engine, filter));
    case Kind::kAccount:
      return ItemsOf(Accounts(engine, filter));
    case Kind::kConsumer:
      return ItemsOf(Consumers(engine, filter));
    case Kind::kPolicy:
      return ItemsOf(filter.Keep(lab::Read(engine.Policies()), [](const PolicyInfo& policy) {
        return Key{"", policy.name};
      }));
    case Kind::kWorkload:
      return ItemsOf(Workloads(engine, filter));
    case Kind::kPolicyBinding:
      return BindingItems(engine, filter);
    default: {
      std::vector<Json> items;
      for (const Object& object : Objects(engine, kind, filter)) {
        items.push_back(ObjectJson(object));
      }
      return items;
    }
  }
}

}  // namespace muster::cli
