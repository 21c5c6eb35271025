// Reasons are Kueue's where it has one for what happened; what stops a job, and what a policy did
// not answer, is a Warning.
#include "bindings/cli/show/workload_events.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/cli/json.h"
#include "bindings/cli/show/age.h"
#include "bindings/cli/table.h"
#include "bindings/manifest/manifest.h"
#include "engine/model/names.h"

namespace muster::cli {
namespace {

constexpr std::size_t kShown = 25;

struct EventLine {
  bool warning = false;
  std::string reason;
  std::string message;
};

/// A text of the payload; empty when it is not there.
std::string TextAt(const Json& payload, const char* name) {
  return payload.is_object() && payload.contains(name) && payload[name].is_string()
             ? payload[name].get<std::string>()
             : std::string();
}

/// "main 2 pods: cpu on spot; ps 1 pod: ..."
std::string ReservedText(const Json& payload) {
  std::string text = "Quota reserved in ClusterQueue " + TextAt(payload, "clusterQueue");
  const auto pod_sets = payload.find("podSets");
  if (pod_sets == payload.end()) return text;
  for (const Json& pod_set : *pod_sets) {
    const auto count = pod_set.value("count", std::int64_t{0});
    text += "; " + TextAt(pod_set, "name") + ' ' + std::to_string(count) +
            (count == 1 ? " pod" : " pods");
    std::string_view glue = ": ";
    const Json flavors = pod_set.value("flavors", Json::object());
    for (const auto& [resource, flavor] : flavors.items()) {
      text += std::string(std::exchange(glue, ", ")) + resource + " on " +
              (flavor.is_string() ? flavor.get<std::string>() : "");
    }
  }
  return text;
}

EventLine CheckLine(const Json& payload) {
  const std::string state = TextAt(payload, "state");
  const std::string said = TextAt(payload, "message");
  return {state == "Retry" || state == "Rejected",
          state == "Rejected" ? "AdmissionCheckRejected" : "AdmissionCheckUpdated",
          TextAt(payload, "name") + " is " + state + (said.empty() ? "" : ": " + said)};
}

/// An update says all that may change; shown is how it is afterwards.
std::string UpdatedText(const Json& payload) {
  std::string text = payload.value("active", true) ? "active" : "not active";
  if (payload.contains("priority")) text += ", priority " + payload["priority"].dump();
  for (const Json& pods : payload.value("podSets", Json::array())) {
    text += ", " + TextAt(pods, "podSet") + ' ' + pods.value("count", Json(0)).dump() + " pods";
  }
  for (const Json& pods : payload.value("reclaimablePods", Json::array())) {
    text += ", of " + TextAt(pods, "podSet") + ' ' + pods.value("count", Json(0)).dump() +
            " reclaimable";
  }
  return text;
}

/// "3f2a... by ann: why"
std::string ChangeText(const Json& payload, const std::string& what) {
  const std::string by = TextAt(payload, "by"), why = TextAt(payload, "why");
  return what + (by.empty() ? "" : " by " + by) + (why.empty() ? "" : ": " + why);
}

EventLine PolicyLine(EventKind kind, const Json& payload) {
  constexpr std::size_t kShownHash = 12;
  const std::string hash = TextAt(payload, "hash").substr(0, kShownHash);
  const std::string refused = TextAt(payload, "refused");
  switch (kind) {
    case EventKind::kPolicyStaged:
      if (refused.empty()) return {false, "Staged", ChangeText(payload, hash)};
      return {true, "Refused", ChangeText(payload, hash) + ": " + refused};
    case EventKind::kPolicyActivated:
      return {false, "Activated", ChangeText(payload, hash)};
    case EventKind::kPolicyRolledBack:
      return {true, "RolledBack", ChangeText(payload, "undone")};
    default:
      break;
  }
  const std::string fuel = payload.contains("fuel") ? payload["fuel"].dump() : "0";
  return {true, "Failed",
          TextAt(payload, "hook") + " for " + TextAt(payload, "clusterQueue") +
              ", the built-in rule decided: " + TextAt(payload, "message") + " (fuel " + fuel +
              ")"};
}

/// "; its priority was boosted by 10"; empty without a boost. `key`: of the payload.
std::string BoostText(const Json& payload, std::string_view key) {
  const auto boost = payload.find(key);
  if (boost == payload.end() || !boost->is_number_integer()) return "";
  return std::string("; ") + (key == "byBoost" ? "the preemptor's" : "its") +
         " priority was boosted by " + std::to_string(boost->get<std::int64_t>());
}

bool Holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

EventLine LineOf(const lab::PastEvent& event, const Key& workload,
                 const std::vector<std::string>& slices) {
  const Json payload = Json::parse(event.payload, nullptr, /*allow_exceptions=*/false);
  const std::string reason = TextAt(payload, "reason");
  switch (event.kind) {
    case EventKind::kSubmitted:
      return {false, "Submitted", "Queued in LocalQueue " + TextAt(payload, "queue")};
    case EventKind::kPending:
      return {true, "Pending",
              reason + (TextAt(payload, "message").empty() ? "" : ": ") +
                  TextAt(payload, "message") + BoostText(payload, "boost")};
    case EventKind::kQuotaReserved:
      return {false, "QuotaReserved", ReservedText(payload) + BoostText(payload, "boost")};
    case EventKind::kAdmitted:
      return {false, "Admitted", "Its pods may start"};
    case EventKind::kPreempted:
      if (event.subject != workload.ToString() && !Holds(slices, event.subject)) {
        return {false, "PreemptedWorkload",
                event.subject + " makes room for it: " + reason + BoostText(payload, "byBoost")};
      }
      return {true, "Preempted",
              "Makes room for " + TextAt(payload, "by") + ": " + reason +
                  BoostText(payload, "byBoost")};
    case EventKind::kEvicted:
      return {true, "EvictedDueTo" + reason,
              reason.starts_with("Deactivated")
                  ? "It must not run any more; its quota is free already"
                  : "Its pods must stop; quota is charged until then"};
    case EventKind::kQuotaReleased:
      return {false, "QuotaReleased", "Its pods are gone: " + reason};
    case EventKind::kRequeued:
      return {false, "Requeued", reason};
    case EventKind::kFinished:
      return {reason.starts_with("Failed"), "Finished", reason};
    case EventKind::kCancelled:
      return {true, "Cancelled", "It was withdrawn before it ended, and is not known any more"};
    case EventKind::kForgotten:
      return {false, "Forgotten", "It is not known any more: " + reason};
    case EventKind::kDeactivated:
      return {true, "Deactivated",
              "It holds no quota until it is active again" + (reason.empty() ? "" : ": " + reason)};
    case EventKind::kCheckUpdated:
      return CheckLine(payload);
    case EventKind::kPodsReady:
      return {false, "PodsReady", "All of its pods are ready"};
    case EventKind::kPodsNotReady:
      return {true, "PodsNotReady", "Not all of its pods are ready any more"};
    case EventKind::kUpdated:
      return {false, "Updated", UpdatedText(payload)};
    case EventKind::kReclaimablePodsUpdated:
      return {false, "ReclaimablePodsUpdated", "Pods that are done are not charged any more"};
    case EventKind::kCheckpointed:
      return {false, "Checkpointed", "Its work is saved until " + TextAt(payload, "checkpointed")};
    case EventKind::kPlaced:
      return {false, "Placed", "Its pods are to be on other nodes: " + ReservedText(payload)};
    case EventKind::kCreatedVariant:
    case EventKind::kDeletedVariant:
    case EventKind::kActivatedVariant:
    case EventKind::kDeactivatedVariant:
    case EventKind::kPreemptionUngatedVariant:
      return {false, std::string(EnumName(event.kind)),
              TextAt(payload, "variant") + " of flavor " + TextAt(payload, "flavor")};
    case EventKind::kPriorityChanged:
      return {false, "PriorityChanged", "It is looked at by its new priority"};
    case EventKind::kPolicyStaged:
    case EventKind::kPolicyActivated:
    case EventKind::kPolicyRolledBack:
    case EventKind::kPolicyFailed:
      return PolicyLine(event.kind, payload);
    default:
      return {false, std::string(EnumName(event.kind)), ""};
  }
}

/// The same, with the slice in front where a job has several.
EventLine SliceLine(const lab::PastEvent& event, const Key& workload,
                    const std::vector<std::string>& slices) {
  EventLine line = LineOf(event, workload, slices);
  if (!Holds(slices, event.subject)) return line;
  line.message = event.subject.substr(event.subject.find('/') + 1) + ": " + line.message;
  return line;
}

/// A line for each event, in order. What is submitted again while it is there did not come anew.
std::vector<EventLine> LinesOf(const lab::History& history, const Key& workload) {
  std::vector<EventLine> lines;
  std::set<std::string> there;
  for (const lab::PastEvent& event : history.events) {
    EventLine& line = lines.emplace_back(SliceLine(event, workload, history.slices));
    if (event.kind == EventKind::kFinished || event.kind == EventKind::kCancelled ||
        event.kind == EventKind::kForgotten) {
      there.erase(event.subject);
    } else if (event.kind == EventKind::kSubmitted && !there.insert(event.subject).second) {
      const std::size_t queued = line.message.find("Queued in");
      line.message.replace(queued, std::string_view("Queued").size(),
                           "Submitted again with changes");
    }
  }
  return lines;
}

/// What made it happen.
std::string_view SourceOf(EventKind kind) {
  switch (kind) {
    case EventKind::kPending:
    case EventKind::kQuotaReserved:
    case EventKind::kAdmitted:
    case EventKind::kPreempted:
    case EventKind::kPlaced:
      return "scheduler";
    case EventKind::kEvicted:
    case EventKind::kRequeued:
    case EventKind::kDeactivated:
    case EventKind::kCreatedVariant:
    case EventKind::kDeletedVariant:
    case EventKind::kActivatedVariant:
    case EventKind::kDeactivatedVariant:
    case EventKind::kPreemptionUngatedVariant:
      return "lifecycle";
    case EventKind::kCheckUpdated:
      return "admission-check";
    default:
      return "gateway";
  }
}

/// The same, and whose call it was.
std::string SourceAndCaller(const lab::PastEvent& event) {
  const std::string source(SourceOf(event.kind));
  return event.caller.empty() ? source : source + " (" + event.caller + ")";
}

}  // namespace

Json EventsJson(const lab::History& history, const Key& workload) {
  Json events = Json::array();
  const std::vector<EventLine> lines = LinesOf(history, workload);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const lab::PastEvent& event = history.events[i];
    const EventLine& line = lines[i];
    Json json = {{"type", line.warning ? "Warning" : "Normal"},
                 {"reason", line.reason},
                 {"at", manifest::FormatTime(event.at)},
                 {"from", SourceOf(event.kind)},
                 {"message", line.message}};
    if (!event.caller.empty()) json["caller"] = event.caller;
    events.push_back(std::move(json));
  }
  return events;
}

void PrintEvents(const lab::History& history, const Key& workload, Io& io) {
  const std::span<const lab::PastEvent> events = history.events;
  if (events.empty()) return;
  const std::size_t earlier = events.size() > kShown ? events.size() - kShown : 0;
  Table table({"AT", "TYPE", "REASON", "AGE", "FROM", "MESSAGE"});
  const std::vector<EventLine> lines = LinesOf(history, workload);
  for (std::size_t i = earlier; i < lines.size(); ++i) {
    const lab::PastEvent& event = events[i];
    const EventLine& line = lines[i];
    table.Add({manifest::FormatTime(event.at), line.warning ? "Warning" : "Normal", line.reason,
               AgeOf(history.now - event.at), SourceAndCaller(event), line.message});
  }
  io.out << '\n' << io.paint(Tone::kStrong, "Events");
  if (earlier > 0) io.out << " (after " << earlier << " earlier ones)";
  io.out << '\n';
  table.Print(io.out, io.paint, "  ");
}

}  // namespace muster::cli
