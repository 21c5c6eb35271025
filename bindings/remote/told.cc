// See told.h.
#include "bindings/remote/told.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace muster::remote {
namespace {

using Json = nlohmann::ordered_json;

bool HasCondition(const Workload& workload, std::string_view type) {
  const std::vector<Condition>& conditions = workload.status.conditions;
  return std::any_of(conditions.begin(), conditions.end(), [type](const Condition& condition) {
    return condition.type == type && condition.status;
  });
}

/// What is refused of the commands that were sent, "[0].reclaimablePods[0].name"; empty: nothing
/// of them alone.
std::string PathOf(const Json& refusal) {
  if (!refusal.is_object()) return "";
  const Json place = refusal.value("place", Json());
  return place.is_object() ? TextOf(place, "path") : "";
}

}  // namespace

Json ParsedReply(const std::string& body) {
  return Json::parse(body, nullptr, /*allow_exceptions=*/false);
}

std::string RefusalSentence(const Json& refusal, Author author) {
  const std::string cure = TextOf(refusal, "cure");
  std::string path = PathOf(refusal);
  if (author == Author::kVerb) {
    if (path.starts_with('[')) path.erase(0, path.find(']') + 1);
    if (path.starts_with('.')) path.erase(0, 1);
  }
  return (path.empty() ? "" : path + ": ") + TextOf(refusal, "message") +
         (cure.empty() ? "" : "; " + cure);
}

std::string TextOf(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

SourcesJoined JoinSources(std::span<const manifest::Source> sources) {
  SourcesJoined joined;
  int line = 0;
  for (const manifest::Source& source : sources) {
    if (!joined.body.empty()) {
      joined.body += "---\n";
      ++line;
    }
    joined.lines.push_back(line);
    joined.body += source.text;
    if (!source.text.ends_with('\n')) joined.body += '\n';
    line += static_cast<int>(std::count(source.text.begin(), source.text.end(), '\n')) +
            (source.text.ends_with('\n') ? 0 : 1);
  }
  return joined;
}

std::vector<manifest::Diagnostic> ToldDiagnostics(const Json& told, manifest::Severity severity,
                                                  std::span<const manifest::Source> sources,
                                                  const std::vector<int>& lines) {
  std::vector<manifest::Diagnostic> diagnostics;
  for (const Json& each : told) {
    manifest::Diagnostic& diagnostic = diagnostics.emplace_back();
    diagnostic.severity = severity;
    diagnostic.what = TextOf(each, "message");
    diagnostic.cure = TextOf(each, "cure");
    const Json place = each.value("place", Json());
    const int line = place.is_object() ? place.value("line", 0) : 0;
    const auto behind = std::upper_bound(lines.begin(), lines.end(), line - 1);
    if (line > 0 && behind != lines.begin()) {
      const auto index = static_cast<std::size_t>(behind - lines.begin() - 1);
      diagnostic.place = {sources[index].name, line - lines[index], place.value("column", 0)};
    } else if (!sources.empty()) {
      diagnostic.place.file = sources.front().name;
    }
  }
  return diagnostics;
}

WorkloadPhase PhaseShown(const Workload& workload) {
  const bool reserved = HasCondition(workload, "QuotaReserved");
  if (HasCondition(workload, "Finished")) return WorkloadPhase::kFinished;
  if (reserved && HasCondition(workload, "Evicted")) return WorkloadPhase::kEvicting;
  if (!workload.active) return WorkloadPhase::kInactive;
  if (HasCondition(workload, "Admitted")) return WorkloadPhase::kAdmitted;
  return reserved ? WorkloadPhase::kReserved : WorkloadPhase::kPending;
}

}  // namespace muster::remote
