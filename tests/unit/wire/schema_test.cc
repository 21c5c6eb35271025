// The schema file is what the field lists say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "bindings/wire/wire.h"
#include "muster/command.h"
#include "tests/testing/paths.h"

namespace muster::wire {
namespace {

TEST(WireSchema, TheFileIsWhatTheFieldListsSay) {
  const auto path = testing::SourceDir() / "docs" / "wire.schema.json";
  EXPECT_TRUE(testing::ReadFile(path) == Schema())
      << "the fields have changed; write the file anew: muster do --schema > "
         "docs/wire.schema.json, then its page: python3 tests/wire/page.py --write";
}

TEST(WireSchema, EveryReferenceHasItsDefinition) {
  const std::string text = Schema();
  const auto schema = nlohmann::json::parse(text);
  constexpr std::string_view kReference = "\"#/$defs/";
  std::size_t count = 0;
  for (auto at = text.find(kReference); at != text.npos; at = text.find(kReference, at + 1)) {
    const std::size_t begin = at + kReference.size();
    const std::string name = text.substr(begin, text.find('"', begin) - begin);
    EXPECT_TRUE(schema["$defs"].contains(name)) << name;
    EXPECT_FALSE(schema["$defs"][name].is_null()) << name;
    ++count;
  }
  EXPECT_GT(count, 100u);
}

TEST(WireSchema, EveryKindIsAnAlternative) {
  const auto schema = nlohmann::json::parse(Schema());
  EXPECT_EQ(schema["$defs"]["Command"]["oneOf"].size(), kCommandKinds);
  EXPECT_EQ(schema["$defs"]["Answer"]["oneOf"].size(), kAnswerKinds);
  EXPECT_EQ(schema["$defs"]["Object"]["oneOf"].size(), kObjectKinds);
}

}  // namespace
}  // namespace muster::wire
