// What is not seen, or changes the direction of writing, shows itself wherever people read.
#include "bindings/plain/harmless_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "engine/base/shown.h"
#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/cli/sample.h"

namespace muster::plain {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Each of them alone, in UTF-8, with its escape.
const std::vector<std::pair<std::string, std::string>> kUnseen = {
    {"\u202e", "\\u202e"}, {"\u2066", "\\u2066"},           {"\u2069", "\\u2069"},
    {"\u200e", "\\u200e"}, {"\u200f", "\\u200f"},           {"\u061c", "\\u061c"},
    {"\u200b", "\\u200b"}, {"\u200d", "\\u200d"},           {"\u2060", "\\u2060"},
    {"\ufeff", "\\ufeff"}, {"\u00ad", "\\u00ad"},           {"\u2028", "\\u2028"},
    {"\u0085", "\\u0085"}, {"\u180e", "\\u180e"},           {"\ufff9", "\\ufff9"},
    {"\u3164", "\\u3164"}, {"\U000e0041", "\\udb40\\udc41"}};

std::string Passed(const std::vector<std::string>& pieces) {
  std::ostringstream target;
  {
    HarmlessStream stream(target);
    for (const std::string& piece : pieces) stream << piece;
  }
  return target.str();
}

TEST(HarmlessStream, EscapesWhatIsNotSeen) {
  for (const auto& [unseen, escape] : kUnseen) {
    EXPECT_EQ(Passed({"a" + unseen + "b\n"}), "a" + escape + "b\n");
    EXPECT_EQ(nlohmann::json::parse("\"" + WithEscapes(unseen) + "\"").get<std::string>(), unseen)
        << "JSON means the same";
  }
}

TEST(HarmlessStream, PassesAllElse) {
  const std::string text = "\033[1mnaïve Größe 日本 עברית 🚀 ok\033[0m\t\n";
  EXPECT_EQ(Passed({text}), text);
  const std::string broken = "\xe2\x80 \xff\xc3";
  EXPECT_EQ(Passed({broken}), broken);
}

TEST(HarmlessStream, PutsPiecesTogether) {
  for (const auto& [unseen, escape] : kUnseen) {
    std::vector<std::string> pieces;
    for (const char c : "ü" + unseen + "x") pieces.emplace_back(1, c);
    EXPECT_EQ(Passed(pieces), "ü" + escape + "x");
  }
}

TEST(HarmlessStream, FailsWhereItsTargetDoes) {
  std::ostringstream target;
  HarmlessStream stream(target);
  stream << "before";
  EXPECT_TRUE(stream.good());
  target.setstate(std::ios::badbit);
  stream << "after";
  EXPECT_FALSE(stream.good());
}

TEST(Shown, AndWholeMessagesHaveBlanksForWhatIsNotSeen) {
  for (const auto& [unseen, escape] : kUnseen) {
    EXPECT_EQ(muster::Shown("a" + unseen + "b"), "a b");
    EXPECT_EQ(CutUnbroken("a" + unseen + "b\nc"), "a b\nc");
  }
  EXPECT_EQ(muster::Shown("Größe 日本"), "Größe 日本");
}

/// A workload with an annotation that would turn a line around, in a queue of the sample.
constexpr const char* kTurned = R"(---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: w, namespace: lab, annotations: {note: "a\u202Eb"}}
spec:
  queueName: red
  podSets:
  - name: main
    count: 1
    template:
      spec:
        restartPolicy: Never
        containers: [{name: a, image: i, resources: {requests: {cpu: 9}}}]
)";

TEST(CommandLine, ShowsDirectionMarksAndKeepsJsonExact) {
  const muster::testing::TemporaryDirectory directory;
  const std::string ledger = (directory.path() / "l.ledger").string();
  const std::string manifests = std::string(cli::kQueues) + kTurned;
  ASSERT_EQ(cli::RunCli({"apply", "-f", "-", "--db", ledger}, manifests).code, cli::kDone);
  for (const std::string format : {"yaml", "json"}) {
    const cli::Said said =
        cli::RunCli({"get", "wl", "w", "-n", "lab", "-o", format, "--db", ledger});
    EXPECT_EQ(said.code, cli::kDone) << said.err;
    EXPECT_THAT(said.out, HasSubstr("a\\u202eb")) << format;
    EXPECT_THAT(said.out, Not(HasSubstr("\u202e"))) << format;
  }
  const cli::Said missing = cli::RunCli({"explain", "lab/no\u202esuch", "--db", ledger});
  EXPECT_THAT(missing.err, Not(HasSubstr("\u202e")));
  const cli::Said verb = cli::RunCli({"get\u2066"});
  EXPECT_THAT(verb.err, Not(HasSubstr("\u2066")));
}

}  // namespace
}  // namespace muster::plain
