// Manifests of every job kind with parts exchanged, renamed and left out: whatever comes of it is a
// workload, or a mistake with a place and a cure. A workload starts as an object, and what that
// says of itself is told to the engine.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bindings/manifest/job_objects.h"
#include "bindings/manifest/manifest.h"
#include "bindings/manifest/observe_objects.h"
#include "bindings/manifest/plain.h"
#include "bindings/manifest/start_objects.h"
#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::manifest {
namespace {

using PlainValue = objects::Value;

constexpr unsigned kSeed = 20261125;

/// A file of examples/kinds, as data.
std::vector<std::vector<PlainValue>> Examples() {
  std::vector<std::vector<PlainValue>> out;
  const auto folder = testing::SourceDir() / "examples" / "kinds";
  for (const std::filesystem::path& path : testing::FilesUnder(folder, ".yaml")) {
    out.push_back(ParsePlain(testing::ReadFile(path), path.string()).documents);
  }
  return out;
}

class Mutator {
 public:
  void Mutate(PlainValue& value) {
    const std::size_t children = value.entries.size() + value.items.size();
    if (children > 0 && random_() % 6 != 0) {
      const std::size_t pick = random_() % children;
      PlainValue& child = pick < value.entries.size() ? value.entries[pick].second
                                                      : value.items[pick - value.entries.size()];
      if (random_() % 10 != 0) return Mutate(child);
      return Restructure(value, pick);
    }
    Replace(value);
  }
  unsigned Draw() { return static_cast<unsigned>(random_()); }

 private:
  /// Leaves a part out, gives it twice, or spells its key wrong.
  void Restructure(PlainValue& value, std::size_t pick) {
    if (pick >= value.entries.size()) {
      PlainValue item = value.items[pick - value.entries.size()];
      value.items.push_back(std::move(item));
      return;
    }
    std::string& key = value.entries[pick].first;
    if (random_() % 2 == 0 || key.empty()) {
      value.entries.erase(value.entries.begin() + static_cast<std::ptrdiff_t>(pick));
    } else {
      key[random_() % key.size()] = static_cast<char>('a' + random_() % 26);
    }
  }

  void Replace(PlainValue& value) {
    constexpr std::int64_t kOdd[] = {0, -1, 1, 18, 19, 2'147'483'648, 1'000'000'000'000'000};
    switch (random_() % 7) {
      case 0:
        value = PlainValue();
        break;
      case 1:
        value = PlainValue::Number(kOdd[random_() % std::size(kOdd)]);
        break;
      case 2:
        value = PlainValue::Text(random_() % 2 == 0 ? "" : "Not A Name");
        break;
      case 3:
        value = PlainValue::List();
        break;
      case 4:
        value = PlainValue::Map();
        break;
      case 5:
        if (value.IsText() && !value.text.empty()) value.text += value.text[0];
        break;
      default:
        value = PlainValue::Bool(random_() % 2 == 0);
        break;
    }
  }

  std::mt19937 random_{kSeed};
};

/// The room of the examples, and what can be admitted of the text's workloads admitted in it.
Engine RoomWith(const std::vector<Object>& objects, const std::vector<Object>& room) {
  Engine engine;
  EXPECT_TRUE(engine.Apply(room, testing::kNoon).ok());
  for (const Object& object : objects) {
    if (KindOf(object) != ObjectKind::kWorkload) continue;
    // What the rules of the engine refuse stays out.
    const Result<Answer> answer =
        engine.Do(command::Submit{.workloads = {std::get<Workload>(object)}}, testing::kNoon);
    if (!answer.ok()) continue;
    EXPECT_TRUE(engine.RunCycle(testing::kNoon).ok());
  }
  return engine;
}

/// What starts is an object that JSON can say, which the patch makes of what waits; what it says of
/// itself is a command that the engine takes.
void JudgeBothWays(const Source& source, const Manifests& read, const std::vector<Object>& room) {
  Engine engine = RoomWith(read.objects, room);
  const JobObjects jobs = ReadJobObjects({&source, 1}, std::nullopt, testing::kNoon);
  for (const JobObject& job : jobs.jobs) {
    const auto started = StartObjects(engine, job.workload_key, {&source, 1});
    if (!started.ok()) {
      EXPECT_FALSE(started.status().message().empty()) << source.text;
      continue;
    }
    const std::string answer = ToJson(job.workload_key, *started);
    EXPECT_TRUE(nlohmann::json::accept(answer)) << answer << "\n" << source.text;
    for (const StartedObject& each : *started) {
      PlainValue again = each.object;
      objects::MergePatch(again, each.patch);
      EXPECT_EQ(again, each.object) << source.text;
    }
  }
  const auto observed = ObserveAll(&engine, jobs, testing::kNoon);
  EXPECT_TRUE(observed.ok() || !observed.status().message().empty()) << source.text;
  for (const JobObject& job : jobs.jobs) {
    if (!engine.GetWorkload(job.workload_key).ok()) continue;
    const auto one = Observe(engine, job);
    ASSERT_TRUE(one.ok()) << one.status().message() << "\n" << source.text;
    for (const Observed& each : *one) {
      for (const Command& command : each.commands) {
        const auto answer = engine.Do(command, testing::kNoon);
        EXPECT_TRUE(answer.ok()) << answer.status().message() << "\n" << source.text;
      }
    }
  }
}

void Judge(const std::string& text, const std::vector<Object>& room) {
  SCOPED_TRACE(text);
  const Source source{"f.yaml", text};
  const Manifests read = Parse({&source, 1});
  for (const Diagnostic& each : read.diagnostics) {
    EXPECT_GT(each.place.line, 0) << each.ToString() << "\n" << text;
    EXPECT_FALSE(each.cure.empty()) << each.ToString() << "\n" << text;
  }
  for (const Object& object : read.objects) {
    if (KindOf(object) != ObjectKind::kWorkload) continue;
    const Source written{"again.yaml", ToYaml(object)};
    const Manifests again = Parse({&written, 1});
    ASSERT_EQ(again.objects.size(), 1U) << written.text;
    EXPECT_EQ(ToYaml(again.objects[0]), written.text);
  }
  EXPECT_LE(ReadJobObjects({&source, 1}).jobs.size(), 100'000U);
  // A start of very many replicas is only slow.
  if (read.objects.size() < 50) JudgeBothWays(source, read, room);
}

/// The queues of the examples.
std::vector<Object> RoomOfExamples() {
  const Source source{"cluster.yaml",
                      testing::ReadFile(testing::SourceDir() / "examples/kinds/cluster.yaml")};
  return Parse({&source, 1}).objects;
}

/// Examples in turn, so that every kind has its share, until `goes_on` says no.
template <typename GoesOn>
void Fuzz(const GoesOn& goes_on) {
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  const auto examples = Examples();
  ASSERT_GT(examples.size(), 20U);
  const std::vector<Object> room = RoomOfExamples();
  Mutator mutator;
  std::size_t round = 0;
  for (; goes_on(round) && !::testing::Test::HasFailure(); ++round) {
    std::vector<PlainValue> documents = examples[round % examples.size()];
    std::string text;
    for (PlainValue& document : documents) {
      for (unsigned times = mutator.Draw() % 3; times > 0; --times) mutator.Mutate(document);
      text += "---\n" + objects::ToJson(document) + "\n";
    }
    Judge(text, room);
  }
  ::testing::Test::RecordProperty("rounds", static_cast<int>(round));
  EXPECT_GE(round, 10 * examples.size());
}

/// $MUSTER_FUZZ_SECONDS, else `seconds`.
void FuzzFor(int seconds) {
  if (const char* const asked = std::getenv("MUSTER_FUZZ_SECONDS")) seconds = std::atoi(asked);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  Fuzz([end](std::size_t) { return std::chrono::steady_clock::now() < end; });
}

TEST(KindFuzz, IsAWorkloadOrAMistakeWithPlaceAndCure) {
  Fuzz([](std::size_t round) { return round < 400; });
}
TEST(LongKindFuzz, IsAWorkloadOrAMistakeWithPlaceAndCure) { FuzzFor(60); }
TEST(NightKindFuzz, IsAWorkloadOrAMistakeWithPlaceAndCure) { FuzzFor(120); }

}  // namespace
}  // namespace muster::manifest
