// Recorded outcomes of job kinds: those in the tree, and all of them where they are at hand.
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "bindings/manifest/plain.h"
#include "bindings/objects/webhook.h"
#include "bindings/objects/workload.h"
#include "tests/conformance/kinds/kind_case.h"
#include "tests/testing/paths.h"

namespace muster::conformance {
namespace {

constexpr std::size_t kSample = 123;
constexpr std::size_t kAll = 633;
constexpr std::size_t kFamilies = 21;
constexpr std::size_t kReasoned = 131;

/// Plays a folder and answers how many cases it holds.
std::size_t PlayAll(const std::filesystem::path& folder, std::size_t families = kFamilies) {
  const auto found = FindKindCases(folder);
  EXPECT_EQ(found.size(), families);
  std::size_t cases = 0;
  for (const auto& [family, inputs] : found) {
    for (const std::filesystem::path& input : inputs) {
      for (const std::string& line : RunKindCase(input)) {
        ADD_FAILURE() << input.stem().string() << ": " << line;
      }
      ++cases;
    }
  }
  return cases;
}

TEST(KindSample, EveryObjectBecomesWhatTheReferenceMadeOfIt) {
  EXPECT_EQ(PlayAll(testing::SourceDir() / "tests/conformance/kinds/sample"), kSample);
}

TEST(KindRules, HoldWhereNoRecordingLooks) {
  EXPECT_EQ(PlayAll(testing::SourceDir() / "tests/conformance/kinds/reasoned", 16), kReasoned);
}

TEST(Kinds, EveryRecordedObjectBecomesWhatTheReferenceMadeOfIt) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kSharedIsAbsent;
  EXPECT_EQ(PlayAll(*shared / "conformance/kinds"), kAll);
}

TEST(KindCases, ADifferenceIsTold) {
  const testing::TemporaryDirectory folder;
  const auto sample = testing::SourceDir() / "tests/conformance/kinds/sample";
  const auto families = FindKindCases(sample);
  const std::filesystem::path input = families.at("cronjob").front();
  folder.Write("cronjob-001.yaml", testing::ReadFile(input));
  folder.Write("cronjob-001.json", R"({"action": "create", "workloads": []})");
  EXPECT_FALSE(RunKindCase(folder.path() / "cronjob-001.yaml").empty());
  folder.Write("cronjob-001.json", "no JSON");
  EXPECT_EQ(RunKindCase(folder.path() / "cronjob-001.yaml").size(), 1U);
}

// ---- objects that no API server would let through
// ------------------------------------------------

using objects::Value;

/// Replaces a random part by something else, or removes it.
void Spoil(Value& value, std::mt19937& random) {
  const std::size_t children = value.entries.size() + value.items.size();
  if (children > 0 && random() % 4 != 0) {
    const std::size_t pick = random() % children;
    const bool is_entry = pick < value.entries.size();
    if (is_entry && random() % 8 == 0) {
      value.entries.erase(value.entries.begin() + static_cast<std::ptrdiff_t>(pick));
    } else {
      Spoil(is_entry ? value.entries[pick].second : value.items[pick - value.entries.size()],
            random);
    }
    return;
  }
  switch (random() % 6) {
    case 0:
      value = Value();
      break;
    case 1:
      value = Value::Number(static_cast<std::int64_t>(random()) - 2'000'000'000);
      break;
    case 2:
      value = Value::Text("x-" + std::to_string(random() % 10));
      break;
    case 3:
      value = Value::List();
      break;
    case 4:
      value = Value::Map();
      break;
    default:
      value = Value::Bool(random() % 2 == 0);
      break;
  }
}

/// The whole way of an object; what comes out is held together by the asserts of a sanitizer.
void GoThrough(const Value& given, const Value& original, const objects::KindRow& row,
               const objects::Setting& setting) {
  Value object = given;
  if (row.fill != nullptr) row.fill(object);
  objects::Prepare(row, object, setting);
  objects::CheckCreate(row, object, setting);
  objects::CheckUpdate(row, original, object, setting);
  row.status(object, setting);
  if (row.pod_sets == nullptr || object.At({"spec", "replicas"}).IntOr(1) > 100) return;
  for (const objects::JobWorkload& workload : objects::WorkloadsOf(row, object, setting).made) {
    objects::JobAdmission admission;
    for (const objects::JobPodSet& set : workload.sets) {
      EXPECT_LE(set.count, objects::kMostInt);
      admission.sets.push_back({set.name, set.count, {"f1"}, true});
    }
    const objects::StartInfos start = objects::StartInfosFor(workload, admission, "", setting);
    const Value waiting = object;
    if (objects::Start(row, object, workload, start.infos).empty()) {
      objects::Stop(row, object, workload);
    } else {
      EXPECT_EQ(object, waiting) << "a conflict leaves it as it was";
    }
  }
}

TEST(KindMutations, NoObjectIsTooStrange) {
  constexpr unsigned kSeed = 20260101;
  constexpr int kRounds = 25;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  std::size_t spoilt = 0;
  const auto folder = testing::SourceDir() / "tests/conformance/kinds/sample";
  for (const std::filesystem::path& input : testing::FilesUnder(folder, ".yaml")) {
    const auto read = manifest::ParsePlain(testing::ReadFile(input), input.string());
    objects::Setting setting;
    for (const Value& each : read.documents) setting.Add(each);
    for (const Value& each : read.documents) {
      const objects::KindRow* row = objects::FindKindRow(each);
      for (int round = 0; row != nullptr && round < kRounds; ++round) {
        Value object = each;
        for (auto times = random() % 3 + 1; times > 0; --times) {
          for (const char* part : {"metadata", "spec", "status"}) {
            if (Value* found = object.Find(part)) Spoil(*found, random);
          }
        }
        GoThrough(object, each, *row, setting);
        ++spoilt;
      }
    }
  }
  EXPECT_GT(spoilt, 2000U);
}

}  // namespace
}  // namespace muster::conformance
