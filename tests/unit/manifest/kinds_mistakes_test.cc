// The mistakes that are made in any job: in the example of each kind they are errors with a place
// and a cure.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "bindings/manifest/plain.h"
#include "tests/testing/paths.h"

namespace muster::manifest {
namespace {

using PlainValue = objects::Value;

constexpr std::string_view kQueueMark = "kueue.x-k8s.io/queue-name";
constexpr std::string_view kTimeMark = "kueue.x-k8s.io/max-exec-time-seconds";
constexpr std::size_t kLeastTold = 20;

/// The first mapping, from the outside in, that has one of the keys; null for none.
PlainValue* FirstWith(PlainValue& value, const std::vector<std::string_view>& keys,
                      std::string* key) {
  for (auto& [name, child] : value.entries) {
    if (std::find(keys.begin(), keys.end(), name) == keys.end()) continue;
    *key = name;
    return &value;
  }
  for (auto& [name, child] : value.entries) {
    if (PlainValue* found = FirstWith(child, keys, key)) return found;
  }
  for (PlainValue& item : value.items) {
    if (PlainValue* found = FirstWith(item, keys, key)) return found;
  }
  return nullptr;
}

/// Spoils an object; false where it has no such part.
using Mistake = std::function<bool(PlainValue& object)>;

Mistake InMetadata(std::string key, PlainValue value) {
  return [=](PlainValue& object) {
    object.Make("metadata").Set(key, value);
    return true;
  };
}

Mistake Label(std::string_view key, PlainValue value) {
  return [key = std::string(key), value](PlainValue& object) {
    object.Make({"metadata", "labels"}).Set(key, value);
    return true;
  };
}

Mistake InHead(std::string key, PlainValue value) {
  return [=](PlainValue& object) {
    object.Set(key, value);
    return true;
  };
}

/// Two letters of the key change places.
Mistake Misspelt(std::vector<std::string_view> keys) {
  return [=](PlainValue& object) {
    std::string key;
    PlainValue* map = FirstWith(object.Make("spec"), keys, &key);
    if (map == nullptr) return false;
    for (auto& entry : map->entries) {
      if (entry.first == key) std::swap(entry.first[key.size() - 1], entry.first[key.size() - 2]);
    }
    return true;
  };
}

Mistake Counted(PlainValue value) {
  return [=](PlainValue& object) {
    std::string key;
    PlainValue* map =
        FirstWith(object.Make("spec"),
                  {"replicas", "parallelism", "size", "numNodes", "instances", "workers"}, &key);
    if (map != nullptr) map->Set(key, value);
    return map != nullptr;
  };
}

bool NoQuantity(PlainValue& object) {
  std::string key;
  PlainValue* map = FirstWith(object.Make("spec"), {"requests", "memory"}, &key);
  if (map == nullptr) return false;
  PlainValue& found = map->Make(key);
  (found.IsMap() ? found.entries.front().second : found) = PlainValue::Text("2x");
  return true;
}

std::map<std::string, Mistake> Mistakes() {
  return {
      {"no name", InMetadata("name", PlainValue())},
      {"a blank in the name", InMetadata("name", PlainValue::Text("a b"))},
      {"a number as name", InMetadata("name", PlainValue::Number(7))},
      {"a dot in the namespace", InMetadata("namespace", PlainValue::Text("a.b"))},
      {"labels are a list", InMetadata("labels", PlainValue::List())},
      {"no time of creation", InMetadata("creationTimestamp", PlainValue::Text("yesterday"))},
      {"a misspelt field of metadata", InMetadata("lables", PlainValue::Map())},
      {"no queue", Label(kQueueMark, PlainValue())},
      {"no name of a queue", Label(kQueueMark, PlainValue::Text("a b"))},
      {"a number as queue", Label(kQueueMark, PlainValue::Number(7))},
      {"a word as time", Label(kTimeMark, PlainValue::Text("soon"))},
      {"no time to run", Label(kTimeMark, PlainValue::Text("0"))},
      {"a misspelt mark", Label("kueue.x-k8s.io/queue-nmae", PlainValue::Text("q"))},
      {"a number as label", Label("team", PlainValue::Number(7))},
      {"metadata is a text", InHead("metadata", PlainValue::Text("x"))},
      {"no metadata", InHead("metadata", PlainValue())},
      {"another version", InHead("apiVersion", PlainValue::Text("batch/v9"))},
      {"no version", InHead("apiVersion", PlainValue())},
      {"another kind", InHead("kind", PlainValue::Text("Jbo"))},
      {"no kind", InHead("kind", PlainValue())},
      {"a part of another name", InHead("sepc", PlainValue::Map())},
      {"misspelt containers", Misspelt({"containers"})},
      {"misspelt requests", Misspelt({"requests"})},
      {"no quantity", NoQuantity},
      {"a word as count", Counted(PlainValue::Text("two"))},
      {"a negative count", Counted(PlainValue::Number(-1))},
      {"a misspelt count", Misspelt({"replicas", "parallelism", "numNodes", "instances"})},
  };
}

/// Whether there is an error, and each has a place and a cure.
bool IsTold(const std::vector<PlainValue>& documents) {
  std::string text;
  for (const PlainValue& each : documents) text += "---\n" + objects::ToJson(each) + "\n";
  const Source source{"f.yaml", text};
  const Manifests read = Parse({&source, 1});
  for (const Diagnostic& each : read.diagnostics) {
    EXPECT_GT(each.place.line, 0) << each.ToString();
    EXPECT_FALSE(each.cure.empty()) << each.ToString();
  }
  if (read.HasErrors()) return true;
  // Counts and times are the engine's to judge.
  const auto problems = Engine().Validate(read.objects, MissingReference::kAccept);
  return problems.ok() && !problems->empty();
}

TEST(KindMistakes, TwentyOfEachKindAreNamedWithPlaceAndCure) {
  const auto folder = testing::SourceDir() / "examples" / "kinds";
  std::size_t kinds = 0;
  for (const std::filesystem::path& path : testing::FilesUnder(folder, ".yaml")) {
    const auto documents = ParsePlain(testing::ReadFile(path), path.string()).documents;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      if (documents[i].At({"metadata", "labels", kQueueMark}).IsNull()) continue;
      ++kinds;
      std::size_t told = 0;
      std::string silent;
      for (const auto& [name, mistake] : Mistakes()) {
        std::vector<PlainValue> spoilt = documents;
        if (mistake(spoilt[i]) && IsTold(spoilt)) {
          ++told;
        } else {
          silent += name + "; ";
        }
      }
      EXPECT_GE(told, kLeastTold) << path << ": not told or not possible: " << silent;
    }
  }
  EXPECT_GE(kinds, 20U);
}

/// An example, and what each part of it may be replaced by that makes a mistake of it.
struct Spoilt {
  std::string text;
  std::vector<std::pair<std::string, std::string>> parts;
};

/// How many of the mistakes are told.
std::size_t ToldOf(const Spoilt& example) {
  std::size_t told = 0;
  for (const auto& [from, to] : example.parts) {
    std::string text = example.text;
    const std::size_t at = text.find(from);
    if (at == std::string::npos) {
      ADD_FAILURE() << "no " << from;
      continue;
    }
    text.replace(at, from.size(), to);
    const Source source{"f.yaml", text};
    const Manifests read = Parse({&source, 1});
    EXPECT_TRUE(read.HasErrors()) << from << " -> " << to;
    told += read.HasErrors() ? 1U : 0U;
    for (const Diagnostic& each : read.diagnostics) {
      EXPECT_GT(each.place.line, 0) << each.ToString();
      EXPECT_FALSE(each.cure.empty()) << each.ToString();
    }
  }
  return told;
}

TEST(KindMistakes, TwentyOfAJobKindAreNamedWithPlaceAndCure) {
  const auto path = testing::SourceDir() / "examples" / "kinds" / "training.yaml";
  EXPECT_GE(
      ToldOf({testing::ReadFile(path),
              {{"muster.dev/v1", "muster.dev/v9"},
               {"kind: JobKind", "kind: JobKnid"},
               {"metadata: {name: trainings}\n", ""},
               {"{name: trainings}", "{name: a b}"},
               {"{name: trainings}", "{nmae: trainings}"},
               {"  group: acme.example\n", ""},
               {"group: acme.example", "group: acme/example"},
               {"  versions: [v1]\n", ""},
               {"versions: [v1]", "versions: []"},
               {"versions: [v1]", "versions: v1"},
               {"versions: [v1]", "versions: [v2]"},
               {"  kind: Training\n", ""},
               {"kind: Training", "kind: training"},
               {"group: acme.example\n  versions: [v1]\n  kind: Training",
                "group: batch\n  versions: [v1]\n  kind: Job"},
               {"suspendPath: spec.paused", "suspendPath: $.spec.paused"},
               {"suspendPath: spec.paused", "suspendPath: spec.driver"},
               {"suspendPath: spec.paused", "suspendPahth: spec.paused"},
               {"podSets:", "podSet:"},
               {"- name: driver\n    requestsPath", "- requestsPath"},
               {"    requestsPath: spec.driver.resources\n", ""},
               {"requestsPath: spec", "templatePath: spec"},
               {"requestsPath: spec.driver.resources", "requestsPath: spec.driver.resource"},
               {"placementPath: spec.driver.placement", "placementPath: spec.driver.resources.cpu"},
               {"forEach: spec.groups", "forEach: spec.groups[0]"},
               {"namePath: name", "name: all"},
               {"namePath: name", "namePath: nothing"},
               {"countPath: workers", "minCountPath: workers"},
               {"countPath: workers", "count: -1"},
               {"countPath: workers", "countPath: name"},
               {"templatePath: template", "templatePath: .template"},
               {"{condition: Done}", "{}"},
               {"{condition: Done}", "{path: status.phase}"}}}),
      kLeastTold);
}

TEST(KindMistakes, TwentyOfAnInferencePoolAreNamedWithPlaceAndCure) {
  const auto path = testing::SourceDir() / "examples" / "kinds" / "inferencepool.yaml";
  const std::string selector = "{matchLabels: {app: web}}";
  EXPECT_GE(ToldOf({testing::ReadFile(path),
                    {{"networking.k8s.io/v1", "networking.k8s.io/v9"},
                     {"apiVersion: inference.networking.k8s.io/v1\n", ""},
                     {"kind: InferencePool", "kind: InferencePol"},
                     {"kind: InferencePool\n", ""},
                     {"metadata: {name: web}\n", ""},
                     {"metadata: {name: web}", "metadata: web"},
                     {"{name: web}", "{}"},
                     {"{name: web}", "{name: a b}"},
                     {"{name: web}", "{name: [web]}"},
                     {"{name: web}", "{nmae: web}"},
                     {"{name: web}", "{name: web, namespace: a.b}"},
                     {"{name: web}", "{name: web, labels: x}"},
                     {"{name: web}", "{name: web, labels: {team: 7}}"},
                     {"{name: web}", "{name: web, creationTimestamp: yesterday}"},
                     {"spec:\n", "sepc:\n"},
                     {"selector:", "selectro:"},
                     {"selector: " + selector, "endpointPickerRef: {name: x}"},
                     {selector, "web"},
                     {selector, "[web]"},
                     {selector, "{}"},
                     {selector, "{matchLabels: [app]}"},
                     {selector, "{matchLabels: {app: [web]}}"},
                     {selector, "{matchLabel: {app: web}}"},
                     {selector, "{matchLabels: {}}"}}}),
            kLeastTold);
}

/// What is said of an example whose object `spoil` has changed; empty: it has no such part.
std::string SaidOf(const std::filesystem::path& path, const Mistake& spoil) {
  std::vector<PlainValue> documents = ParsePlain(testing::ReadFile(path), path.string()).documents;
  PlainValue* object = nullptr;
  for (PlainValue& each : documents) {
    if (!each.At({"metadata", "labels", kQueueMark}).IsNull()) object = &each;
  }
  if (object == nullptr || !spoil(*object)) return "";
  std::string text;
  for (const PlainValue& each : documents) text += "---\n" + objects::ToJson(each) + "\n";
  const Source source{"f.yaml", text};
  const Manifests read = Parse({&source, 1});
  std::string said = read.diagnostics.empty() ? "nothing" : "";
  for (const Diagnostic& each : read.diagnostics) said += each.ToString() + "\n";
  return said;
}

TEST(KindMistakes, AMisspeltFieldIsToldItsName) {
  const auto folder = testing::SourceDir() / "examples" / "kinds";
  std::size_t kinds = 0;
  for (const std::filesystem::path& path : testing::FilesUnder(folder, ".yaml")) {
    std::string key;
    const std::string said = SaidOf(path, [&key](PlainValue& object) {
      PlainValue* map = FirstWith(
          object.Make("spec"),
          {"replicas", "parallelism", "numNodes", "instances", "size", "workers", "containers"},
          &key);
      if (map == nullptr) return false;
      for (auto& entry : map->entries) {
        if (entry.first == key) std::swap(entry.first[key.size() - 1], entry.first[key.size() - 2]);
      }
      return true;
    });
    if (said.empty()) continue;
    ++kinds;
    EXPECT_NE(said.find("write \"" + key + "\""), std::string::npos) << path << ": " << said;
  }
  EXPECT_GE(kinds, 20U);
}

/// Adds gates to the first pod template; false where the object has none.
Mistake Gated(PlainValue gates) {
  return [gates = std::move(gates)](PlainValue& object) {
    if (object.TextAt("kind") == "SparkApplication") {
      object.Make({"spec", "driver", "template", "spec"}).Set("schedulingGates", gates);
      return true;
    }
    std::string key;
    PlainValue* pods = FirstWith(object.Make("spec"), {"containers"}, &key);
    if (pods == nullptr || object.TextAt("kind") == "MiniCluster") return false;
    pods->Set("schedulingGates", gates);
    return true;
  };
}

TEST(KindMistakes, AGateOfPodsIsReadInEveryKind) {
  PlainValue misspelt = PlainValue::List();
  misspelt.items.push_back(PlainValue::Texts({{"nam", "example.com/mine"}}));
  std::size_t kinds = 0;
  const auto folder = testing::SourceDir() / "examples" / "kinds";
  for (const std::filesystem::path& path : testing::FilesUnder(folder, ".yaml")) {
    const std::string said = SaidOf(path, Gated(misspelt));
    if (said.empty() || path.stem() == "trainjob") continue;  // its pods are its runtime's
    ++kinds;
    EXPECT_NE(said.find("unknown field \"nam\""), std::string::npos) << path << ": " << said;
    EXPECT_NE(said.find("write \"name\""), std::string::npos) << path << ": " << said;
    EXPECT_NE(SaidOf(path, Gated(PlainValue::Text("x"))).find("\"schedulingGates\" must be a list"),
              std::string::npos)
        << path;
  }
  EXPECT_GE(kinds, 18U);
}

/// What the engine says of an object of one template with the annotation, with places.
std::vector<std::string> SaidOfSlices(const std::string& head, const std::string& annotation) {
  const std::string text = head + "metadata: {annotations: {" + annotation +
                           "}}, spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}";
  const auto open = std::count(text.begin(), text.end(), '{');
  const auto closed = std::count(text.begin(), text.end(), '}');
  const Source source{"f.yaml",
                      text + std::string(static_cast<std::size_t>(open - closed), '}') + "\n"};
  const Manifests read = Parse({&source, 1});
  std::vector<std::string> said;
  for (const Diagnostic& each : read.diagnostics) said.push_back(each.ToString());
  const auto problems = Engine().Validate(read.objects, MissingReference::kAccept);
  if (!problems.ok()) return {std::string(problems.status().message())};
  for (const Diagnostic& each : Locate(read, *problems)) said.push_back(each.ToString());
  return said;
}

TEST(KindMistakes, ASliceThatIsNoneIsToldOnceAtItsAnnotation) {
  const std::string metadata = "metadata: {name: n, labels: {kueue.x-k8s.io/queue-name: q}}\n";
  for (const std::string kind : {"Deployment", "StatefulSet"}) {
    const std::string head =
        "apiVersion: apps/v1\nkind: " + kind + "\n" + metadata + "spec: {replicas: 2, template: {";
    EXPECT_EQ(SaidOfSlices(head,
                           "kueue.x-k8s.io/podset-slice-size: '0', "
                           "kueue.x-k8s.io/podset-slice-required-topology: b"),
              std::vector<std::string>{"f.yaml:4:91: 0 is too small; write 1 or more"});
    EXPECT_EQ(SaidOfSlices(head, "kueue.x-k8s.io/podset-unconstrained-topology: x")
                  .front()
                  .find("f.yaml:4:103: " + kind),
              0U);
  }
}

/// Misspells the key that comes `*left`th of those that make podsets; false where there are fewer.
bool Misspell(PlainValue& value, std::size_t* left, std::string* key) {
  static const std::set<std::string_view> kKeys = {
      "replicas", "parallelism", "completions", "numNodes",   "instances",
      "size",     "template",    "spec",        "containers", "resources",
      "requests", "mlPolicy",    "apiVersion",  "kind",       "workers"};
  for (auto& [name, child] : value.entries) {
    if (kKeys.contains(name)) {
      if ((*left)-- == 0) {
        *key = name;
        std::swap(name[name.size() - 1], name[name.size() - 2]);
        return true;
      }
    }
    if (Misspell(child, left, key)) return true;
  }
  for (PlainValue& item : value.items) {
    if (Misspell(item, left, key)) return true;
  }
  return false;
}

/// What is not said of the example at `path`, each of whose fields that make podsets is misspelt in
/// turn.
std::string UntoldIn(const std::filesystem::path& path) {
  const auto documents = ParsePlain(testing::ReadFile(path), path.string()).documents;
  std::string untold;
  for (std::size_t i = 0;; ++i) {
    std::vector<PlainValue> spoilt = documents;
    std::size_t left = i;
    std::string key;
    const bool found = std::any_of(spoilt.begin(), spoilt.end(), [&](PlainValue& each) {
      return each.TextAt("kind") != "JobKind" && Misspell(each, &left, &key);
    });
    if (!found) return untold;
    std::string text;
    for (const PlainValue& each : spoilt) text += "---\n" + objects::ToJson(each) + "\n";
    const Source source{"f.yaml", text};
    const Manifests read = Parse({&source, 1});
    const bool is_told = std::any_of(
        read.diagnostics.begin(), read.diagnostics.end(), [&key](const Diagnostic& each) {
          return each.severity == Severity::kError || each.what.find(key) != std::string::npos;
        });
    if (!is_told) untold += key + " (" + std::to_string(i) + ") ";
  }
}

TEST(KindMistakes, AFieldThatMakesPodSetsIsToldWhereverItIsMisspelt) {
  const auto folder = testing::SourceDir() / "examples" / "kinds";
  for (const std::filesystem::path& path : testing::FilesUnder(folder, ".yaml")) {
    const std::string name = path.stem().string();
    if (name == "cronjob" || name == "inferencepool") continue;  // they make none
    EXPECT_EQ(UntoldIn(path), "") << path;
  }
}

TEST(KindMistakes, AVersionThatIsNoneIsToldTheRightOne) {
  const auto folder = testing::SourceDir() / "examples" / "kinds";
  std::size_t kinds = 0;
  for (const std::filesystem::path& path : testing::FilesUnder(folder, ".yaml")) {
    std::string version;
    const std::string said = SaidOf(path, [&version](PlainValue& object) {
      version = object.TextAt("apiVersion");
      const std::string group = version.substr(0, version.find('/') + 1);
      object.Set("apiVersion", PlainValue::Text(group + "v9"));
      return true;
    });
    if (said.empty()) continue;
    ++kinds;
    EXPECT_NE(said.find("write " + version), std::string::npos) << path << ": " << said;
  }
  EXPECT_GE(kinds, 20U);
}

}  // namespace
}  // namespace muster::manifest
