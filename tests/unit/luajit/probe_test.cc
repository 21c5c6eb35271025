// What loading tries a new package on: the values that it compares fields with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Hidden {
  std::string name;
  std::string lua;
  std::string error;
};
std::ostream& operator<<(std::ostream& out, const Hidden& hidden) { return out << hidden.name; }

std::string Order(const std::string& body, const std::string& more = "",
                  const std::string& before = "") {
  return before + "return { api = 1, name = 'x', " + more +
         " queue_order = { reads = { 'now', 'account' }, function(w, c) " + body + " end } }";
}

const char* const kNil = "attempt to";

class HiddenError : public ::testing::TestWithParam<Hidden> {};

// The stored one has decided before: it loads as it did.
TEST_P(HiddenError, IsFoundBeforeTheFirstCycle) {
  const PackageSource source = SourceOf(GetParam().lua);
  const auto loaded = LoadPackage(source, {}, PackageAge::kStored);
  EXPECT_TRUE(loaded.ok()) << loaded.status().message();
  const auto problems = CheckPackage(source);
  ASSERT_FALSE(problems.empty()) << "no probe reached it";
  EXPECT_THAT(problems[0].ToString(), HasSubstr(GetParam().error));
  EXPECT_FALSE(LoadPackage(source).ok());
}

INSTANTIATE_TEST_SUITE_P(
    Probe, HiddenError,
    ::testing::Values(
        Hidden{"number_above", Order("if w.priority > 100000 then return nil + 1 end return 1"),
               kNil},
        Hidden{"number_equal",
               Order("if w.pods == 77 then return w[c.params.f] end return 1",
                     "params = { f = { type = 'string', default = 'foo' } },"),
               "no field 'foo'"},
        Hidden{"two_fields",
               Order("if w.gpus >= 512 and w.priority == -7 then return 1 / 0 end return 1"),
               "queue_order returned inf as key 1, for a made-up one with values that the policy "
               "compares with"},
        Hidden{"label",
               Order("if w.label.tier == 'platinum' then return 'x' end return 1",
                     "labels = { 'tier' },"),
               "returned a string as key 1"},
        Hidden{"label_read_as_a_huge_number",
               Order("local h = tonumber(w.label.hours) if h and h > 0 then return h * 3600 end "
                     "return 1",
                     "labels = { 'hours' },"),
               "queue_order returned inf as key 1"},
        Hidden{"label_that_is_no_number_but_looks_infinite",
               Order("local first = string.byte(w.label.hours) or 0 "
                     "if first > 104 and first < 106 then return nil + 1 end return 1 + "
                     "(tonumber(w.label.hours) and 1 or 0)",
                     "labels = { 'hours' },"),
               kNil},
        Hidden{"label_read_as_a_fraction",
               "return { api = 1, name = 'x', labels = { 'add' }, boost = function(w) "
               "return muster.clamp(tonumber(w.label.add) or 0, -9, 9) end }",
               "return a whole number"},
        Hidden{"label_read_as_a_tiny_number",
               Order("local h = tonumber(w.label.hours) if h and h > 0 then "
                     "return w.waited % h end return 1",
                     "labels = { 'hours' },"),
               "queue_order returned"},
        Hidden{"job_without_cpu", Order("return w.request.memory / w.request.cpu"),
               "queue_order returned"},
        Hidden{"queue_without_quota",
               "return { api = 1, name = 'x', share = { reads = { 'usage' }, function(n) "
               "return n.usage.cpu / n.nominal.cpu end } }",
               "share returned nan"},
        Hidden{"queue_that_can_have_nothing",
               "return { api = 1, name = 'x', share = { reads = { 'usage', 'lendable' }, "
               "function(n) return n.usage.cpu / n.lendable.cpu end } }",
               "share returned nan"},
        Hidden{"label_and_number",
               Order("local t = w.label.tier if t == 'gold' and w.preemptions == 40 then "
                     "return t.x.y end return 1",
                     "labels = { 'tier' },"),
               "no function 'string.x'"},
        Hidden{"key_of_a_table",
               Order("local s = kScale[w.label.tier] if s == nil then return 0 end return 1 / s",
                     "labels = { 'tier' },", "local kScale = { gold = 4, free = 0 } "),
               "returned inf"},
        Hidden{"parameter",
               Order("if w.waited > c.params.limit * 2 then return nil + 1 end return 1",
                     "params = { limit = { type = 'duration', default = '300d' } },"),
               kNil},
        Hidden{"scaled", Order("if w.waited / 86400 > 300 then return w.gpus .. '' end return 1"),
               "returned a string"},
        Hidden{"account",
               Order("if w.account.used >= 1e6 then return nil + 1 end return 1",
                     "accounts = { used = { by = 'namespace', of = 'cpu', half_life = '7d' } },"),
               kNil},
        Hidden{"namespace",
               Order("if w.namespace == 'kube-system' then return nil + 1 end return 1"), kNil},
        Hidden{"time", Order("if c.now >= 1893456000 then return nil + 1 end return 1"), kNil},
        Hidden{"glob",
               Order("if muster.glob(w.name, 'nightly-*') then return nil + 1 end return 1"), kNil},
        Hidden{"helper",
               Order("return late(w) and nil + 1 or 1", "",
                     "local function late(job) local m = job.max_run return m == 604800 end "),
               kNil},
        Hidden{"victim",
               "return { api = 1, name = 'x', victim = { reads = { 'now' }, function(v, p, c) "
               "if v.ran < 30 and p.priority > 5000 then return nil + 1 end return 1 end } }",
               kNil},
        Hidden{"share",
               "return { api = 1, name = 'x', share = { reads = { 'usage' }, function(n, c) "
               "if n.usage.cpu > 99999 then return nil + 1 end return 1 end } }",
               kNil},
        Hidden{"submit",
               "return { api = 1, name = 'x', labels = { 'team' }, submit = function(w, c) "
               "if w.request.cpu > 4096 and w.label.team == '' then return { priority = 'x' } end "
               "end }",
               "submit returned a priority that is not a whole number"},
        Hidden{"limits",
               "return { api = 1, name = 'x', preempt_limits = function(p, c) "
               "if p.gpus > 1000 then return 'many' end return 3 end }",
               "returned a string"},
        Hidden{"flavor",
               "return { api = 1, name = 'x', labels = { 'zone' }, flavor_order = "
               "function(w, f, c) if f.label.zone == 'b' then return nil + 1 end return 1 end }",
               kNil}),
    [](const ::testing::TestParamInfo<Hidden>& hidden) { return hidden.param.name; });

TEST(Probe, ASoundPackageStaysSound) {
  EXPECT_THAT(CheckPackage(SourceOf(
                  Order("local t = tonumber(w.label.tickets) or 1 if w.gpus > 4 then return t end "
                        "if w.waited > 3600 then return -t end return t / math.max(w.pods, 1)",
                        "labels = { 'tickets' },"))),
              IsEmpty());
}

TEST(Probe, MuchWorkBehindABranchIsForTheCycleToSay) {
  EXPECT_THAT(CheckPackage(SourceOf(Order(
                  "local s = 0 if w.gpus == 3 then for i = 1, 9000 do s = s + i % w.pods end end "
                  "return s"))),
              IsEmpty());
}

TEST(Probe, LinesThatNothingReachesAreNamed) {
  EXPECT_THAT(LinesNotTried(SourceOf(Order("\nif w.gpus > 4000 then\nreturn 1\nend\n"
                                           "if w.name:sub(1, 9) == 'no-' .. 'probe' then\n"
                                           "return 2\nend\nreturn 3"))),
              ElementsAre(6));
  EXPECT_THAT(LinesNotTried(SourceOf(Order("return 1"))), IsEmpty());
}

}  // namespace
}  // namespace muster::luajit::testing
