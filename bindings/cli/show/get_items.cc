// The manifest binding writes the object; the counters that Kueue keeps in its status are added
// here.
#include "bindings/cli/show/get_items.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "bindings/cli/show/get_accounts.h"
#include "bindings/cli/world/read.h"
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
  return json;
}

Json Item(const CohortView& view) {
  Json json = ObjectJson(view.spec);
  json["status"] = {{"fairSharing", FairSharing(view.weighted_share)}};
  return json;
}

Json Item(const LocalQueueView& view) {
  Json json = ObjectJson(view.spec);
  Json& status = json["status"];
  status["pendingWorkloads"] = view.pending;
  status["reservingWorkloads"] = view.reserving;
  status["admittedWorkloads"] = view.admitted;
  return json;
}

Json Item(const AccountView& account) { return AccountItem(account); }

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
  for (PolicyBindingView& view : Read(engine.PolicyBindings())) {
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

}  // namespace

std::vector<ClusterQueueView> ClusterQueues(const Engine& engine, const Filter& filter) {
  return filter.Keep(Read(engine.ClusterQueues()), [](const ClusterQueueView& v) {
    return Key{"", v.spec.name};
  });
}

std::vector<CohortView> Cohorts(const Engine& engine, const Filter& filter) {
  return filter.Keep(Read(engine.Cohorts()), [](const CohortView& v) {
    return Key{"", v.spec.name};
  });
}

std::vector<LocalQueueView> LocalQueues(const Engine& engine, const Filter& filter) {
  return filter.Keep(Read(engine.LocalQueues()),
                     [](const LocalQueueView& v) { return v.spec.key; });
}

std::vector<WorkloadView> Workloads(const Engine& engine, const Filter& filter) {
  return filter.Keep(Read(engine.Workloads()), [](const WorkloadView& v) { return v.spec.key; });
}

Filter MeantBy(const Engine& engine, Kind kind, Filter filter) {
  if (kind != Kind::kWorkload || filter.name.empty() || !Workloads(engine, filter).empty()) {
    return filter;
  }
  const Filter as_job{filter.ns, "job-" + filter.name};
  return Workloads(engine, as_job).empty() ? filter : as_job;
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
    case Kind::kAdmissionCheck:
      kinds = {ObjectKind::kAdmissionCheck};
      break;
    default:
      break;
  }
  std::vector<Object> objects;
  for (const ObjectKind each : kinds) {
    for (Object& object : Read(engine.Objects(each))) objects.push_back(std::move(object));
  }
  return filter.Keep(std::move(objects), KeyOf);
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
    case Kind::kPolicy:
      return ItemsOf(filter.Keep(Read(engine.Policies()), [](const PolicyInfo& policy) {
        return Key{"", policy.name};
      }));
    case Kind::kWorkload: {
      std::vector<Json> items;
      for (const WorkloadView& view : Workloads(engine, filter)) {
        items.push_back(ObjectJson(view.spec));
      }
      return items;
    }
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
