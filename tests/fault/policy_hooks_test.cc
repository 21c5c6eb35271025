// The hostile corpus as every other hook: the same functions under the name of another hook, asked
// about what that hook is asked about. Each ends within its fuel with a valid answer or a message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/fault/any_batch.h"
#include "tests/fault/hostile_corpus.h"

namespace muster::luajit::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kAsWritten = "queue_order = function(w, c)";

struct Disguise {
  Hook hook = Hook::kQueueOrder;
  std::string parameters;  // of its function; `w` is what brings the worst out of the policy
  std::string trigger = "w.gpus";
};

std::vector<Disguise> Disguises() {
  return {{Hook::kCycleOrder, "w, c"},     {Hook::kShare, "w, c", "w.weight"},
          {Hook::kFlavorOrder, "w, f, c"}, {Hook::kPreemptLimits, "w, c"},
          {Hook::kVictim, "w, p, c"},      {Hook::kSubmit, "w, c"},
          {Hook::kHold, "w, c"},           {Hook::kBoost, "w, c"},
          {Hook::kDomainOrder, "d, w, c"}};
}

std::string Replaced(std::string text, std::string_view from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string Dress(const std::string& source, const Disguise& disguise) {
  const std::string name(HookName(disguise.hook));
  const std::string dressed =
      Replaced(source, kAsWritten, name + " = function(" + disguise.parameters + ")");
  return Replaced(Replaced(dressed, "queue_order", name), "w.gpus", disguise.trigger);
}

void Ask(LuaPolicy& policy, Hook hook, bool trigger) {
  AnyBatch batch(hook, trigger);
  const muster_batch& rows = batch.Get();
  std::vector<double> answers(rows.count *
                              static_cast<std::size_t>(policy.info().hooks.at(0).keys));
  SubmitAnswer answer;
  const HookOutcome outcome =
      hook == Hook::kSubmit ? policy.Submit(rows, &answer) : policy.Call(hook, rows, answers);
  EXPECT_LE(outcome.fuel, 200 + 50 * std::max<std::int64_t>(rows.count, 1));
  EXPECT_LT(policy.state().memory().peak(), 24u << 20);
  EXPECT_EQ(outcome.ok, outcome.message.empty());
  if (outcome.ok) {
    for (const double one : answers) EXPECT_TRUE(Valid(hook, one)) << one;
    return;
  }
  EXPECT_THAT(outcome.message, HasSubstr("policies/x/policy.lua:"));
  EXPECT_THAT(outcome.message, HasSubstr("(" + std::string(HookName(hook))));
}

// Sources in which the function stands as every file of the corpus writes it.
void AskAsEveryHook(std::size_t step) {
  std::size_t asked = 0, next = 0;
  for (const Hostile& hostile : ReadCorpus()) {
    if (hostile.source.find(kAsWritten) == std::string::npos) continue;
    for (const Disguise& disguise : Disguises()) {
      if (next++ % step != 0) continue;
      SCOPED_TRACE(hostile.name + " as " + std::string(HookName(disguise.hook)));
      const LoadedPackage loaded = Load(SourceOf(Dress(hostile.source, disguise)));
      if (loaded.policy == nullptr) {
        EXPECT_THAT(TextOf(loaded.problems), HasSubstr("policies/x/policy.lua:"));
        continue;
      }
      EXPECT_NE(hostile.verdict, Verdict::kRefused);
      for (const bool trigger : {false, true, false}) Ask(*loaded.policy, disguise.hook, trigger);
      ++asked;
    }
  }
  EXPECT_GT(asked, 600 / step);
}

TEST(HostileHooks, EndWithinTheirFuelWithAnAnswerOrAMessage) { AskAsEveryHook(7); }
TEST(NightHostileHooks, EndWithinTheirFuelWithAnAnswerOrAMessage) { AskAsEveryHook(1); }

}  // namespace
}  // namespace muster::luajit::testing
