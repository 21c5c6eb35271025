// Canonical JSON back into objects of every kind, and text that was never written.
#include "engine/codec/json_reader.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/codec/codec.h"
#include "engine/codec/json_writer.h"
#include "tests/testing/short_names.h"
#include "tests/unit/model/sample_objects.h"

namespace muster {
namespace {

class JsonOfEveryKind : public testing::TestWithParam<std::size_t> {
 protected:
  ObjectKind kind() const { return KindOf(sample_); }
  const Object sample_ = SampleObjects()[GetParam()];
};

INSTANTIATE_TEST_SUITE_P(Kinds, JsonOfEveryKind, testing::Range(std::size_t{0}, kObjectKinds),
                         NameOfKind);

TEST_P(JsonOfEveryKind, ReadsBackWhatWasWritten) {
  const auto back = FromCanonicalJson(kind(), ToCanonicalJson(sample_));
  ASSERT_TRUE(back.ok()) << ToCanonicalJson(sample_);
  EXPECT_TRUE(*back == sample_) << ToCanonicalJson(*back);
}

TEST_P(JsonOfEveryKind, RefusesEveryPrefixAndAnythingBehind) {
  const std::string json = ToCanonicalJson(sample_);
  for (std::size_t size = 0; size < json.size(); ++size) {
    ASSERT_FALSE(FromCanonicalJson(kind(), std::string_view(json).substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(FromCanonicalJson(kind(), json + " ").ok());
}

TEST_P(JsonOfEveryKind, DamagedTextNeverCrashesAndWhatIsReadIsWrittenAgain) {
  const std::string json = ToCanonicalJson(sample_);
  constexpr std::uint64_t kSeed = 20260110;
  std::mt19937_64 random(kSeed + GetParam());
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = json;
    for (std::size_t n = 1 + random() % 3; n > 0; --n) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    const auto object = FromCanonicalJson(kind(), damaged);
    if (!object.ok()) continue;
    const auto again = FromCanonicalJson(kind(), ToCanonicalJson(*object));
    ASSERT_TRUE(again.ok()) << "seed " << kSeed << ", round " << round;
  }
}

TEST(CanonicalJson, AnEmptyListIsNotTheDefaultList) {
  Configuration config;
  config.fair_sharing.emplace();
  config.fair_sharing->preemption_strategies.clear();
  const auto back = FromCanonicalJson(ObjectKind::kConfiguration, ToCanonicalJson(config));
  ASSERT_TRUE(back.ok());
  EXPECT_TRUE(std::get<Configuration>(*back) == config);
}

TEST(CanonicalJson, ExtremeQuantitiesReadBack) {
  RuntimeClass sample = {"r", {}};
  int i = 0;
  for (const char* text : {"0", "1n", "-1n", "8Ei", "-8Ei", "9223372036854775806.999999999", "1m",
                           "9223372036854775.807", "-0.5", "123456789.123456789"}) {
    sample.overhead["q" + std::to_string(i++)] = SampleQuantity(text);
  }
  const auto back = FromCanonicalJson(ObjectKind::kRuntimeClass, ToCanonicalJson(sample));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(std::get<RuntimeClass>(*back), sample);
}

TEST(CanonicalJson, RefusesWhatIsNotCanonical) {
  const auto read = [](const char* json) {
    return FromCanonicalJson(ObjectKind::kWorkloadPriorityClass, json).ok();
  };
  EXPECT_TRUE(read(R"({"name":"a","value":1})"));
  for (const char* json :
       {"", "{", "null", "[]", R"({"name":"a","value":1,})", R"({,"name":"a","value":1})",
        R"({"value":1,"name":"a"})", R"({"name":"a","value":1,"other":2})",
        R"({"name":"a","name":"b","value":1})", R"({"name":"a", "value":1})",
        R"({"name":"a","value":4294967296})", R"({"name":"a","value":true})",
        R"({"name":"\u00ff","value":1})", R"({"name":"\x","value":1})", "{\"name\":\"a\n\"}"}) {
    EXPECT_FALSE(read(json)) << json;
  }
}

TEST(JsonReader, ReadsEveryEscapeThatIsWritten) {
  std::string all;
  for (int c = 0; c < 0x80; ++c) all.push_back(static_cast<char>(c));
  all += "\xC3\xA9";
  const std::string json = JsonWriter().String(all).Take();
  JsonReader reader(json);
  EXPECT_EQ(reader.String(), all);
  EXPECT_TRUE(reader.ok() && reader.AtEnd());
}

TEST(JsonReader, ReadsNumbersAsTheyWere) {
  for (const double value : {0.0, -1.5, 1e300, 5e-324, 0.1}) {
    const std::string json = JsonWriter().Double(value).Take();
    JsonReader reader(json);
    EXPECT_EQ(reader.Double(), value);
    EXPECT_TRUE(reader.ok() && reader.AtEnd()) << json;
  }
  for (const char* text : {"inf", "nan", "-inf", "1e999", "x", ""}) {
    JsonReader reader(text);
    EXPECT_EQ(reader.Double(), 0) << text;
    EXPECT_FALSE(reader.ok()) << text;
  }
}

TEST(JsonReader, WalksMembersAndElements) {
  JsonReader reader(R"({"list":[1,2],"empty":[],"none":null})");
  reader.BeginObject();
  EXPECT_FALSE(reader.TakeMember("other"));
  EXPECT_TRUE(reader.TakeMember("list"));
  reader.BeginArray();
  std::int64_t sum = 0;
  while (reader.NextElement()) sum += reader.Int();
  reader.EndArray();
  EXPECT_EQ(sum, 3);
  std::string name;
  EXPECT_TRUE(reader.NextMember(&name));
  EXPECT_EQ(name, "empty");
  reader.BeginArray();
  EXPECT_FALSE(reader.NextElement());
  reader.EndArray();
  EXPECT_TRUE(reader.TakeMember("none"));
  EXPECT_TRUE(reader.TakeNull());
  reader.EndObject();
  EXPECT_TRUE(reader.ok() && reader.AtEnd());
}

}  // namespace
}  // namespace muster
