// See decode_report_step.h; the words are those of the objects' own status.
#include "bindings/manifest/decode_report_step.h"

#include <utility>
#include <vector>

#include "bindings/manifest/forms.h"
#include "bindings/manifest/names.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/yaml_parser.h"

namespace muster::manifest {
namespace {

struct Count {
  PodSetCount count;
};

bool Read(const Value& value, Count* out) {
  Fields fields(value);
  const bool named = fields.Require("name", &out->count.pod_set, "main");
  return fields.Require("count", &out->count.count, "1") && named;
}

/// The field `workload` of a step.
std::optional<Key> RequireWorkload(Fields& fields) {
  const auto value = fields.Find("workload");
  if (value) return ReadKey(*value);
  fields.ReportMissing("workload", "default/job-a");
  return std::nullopt;
}

}  // namespace

std::optional<Key> ReadKey(const Value& value) {
  std::string text;
  if (!manifest::Read(value, &text)) return std::nullopt;
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) return Key{text.substr(0, slash), text.substr(slash + 1)};
  value.decoding().reporter.Error(value.node().at, Quoted(text) + " names no workload",
                                  "write its namespace too: " + Quoted("default/" + text));
  return std::nullopt;
}

std::vector<Diagnostic> ParsePodSetUpdates(const Source& source, std::vector<PodSetUpdate>* out) {
  Reporter reporter;
  reporter.BeginSource(0, source.name);
  const ParseOptions options;
  Decoding decoding{reporter, options};
  YamlArena arena;
  out->clear();
  for (const YamlNode* root : ParseYaml(source.text, arena, reporter)) {
    std::vector<PodSetUpdate> updates;
    if (!manifest::Read(Value(*root, "podSetUpdates", decoding), &updates)) continue;
    out->insert(out->end(), updates.begin(), updates.end());
  }
  return reporter.Take();
}

std::optional<CheckUpdate> ReadCheck(const Value& value) {
  CheckUpdate update;
  Fields fields(value);
  const auto workload = RequireWorkload(fields);
  const bool named = fields.Require("name", &update.check, "provisioning");
  const bool answered = fields.Require("state", &update.state, "Ready");
  fields.Get("message", &update.message);
  fields.Get("requeueAfterSeconds", &update.requeue_after_seconds);
  fields.Get("podSetUpdates", &update.pod_set_updates);
  if (!workload || !named || !answered) return std::nullopt;
  update.workload = *workload;
  return update;
}

std::optional<WorkloadUpdate> ReadUpdate(const Value& value) {
  WorkloadUpdate update;
  Fields fields(value);
  const auto workload = RequireWorkload(fields);
  std::vector<Count> counts;
  if (fields.Get("podSets", &counts)) {
    update.counts.emplace();
    for (Count& count : counts) update.counts->push_back(std::move(count.count));
  }
  fields.Get("openPreemptionGates", &update.open_gates);
  fields.GetTime("checkpointed", &update.checkpointed);
  if (!workload) return std::nullopt;
  update.workload = *workload;
  return update;
}

std::optional<command::Evict> ReadEviction(const Value& value) {
  command::Evict eviction;
  Fields fields(value);
  const auto workload = RequireWorkload(fields);
  const bool reasoned = fields.Require("reason", &eviction.reason, "NodeFailures");
  if (!workload || !reasoned) return std::nullopt;
  if (!IsReason(eviction.reason)) {
    fields.Find("reason")->Error("must be one word", "write for example NodeFailures");
  }
  eviction.workload = *workload;
  return eviction;
}

std::optional<command::Delete> ReadDelete(const Value& value) {
  command::Delete object;
  object.force = true;
  Fields fields(value);
  const bool kind = fields.Require("kind", &object.kind, "Cohort");
  const bool named = fields.Require("name", &object.key.name, "research");
  fields.Get("namespace", &object.key.ns);
  return kind && named ? std::optional(object) : std::nullopt;
}

}  // namespace muster::manifest
