// Each step is a mapping with one verb; a cycle may carry what is expected after it.
#include "bindings/manifest/decode_scenario.h"

#include <array>
#include <utility>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/decode_report_step.h"
#include "bindings/manifest/emit.h"
#include "bindings/manifest/kinds.h"
#include "bindings/manifest/quote.h"

namespace muster::manifest {
namespace {

constexpr std::array<std::string_view, 13> kVerbs = {
    "cycle", "advance",  "submit", "finish", "evicted", "apply", "check",
    "ready", "notReady", "evict",  "update", "cancel",  "delete"};

class StepReader {
 public:
  StepReader(const Value& value, ScenarioText& out)
      : fields_(value), reporter_(value.decoding().reporter), out_(out) {
    step_.place = reporter_.PlaceAt(value.node().at);
  }

  void ReadStep();

 private:
  int CountVerbs();
  void ReportVerbs(int verbs) const;
  void ReadKeys(std::string_view verb, std::vector<Key>* keys);
  void ReadReports();
  void ReadEvicted(const Value& value);
  void ReadApply(const Value& value);
  void ReadObject(const Value& value);
  void ReadExpect();

  Fields fields_;
  Reporter& reporter_;
  ScenarioText& out_;
  Step step_;
};

void StepReader::ReadStep() {
  const int verbs = CountVerbs();
  if (const auto cycle = fields_.Find("cycle")) {
    std::int32_t count = 0;
    if (Read(*cycle, &count) && count < 1) cycle->Error("must be at least 1", "write cycle: 1");
    step_.cycles = count;
  }
  DurationNs advance = 0;
  if (fields_.GetDuration("advance", &advance)) step_.advance = advance;
  ReadKeys("submit", &step_.submit);
  ReadKeys("finish", &step_.finish);
  ReadReports();
  if (const auto evicted = fields_.Find("evicted")) ReadEvicted(*evicted);
  if (const auto apply = fields_.Find("apply")) ReadApply(*apply);
  if (fields_.Get("refused", &step_.refused) && (step_.cycles > 0 || step_.refused.empty())) {
    fields_.Find("refused")->Error("belongs to a step that is refused",
                                   "write a part of the message, in a step that is no cycle");
  }
  ReadExpect();
  ReportVerbs(verbs);
  out_.scenario.steps.push_back(std::move(step_));
}

void StepReader::ReadReports() {
  ReadKeys("cancel", &step_.cancel);
  ReadKeys("ready", &step_.ready);
  ReadKeys("notReady", &step_.not_ready);
  const auto use = [this](const Value& value, const auto& report) {
    if (report) out_.uses.push_back({report->workload, reporter_.PlaceAt(value.at())});
  };
  if (const auto check = fields_.Find("check")) {
    step_.check = ReadCheck(*check);
    use(*check, step_.check);
  }
  if (const auto update = fields_.Find("update")) {
    step_.update = ReadUpdate(*update);
    use(*update, step_.update);
  }
  if (const auto evict = fields_.Find("evict")) {
    step_.evict = ReadEviction(*evict);
    use(*evict, step_.evict);
  }
  if (const auto object = fields_.Find("delete")) step_.remove = ReadObjectName(*object);
}

void StepReader::ReportVerbs(int verbs) const {
  const YamlNode& node = fields_.value().node();
  // A verb that is misspelt is reported as an unknown field.
  const bool is_silent =
      verbs == 0 && node.entries.size() == (node.Find("expect") != nullptr ? 1U : 0U);
  if (node.kind != NodeKind::kMap || (verbs < 2 && !is_silent)) return;
  reporter_.Error(node.at, verbs == 0 ? "this step does nothing" : "this step does several things",
                  "write exactly one of " + Enumerate(kVerbs) + " in a step");
}

int StepReader::CountVerbs() {
  int verbs = 0;
  for (const std::string_view verb : kVerbs) verbs += fields_.Find(verb) ? 1 : 0;
  return verbs;
}

void StepReader::ReadKeys(std::string_view verb, std::vector<Key>* keys) {
  const auto value = fields_.Find(verb);
  if (!value || !value->ExpectList()) return;
  for (const YamlNode* item : value->node().items) {
    const std::optional<Key> key = ReadKey(value->Item(*item));
    if (!key) continue;
    keys->push_back(*key);
    out_.uses.push_back({keys->back(), reporter_.PlaceAt(item->at)});
  }
}

void StepReader::ReadEvicted(const Value& value) {
  if (Read(value, &step_.evicted) && !step_.evicted) {
    value.Error("cannot be false", "write evicted: true, or remove the step");
  }
}

void StepReader::ReadApply(const Value& value) {
  if (!value.ExpectList()) return;
  for (const YamlNode* item : value.node().items) {
    Decoding decoding = value.decoding();
    decoding.step_update = true;
    ReadObject(Value(*item, "apply", decoding));
  }
}

void StepReader::ReadObject(const Value& value) {
  const std::optional<DocumentKind> kind = FindKind(value);
  if (!kind) return;
  const std::string name(kind->info->kind);
  if (kind->info->decode == nullptr || kind->info->decode == DecodeJob) {
    reporter_.Error(value.node().at, "a step cannot apply a " + name,
                    "write it as a document of its own");
    return;
  }
  Decoding decoding = value.decoding();
  decoding.v1beta1 = kind->v1beta1;
  const std::size_t errors = reporter_.errors();
  std::optional<Object> object =
      kind->info->decode(Value(value.node(), kind->info->kind, decoding));
  if (!object || reporter_.errors() > errors) return;
  const std::size_t index = out_.step_objects.size();
  const Workload* workload = std::get_if<Workload>(&*object);
  if (workload != nullptr && workload->pod_sets.empty()) {
    out_.uses.push_back({KeyOf(*object), reporter_.PlaceAt(value.node().at)});
    const YamlNode* spec = value.node().Find("spec");
    const YamlNode* active = spec == nullptr ? nullptr : spec->Find("active");
    if (active != nullptr && active->kind == NodeKind::kScalar) step_.sets_active.push_back(index);
  }
  step_.apply.push_back(index);
  out_.step_objects.push_back(std::move(*object));
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

ScenarioText DecodeScenario(const Value& document) {
  Fields fields(document);
  ScenarioText out;
  out.scenario.name = ReadSingletonMetadata(fields).name;
  out.scenario.place = document.decoding().reporter.PlaceAt(document.at());
  fields.GetTime("now", &out.scenario.now);
  const auto steps = fields.Find("steps");
  if (!steps) {
    fields.ReportMissing("steps", "[{cycle: 1}]");
  } else if (steps->ExpectList()) {
    for (const YamlNode* item : steps->node().items) {
      StepReader(Value(*item, "step", document.decoding()), out).ReadStep();
    }
  }
  return out;
}

}  // namespace muster::manifest
