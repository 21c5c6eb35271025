// What is read as usual YAML is what yaml-cpp reads, in the same places; all else is left to it.
#include "bindings/manifest/usual_yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/reporter.h"
#include "bindings/manifest/yaml_builder.h"
#include "tests/testing/paths.h"

namespace muster::manifest {
namespace {

Position PositionOf(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

/// With the place and the kind of each node.
std::string Told(const YamlNode& node) {
  std::string out = std::to_string(node.at.line) + ":" + std::to_string(node.at.column);
  switch (node.kind) {
    case NodeKind::kNull:
      return out + "null(" + std::string(node.text()) + ")";
    case NodeKind::kScalar:
      return out + (node.quoted ? "text(" : "plain(") + std::string(node.text()) + ")";
    case NodeKind::kList:
      out += "[";
      for (const YamlNode* item : node.items()) out += Told(*item) + ",";
      return out + "]";
    case NodeKind::kMap:
      out += "{";
      for (const YamlEntry& entry : node.entries()) {
        out += Told(*entry.key) + ":" + Told(*entry.value) + ",";
      }
      return out + "}";
  }
  return out;
}

/// What `read` makes of a text; nullopt where it refuses it, or reports something.
template <typename Read>
std::optional<std::string> Made(Read read) {
  YamlArena arena;
  Reporter reporter;
  YamlBuilder builder(arena, reporter, PositionOf);
  try {
    if (!read(builder) || reporter.errors() > 0) return std::nullopt;
  } catch (const DocumentMistake&) {
    return std::nullopt;
  } catch (const YAML::Exception&) {
    return std::nullopt;
  }
  const YamlNode* const root = builder.TakeRoot();
  return root == nullptr || root->kind == NodeKind::kNull ? "empty" : Told(*root);
}

std::optional<std::string> AsUsual(std::string_view text) {
  return Made([&](YamlBuilder& builder) { return ReadUsualYaml(text, builder); });
}

std::optional<std::string> ByYamlCpp(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return Made([&](YamlBuilder& builder) {
    YAML::Parser parser(stream);
    int documents = 0;
    while (parser.HandleNextDocument(builder)) ++documents;
    return documents <= 1;
  });
}

constexpr std::string_view kManifest = R"(# A job as teams write it.
apiVersion: batch/v1
kind: Job
metadata:
  name: train-7
  namespace: "team-a"
  labels: {kueue.x-k8s.io/queue-name: team, 'app': x, empty: ""}
  annotations:
    example.com/why: it's "late", see http://x.y/z?a=b#c  # not a part
spec:
  parallelism: 3
  suspend: true
  template:
    spec:
      containers:
      - name: main
        image: registry:5000/a/b@sha256:0
        args: ["-c", 'echo ''x''', {a: [1, 2.5, ~, null]}, "a\tb\"c"]
        resources:
          requests: {cpu: 500m, memory: 1Gi}
        script: |
          set -e
          if [ -f x ]; then echo "a: b"; fi

            more # words
        last: |-
          x: y
      -   name: side
          command:
            - sleep
            - "3600"
      tolerations: []
      nodeSelector: {}
)";

TEST(UsualYaml, IsReadAsYamlCppReadsIt) {
  const std::vector<std::string_view> texts = {
      kManifest,
      "",
      "# only words\n",
      "---\n",
      "a: 1",
      "--- {a: 1}\n...\n",
      "- a\n- - b\n  - c\n- {d: e}\n",
      "a:\n- 1\n- 2\nb:\n  - 3\n",
      "a: [b, c]\n# and\nd: e # f\n",
      "{a: {b: [c, {d: e}]}, \"f\": 'g'}\n",
      "a: null\nb: ~\nc: Null\nd: \"null\"\n",
      "a: -1\nb: - 1\n",
      "a: b: c\n",
      "a: |\n  b\n   c\n\n  d: e # f\nb: |-\n  c\n",
      "<<: {a: 1}\nb: 2\n",
      "plain\n",
      "? a\n: b\n",
  };
  for (const std::string_view text : texts) {
    SCOPED_TRACE(text);
    const std::optional<std::string> usual = AsUsual(text);
    if (usual) {
      EXPECT_EQ(usual, ByYamlCpp(text));
    }
  }
  EXPECT_TRUE(AsUsual(kManifest));
}

TEST(UsualYaml, WhatIsUnusualIsLeft) {
  for (const std::string_view text : {"a: &b 1\n",
                                      "a: !!str 1\n",
                                      "a: >\n  b\n",
                                      "-\n>",
                                      "-\n|",
                                      "-\n |\n  a",
                                      "a: |\n",
                                      "a: b\n  c\n",
                                      "a: \"b\n  c\"\n",
                                      "a:\n",
                                      "- \n- a\n",
                                      "{a: , b: c}\n",
                                      "%YAML 1.1\n---\na: 1\n",
                                      "a: 1\n---\nb: 2\n",
                                      "a:\tb\n",
                                      "a: b\r\n",
                                      "a: \xC3\xBC\n",
                                      "a: \x7F\n",
                                      "a: [b\n",
                                      "a: 'b\n",
                                      "a: {b: c}}\n"}) {
    EXPECT_EQ(AsUsual(text), std::nullopt) << text;
  }
}

/// A text as a slip of a hand, or of a program, would leave it.
std::string Changed(std::string text, std::mt19937& random) {
  constexpr std::string_view kSigns = " \n:-[]{},#&*!|>'\"%@`?~<=.\\a1";
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random()) % bound; };
  for (std::size_t changes = 1 + below(3); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = below(text.size());
    const std::size_t size = std::min<std::size_t>(1 + below(6), text.size() - at);
    switch (below(5)) {
      case 0:
        text.insert(at, 1, kSigns[below(kSigns.size())]);
        break;
      case 1:
        text[at] = kSigns[below(kSigns.size())];
        break;
      case 2:
        text.erase(at, size);
        break;
      case 3:
        text.insert(below(text.size()), text.substr(at, size));
        break;
      default:
        text.insert(at, {kSigns[below(kSigns.size())], kSigns[below(kSigns.size())]});
        break;
    }
  }
  return text;
}

/// From each line of `text` on: the line, and all that follows.
void AddSeeds(std::string_view text, std::vector<std::string>* seeds) {
  for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
    end = std::min(text.find('\n', at), text.size() - 1) + 1;
    seeds->emplace_back(text.substr(at, end - at));
    seeds->emplace_back(text.substr(at));
  }
}

/// The documents of the examples.
std::vector<std::string> Examples() {
  std::vector<std::string> texts;
  for (const auto& path : testing::FilesUnder(testing::SourceDir() / "examples", ".yaml")) {
    std::istringstream lines(testing::ReadFile(path));
    texts.emplace_back();
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("---")) texts.emplace_back();
      texts.back() += line + "\n";
    }
  }
  return texts;
}

TEST(UsualYaml, OfTheExamplesMostIsUsual) {
  const std::vector<std::string> texts = Examples();
  std::size_t read = 0;
  for (const std::string& text : texts) {
    const std::optional<std::string> usual = AsUsual(text);
    if (!usual) continue;
    ++read;
    EXPECT_EQ(usual, ByYamlCpp(text)) << text;
  }
  EXPECT_GT(read, texts.size() * 3 / 4) << "of " << texts.size();
}

/// Every text of at most `most` signs that mean something in YAML, and a letter.
void ExpectAllShortTextsAlike(std::size_t most) {
  constexpr std::string_view kSigns = "- \n:|>?[]{},#'\"a";
  int read = 0;
  std::vector<std::size_t> at;
  std::string text;
  do {
    // The next one in order, as a number is counted up.
    std::size_t i = 0;
    while (i < at.size() && ++at[i] == kSigns.size()) at[i++] = 0;
    if (i == at.size()) at.push_back(0);
    if (at.size() > most) break;
    text.clear();
    for (const std::size_t sign : at) text += kSigns[sign];
    const std::optional<std::string> usual = AsUsual(text);
    if (!usual) continue;
    ++read;
    ASSERT_EQ(usual, ByYamlCpp(text)) << text;
  } while (true);
  EXPECT_GT(read, 1000);
  std::printf("%d short texts are usual\n", read);
}

TEST(UsualYaml, OfAllShortTextsItReadsNoneOtherwise) { ExpectAllShortTextsAlike(4); }
TEST(LongUsualYaml, OfAllShortTextsItReadsNoneOtherwise) { ExpectAllShortTextsAlike(5); }
TEST(NightUsualYaml, OfAllShortTextsItReadsNoneOtherwise) { ExpectAllShortTextsAlike(6); }

/// As many rounds as there are seconds in $MUSTER_FUZZ_SECONDS for, else 20,000.
TEST(UsualYaml, OfSpoiltTextsItReadsNoneOtherwise) {
  using Clock = std::chrono::steady_clock;
  const char* const seconds = std::getenv("MUSTER_FUZZ_SECONDS");
  const auto end = Clock::now() + std::chrono::seconds(seconds == nullptr ? 0 : std::atoi(seconds));
  std::vector<std::string> seeds;
  AddSeeds(kManifest, &seeds);
  for (const std::string& text : Examples()) AddSeeds(text, &seeds);
  std::mt19937 random(seconds == nullptr ? 7 : std::random_device()());
  int rounds = 0;
  int read = 0;
  for (; rounds < 20'000 || Clock::now() < end; ++rounds) {
    const std::string text = Changed(seeds[random() % seeds.size()], random);
    const std::optional<std::string> usual = AsUsual(text);
    if (!usual) continue;
    ++read;
    ASSERT_EQ(usual, ByYamlCpp(text)) << text;
  }
  EXPECT_GT(read, rounds / 10);
  std::printf("%d texts, %d of them usual\n", rounds, read);
}

}  // namespace
}  // namespace muster::manifest
