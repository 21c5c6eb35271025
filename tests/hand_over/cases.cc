// See cases.h.
#include "tests/hand_over/cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>

#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

using Json = nlohmann::json;

class Player {
 public:
  Player(const Json& commands, Door& door) : commands_(commands), door_(door) {}

  void Given(const std::string& command) {
    const Said said = Do(command, Next());
    ASSERT_EQ(said.code, "") << command << ": " << said.text;
  }

  void Step(const Json& step) {
    SCOPED_TRACE(step.dump());
    if (step.contains("restart")) return door_.Restart();
    if (step.contains("do")) return Check(step, Do(step["do"], Next() - Earlier(step)));
    if (step.contains("phase")) {
      const Said said = door_.Phase(step["of"]);
      EXPECT_EQ(said.code, "") << said.text;
      EXPECT_EQ(said.text, step["phase"]);
      return;
    }
    ASSERT_TRUE(step.contains("told")) << "no step of that kind";
    const std::size_t most = 100;
    const Said said = step.contains("behind") ? door_.DecisionsAfter(step["behind"], most)
                                              : door_.DecisionsOf(step["to"], most);
    Check(step, said);
    if (said.code.empty()) {
      EXPECT_EQ(Lines(Json::parse(said.text)), step["told"].get<std::vector<std::string>>());
    }
  }

 private:
  std::int64_t Next() { return now_ += kSecond; }

  static std::int64_t Earlier(const Json& step) {
    return step.value("earlier", std::int64_t{0}) * kSecond;
  }

  Said Do(const std::string& command, std::int64_t at) {
    EXPECT_TRUE(commands_.contains(command)) << "no command is called " << command;
    return door_.Do(commands_[command].dump(), at);
  }

  static void Check(const Json& step, const Said& said) {
    ASSERT_EQ(said.code, step.value("refused", "")) << said.text;
    if (!said.code.empty()) {
      EXPECT_THAT(said.text, ::testing::HasSubstr(step["says"].get<std::string>()));
      return;
    }
    if (!step.contains("gives")) return;
    const Json answer = Json::parse(said.text);
    for (const auto& [field, value] : step["gives"].items()) {
      EXPECT_EQ(answer.value(field, Json()), value) << field << " of " << said.text;
    }
  }

  /// "2 make-room team/a for team/b, stop", and of another than the first run: ", run 2"
  static std::vector<std::string> Lines(const Json& answer) {
    const auto name = [](const Json& key) {
      return key["namespace"].get<std::string>() + "/" + key["name"].get<std::string>();
    };
    std::vector<std::string> lines;
    for (const Json& decision : answer["decisions"]) {
      std::string line = std::to_string(decision["number"].get<std::int64_t>()) + " " +
                         decision["kind"].get<std::string>() + " " + name(decision["workload"]);
      if (decision.contains("by")) line += " for " + name(decision["by"]);
      if (decision.value("stop", false)) line += ", stop";
      const auto run = decision.value("run", std::int64_t{0});
      if (run != 1) line += ", run " + std::to_string(run);
      lines.push_back(std::move(line));
    }
    return lines;
  }

  const Json& commands_;
  Door& door_;
  std::int64_t now_ = kNoon;
};

}  // namespace

Json HandOverCases() { return Json::parse(ReadFile(SourceDir() / "tests/hand_over/cases.json")); }

std::string NameOf(const Json& one) {
  std::string name;
  for (const char* part : {"call", "when"}) {
    bool begins = true;
    for (const char c : one[part].get<std::string>()) {
      const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
      if (letter) name += begins ? static_cast<char>(std::toupper(c)) : c;
      begins = !letter;
    }
  }
  return name;
}

void Play(const Json& file, const Json& one, Door& door) {
  Player player(file["commands"], door);
  player.Given("objects");
  player.Given("register gateway");
  for (const Json& command : one["given"]) player.Given(command);
  for (const Json& step : one["steps"]) player.Step(step);
}

}  // namespace muster::testing
