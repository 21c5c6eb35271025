// Whatever is written is read back equal, and whatever is read can be written and read again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "bindings/wire/wire.h"
#include "tests/unit/model/sample_commands.h"
#include "tests/unit/wire/random_fields.h"
#include "tests/unit/wire/sample_answers.h"

namespace muster::wire {
namespace {

Result<Command> Read(const std::string& json, const Command&) { return CommandFromJson(json); }
Result<Answer> Read(const std::string& json, const Answer&) { return AnswerFromJson(json); }
Result<std::string> Write(const Command& command) { return ToJson(command); }
Result<std::string> Write(const Answer& answer) { return ToJson(answer); }

/// The JSON of `value`, which must be read back as `value`.
template <typename T>
std::string Told(const T& value) {
  const Result<std::string> json = Write(value);
  EXPECT_TRUE(json.ok()) << json.status().message();
  if (!json.ok()) return {};
  const Result<T> back = Read(*json, value);
  EXPECT_TRUE(back.ok() && *back == value) << back.status().message() << "\n" << *json;
  return *json;
}

/// Either a mistake with its place, or something that is told like any other.
template <typename T>
void ExpectToldOrRefused(const std::string& json, const T& before) {
  const Result<T> read = Read(json, before);
  if (read.ok()) {
    Told(*read);
    return;
  }
  const std::string& why = read.status().message();
  std::size_t digits = why.find(':');
  ASSERT_NE(digits, why.npos) << why;
  ASSERT_GT(std::stoi(why.substr(0, digits)), 0) << why;
  ASSERT_GT(std::stoi(why.substr(digits + 1)), 0) << why;
  ASSERT_NE(why.find("; "), why.npos) << why;
}

/// Some bytes of `json` are others, some are gone or there twice.
std::string Mutated(std::string json, std::mt19937_64& random) {
  static constexpr std::string_view kBytes =
      "{}[]\",:\\0123456789eE+-.truefalsn \n\xff\xc3\x80\x01";
  for (std::size_t n = 1 + random() % 3; n > 0 && !json.empty(); --n) {
    const std::size_t at = random() % json.size();
    const std::size_t length = random() % 12;
    switch (random() % 4) {
      case 0:
        json[at] = kBytes[random() % kBytes.size()];
        break;
      case 1:
        json.erase(at, length);
        break;
      case 2:
        json.insert(at, json.substr(random() % json.size(), length));
        break;
      default:
        json.insert(at, 1, kBytes[random() % kBytes.size()]);
    }
  }
  return json;
}

template <typename T>
void PlayRandomRounds(std::uint64_t seed, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round));
    RandomFields fields(seed + static_cast<std::uint64_t>(round));
    const T value = fields.Make<T>();
    const std::string json = Told(value);
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(round));
    for (int i = 0; i < 3; ++i) ExpectToldOrRefused(Mutated(json, random), value);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(WireRoundTrip, EveryKindOfCommandComesBack) {
  for (const Command& command : SampleCommands()) Told(command);
}

TEST(WireRoundTrip, EveryKindOfAnswerComesBack) {
  const std::vector<Answer> samples = SampleAnswers();
  ASSERT_EQ(samples.size(), kAnswerKinds);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(samples[i].index(), i);
    Told(samples[i]);
  }
}

TEST(WireRoundTrip, NoBeginningOfATextIsTakenForTheWhole) {
  for (const Command& command : SampleCommands()) {
    const std::string json = Told(command);
    // Every one of a short text, and ever fewer of a long one.
    for (std::size_t size = 0; size < json.size(); size += 1 + size / 256) {
      EXPECT_FALSE(CommandFromJson(json.substr(0, size)).ok()) << json.substr(0, size);
    }
  }
}

TEST(WireRoundTrip, RandomCommandsComeBackAndDamagedOnesAreRefusedOrCommands) {
  PlayRandomRounds<Command>(20'260'301, 400);
}

TEST(WireRoundTrip, RandomAnswersComeBackAndDamagedOnesAreRefusedOrAnswers) {
  PlayRandomRounds<Answer>(20'260'302, 400);
}

TEST(LongWireRoundTrip, RandomCommandsComeBack) { PlayRandomRounds<Command>(1, 40'000); }
TEST(LongWireRoundTrip, RandomAnswersComeBack) { PlayRandomRounds<Answer>(1, 40'000); }

}  // namespace
}  // namespace muster::wire
