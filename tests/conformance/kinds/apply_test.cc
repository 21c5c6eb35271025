// Every recorded create, read by the road of `muster apply`: what is refused, at which field, and
// what is taken. check_kinds calls the rules themselves; this asks whether the road does.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "bindings/manifest/plain.h"
#include "bindings/objects/kind.h"
#include "bindings/objects/marks.h"
#include "tests/conformance/kinds/kind_case.h"
#include "tests/testing/paths.h"

namespace muster::conformance {
namespace {

using nlohmann::json;
using Errors = std::map<std::string, std::set<std::string>>;  ///< fields by "Kind/name"

const std::string kNoField = "(no field)";

struct Exception {
  const char* input;
  const char* reason;
};
constexpr const char* kUnlabelled =
    "without a queue it would go around the quota: refused, unless --allow-unlabeled";
constexpr const char* kPrebuilt =
    "prebuilt-workload-name is refused at its place: each job makes a workload of its own";
constexpr const char* kNeverMade = "Kueue takes it and never makes its workload: refused at once";
constexpr const char* kGateIsOff =
    "the gate AdmissionGatedBy is off there; a queue that opens it later must not find bad names";
constexpr const char* kOtherWords = "refused at the same place, as no number from 0";
constexpr const char* kLongPodSet =
    "Kueue takes it, and its workload would have a podset whose name no API server takes";
constexpr const char* kNoTemplate = "its spec has no template, which no API server takes";
constexpr const char* kStranger =
    "quota would be for pods like the first one alone: the one that is not is refused, with cure";
constexpr const char* kContradict =
    "Kueue waits for ever for pods that agree: refused, with what they contradict in";

constexpr Exception kExceptions[] = {
    {"podgroup-007", kContradict},
    {"podgroup-008", kContradict},
    {"podgroup-010", kStranger},
    {"podgroup-023", kContradict},
    {"appwrapper-008", kUnlabelled},
    {"deployment-010", kUnlabelled},
    {"deployment-015", kUnlabelled},
    {"jobset-008", kUnlabelled},
    {"jobset-012", kUnlabelled},
    {"leaderworkerset-011", kUnlabelled},
    {"leaderworkerset-012", kUnlabelled},
    {"leaderworkerset-039", kUnlabelled},
    {"mpijob-011", kUnlabelled},
    {"owners-003", kUnlabelled},
    {"owners-004", kUnlabelled},
    {"owners-005", kUnlabelled},
    {"owners-012", kUnlabelled},
    {"owners-015", kUnlabelled},
    {"owners-016", kUnlabelled},
    {"raycluster-012", kUnlabelled},
    {"raycluster-029", kUnlabelled},
    {"rayjob-011", kUnlabelled},
    {"rayjob-012", kUnlabelled},
    {"rayjob-031", kUnlabelled},
    {"rayservice-011", kUnlabelled},
    {"rayservice-032", kUnlabelled},
    {"sparkapplication-011", kUnlabelled},
    {"statefulset-010", kUnlabelled},
    {"statefulset-036", kUnlabelled},
    {"trainjob-011", kUnlabelled},
    {"trainjob-012", kUnlabelled},
    {"jaxjob-004", kPrebuilt},
    {"job-053", kPrebuilt},
    {"job-055", kPrebuilt},
    {"job-056", kPrebuilt},
    {"jobset-007", kPrebuilt},
    {"leaderworkerset-008", kPrebuilt},
    {"mpijob-008", kPrebuilt},
    {"paddlejob-004", kPrebuilt},
    {"pytorchjob-008", kPrebuilt},
    {"rayjob-007", kPrebuilt},
    {"rayservice-008", kPrebuilt},
    {"appwrapper-009", kNeverMade},
    {"deployment-009", kNeverMade},
    {"appwrapper-025", kLongPodSet},
    {"deployment-014", kNoTemplate},
    {"statefulset-009", kNeverMade},
    {"job-050", kGateIsOff},
    {"leaderworkerset-026", kOtherWords},
};

/// What surrounds the jobs comes from the engine; these are read with them.
bool IsRead(const objects::Value& document) {
  const std::string kind(document.TextAt("kind"));
  return objects::FindKindRow(document) != nullptr || kind == "ReplicaSet" ||
         kind.ends_with("TrainingRuntime");
}

std::string IdOf(const objects::Value& object) {
  return std::string(object.TextAt("kind")) + "/" + std::string(objects::NameOf(object));
}

std::vector<manifest::Source> SourcesOf(const std::filesystem::path& input) {
  std::vector<manifest::Source> sources;
  const auto read = manifest::ParsePlain(testing::ReadFile(input), input.string());
  for (const objects::Value& document : read.documents) {
    if (IsRead(document)) sources.push_back({IdOf(document), objects::ToJson(document)});
  }
  return sources;
}

Errors Recorded(const json& outcome) {
  Errors out;
  const json errors = outcome.value("errors", json::object());
  for (const auto& [object, list] : errors.items()) {
    for (const json& each : list) {
      out[object].insert(each.at("type") == "Other" ? kNoField
                                                    : each.at("field").get<std::string>());
    }
  }
  return out;
}

Errors Found(const std::vector<manifest::Source>& sources) {
  manifest::ParseOptions options;
  options.refuse_unread = true;
  Errors out;
  for (const manifest::Diagnostic& each : manifest::Parse(sources, options).diagnostics) {
    if (each.severity != manifest::Severity::kError) continue;
    const std::string field = each.what.substr(0, each.what.find(' '));
    const bool is_field =
        field.starts_with("metadata") || field.starts_with("spec") || field.starts_with("job[");
    out[each.place.file].insert(is_field ? field : kNoField + " " + each.what);
  }
  return out;
}

/// What differs; empty when nothing does.
std::string Difference(const std::filesystem::path& input) {
  std::filesystem::path beside = input;
  const json outcome = json::parse(testing::ReadFile(beside.replace_extension(".json")));
  if (outcome.value("action", "create") != "create") return "";
  Errors recorded = Recorded(outcome);
  Errors found = Found(SourcesOf(input));
  std::string out;
  for (const auto& [object, fields] : recorded) {
    if (!found.contains(object)) out += object + " is taken; ";
  }
  for (const auto& [object, fields] : found) {
    for (const std::string& field : fields) {
      const bool same = recorded[object].contains(field) ||
                        (field.starts_with(kNoField) && recorded[object].contains(kNoField));
      if (!same) out += object + " is refused: " + field + "; ";
    }
    for (const std::string& field : recorded[object]) {
      if (field != kNoField && !fields.contains(field)) out += object + " lacks " + field + "; ";
    }
  }
  return out;
}

std::size_t PlayApply(const std::filesystem::path& folder) {
  std::map<std::string, std::string> reasons;
  for (const Exception& each : kExceptions) reasons[each.input] = each.reason;
  std::size_t cases = 0;
  for (const auto& [family, inputs] : FindKindCases(folder)) {
    // A CronJob makes no workload itself, and the Job of a minute is in no file.
    if (family == "cronjob") continue;
    for (const std::filesystem::path& input : inputs) {
      const std::string name = input.stem().string();
      const std::string difference = Difference(input);
      if (reasons.contains(name)) {
        EXPECT_NE(difference, "") << name << " is no exception any more";
      } else {
        EXPECT_EQ(difference, "") << name;
      }
      ++cases;
    }
  }
  return cases;
}

TEST(KindsByApply, WhatTheReferenceRefusesIsRefusedAtTheSameField) {
  EXPECT_GT(PlayApply(testing::SourceDir() / "tests/conformance/kinds/sample"), 100U);
}

TEST(KindsByApply, EveryRecordedCreateComesOutTheSame) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kSharedIsAbsent;
  EXPECT_GT(PlayApply(*shared / "conformance/kinds"), 600U);
}

}  // namespace
}  // namespace muster::conformance
