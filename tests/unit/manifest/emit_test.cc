// The printers: what is quoted, how blocks are laid out.
#include "bindings/manifest/emit.h"

#include <gtest/gtest.h>

#include "bindings/manifest/encode.h"
#include "bindings/manifest/yaml_parser.h"

namespace muster::manifest {
namespace {

std::string Reprint(std::string_view text, bool json = false) {
  YamlArena arena;
  Reporter reporter;
  const auto roots = ParseYaml(text, arena, reporter);
  EXPECT_EQ(reporter.errors(), 0U) << text;
  if (roots.size() != 1) return "not one document";
  return json ? EmitJson(*roots[0]) : EmitYaml(*roots[0]);
}

TEST(Emit, LaysOutBlocksAsKubernetesDoes) {
  constexpr std::string_view kText =
      "a: x\n"
      "b:\n"
      "- p: 1\n"
      "  q:\n"
      "  - r\n"
      "  - s: t\n"
      "- - u\n"
      "  - {}\n"
      "c: {}\n"
      "d: []\n"
      "e:\n"
      "  f: null\n";
  EXPECT_EQ(Reprint(kText), kText);
}

TEST(Emit, TextsThatWouldReadAsSomethingElseAreQuoted) {
  YamlArena arena;
  for (const char* text : {"",
                           "true",
                           "no",
                           "null",
                           "3",
                           "1e3",
                           "0x1F",
                           ".5",
                           "-",
                           "- x",
                           "a: b",
                           "#x",
                           "x #y",
                           "@x",
                           "2026-01-01T12:00:00Z",
                           "line\nbreak",
                           "\"",
                           "\\",
                           "*a",
                           "&a",
                           "!t",
                           "{",
                           "[",
                           "%",
                           "\xC3\xBC"}) {
    MapWriter map(arena);
    map.Put("k", Text(arena, text));
    const std::string yaml = EmitYaml(*map.node());
    EXPECT_TRUE(yaml.starts_with("k: \"")) << yaml;
    Reporter reporter;
    const auto roots = ParseYaml(yaml, arena, reporter);
    ASSERT_EQ(roots.size(), 1U) << yaml;
    EXPECT_EQ(roots[0]->entries()[0].value->text(), text);
    EXPECT_TRUE(roots[0]->entries()[0].value->quoted);
  }
  for (const char* text : {"cpu", "nvidia.com/gpu", "10Gi", "500m", "team-a", "a_b"}) {
    MapWriter map(arena);
    map.Put("k", Text(arena, text));
    EXPECT_EQ(EmitYaml(*map.node()), "k: " + std::string(text) + "\n");
  }
}

TEST(Emit, JsonKeepsTypes) {
  EXPECT_EQ(Reprint("{a: 1, b: '1', c: 1.5, d: yes, e: ~, f: [x], g: 1.5e300}", true),
            R"({"a":1,"b":"1","c":1.5,"d":true,"e":null,"f":["x"],"g":1.5e+300})");
}

}  // namespace
}  // namespace muster::manifest
