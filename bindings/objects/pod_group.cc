#include "bindings/objects/pod_group.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>

#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/pod.h"

namespace muster::objects {
namespace {

constexpr std::size_t kMostRoles = 18;

std::string_view PhaseOf(const Value& pod) { return pod.At({"status", "phase"}).text; }

/// Seconds since 1970 of a time as the API writes it: "2026-01-01T12:00:00Z".
std::optional<std::int64_t> SecondsOf(std::string_view text) {
  if (text.size() != 20 || text.back() != 'Z') return std::nullopt;
  const auto number = [text](std::size_t at, std::size_t length) {
    return WholeNumber(text.substr(at, length));
  };
  const auto year = number(0, 4), month = number(5, 2), day = number(8, 2);
  const auto hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return ((days * 24 + *hour) * 60 + *minute) * 60 + *second;
}

/// Whether it should be gone by now, and only its node has not said so.
bool IsOverdue(const Value& pod, const Setting& setting) {
  const auto since = SecondsOf(pod.At({"metadata", "deletionTimestamp"}).text);
  if (!since || !setting.now) return false;
  const std::int64_t grace = pod.At({"metadata", "deletionGracePeriodSeconds"}).IntOr(0);
  return *setting.now - *since > grace;
}

bool HasFinalizer(const Value& pod) {
  const auto& finalizers = pod.At({"metadata", "finalizers"}).items;
  return std::any_of(finalizers.begin(), finalizers.end(),
                     [](const Value& each) { return each.text == mark::kManaged; });
}

/// Those that stay come first: with finalizer, then without gate, then older.
void SortByRight(std::vector<const Value*>* pods) {
  const auto rank = [](const Value* pod) {
    return std::tuple(HasFinalizer(*pod) ? 0 : 1, HasGate(*pod, mark::kAdmissionGate) ? 1 : 0,
                      pod->At({"metadata", "creationTimestamp"}).text);
  };
  std::stable_sort(pods->begin(), pods->end(),
                   [&rank](const Value* a, const Value* b) { return rank(a) < rank(b); });
}

std::map<std::string, std::vector<const Value*>> Roles(const std::vector<const Value*>& pods) {
  std::map<std::string, std::vector<const Value*>> roles;
  for (const Value* pod : pods) roles[RoleHash(*pod)].push_back(pod);
  return roles;
}

/// Why the members do not agree; empty when they do.
std::string Disagreement(const std::vector<const Value*>& pods) {
  for (const Value* pod : pods) {
    if (PhaseOf(*pod) == "Failed") continue;
    if (QueueOf(*pod) != QueueOf(*pods.front())) return "its pods name different queues";
    if (GroupTotalOf(*pod) != GroupTotalOf(*pods.front())) return "its pods name different totals";
  }
  return "";
}

/// Whether the first pod's index, if it has one, is below the total; the others' are not read.
bool IndexFits(const Value& pod, const Setting& setting) {
  const bool is_named =
      HasAnnotation(pod, mark::kGroupPodIndexLabel) && setting.GateIsOn("TopologyAwareScheduling");
  const std::string_view label =
      is_named ? Annotation(pod, mark::kGroupPodIndexLabel) : mark::kGroupPodIndex;
  if (!is_named && !HasLabel(pod, label)) return true;
  const auto index = WholeNumber(Label(pod, label));
  return index && *index >= 0 && *index < GroupTotalOf(pod);
}

JobPodSet RoleSet(const std::string& role, const Value& pod, std::int64_t count,
                  const Setting& setting, std::string* error) {
  JobPodSets one = BuildPodSets(PodRow(), pod, setting);
  *error = one.error;
  one.sets[0].name = role;
  one.sets[0].count = count;
  one.sets[0].pod_template.Remove("metadata");
  return std::move(one.sets[0]);
}

}  // namespace

std::int64_t GroupTotalOf(const Value& pod) {
  return WholeNumber(Annotation(pod, mark::kGroupTotal)).value_or(0);
}

bool FillsPlace(const Value& pod) {
  const bool goes = !pod.At({"metadata", "deletionTimestamp"}).IsNull();
  return PhaseOf(pod) != "Failed" && !(goes && pod.At({"spec", "nodeName"}).IsNull());
}

bool PodRuns(const Value& pod, const Setting& setting) {
  const std::string_view phase = PhaseOf(pod);
  if (phase == "Succeeded" || phase == "Failed" || IsOverdue(pod, setting)) return false;
  return phase == "Running" || !pod.At({"spec", "nodeName"}).text.empty();
}

PodGroupView ViewPodGroup(const std::vector<const Value*>& pods, const Setting& setting,
                          bool with_missing) {
  PodGroupView out;
  const Value& first = *pods.front();
  const std::int64_t total = GroupTotalOf(first);
  const bool fast = Annotation(first, mark::kGroupFast) == "true";
  std::vector<const Value*> counting;
  for (const Value* pod : pods) (FillsPlace(*pod) ? counting : out.finalize).push_back(pod);
  out.workload.held = Disagreement(pods);
  if (out.workload.held.empty() && !IndexFits(first, setting)) {
    out.workload.held = "the first pod's index is no number below the total";
  }
  if (!out.workload.held.empty()) return out;
  if (total < 1) {
    out.workload.held = "its total is no whole number from 1";
    return out;
  }
  const auto there = static_cast<std::int64_t>(counting.size());
  if (there < (fast ? 1 : total)) {
    out.workload.held =
        "it has " + std::to_string(there) + " of " + std::to_string(total) + " pods";
    out.waits = true;
    if (!with_missing) return out;
  }
  const std::string missing = std::move(out.workload.held);
  out.workload.held.clear();
  if (there > total) {
    SortByRight(&counting);
    out.excess.assign(counting.begin() + total, counting.end());
    counting.resize(static_cast<std::size_t>(total));
  }
  JobWorkload made;
  made.ns = NamespaceOf(first);
  made.name = GroupOf(first, setting);
  TakeMarks(first, setting, &made);
  made.annotations.Set(mark::kIsGroup, Value::Text("true"));
  for (const Value* pod : pods) {
    if (std::find(out.excess.begin(), out.excess.end(), pod) != out.excess.end()) continue;
    made.owners.push_back("Pod/" + std::string(NameOf(*pod)));
  }
  std::sort(made.owners.begin(), made.owners.end());
  const std::vector<const Value*>& shown = counting.empty() ? pods : counting;
  if (fast) {
    const Value& pod = *shown.front();
    made.sets.push_back(RoleSet(RoleHash(pod), pod, total, setting, &out.workload.held));
  } else {
    for (const auto& [role, members] : Roles(shown)) {
      made.sets.push_back(RoleSet(role, *members.front(), static_cast<std::int64_t>(members.size()),
                                  setting, &out.workload.held));
    }
  }
  if (made.sets.size() > kMostRoles) out.workload.held = "it has more than 18 roles";
  if (out.workload.held.empty()) {
    out.workload.held = SetPriority(PodRow(), first, setting, &made);
  }
  if (!out.workload.held.empty()) {
    out.waits = false;
    return out;
  }
  for (const Value* pod : counting) out.members.emplace_back(NameOf(*pod), RoleHash(*pod));
  out.workload.made.push_back(std::move(made));
  out.workload.held = missing;
  return out;
}

std::string_view StrangerIn(const PodGroupView& group) {
  const std::vector<JobPodSet>& sets = group.workload.made.front().sets;
  for (const auto& [name, role] : group.members) {
    const auto has_role = [&role = role](const JobPodSet& set) { return set.name == role; };
    if (std::none_of(sets.begin(), sets.end(), has_role)) return name;
  }
  return "";
}

bool IsPodGroupSuspended(const std::vector<const Value*>& pods) {
  const KindRow& row = *FindKindRow("v1", "Pod");
  return std::any_of(pods.begin(), pods.end(),
                     [&row](const Value* pod) { return IsSuspended(row, *pod); });
}

JobStatus PodGroupStatus(const std::vector<const Value*>& pods, const Setting& setting) {
  JobStatus out;
  const Value& first = *pods.front();
  const std::int64_t total = GroupTotalOf(first);
  const bool serving = Annotation(first, mark::kGroupServing) == "true";
  std::int64_t succeeded = 0;
  std::int64_t ready = 0;
  bool not_again = false;
  bool ended = true;
  for (const Value* pod : pods) {
    succeeded += PhaseOf(*pod) == "Succeeded" ? 1 : 0;
    ready += TrueCondition(*pod, {"Ready"}).empty() ? 0 : 1;
    out.pods_run |= PodRuns(*pod, setting);
    out.active |= PhaseOf(*pod) == "Running" && !IsOverdue(*pod, setting);
    ended &= PhaseOf(*pod) == "Succeeded" || PhaseOf(*pod) == "Failed";
    not_again |= Annotation(*pod, mark::kRetriable) == "false";
  }
  const auto listed = static_cast<std::int64_t>(pods.size());
  out.pods_ready = listed >= total && ready == listed;
  out.finished = !serving && (succeeded == total || (ended && not_again));
  out.success = out.finished;
  out.reclaimable.emplace();
  if (serving) return out;
  for (const auto& [role, members] : Roles(pods)) {
    const auto done = std::count_if(members.begin(), members.end(),
                                    [](const Value* pod) { return PhaseOf(*pod) == "Succeeded"; });
    if (done > 0) out.reclaimable->push_back({role, done});
  }
  return out;
}

}  // namespace muster::objects
