// JSON is read in its own way: to the same nodes at the same places as by the rules of YAML.
#include "bindings/manifest/json_reader.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

#include "bindings/manifest/limits.h"
#include "bindings/manifest/yaml_parser.h"

namespace muster::manifest {
namespace {

/// A node and everything in it, with places; `lines` are taken off its lines.
std::string Told(const YamlNode& node, int lines) {
  std::string told = std::to_string(node.at.line - lines) + ":" + std::to_string(node.at.column) +
                     (node.quoted ? " quoted " : " ") + node.text();
  if (node.kind == NodeKind::kNull) told += "null";
  for (const YamlEntry& entry : node.entries()) {
    told += " {" + Told(*entry.key, lines) + ": " + Told(*entry.value, lines) + "}";
  }
  for (const YamlNode* item : node.items()) told += " [" + Told(*item, lines) + "]";
  if (node.kind == NodeKind::kMap) told += " map";
  return node.kind == NodeKind::kList ? told + " list" : told;
}

/// As the reader of YAML reads it, which a comment before it asks for; empty with mistakes.
std::string ByYaml(const std::string& text) {
  YamlArena arena;
  Reporter reporter;
  const std::vector<const YamlNode*> roots = ParseYaml("# a comment\n" + text, arena, reporter);
  return reporter.errors() == 0 && roots.size() == 1 ? Told(*roots.front(), 1) : "";
}

/// Empty: left to the reader of YAML.
std::string ByJson(const std::string& text) {
  YamlArena arena;
  const YamlNode* root = ReadJson(text, 0, arena);
  return root == nullptr ? "" : Told(*root, 0);
}

TEST(JsonReader, ReadsWhatTheReaderOfYamlReads) {
  for (const std::string text : {
           R"({})",
           R"([])",
           R"({"a": {"b": [1, "x", null], "c": "d"}})",
           R"({"a":true,"b":false,"c":null,"d":"null","e":"","f":"1"})",
           R"({"n":[0,-1,1.50,1e3,-2.5E-3,12345678901234567890,123456789012345678901234567890]})",
           R"({"s":"a\"b\\c\/d\n\tü\u00fc\u20ac","grüße":"ß","after":[1]})",
           "{\n  \"a\": {\n    \"ü\": 1, \"b\": [\n      1,\n      2\n    ]\n  }\n}\n",
           "\n\n  {\"a\"  :  1 ,\r\n \"b\" : [ ] }  \n",
           R"({"a":[[[["deep"]]],{"b":{}}]})",
           R"({"<<":{"a":1},"b":2})",
       }) {
    ASSERT_NE(ByJson(text), "") << text;
    EXPECT_EQ(ByJson(text), ByYaml(text)) << text;
  }
}

TEST(JsonReader, ReadsWhatOnlyJsonHas) {
  EXPECT_EQ(ByJson("{\"a\":\n\t[1,\n\t\t2]}"),
            "1:1  {1:2 quoted a: 2:2  [2:3 1] [3:3 2] list} map");
  EXPECT_EQ(ByJson(R"({"pair":"\ud83d\ude00"})"),
            "1:1  {1:2 quoted pair: 1:9 quoted \xF0\x9F\x98\x80} map");
}

TEST(JsonReader, LeavesToYamlWhatIsNoJsonOrWrong) {
  const std::string deep(kMaxDepth + 1, '[');
  for (const std::string& text : {
           std::string("a: 1"),
           std::string("{a: 1}"),
           std::string(R"({"a": 1,})"),
           std::string(R"({"a": 1} # so)"),
           std::string(R"({"a": 1} {"b": 2})"),
           std::string(R"({"a": 'x'})"),
           std::string(R"({"a": 1, "a": 2})"),
           std::string(R"({"a": 010})"),
           std::string(R"({"a": 1e999})"),
           std::string(R"({"a": "open)"),
           std::string(R"({"a": [1, 2)"),
           std::string(R"({"a": "\ud83d"})"),
           std::string(R"({"a": "\u0000"})"),
           std::string(R"({"a": "\u001b[31m"})"),
           std::string(R"("a text")"),
           deep + std::string(kMaxDepth + 1, ']'),
           std::string("---\n{}"),
           std::string(),
       }) {
    EXPECT_EQ(ByJson(text), "") << text;
  }
}

TEST(JsonReader, CountsTheLinesBeforeIt) {
  YamlArena arena;
  const YamlNode* root = ReadJson("{\n\"a\": 1}", 40, arena);
  ASSERT_NE(root, nullptr);
  EXPECT_EQ(root->at.line, 41);
  EXPECT_EQ(root->entries().front().value->at.line, 42);
  EXPECT_EQ(root->entries().front().value->at.column, 6);
}

/// Texts of JSON, drawn; numbers of mt19937 are those of every platform.
class Drawn {
 public:
  explicit Drawn(std::uint32_t seed) : random_(seed) {}

  std::string Text() {
    std::string text = Value(0);
    return text += Blanks();
  }

 private:
  std::uint32_t Of(std::uint32_t count) { return static_cast<std::uint32_t>(random_()) % count; }

  std::string Blanks() {
    static const std::string kBlanks[] = {"", "", "", " ", "  ", "\n", "\n  "};
    return kBlanks[Of(7)];
  }

  std::string Quoted() {
    static const std::string kParts[] = {"a",   "name", " ",    "ü",       "€",  "😀",
                                         "\\n", "\\\"", "\\\\", "\\u00e4", ": ", "# no",
                                         "{}",  "null", "1",    ",",       "- ", "\\u20AC"};
    std::string text = "\"";
    for (std::uint32_t parts = Of(5); parts > 0; --parts) text += kParts[Of(18)];
    return text + "\"";
  }

  std::string Value(int depth) {
    static const std::string kPlain[] = {"null", "true", "false", "0",    "-7",
                                         "1.5",  "1e9",  "12e-3", "-0.0", "9007199254740993"};
    const std::uint32_t kind = depth == 0 ? Of(2) : Of(depth > 5 ? 2 : 6);
    if (depth > 5 || kind > 3) return kind % 2 == 0 ? kPlain[Of(10)] : Quoted();
    const bool map = kind % 2 == 0;
    std::string text = map ? "{" : "[";
    for (std::uint32_t i = 0, count = Of(5); i < count; ++i) {
      if (i > 0) text += ",";
      text += Blanks();
      if (map) {
        text += "\"" + std::to_string(i);  // no key twice
        text += Quoted().substr(1) + ":";
        text += Blanks();
      }
      text += Value(depth + 1);
      text += Blanks();
    }
    return text + (map ? "}" : "]");
  }

  std::mt19937 random_;
};

TEST(JsonReader, ReadsDrawnTextsAsTheReaderOfYamlDoes) {
  int compared = 0;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    const std::string text = Drawn(seed).Text();
    const std::string by_yaml = ByYaml(text);
    const std::string by_json = ByJson(text);
    ASSERT_NE(by_json, "") << text;
    if (by_yaml.empty()) continue;  // it does not take everything that JSON may have
    ++compared;
    ASSERT_EQ(by_json, by_yaml) << text;
  }
  EXPECT_GT(compared, 1600);
}

}  // namespace
}  // namespace muster::manifest
