// Amounts are shown the way people write them; JSON has the same texts, so both can be compared.
#include "bindings/cli/show/attempts.h"

#include <string>

#include "bindings/cli/table.h"
#include "bindings/lab/words.h"
#include "bindings/manifest/manifest.h"

namespace muster::cli {
namespace {

std::string_view FateOf(const CandidateTrace& candidate) {
  switch (candidate.fate) {
    case CandidateTrace::Fate::kNotEnough:
      return "would not help";
    case CandidateTrace::Fate::kNotNeeded:
      return "not needed";
    case CandidateTrace::Fate::kProtected:
      return "protected";
    case CandidateTrace::Fate::kForbidden:
      return "forbidden";
    case CandidateTrace::Fate::kVictim:
      return candidate.leaving ? "told to leave already" : "would be evicted";
    case CandidateTrace::Fate::kFilledBack:
      return "stays after all";
  }
  return "";
}

/// What podsets before it take of the flavor, they may as well take of another.
bool NeverFits(const ResourceAttempt& resource) {
  return resource.requested - resource.beside > resource.maximum;
}

std::string_view ModeOf(const ResourceAttempt& resource) {
  switch (resource.mode) {
    case FlavorMode::kNoFit:
      return NeverFits(resource) ? "never fits" : "does not fit";
    case FlavorMode::kNoCandidates:
      return "none to evict for it";
    case FlavorMode::kPreempt:
      return "fits by preemption";
    case FlavorMode::kReclaim:
      return "fits by reclaiming";
    case FlavorMode::kFit:
      return resource.borrowing_level > 0 ? "fits by borrowing" : "fits";
  }
  return "";
}

/// "protected by policy loss-budget"
std::string OutcomeOf(const CandidateTrace& candidate) {
  std::string text(FateOf(candidate));
  if (candidate.beyond_budget) {
    return text + " by policy " + candidate.policy + ": budget of " + candidate.budget +
           " is used up";
  }
  if (!candidate.policy.empty()) return text + " by policy " + candidate.policy;
  if (candidate.fate == CandidateTrace::Fate::kProtected) text += " by its fair share";
  return text;
}

Cell Shortage(const ResourceAttempt& resource) {
  if (resource.shortage == 0) return Cell("");
  return Cell(FormatAmount(resource.resource, resource.shortage), Tone::kBad);
}

}  // namespace

void PrintAttempts(const std::vector<FlavorAttempt>& attempts, std::string_view indent, Io& io) {
  Table table({"PODSET", "FLAVOR", "RESOURCE", ">REQUESTED", ">AVAILABLE", ">SHORT BY",
               ">EVICTIONS FREE", ">AT MOST", "RESULT"});
  for (const FlavorAttempt& flavor : attempts) {
    if (flavor.resources.empty()) {
      table.Add({flavor.pod_set, flavor.flavor, "", "", "", "", "", "", flavor.refused});
    }
    for (const ResourceAttempt& resource : flavor.resources) {
      const auto amount = [&resource](Amount value) {
        return FormatAmount(resource.resource, value);
      };
      table.Add({flavor.pod_set, flavor.flavor, resource.resource, amount(resource.requested),
                 amount(resource.available), Shortage(resource),
                 resource.freeable == 0 ? "" : amount(resource.freeable), amount(resource.maximum),
                 std::string(ModeOf(resource))});
    }
  }
  table.Print(io.out, io.paint, indent);
}

Json AttemptsJson(const std::vector<FlavorAttempt>& attempts) {
  Json list = Json::array();
  for (const FlavorAttempt& flavor : attempts) {
    Json resources = Json::array();
    for (const ResourceAttempt& resource : flavor.resources) {
      const auto amount = [&resource](Amount value) {
        return FormatAmount(resource.resource, value);
      };
      resources.push_back({{"resource", resource.resource},
                           {"mode", ModeName(resource.mode)},
                           {"requested", amount(resource.requested)},
                           {"available", amount(resource.available)},
                           {"shortage", amount(resource.shortage)},
                           {"freeable", amount(resource.freeable)},
                           {"maximum", amount(resource.maximum)},
                           {"never", NeverFits(resource)}});
    }
    Json json = {{"podSet", flavor.pod_set},
                 {"flavor", flavor.flavor},
                 {"mode", ModeName(flavor.mode)},
                 {"borrowingLevel", flavor.borrowing_level},
                 {"chosen", flavor.chosen}};
    if (!flavor.refused.empty()) json["refused"] = flavor.refused;
    json["resources"] = std::move(resources);
    list.push_back(std::move(json));
  }
  return list;
}

void PrintCandidates(const std::vector<CandidateTrace>& candidates, bool more,
                     std::string_view indent, Io& io) {
  Table table({"WORKLOAD", "CLUSTERQUEUE", "OUTCOME", "BECAUSE"});
  for (const CandidateTrace& candidate : candidates) {
    table.Add({candidate.workload.ToString(), candidate.cluster_queue, OutcomeOf(candidate),
               std::string(ReasonName(candidate.reason))});
  }
  table.Print(io.out, io.paint, indent);
  if (more) io.out << indent << "... and others\n";
}

Json CandidatesJson(const std::vector<CandidateTrace>& candidates) {
  Json list = Json::array();
  for (const CandidateTrace& candidate : candidates) {
    list.push_back({{"workload", candidate.workload.ToString()},
                    {"clusterQueue", candidate.cluster_queue},
                    {"outcome", FateOf(candidate)},
                    {"reason", ReasonName(candidate.reason)}});
    if (!candidate.policy.empty()) list.back()["policy"] = candidate.policy;
  }
  return list;
}

void PrintTrace(const CycleTrace& trace, const Key& focus, Io& io) {
  io.out << '\n'
         << io.paint(Tone::kStrong, "Cycle " + std::to_string(trace.cycle)) << " at "
         << manifest::FormatTime(trace.at) << '\n';
  Table table({">", "WORKLOAD", "CLUSTERQUEUE", "OUTCOME", "BEHIND THE ONE BEFORE BY"});
  const WorkloadTrace* focused = nullptr;
  for (const WorkloadTrace& entry : trace.workloads) {
    if (entry.workload == focus) focused = &entry;
    table.Add({std::to_string(entry.position),
               {entry.workload.ToString(), entry.workload == focus ? Tone::kStrong : Tone::kPlain},
               entry.cluster_queue,
               entry.outcome,
               entry.behind_by});
  }
  if (table.empty()) {
    io.out << "  no workload was at the head of a queue\n";
    return;
  }
  table.Print(io.out, io.paint, "  ");
  if (focused == nullptr) {
    io.out << "  " << focus.ToString() << " was not at the head of its queue in this cycle\n";
    return;
  }
  if (!focused->message.empty()) io.out << "  " << focused->message << '\n';
  if (!focused->flavors.empty()) PrintAttempts(focused->flavors, "  ", io);
  if (!focused->candidates.empty()) {
    PrintCandidates(focused->candidates, focused->more_candidates, "  ", io);
  }
}

Json TraceJson(const CycleTrace& trace) {
  Json entries = Json::array();
  for (const WorkloadTrace& entry : trace.workloads) {
    Json json = {{"position", entry.position},
                 {"workload", entry.workload.ToString()},
                 {"clusterQueue", entry.cluster_queue},
                 {"outcome", entry.outcome},
                 {"reason", ReasonName(entry.reason)},
                 {"message", entry.message},
                 {"flavors", AttemptsJson(entry.flavors)},
                 {"candidates", CandidatesJson(entry.candidates)}};
    if (entry.more_candidates) json["moreCandidates"] = true;
    if (!entry.behind_by.empty()) {
      json["behind"] = {{"workload", entry.behind.ToString()}, {"by", entry.behind_by}};
    }
    entries.push_back(std::move(json));
  }
  return {{"cycle", trace.cycle},
          {"at", manifest::FormatTime(trace.at)},
          {"workloads", std::move(entries)}};
}

}  // namespace muster::cli
