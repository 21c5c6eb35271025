// Text to nodes: places, documents, aliases, and what is refused on the way.
#include "bindings/manifest/yaml_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "bindings/manifest/emit.h"
#include "bindings/manifest/limits.h"

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Parsed {
  std::vector<std::string> documents;  ///< as JSON
  std::vector<std::string> mistakes;
};

Parsed ParseText(std::string_view text) {
  YamlArena arena;
  Reporter reporter;
  reporter.BeginSource(0, "f");
  Parsed parsed;
  for (const YamlNode* root : ParseYaml(text, arena, reporter)) {
    parsed.documents.push_back(EmitJson(*root));
  }
  for (const Diagnostic& diagnostic : reporter.Take()) {
    parsed.mistakes.push_back(diagnostic.ToString());
  }
  return parsed;
}

TEST(YamlParser, KeepsOrderTypesAndQuotes) {
  const Parsed parsed = ParseText("b: 1\na: [x, \"2\", true, ~, 1.5]\nc: {d: |\n  text\n}\n");
  EXPECT_THAT(parsed.mistakes, ElementsAre(::testing::HasSubstr("f:")));
  EXPECT_THAT(ParseText("b: 1\na: [x, \"2\", yes, ~, 1.5]\n").documents,
              ElementsAre(R"({"b":1,"a":["x","2",true,null,1.5]})"));
  EXPECT_THAT(ParseText("c: |\n  two\n  lines\n").documents,
              ElementsAre(R"({"c":"two\nlines\n"})"));
}

TEST(YamlParser, ReadsJson) {
  EXPECT_THAT(ParseText(R"({"a": {"b": [1, "x", null]}, "c": "d"})").documents,
              ElementsAre(R"({"a":{"b":[1,"x",null]},"c":"d"})"));
}

TEST(YamlParser, EmptyDocumentsAreNone) {
  EXPECT_THAT(ParseText("").documents, IsEmpty());
  EXPECT_THAT(ParseText("# only words\n---\n---\n...\n").documents, IsEmpty());
  EXPECT_THAT(ParseText("---\na: 1\n---\n\n---\nb: 2\n").documents,
              ElementsAre(R"({"a":1})", R"({"b":2})"));
  EXPECT_THAT(ParseText("--- {a: 1}\n...\n").documents, ElementsAre(R"({"a":1})"));
  EXPECT_THAT(ParseText("%YAML 1.2\n---\na: 1\n").documents, ElementsAre(R"({"a":1})"));
}

TEST(YamlParser, AMistakeSpoilsItsDocumentOnly) {
  const Parsed parsed = ParseText("a: 1\n---\nb: [\n---\nc: 3\n");
  EXPECT_THAT(parsed.documents, ElementsAre(R"({"a":1})", R"({"c":3})"));
  EXPECT_THAT(parsed.mistakes, ElementsAre(::testing::StartsWith("f:3:4: ")));
}

TEST(YamlParser, ALongTextIsReadByThreadsAsIfByOne) {
  constexpr int kDocuments = 30'000;
  Parsed expected;
  std::string text;
  for (int i = 0; i < kDocuments; ++i) {
    const std::string number = std::to_string(i);
    const bool is_wrong = i % 100 == 99;
    text += "---\n" + (is_wrong ? "b: [" + number + "}" : "a: \"" + number + "\"") + "\n";
    if (!is_wrong) expected.documents.push_back("{\"a\":\"" + number + "\"}");
    if (is_wrong) expected.mistakes.push_back("f:" + std::to_string(2 * i + 2) + ":");
  }
  const Parsed parsed = ParseText(text);
  EXPECT_EQ(parsed.documents, expected.documents);
  ASSERT_EQ(parsed.mistakes.size(), expected.mistakes.size());
  for (std::size_t i = 0; i < parsed.mistakes.size(); ++i) {
    EXPECT_THAT(parsed.mistakes[i], ::testing::StartsWith(expected.mistakes[i]));
  }
}

TEST(YamlParser, PlacesCountLinesOfTheFileAndCharactersOfTheLine) {
  YamlArena arena;
  Reporter reporter;
  const auto roots = ParseYaml("a: 1\r\n---\r\n\"\u00FC\u00FC\": {b: 2}\r\n", arena, reporter);
  ASSERT_EQ(roots.size(), 2U);
  const YamlEntry& entry = roots[1]->entries()[0];
  EXPECT_EQ(entry.key->at.line, 3);
  EXPECT_EQ(entry.key->at.column, 1);
  EXPECT_EQ(entry.value->entries()[0].key->at.column, 8);
}

TEST(YamlParser, AliasesAndMergesShareValues) {
  EXPECT_THAT(ParseText("a: &x {p: 1, q: 2}\nb: *x\n").documents,
              ElementsAre(R"({"a":{"p":1,"q":2},"b":{"p":1,"q":2}})"));
  EXPECT_THAT(ParseText("a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3, r: 4}\n").documents,
              ElementsAre(R"({"a":{"p":1,"q":2},"b":{"q":3,"r":4,"p":1}})"));
  EXPECT_THAT(ParseText("- &x {p: 1}\n- &y {p: 2, s: 5}\n- {<<: [*x, *y]}\n").documents,
              ElementsAre(R"([{"p":1},{"p":2,"s":5},{"p":1,"s":5}])"));
  EXPECT_THAT(ParseText("a: {<<: 1}\n").mistakes,
              ElementsAre("f:1:9: \"<<\" merges mappings only; write an alias of one"));
}

TEST(YamlParser, AnchorsEndWithTheirDocument) {
  EXPECT_THAT(ParseText("a: &x 1\n---\nb: *x\n").mistakes,
              ElementsAre(::testing::StartsWith("f:3:4: this alias has no anchor")));
}

TEST(YamlParser, ManyKeysAreComparedToo) {
  std::string text;
  for (int i = 0; i < 100; ++i) text.append("k").append(std::to_string(i)).append(": 1\n");
  EXPECT_THAT(ParseText(text).mistakes, IsEmpty());
  EXPECT_THAT(
      ParseText(text + "k42: 2\n").mistakes,
      ElementsAre("f:101:1: \"k42\" is written twice in one mapping, first in line 43; remove one "
                  "of them"));
}

TEST(YamlParser, NestingIsBounded) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_THAT(ParseText(nested(kMaxDepth)).mistakes, IsEmpty());
  EXPECT_THAT(ParseText(nested(kMaxDepth + 1)).mistakes, ElementsAre(::testing::HasSubstr("deep")));
  EXPECT_THAT(ParseText(nested(10'000)).mistakes, ElementsAre(::testing::HasSubstr("deep")));
}

TEST(YamlParser, APieceThatBeginsNothingEnds) {
  for (const char* text : {", a\n", "# a comment\n, a\nb: c\n", "---\n,\n"}) {
    EXPECT_THAT(ParseText(text).mistakes, ElementsAre(::testing::HasSubstr("begins no field")))
        << text;
  }
}

TEST(YamlParser, SourcesAreBounded) {
  // Memory that is not touched costs nothing.
  const std::unique_ptr<void, decltype(&std::free)> memory(std::calloc(kMaxSourceBytes + 1, 1),
                                                           &std::free);
  const std::string_view text(static_cast<const char*>(memory.get()), kMaxSourceBytes + 1);
  EXPECT_THAT(ParseText(text).mistakes, ElementsAre(::testing::StartsWith("f:1:1: this text has")));
}

TEST(YamlParser, QuotesAreClosed) {
  for (const char* text : {"a: \"x", "a: 'x", "a: 'it''s", "a: \"x\\\"", "- &b \"x\n\n"}) {
    EXPECT_THAT(ParseText(text).mistakes, ElementsAre(::testing::HasSubstr("never closed")))
        << text;
  }
  for (const char* text :
       {"a: \"x\"", "a: 'it''s'", "a: \"\\\"\"", "a: |\n  \"x", "a: x\"", "a: ''"}) {
    EXPECT_THAT(ParseText(text).mistakes, IsEmpty()) << text;
  }
}

TEST(YamlParser, Utf16IsNamed) {
  EXPECT_THAT(ParseText(std::string_view("\xFF\xFE"
                                         "a\0",
                                         4))
                  .mistakes,
              ElementsAre("f:1:1: this text is UTF-16; save it as UTF-8"));
}

TEST(YamlParser, AByteOrderMarkIsSkipped) {
  EXPECT_THAT(ParseText("\xEF\xBB\xBF"
                        "a: 1\n")
                  .documents,
              ElementsAre(R"({"a":1})"));
}

}  // namespace
}  // namespace muster::manifest
