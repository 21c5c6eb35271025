// What a sound package declares and never reads, and a folder of another name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bindings/luajit/package_doubts.h"
#include "bindings/luajit/time_zone.h"
#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kDoubtedZone = "Europe/Zurich";

/// In folder "policies/x".
std::vector<std::string> DoubtsOf(const std::string& lua) {
  PackageSource source = SourceOf(lua);
  if (lua.find(kDoubtedZone) != std::string::npos) {
    source.files.push_back({"zones/" + std::string(kDoubtedZone), *ReadSystemZone(kDoubtedZone)});
  }
  for (const PackageProblem& problem : CheckPackage(source)) {
    ADD_FAILURE() << problem.ToString() << "\n" << lua;
  }
  std::vector<std::string> texts;
  for (const PackageProblem& doubt : DoubtsAbout(source)) texts.push_back(doubt.ToString());
  return texts;
}

std::string Declaring(const std::string& declared, const std::string& hook) {
  return "return { api = 1, name = 'x',\n" + declared + "\n" + hook + " }";
}

TEST(Doubts, AnInputThatNoFieldStandsFor) {
  EXPECT_THAT(DoubtsOf(Declaring("",
                                 "queue_order = { reads = { 'now',\n'account' }, function(w, c)\n"
                                 "return w.waited end }")),
              ElementsAre("policies/x/policy.lua:4:1: queue_order declares 'account' and reads "
                          "nothing that it stands for; remove it from reads: whenever it changes "
                          "the hook is asked again"));
  EXPECT_THAT(
      DoubtsOf(Declaring("", "queue_order = { reads = {'now'}, function(w) return w.gpus end }")),
      ElementsAre(HasSubstr(":3:26: queue_order declares 'now'")));
}

TEST(Doubts, OfEachHookItsOwn) {
  EXPECT_THAT(
      DoubtsOf(Declaring("queue_order = { reads = {'now'}, function(w) return w.gpus end },",
                         "hold = { reads = {'now'}, function(w, c) if w.waited < 60 then\n"
                         "return c.hold('young', c.now + 60) end end }")),
      ElementsAre(HasSubstr("queue_order declares 'now'")));
}

TEST(Doubts, AccountsLabelsAndZonesThatNoHookReads) {
  EXPECT_THAT(
      DoubtsOf(
          Declaring("labels = { 'tier',\n'team' }, zones = { 'Europe/Zurich' },\n"
                    "accounts = { used = { by = 'label:team', of = 'cpu', half_life = '1d' } },",
                    "queue_order = function(w) return w.gpus end")),
      ElementsAre(HasSubstr(":2:12: label 'tier' is declared and no hook reads it; read "
                            "w.label[\"tier\"], or remove it"),
                  HasSubstr(":3:21: time zone 'Europe/Zurich' is declared and no hook asks for it"),
                  HasSubstr(":4:14: account 'used' is kept and no hook reads it; read "
                            "w.account.used, or remove it")));
}

TEST(Doubts, NoneWhereAllIsRead) {
  const std::string declared =
      "labels = { 'tier' }, zones = { 'Europe/Zurich' },\n"
      "accounts = { used = { by = 'namespace', of = 'cpu', half_life = '1d' } },";
  for (const std::string body :
       {"local used = w.account.used return used + #w.label.tier + "
        "c.local_time('Europe/Zurich').hour",
        "local zone, name = 'Europe/Zurich', 'used'\n"
        "return c.local_time(zone).hour, w.account[name], #w.label['tier']",
        "return c.rng('x', 'day') + w.account.used, c.local_time('Europe/Zurich').day, "
        "#w.label.tier"}) {
    EXPECT_THAT(DoubtsOf(Declaring(declared,
                                   "queue_order = { reads = { 'now', 'account' }, "
                                   "function(w, c) " +
                                       body + " end }")),
                IsEmpty())
        << body;
  }
}

TEST(Doubts, AnExpectedRunIsWhatItsLabelSays) {
  EXPECT_THAT(
      DoubtsOf(Declaring("labels = { 'muster.dev/expected-run' },",
                         "queue_order = function(w) return -math.min(w.expected_run, 1e9) end")),
      IsEmpty());
  EXPECT_THAT(DoubtsOf(Declaring("labels = { 'muster.dev/expected-run' },",
                                 "queue_order = function(w) return w.gpus end")),
              ElementsAre(HasSubstr("is declared and no hook reads it")));
}

// What a helper reads that is handed the view through a protected call is out of sight.
TEST(Doubts, NoneWhereAViewGoesOutOfSight) {
  EXPECT_THAT(DoubtsOf("local function read(w, name) return w[name] end\n" +
                       Declaring("labels = { 'tier' },",
                                 "queue_order = { reads = {'now'}, function(w)\n"
                                 "local _, waited = pcall(read, w, 'waited') return waited end }")),
              IsEmpty());
}

TEST(Doubts, AFolderThatIsCalledOtherwise) {
  EXPECT_THAT(
      DoubtsOf("return { api = 1, name = 'other', queue_order = function(w) return 1 end }"),
      ElementsAre("policies/x/policy.lua:1:19: the package is called 'other' and its folder "
                  "'x'; rename one of them: PolicyBindings say the name, and find the "
                  "folder by it"));
}

}  // namespace
}  // namespace muster::luajit::testing
