// The examples of docs/wire.md are true: carried out one after the other they give these answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "bindings/wire/wire.h"
#include "muster/engine.h"
#include "tests/testing/paths.h"

namespace muster::wire {
namespace {

/// The package that the page names: it prefers nothing.
class PackageOfThePage : public Policy {
 public:
  explicit PackageOfThePage(std::string_view hash) {
    info_.name = "small-first";
    info_.hash = hash;
    info_.hooks.resize(1);  // hook queue_order
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch&, std::span<double> answers) override {
    std::fill(answers.begin(), answers.end(), 0);
    return {};
  }

 private:
  PolicyInfo info_;
};

/// What stands between ```json and ``` on the page.
std::vector<std::string> Examples() {
  constexpr std::string_view kOpen = "```json\n";
  const std::string page = testing::ReadFile(testing::SourceDir() / "docs" / "wire.md");
  std::vector<std::string> examples;
  for (auto at = page.find(kOpen); at != page.npos; at = page.find(kOpen, at)) {
    at += kOpen.size();
    examples.push_back(page.substr(at, page.find("```", at) - at));
  }
  return examples;
}

TEST(WirePage, ItsCommandsGiveItsAnswers) {
  const std::vector<std::string> examples = Examples();
  ASSERT_EQ(examples.size() % 2, 0u) << "a command, then its answer";
  Engine engine;
  const Status loads = engine.SetPolicyLoader([](std::string_view hash) {
    return Result<std::shared_ptr<Policy>>(std::make_shared<PackageOfThePage>(hash));
  });
  ASSERT_TRUE(loads.ok());
  std::set<CommandKind> kinds;
  TimeNs now = 1'767'268'800 * kSecond;
  for (std::size_t i = 0; i < examples.size(); i += 2, now += kSecond) {
    const Result<Command> command = CommandFromJson(examples[i]);
    ASSERT_TRUE(command.ok()) << command.status().message() << "\n" << examples[i];
    kinds.insert(KindOf(*command));
    const Result<Answer> answer = engine.Do(*command, now);
    ASSERT_TRUE(answer.ok()) << answer.status().message() << "\n" << examples[i];
    EXPECT_EQ(nlohmann::json::parse(examples[i + 1], nullptr, false).dump(),
              nlohmann::json::parse(ToJson(*answer)).dump())
        << examples[i];
  }
  EXPECT_EQ(kinds.size(), kCommandKinds) << "each kind has its example";
}

}  // namespace
}  // namespace muster::wire
