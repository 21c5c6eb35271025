// How the pods of a group become one workload.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/manifest/group_pods.h"
#include "bindings/manifest/job_documents.h"
#include "bindings/manifest/job_making.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/settle.h"
#include "bindings/objects/pod.h"
#include "bindings/objects/pod_group.h"

namespace muster::manifest {

void JobDocuments::MakeLivingGroup(const std::vector<const Document*>& given_pods,
                                   Making& making) const {
  std::vector<const Document*> pods;  // without those of owners
  std::vector<const PlainValue*> members;
  std::set<std::string_view> names;
  std::vector<GivenPod> given;
  std::set<std::string> not_retriable;
  for (const Document* pod : given_pods) {
    making.Begin(*pod);
    const std::size_t errors = making.reporter.errors();
    if (!pod->is_lost && !IsRight(*pod, making)) {
      if (making.reporter.errors() > errors) return;
      continue;
    }
    if (!pods.empty() && !making.IsReadable(*pod)) return;
    if (!names.insert(objects::NameOf(pod->object)).second) {
      return making.reporter.Error(making.NameOf(*pod),
                                   KindAndName(pod->object) + " stands twice in a pod group",
                                   "write each pod once");
    }
    pods.push_back(pod);
    members.push_back(&pod->object);
    given.push_back(making.Given(*pod));
    if (given.back().not_retriable) not_retriable.insert(given.back().name);
  }
  if (pods.empty()) return;
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

void JobDocuments::ReportInTwoGroups(const Groups& groups, Making& making) {
  std::map<Key, std::string> group_of;  // of the pods so far
  for (const auto& [id, pods] : groups) {
    for (const Document* pod : pods) {
      const Key key{id.first, std::string(objects::NameOf(pod->object))};
      const std::string& first = group_of.try_emplace(key, id.second).first->second;
      if (first == id.second) continue;
      making.Begin(*pod);
      making.reporter.Error(making.NameOf(*pod),
                            KindAndName(pod->object) + " stands in two pod groups, " +
                                Quoted(first) + " and " + Quoted(id.second),
                            "write each pod once");
    }
  }
}

void JobDocuments::MakeGroup(std::vector<const Document*>& pods, Making& making) const {
  std::stable_sort(pods.begin(), pods.end(), [](const Document* a, const Document* b) {
    return objects::NameOf(a->object) < objects::NameOf(b->object);
  });
  const auto is_lost = [](const Document* pod) { return pod->is_lost; };
  if (!std::all_of(pods.begin(), pods.end(), is_lost)) return MakeLivingGroup(pods, making);
  for (const Document* pod : pods) {
    making.Begin(*pod);
    making.Skip(*pod, "has failed", "give its replacement together with it");
  }
}

}  // namespace muster::manifest
