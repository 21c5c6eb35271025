// Each step is a mapping with one verb; a cycle may carry what is expected after it.
#include "bindings/manifest/decode_scenario.h"

#include <array>
#include <string>
#include <utility>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/decode_report_step.h"
#include "bindings/manifest/emit.h"
#include "bindings/manifest/job_documents.h"
#include "bindings/manifest/kinds.h"
#include "bindings/manifest/limits.h"
#include "bindings/manifest/quote.h"

namespace muster::manifest {
namespace {

constexpr std::array<std::string_view, 13> kVerbs = {
    "cycle", "advance",  "submit", "finish", "evicted", "apply", "check",
    "ready", "notReady", "evict",  "update", "cancel",  "delete"};

/// Read as a job: what comes of it is a Workload.
bool IsOfJob(const KindInfo& kind) { return kind.is_job_document || kind.decode == DecodeJob; }

class StepReader {
 public:
  StepReader(const Value& value, const MakeObjects& make, ScenarioText& out)
      : fields_(value), reporter_(value.decoding().reporter), make_(make), out_(out) {
    step_.place = reporter_.PlaceAt(value.node().at);
  }

  void ReadStep();

 private:
  int CountVerbs();
  void ReportVerbs(int verbs) const;
  std::vector<Key> ReadKeys(std::string_view verb);
  /// `command` about the workloads in the list of that verb, when there are any.
  template <typename C>
  void ReadList(std::string_view verb, C command);
  /// The command that `read` makes of the map of that verb.
  template <typename C>
  void ReadReport(std::string_view verb, std::optional<C> (*read)(const Value&));
  void ReadEvicted();
  void ReadApply();
  void ReadObject(const Value& value, std::vector<const YamlNode*>& jobs);
  void Apply(std::vector<Object> objects);
  void ReadExpect();

  Fields fields_;
  Reporter& reporter_;
  const MakeObjects& make_;
  ScenarioText& out_;
  Step step_;
};

void StepReader::ReadStep() {
  const int verbs = CountVerbs();
  const auto cycle = fields_.Find("cycle");
  if (cycle && Read(*cycle, &step_.times)) {
    if (step_.times < 1) cycle->Error("must be at least 1", "write cycle: 1");
    if (step_.times > kMaxStepCycles) {
      const std::string most = std::to_string(kMaxStepCycles);
      cycle->Error("must be at most " + most, "write cycle: " + most);
    }
    step_.commands.emplace_back(command::Cycle{});
  }
  if (fields_.GetDuration("advance", &step_.after)) step_.commands.emplace_back(command::Advance{});
  out_.submits.emplace_back(out_.scenario.steps.size(), ReadKeys("submit"));
  ReadList("finish", command::Finish{});
  ReadList("cancel", command::Cancel{});
  ReadList("ready", command::Ready{});
  ReadList("notReady", command::Ready{{}, false});
  ReadReport("check", ReadCheck);
  ReadReport("update", ReadUpdate);
  ReadReport("evict", ReadEviction);
  if (const auto object = fields_.Find("delete")) {
    if (const auto removal = ReadDelete(*object)) step_.commands.emplace_back(*removal);
  }
  ReadEvicted();
  ReadApply();
  if (fields_.Get("refused", &step_.refused) && (cycle || step_.refused.empty())) {
    fields_.Find("refused")->Error("belongs to a step that is refused",
                                   "write a part of the message, in a step that is no cycle");
  }
  ReadExpect();
  ReportVerbs(verbs);
  out_.scenario.steps.push_back(std::move(step_));
}

template <typename C>
void StepReader::ReadList(std::string_view verb, C command) {
  command.workloads = ReadKeys(verb);
  if (!command.workloads.empty()) step_.commands.emplace_back(std::move(command));
}

template <typename C>
void StepReader::ReadReport(std::string_view verb, std::optional<C> (*read)(const Value&)) {
  const auto value = fields_.Find(verb);
  std::optional<C> report = value ? read(*value) : std::nullopt;
  if (!report) return;
  out_.uses.push_back({report->workload, reporter_.PlaceAt(value->at())});
  step_.commands.emplace_back(std::move(*report));
}

void StepReader::ReportVerbs(int verbs) const {
  const YamlNode& node = fields_.value().node();
  // A verb that is misspelt is reported as an unknown field.
  const bool is_silent =
      verbs == 0 && node.entries().size() == (node.Find("expect") != nullptr ? 1U : 0U);
  if (node.kind != NodeKind::kMap || (verbs < 2 && !is_silent)) return;
  reporter_.Error(node.at, verbs == 0 ? "this step does nothing" : "this step does several things",
                  "write exactly one of " + Enumerate(kVerbs) + " in a step");
}

int StepReader::CountVerbs() {
  int verbs = 0;
  for (const std::string_view verb : kVerbs) verbs += fields_.Find(verb) ? 1 : 0;
  return verbs;
}

std::vector<Key> StepReader::ReadKeys(std::string_view verb) {
  std::vector<Key> keys;
  const auto value = fields_.Find(verb);
  if (!value || !value->ExpectList()) return keys;
  for (const YamlNode* item : value->node().items()) {
    const std::optional<Key> key = ReadKey(value->Item(*item));
    if (!key) continue;
    keys.push_back(*key);
    out_.uses.push_back({*key, reporter_.PlaceAt(item->at)});
  }
  return keys;
}

void StepReader::ReadEvicted() {
  const auto value = fields_.Find("evicted");
  bool evicted = false;
  if (!value || !Read(*value, &evicted)) return;
  if (!evicted) value->Error("cannot be false", "write evicted: true, or remove the step");
  step_.commands.emplace_back(command::Evicted{});
}

void StepReader::ReadApply() {
  const auto value = fields_.Find("apply");
  if (!value || !value->ExpectList()) return;
  std::vector<const YamlNode*> jobs;
  for (const YamlNode* item : value->node().items()) {
    Decoding decoding = value->decoding();
    decoding.step_update = true;
    ReadObject(Value(*item, "apply", decoding), jobs);
  }
  if (jobs.empty()) return;
  MadeObjects made = make_(jobs);
  // What is open may be the one thing that it comes to: a mistake, or what is held back.
  const bool is_open = !made.open.diagnostics.empty() || !made.open.scaled.empty();
  if (is_open && made.objects.empty()) {
    step_.commands.emplace_back(command::Apply{});
    step_.jobs.emplace(step_.commands.size() - 1, std::move(made.open));
    return;
  }
  if (made.objects.empty()) return;
  Apply(std::move(made.objects));
  step_.jobs.emplace(step_.commands.size() - 1, std::move(made.open));
}

void StepReader::Apply(std::vector<Object> objects) {
  // Kueue's own cases bend some rules; a step that must be refused asks for all of them.
  const auto missing =
      fields_.Find("refused") ? MissingReference::kRefuse : MissingReference::kAsKueue;
  if (!objects.empty()) step_.commands.emplace_back(command::Apply{std::move(objects), missing});
}

/// The change of a workload that an `apply` step says in the form of the object.
WorkloadUpdate UpdateFrom(const Workload& workload, const YamlNode& node) {
  WorkloadUpdate update;
  update.workload = workload.key;
  update.priority = workload.priority;
  const YamlNode* spec = node.Find("spec");
  const YamlNode* active = spec == nullptr ? nullptr : spec->Find("active");
  if (active != nullptr && active->kind == NodeKind::kScalar) update.active = workload.active;
  if (!workload.status.reclaimable_pods.empty()) {
    update.reclaimable_pods = workload.status.reclaimable_pods;
  }
  return update;
}

void StepReader::ReadObject(const Value& value, std::vector<const YamlNode*>& jobs) {
  const std::optional<DocumentKind> kind = FindKind(value);
  if (!kind) return;
  if (IsOfJob(*kind->info) || JobDocuments::Takes(value.node())) {
    jobs.push_back(&value.node());
    return;
  }
  if (kind->info->decode == nullptr) {
    reporter_.Error(value.node().at, "a step cannot apply a " + std::string(kind->info->kind),
                    "write it as a document of its own");
    return;
  }
  Decoding decoding = value.decoding();
  decoding.v1beta1 = kind->v1beta1;
  const std::size_t errors = reporter_.errors();
  std::optional<Object> object =
      kind->info->decode(Value(value.node(), kind->info->kind, decoding));
  if (!object || reporter_.errors() > errors) return;
  const Workload* workload = std::get_if<Workload>(&*object);
  if (workload != nullptr && workload->pod_sets.empty()) {
    out_.uses.push_back({workload->key, reporter_.PlaceAt(value.node().at)});
    step_.commands.emplace_back(UpdateFrom(*workload, value.node()));
    return;
  }
  Apply({std::move(*object)});
}

void StepReader::ReadExpect() {
  const auto expect = fields_.Find("expect");
  if (!expect || !expect->ExpectMap()) return;
  step_.expect_place = reporter_.PlaceAt(expect->at());
  if (!fields_.Find("cycle")) {
    expect->Error("belongs to a cycle", "write it in the cycle step whose outcome it describes");
    return;
  }
  constexpr std::array<std::string_view, 6> kParts = {"at",      "admitted", "preempted",
                                                      "evicted", "pending",  "workloads"};
  Fields parts(*expect);
  parts.Accept(kParts);
  step_.expects_workloads = parts.Find("workloads").has_value();
  step_.expect_json = EmitJson(expect->node());
}

}  // namespace

ScenarioText DecodeScenario(const Value& document, const MakeObjects& make) {
  Fields fields(document);
  ScenarioText out;
  out.scenario.name = ReadSingletonMetadata(fields).name;
  out.scenario.place = document.decoding().reporter.PlaceAt(document.at());
  fields.GetTime("now", &out.scenario.now);
  const auto steps = fields.Find("steps");
  if (!steps) {
    fields.ReportMissing("steps", "[{cycle: 1}]");
  } else if (steps->ExpectList()) {
    for (const YamlNode* item : steps->node().items()) {
      StepReader(Value(*item, "step", document.decoding()), make, out).ReadStep();
    }
  }
  return out;
}

}  // namespace muster::manifest
