// See group_pods.h.
#include "bindings/manifest/group_pods.h"

#include <algorithm>
#include <utility>

#include "bindings/manifest/quote.h"
#include "bindings/manifest/workload_marks.h"
#include "bindings/objects/value.h"
#include "engine/model/admission_gate.h"

namespace muster::manifest {
namespace {

/// The total in "1 of 2 pods"; 0 where none is.
std::int64_t TotalIn(const std::string& waits) {
  const std::size_t of = waits.find(" of ");
  if (of == std::string::npos) return 0;
  const std::size_t from = of + 4;
  return objects::WholeNumber(waits.substr(from, waits.find(' ', from) - from)).value_or(0);
}

std::string WithCommas(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

}  // namespace

std::string TextOf(const PodRoles& roles) {
  std::string text;
  for (const auto& [name, role] : roles) text += (text.empty() ? "" : ",") + name + "=" + role;
  return text;
}

bool IsPodGroup(const Workload& workload) {
  return workload.annotations.find(kPodGroupPodsAnnotation) != workload.annotations.end();
}

PodRoles PodsOfGroup(const Workload& workload) {
  const std::string text = TextIn(workload.annotations, kPodGroupPodsAnnotation);
  PodRoles roles;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    const std::size_t equals = text.find('=', from);
    if (equals < end) {
      roles[text.substr(from, equals - from)] = text.substr(equals + 1, end - equals - 1);
    }
    from = end + 1;
  }
  return roles;
}

bool HasPod(const Workload& workload, std::string_view pod) {
  const auto mark = workload.annotations.find(kPodGroupPodsAnnotation);
  if (mark == workload.annotations.end()) return false;
  const std::string_view text = mark->second;
  const std::string name = std::string(pod) + "=";
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    if (at == 0 || text[at - 1] == ',') return true;
  }
  return false;
}

std::set<std::string> NotRetriablePodsOf(const Workload& workload) {
  return NamesIn(TextIn(workload.annotations, kPodGroupNotRetriableAnnotation));
}

void KeepNotRetriable(const Workload& known, const PodRoles& members, LabelMap* annotations) {
  std::set<std::string> names = NamesIn(TextIn(*annotations, kPodGroupNotRetriableAnnotation));
  names.merge(NotRetriablePodsOf(known));
  std::erase_if(names, [&members](const std::string& name) { return !members.contains(name); });
  const std::string mark(kPodGroupNotRetriableAnnotation);
  if (names.empty()) {
    annotations->erase(mark);
  } else {
    (*annotations)[mark] = WithCommas(names);
  }
}

bool WaitsForPods(const Workload& workload) {
  return !TextIn(workload.annotations, kPodGroupWaitsAnnotation).empty();
}

void MarkPods(const objects::PodGroupView& view, std::int64_t total,
              const std::set<std::string>& not_retriable, objects::JobWorkload* workload) {
  const PodRoles roles(view.members.begin(), view.members.end());
  workload->annotations.Set(kPodGroupPodsAnnotation, objects::Value::Text(TextOf(roles)));
  std::set<std::string> kept = not_retriable;
  std::erase_if(kept, [&roles](const std::string& name) { return !roles.contains(name); });
  if (!kept.empty()) {
    workload->annotations.Set(kPodGroupNotRetriableAnnotation,
                              objects::Value::Text(WithCommas(kept)));
  }
  if (!view.waits) return;
  workload->annotations.Set(kPodGroupWaitsAnnotation,
                            objects::Value::Text(std::to_string(view.members.size()) + " of " +
                                                 std::to_string(total) + " pods"));
}

std::int64_t TotalOfGroup(const Workload& workload) {
  const std::string waits = TextIn(workload.annotations, kPodGroupWaitsAnnotation);
  if (!waits.empty()) return TotalIn(waits);
  std::int64_t total = 0;
  for (const PodSet& set : workload.pod_sets) total += set.count;
  return total;
}

std::string JoinGroup(const Workload& known, std::span<const std::string> lost,
                      Workload* workload) {
  const std::int64_t total = TotalOfGroup(*workload);
  const std::int64_t other = TotalOfGroup(known);
  if (total != other) {
    return "names a total of " + std::to_string(other) + ", and now of " + std::to_string(total);
  }
  if (known.queue != workload->queue) return "waits in queue " + Quoted(known.queue);
  PodRoles members = PodsOfGroup(known);
  for (const std::string& name : lost) members.erase(name);
  for (const auto& [name, role] : PodsOfGroup(*workload)) members[name] = role;
  const auto there = static_cast<std::int64_t>(members.size());
  if (there > total) {
    return "would have " + std::to_string(there) + " of " + std::to_string(total) + " pods";
  }
  std::map<std::string, PodSet> roles;
  for (const PodSet& set : known.pod_sets) roles[set.name] = set;
  // What waits may change; what has been whole is as it was, and may hold quota.
  for (const PodSet& set : workload->pod_sets) {
    if (WaitsForPods(known)) roles.erase(set.name);
    roles.emplace(set.name, set);
  }
  for (auto& [role, set] : roles) set.count = 0;
  for (const auto& [name, role] : members) {
    if (const auto set = roles.find(role); set != roles.end()) ++set->second.count;
  }
  // Priority and limits are those of the pod that came first.
  Workload joined = known;
  joined.status = {};
  LabelMap annotations = workload->annotations.map();
  annotations.erase(std::string(kPodGroupWaitsAnnotation));
  annotations[std::string(kPodGroupPodsAnnotation)] = TextOf(members);
  KeepNotRetriable(known, members, &annotations);
  if (there < total) {
    annotations[std::string(kPodGroupWaitsAnnotation)] =
        std::to_string(there) + " of " + std::to_string(total) + " pods";
  }
  joined.annotations = std::move(annotations);
  // One without pods keeps those that it had, as it is in no queue.
  if (there > 0) {
    joined.pod_sets = {};
    for (auto& [role, set] : roles) {
      if (set.count > 0) joined.pod_sets.push_back(std::move(set));
    }
  }
  *workload = std::move(joined);
  return "";
}

const std::string* StrangerAmong(const PodRoles& given, const PodRoles& members,
                                 const Workload& known) {
  const bool stays = std::any_of(members.begin(), members.end(), [&given](const auto& member) {
    return !given.contains(member.first);
  });
  if (!stays && !HasQuota(known)) return nullptr;
  for (const auto& [name, role] : given) {
    const auto is_its = [&role = role](const PodSet& set) { return set.name == role; };
    if (std::none_of(known.pod_sets.begin(), known.pod_sets.end(), is_its)) return &name;
  }
  return nullptr;
}

std::optional<Workload> WithoutPods(const Workload& known, std::span<const std::string> lost) {
  const PodRoles members = PodsOfGroup(known);
  const bool has_some = std::any_of(lost.begin(), lost.end(), [&members](const std::string& name) {
    return members.contains(name);
  });
  if (!has_some) return std::nullopt;
  Workload left = known;
  LabelMap annotations = known.annotations.map();
  annotations[std::string(kPodGroupPodsAnnotation)] = "";
  left.annotations = std::move(annotations);
  // Of one total and queue they cannot disagree.
  JoinGroup(known, lost, &left);
  return left;
}

}  // namespace muster::manifest
