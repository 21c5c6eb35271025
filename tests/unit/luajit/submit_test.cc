// Hook submit in Lua: what it may answer, and what is said of every other answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::HasSubstr;

struct Said {
  HookOutcome outcome;
  SubmitAnswer answer;
};

/// Asks a package whose submit has this body about a job with 4 GPUs.
Said Submit(const std::string& body, const std::string& more = "",
            const SandboxOptions& options = {}) {
  const LoadedPackage loaded = Load(SourceOf("return { api = 1, name = 'x', " + more +
                                             " submit = function(w, c) " + body + " end }"),
                                    {}, options);
  Said said;
  if (loaded.policy == nullptr) {
    said.outcome.ok = false;
    for (const PackageProblem& problem : loaded.problems) {
      said.outcome.message += problem.ToString() + "\n";
    }
    return said;
  }
  PolicyBatch batch;
  batch.Add("job").gpus = 4;
  muster_batch asked = batch.Get();
  asked.subject = asked.workloads;
  asked.workloads = nullptr;
  said.outcome = loaded.policy->Submit(asked, &said.answer);
  return said;
}

TEST(Submit, NothingAccepts) {
  const Said said = Submit("");
  EXPECT_TRUE(said.outcome.ok) << said.outcome.message;
  EXPECT_FALSE(said.answer.rejected || said.answer.priority || said.answer.queue);
  EXPECT_GT(said.outcome.fuel, 0);
}

TEST(Submit, RejectsWithItsMessage) {
  const Said said = Submit("if w.gpus > 2 then return c.reject('too many: ' .. w.gpus) end");
  EXPECT_TRUE(said.outcome.ok) << said.outcome.message;
  EXPECT_EQ(said.answer.rejected, "too many: 4");
}

TEST(Submit, OfSeveralWrongKeysTheSmallestIsNamed) {
  for (const char* body : {"return { zeta = 1, user = 2, gpus = 3, namespace = 4 }",
                           "return { namespace = 4, gpus = 3, user = 2, zeta = 1 }"}) {
    EXPECT_THAT(Submit(body).outcome.message, HasSubstr("submit cannot change 'gpus'")) << body;
  }
}

TEST(Submit, ChangesPriorityQueueAndLabels) {
  const Said said =
      Submit("return { priority = 10, queue = 'large', labels = { b = '2', a = w.name } }");
  ASSERT_TRUE(said.outcome.ok) << said.outcome.message;
  EXPECT_EQ(said.answer.priority, 10);
  EXPECT_EQ(said.answer.queue, "large");
  const std::map<std::string, std::string, std::less<>> labels = {{"a", "job"}, {"b", "2"}};
  EXPECT_EQ(said.answer.labels, labels);
}

TEST(Submit, EveryOtherAnswerIsAnErrorThatSaysWhatToWrite) {
  for (const auto& [body, text] : std::vector<std::pair<std::string, std::string>>{
           {"return 1", "submit returned a number"},
           {"return { prioirty = 1 }", "did you mean 'priority'?"},
           {"return { priority = 1.5 }", "not a whole number"},
           {"return { priority = 0/0 }", "not a whole number"},
           {"return { priority = 1e12 }", "not a whole number"},
           {"return { priority = '1' }", "not a whole number"},
           {"return { queue = 1 }", "not a name"},
           {"return { labels = 1 }", "no table"},
           {"return { labels = { a = 1 } }", "not a string"},
           {"return { labels = { 'a' } }", "not a string"},
           {"return c.reject()", "c.reject needs a message"},
           {"return w", "submit returned a view; return nothing to accept"},
           {"return c", "submit returned a view"},
           {"return { labels = w.label }", "a view cannot be kept"},
           {"return { labels = w['la' .. 'bel'] }", "write those that change: labels = {"},
           {"while true do end", "out of fuel"},
           {"return w.prioirty", "did you mean 'priority'?"}}) {
    const Said said = Submit(body);
    EXPECT_FALSE(said.outcome.ok) << body;
    EXPECT_THAT(said.outcome.message, HasSubstr(text)) << body;
    EXPECT_THAT(said.outcome.message, HasSubstr("policies/x/policy.lua:1")) << body;
  }
}

TEST(Submit, AnAnswerIsReadWithoutItsMetatable) {
  const std::string body = "return setmetatable({}, { __index = { priority = 9 } })";
  SandboxOptions options;
  options.source_rules = options.allow_list = false;
  EXPECT_FALSE(Submit(body, "", options).outcome.ok);
  options.raw_results = false;
  EXPECT_EQ(Submit(body, "", options).answer.priority, 9) << "nothing else stops it";
}

TEST(Submit, ARejectionIsSafeToShow) {
  const Said said = Submit("return c.reject('\\27[2J\\0no' .. string.rep('x', 2000))");
  ASSERT_TRUE(said.answer.rejected.has_value()) << said.outcome.message;
  EXPECT_THAT(*said.answer.rejected, HasSubstr(" [2J no"));
  EXPECT_LT(said.answer.rejected->size(), 600u);
}

TEST(Submit, OnErrorIsReadFromThePackage) {
  const auto policy = [](const char* more) {
    return Load(SourceOf(std::string("return { api = 1, name = 'x', ") + more +
                         "submit = function() end }"))
        .policy;
  };
  EXPECT_FALSE(policy("")->info().reject_on_error);
  EXPECT_FALSE(policy("on_error = 'accept', ")->info().reject_on_error);
  EXPECT_TRUE(policy("on_error = 'reject', ")->info().reject_on_error);
}

TEST(Submit, OnlySubmitCanReject) {
  PolicyBatch batch(1);
  EXPECT_THAT(Order(OrderOf("c.reject('no') return 1"), batch).message,
              HasSubstr("c.reject is for submit"));
}

}  // namespace
}  // namespace muster::luajit::testing
