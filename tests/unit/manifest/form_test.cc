// Structs that are read and written by their field list, and what a Form changes of that.
#include "bindings/manifest/form.h"

#include <gmock/gmock.h>

#include "bindings/manifest/emit.h"
#include "bindings/manifest/forms.h"
#include "bindings/manifest/yaml_parser.h"
#include "tests/unit/manifest/parse_text.h"

namespace muster {

struct Probe {
  std::string plain_text;
  std::int32_t depth = 7;
  TimeNs first_seen = kNoTime;
  std::optional<DurationNs> longest_wait;
  bool is_red = false;
  bool operator==(const Probe&) const = default;
};

template <typename V>
void VisitFields(V& v, Of<Probe> auto& o) {
  VisitRequired(v, "plain_text", o.plain_text, {.example = "hello"});
  VisitPlaced(v, "depth", o.depth, {"shape.size.depth"});
  VisitTime(v, "first_seen", o.first_seen, {"shape.seen"});
  VisitDuration(v, "longest_wait", o.longest_wait);
  VisitPlaced(v, "is_red", o.is_red, {"color"});
}

namespace manifest {

template <>
struct Form<Probe> : PartForm {
  struct Color : Word<0, "red", "blue"> {
    static Encoded Write(YamlArena& arena, bool is_red) {
      return Text(arena, is_red ? "red" : "blue");
    }
  };
  static constexpr std::tuple kFields = {By<Color>(&Probe::is_red, "colour")};
  static constexpr auto kUnread = Paths({"shape.note"});
  static constexpr std::array kUnheeded = {
      Unheeded{"shape.weight", "all weigh the same", "drop it"}};
};

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ProbeReading {
 public:
  explicit ProbeReading(std::string_view text, bool v1beta1 = false) {
    const ParseOptions options;
    Decoding decoding{reporter_, options, v1beta1};
    for (const YamlNode* root : ParseYaml(text, arena_, reporter_)) {
      Read(Value(*root, "probe", decoding), &probe);
    }
    for (const Diagnostic& diagnostic : reporter_.Take()) {
      messages.push_back(diagnostic.ToString());
    }
  }
  Probe probe;
  std::vector<std::string> messages;

 private:
  YamlArena arena_;
  Reporter reporter_;
};

std::string Written(const Probe& probe) {
  YamlArena arena;
  return EmitYaml(*Encode(arena, probe));
}

TEST(Form, FieldsStandWhereTheListSaysElseUnderTheirOwnName) {
  const ProbeReading all(
      "{plainText: a, shape: {size: {depth: 3}, seen: 1970-01-01T00:00:01Z}, longestWait: 2m, "
      "color: red}");
  EXPECT_THAT(all.messages, IsEmpty());
  EXPECT_EQ(all.probe, (Probe{"a", 3, kSecond, 120 * kSecond, true}));
  EXPECT_EQ(ProbeReading(Written(all.probe)).probe, all.probe);
}

TEST(Form, OfAPartWritesAlsoWhatHasItsDefault) {
  Probe probe;
  probe.plain_text = "a";
  EXPECT_EQ(Written(probe), "plainText: a\nshape:\n  size:\n    depth: 7\ncolor: blue\n");
}

TEST(Form, AFieldMayHaveAnotherNameInV1beta1) {
  EXPECT_TRUE(ProbeReading("{plainText: a, colour: red}", true).probe.is_red);
  EXPECT_THAT(ProbeReading("{plainText: a, colour: red}").messages,
              ElementsAre(::testing::HasSubstr("write \"color\"")));
}

TEST(Form, KnowsFieldsThatItDoesNotReadAndReportsThoseThatHaveNoEffect) {
  EXPECT_THAT(ProbeReading("{plainText: a, shape: {note: x}}").messages, IsEmpty());
  EXPECT_THAT(ProbeReading("{plainText: a, shape: {weight: 3}}").messages,
              ElementsAre(::testing::HasSubstr("all weigh the same")));
}

TEST(Form, MissesWhatHasAnExampleAndReportsWhatIsUnknownInEveryMapping) {
  EXPECT_THAT(ProbeReading("{shape: {size: {depht: 3}}}").messages,
              ElementsAre(::testing::HasSubstr("add for example plainText: hello"),
                          ::testing::HasSubstr("unknown field \"depht\" in \"size\"")));
}

TEST(Form, OfADocumentWritesSpecBeforeStatus) {
  const std::string text = ToYaml(Node{"n", {}, {}, {{"cpu", Q("1")}}, true, true});
  EXPECT_LT(text.find("spec:"), text.find("status:")) << text;
}

}  // namespace
}  // namespace manifest
}  // namespace muster
