// The fields by which podsets are made: in every kind a name that is nearly one of them and a value
// of another type are mistakes, and what only the kind's own controller reads is none.
#include "bindings/manifest/job_shapes.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/manifest/plain.h"
#include "bindings/objects/kind.h"
#include "tests/testing/paths.h"
#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using ShapeTree = objects::Value;

struct ShapePart {
  std::string_view name;
  std::string_view type;
};

std::vector<ShapePart> ShapePartsOf(std::string_view fields) {
  std::vector<ShapePart> parts;
  while (!fields.empty()) {
    std::string_view word = fields.substr(0, fields.find(' '));
    fields.remove_prefix(std::min(word.size() + 1, fields.size()));
    if (word.ends_with('!')) word.remove_suffix(1);
    const std::size_t colon = std::min(word.find(':'), word.size());
    parts.push_back({word.substr(0, colon), word.substr(std::min(colon + 1, word.size()))});
  }
  return parts;
}

TEST(JobShapes, EachTypeIsKnownAndEachKindHasAShape) {
  const std::set<std::string_view> plain = {"",    "count",  "bool",    "text",    "list",
                                            "map", "scalar", "Wrapped", "positive"};
  for (const Shape& shape : Shapes()) {
    std::set<std::string_view> names;
    for (ShapePart part : ShapePartsOf(shape.fields)) {
      EXPECT_TRUE(names.insert(part.name).second) << shape.name << " has two " << part.name;
      if (part.type.starts_with('[')) part.type = part.type.substr(1, part.type.size() - 2);
      EXPECT_TRUE(plain.contains(part.type) || FindShape(part.type) != nullptr)
          << shape.name << "." << part.name << ": " << part.type;
    }
  }
  for (const objects::KindRow& row : objects::KindTable()) {
    EXPECT_NE(FindShape(row.kind), nullptr) << row.kind;
  }
}

std::string ShapeText(const std::vector<ShapeTree>& documents) {
  std::string text;
  for (const ShapeTree& each : documents) text += "---\n" + objects::ToJson(each) + "\n";
  return text;
}

std::vector<ShapeTree> ShapeExample(const std::filesystem::path& path) {
  return ParsePlain(testing::ReadFile(path), path.string()).documents;
}

/// The example's documents, each mapping that a shape tells of spoilt in turn in each of its read
/// fields. What is not told of.
class Spoiling {
 public:
  explicit Spoiling(std::vector<ShapeTree> documents) : documents_(std::move(documents)) {}

  std::string Untold() {
    for (ShapeTree& document : documents_) {
      const std::string kind(document.TextAt("kind"));
      // A Job and a Pod by themselves are read whole.
      if (kind == "Job" || kind == "Pod") continue;
      if (const Shape* shape = FindShape(kind)) {
        if (document.At("spec").IsMap()) Spoil(*shape, document, kind);
      }
    }
    return untold_;
  }

 private:
  void Spoil(const Shape& shape, ShapeTree& map, const std::string& path) {
    for (const ShapePart& part : ShapePartsOf(shape.fields)) {
      ShapeTree* child = nullptr;
      for (auto& [key, value] : map.entries) {
        if (key == part.name) child = &value;
      }
      if (child == nullptr || part.type.empty()) continue;
      const bool is_head = path.find('.') == std::string::npos && part.name != "spec";
      if (is_head) continue;
      const std::string at = path + "." + std::string(part.name);
      WithType(*child, part.type, at);
      if (part.name.size() > 3) WithName(map, part.name, at);
      Below(part.type, *child, at);
    }
  }

  void Below(std::string_view type, ShapeTree& child, const std::string& at) {
    if (type == "Wrapped") {
      if (const Shape* shape = FindShape(child.TextAt("kind"))) Spoil(*shape, child, at + ".");
    } else if (type.starts_with('[')) {
      const Shape* shape = FindShape(type.substr(1, type.size() - 2));
      for (ShapeTree& item : child.items) Spoil(*shape, item, at + "[]");
    } else if (const Shape* shape = FindShape(type)) {
      Spoil(*shape, child, at);
    }
  }

  void WithType(ShapeTree& child, std::string_view type, const std::string& at) {
    const ShapeTree before = child;
    const bool takes_text = type == "text" || type == "scalar";
    std::vector<ShapeTree> others;
    if (!takes_text) others.push_back(ShapeTree::Text("x"));
    if (type != "list" && !type.starts_with('[')) others.push_back(ShapeTree::List());
    const bool is_map = !takes_text && type != "count" && type != "positive" && type != "bool" &&
                        type != "list" && !type.starts_with('[');
    if (!is_map) others.push_back(ShapeTree::Texts({{"a", "1"}}));
    for (ShapeTree& other : others) {
      child = std::move(other);
      Ask(at + " as " + objects::ToJson(child));
    }
    child = before;
  }

  void WithName(ShapeTree& map, std::string_view name, const std::string& at) {
    for (auto& entry : map.entries) {
      if (entry.first != name) continue;
      std::swap(entry.first[name.size() - 1], entry.first[name.size() - 2]);
      if (entry.first == name) entry.first += "x";
      Ask(at + " misspelt");
      entry.first = name;
      return;
    }
  }

  void Ask(const std::string& what) {
    const Manifests read = ParseText(ShapeText(documents_));
    for (const Diagnostic& each : read.diagnostics) {
      if (each.severity == Severity::kError && each.place.line > 0 && !each.cure.empty()) return;
    }
    untold_ += what + "\n";
  }

  std::vector<ShapeTree> documents_;
  std::string untold_;
};

TEST(JobShapes, EachReadFieldOfEachKindIsToldMisspeltAndOfAnotherType) {
  std::size_t kinds = 0;
  for (const auto& path :
       testing::FilesUnder(testing::SourceDir() / "examples" / "kinds", ".yaml")) {
    const std::string name = path.stem().string();
    if (name == "cluster" || name == "cronjob" || name == "inferencepool") continue;
    ++kinds;
    EXPECT_EQ(Spoiling(ShapeExample(path)).Untold(), "") << path;
  }
  EXPECT_GE(kinds, 20U);
}

struct FieldMistake {
  const char* file;
  const char* path;  ///< of the mapping, with points between
  const char* field;
  const char* meant;
};

/// The mapping at a path; a number is an index.
ShapeTree& BelowPath(ShapeTree& tree, std::string_view path) {
  ShapeTree* at = &tree;
  while (!path.empty()) {
    const std::string key(path.substr(0, path.find('.')));
    path.remove_prefix(std::min(key.size() + 1, path.size()));
    const bool is_index = key.find_first_not_of("0123456789") == std::string::npos;
    at = is_index ? &at->items.at(std::stoul(key)) : &at->Make(key);
  }
  return *at;
}

TEST(JobShapes, FieldsThatTheExamplesLackAreToldToo) {
  const std::vector<FieldMistake> mistakes = {
      {"rayjob", "spec.rayClusterSpec.headGroupSpec", "templaet", "template"},
      {"rayjob", "spec.rayClusterSpec", "gcsFaultToleranceOptiosn", "gcsFaultToleranceOptions"},
      {"raycluster", "spec", "autoscalerOptiosn", "autoscalerOptions"},
      {"raycluster", "spec", "managedyB", "managedBy"},
      {"deployment", "spec.template", "spce", "spec"},
      {"replicaset", "spec.template", "spce", "spec"},
      {"deployment", "spec.template.metadata", "annotatiosn", "annotations"},
      {"statefulset", "spec.template.metadata", "labesl", "labels"},
      {"replicaset", "spec.template.metadata", "annotatiosn", "annotations"},
      {"pytorchjob", "spec.runPolicy", "suspedn", "suspend"},
      {"tfjob", "spec.runPolicy", "schedulingPoliyc", "schedulingPolicy"},
      {"jaxjob", "spec.runPolicy.schedulingPolicy", "priorityClas", "priorityClass"},
      {"mpijob", "spec.runPolicy", "managedyB", "managedBy"},
      {"mpijob", "spec", "runLauncherAsWorkre", "runLauncherAsWorker"},
      {"trainjob", "spec", "suspedn", "suspend"},
      {"rayservice", "spec.rayClusterConfig", "suspedn", "suspend"},
      {"rayjob", "spec", "suspedn", "suspend"},
      {"appwrapper", "spec", "suspedn", "suspend"},
      {"jobset", "spec", "managedyB", "managedBy"},
      {"sparkapplication", "spec", "suspedn", "suspend"},
      {"sparkapplication", "spec", "moed", "mode"},
      {"sparkapplication", "spec.driver", "nodeSelectro", "nodeSelector"},
      {"sparkapplication", "spec.executor", "toleratiosn", "tolerations"},
      {"sparkapplication", "spec.executor", "priorityClassNaem", "priorityClassName"},
      {"sparkapplication", "spec.driver", "affiniyt", "affinity"},
      {"sparkapplication", "spec.driver", "initContainesr", "initContainers"},
      {"sparkapplication", "spec.driver.gpu", "quantiyt", "quantity"},
  };
  const auto folder = testing::SourceDir() / "examples" / "kinds";
  for (const FieldMistake& each : mistakes) {
    std::vector<ShapeTree> documents = ShapeExample(folder / (std::string(each.file) + ".yaml"));
    BelowPath(documents.back(), each.path).Set(each.field, ShapeTree::Text("x"));
    EXPECT_THAT(Messages(ParseText(ShapeText(documents))),
                Contains(HasSubstr("unknown field \"" + std::string(each.field) + "\"; write \"" +
                                   each.meant + "\"")))
        << each.file;
  }
}

TEST(JobShapes, WhatOnlyItsOwnControllerReadsIsLeftToIt) {
  const std::vector<FieldMistake> own = {
      {"rayjob", "spec", "entrypointNumCpus", ""},
      {"rayjob", "spec", "deletionStrategy", ""},
      {"raycluster", "spec", "rayVersion", ""},
      {"raycluster", "spec.headGroupSpec", "headService", ""},
      {"pytorchjob", "spec", "nprocPerNode", ""},
      {"pytorchjob", "spec.runPolicy", "cleanPodPolicy", ""},
      {"trainjob", "spec.trainer", "numProcPerNode", ""},
      {"jobset", "spec", "startupPolicy", ""},
      {"jobset", "spec", "somethingNew", ""},
      {"sparkapplication", "spec.driver", "memoryOverhead", ""},
      {"sparkapplication", "spec.executor", "cores", ""},
      {"leaderworkerset", "spec.leaderWorkerTemplate", "subGroupPolicy", ""},
      {"leaderworkerset", "spec.leaderWorkerTemplate", "resizePolicy", ""},
      {"deployment", "spec", "progressDeadlineSeconds", ""},
  };
  const auto folder = testing::SourceDir() / "examples" / "kinds";
  for (const FieldMistake& each : own) {
    std::vector<ShapeTree> documents = ShapeExample(folder / (std::string(each.file) + ".yaml"));
    BelowPath(documents.back(), each.path).Set(each.field, ShapeTree::Text("x"));
    EXPECT_THAT(Messages(ParseText(ShapeText(documents))), IsEmpty()) << each.field;
  }
}

TEST(JobShapes, WhatMustBeThereIsMissed) {
  const auto said = [](const std::string& head, const std::string& spec) {
    return Messages(ParseText("apiVersion: " + head +
                              "\nmetadata: {name: n, labels: {kueue.x-k8s.io/queue-name: q}}\n"
                              "spec: " +
                              spec + "\n"));
  };
  EXPECT_THAT(
      said("ray.io/v1\nkind: RayCluster", "{}"),
      Contains(HasSubstr("f.yaml:4:1: \"spec\" lacks the field \"headGroupSpec\"; add it")));
  EXPECT_THAT(said("ray.io/v1\nkind: RayService", "{}"),
              Contains(HasSubstr("lacks the field \"rayClusterConfig\"")));
  EXPECT_THAT(said("apps/v1\nkind: Deployment", "{}"),
              Contains(HasSubstr("lacks the field \"template\"")));
  EXPECT_THAT(said("batch/v1\nkind: Job", "{template: {spec: {restartPolicy: Never}}}"),
              Contains(HasSubstr("f.yaml:4:8: \"template\" has no containers; write")));
  EXPECT_THAT(said("batch/v1\nkind: Job", "{template: {spec: {containers: []}}}"),
              Contains(HasSubstr("has no containers")));
}

}  // namespace
}  // namespace muster::manifest
