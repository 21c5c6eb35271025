// What hook domain_order sees of a topology domain, and which keys of its table are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::SourceOf;

std::string PackageOf(const std::string& hook) {
  return "return { api = 1, name = 'x', labels = { 'zone' }, domain_order = " + hook + " }";
}

std::string ProblemOf(const std::string& hook) {
  const std::vector<PackageProblem> problems = CheckPackage(SourceOf(PackageOf(hook)));
  return problems.empty() ? "" : problems[0].ToString();
}

TEST(DomainView, HasWhatItsRowHas) {
  const LoadedPackage loaded = Load(SourceOf(PackageOf(
      "{ reads = { 'free', 'placed' }, per = 'label:zone', function(d, w, c) "
      "local n = d.depth + 10 * d.hosts + 100 * d.room + 1000 * d.gpus + 10000 * d.free_gpus "
      "n = n + 1e5 * d.total.cpu + 1e6 * d.free.cpu + 1e7 * d.placed.zone "
      "if d.level == 'rack' and d.name == 'r1' and d.label.zone == 'a' then n = -n end "
      "return n end }")));
  ASSERT_NE(loaded.policy, nullptr) << loaded.problems[0].ToString();
  testing::PolicyBatch rows(1);
  rows.AddResource("cpu");
  std::vector<muster_domain> domains(2);
  muster_domain& first = domains[0];
  first.depth = 1;
  first.hosts = 2;
  first.room = 3;
  first.gpus = 4;
  first.free_gpus = 5;
  first.total[0] = 6;
  first.free[0] = 7;
  first.placed[0] = 8;
  first.level = rows.Intern("rack");
  first.name = rows.Intern("r1");
  first.label[0] = rows.Intern("a");
  domains[1].level = first.level;
  const muster_workload subject = rows[0];
  muster_batch batch = rows.Get();
  batch.workloads = nullptr;
  batch.domains = domains.data();
  batch.count = 2;
  batch.subject = &subject;
  std::vector<double> answers(2);
  const HookOutcome outcome = loaded.policy->Call(Hook::kDomainOrder, batch, answers);
  ASSERT_TRUE(outcome.ok) << outcome.message;
  EXPECT_THAT(answers, ElementsAre(-87654321.0, 0.0));
}

TEST(DomainView, TellsWhatIsMissingFromItsTable) {
  EXPECT_THAT(ProblemOf("function(d) return d.room end"), HasSubstr("add reads = {\"free\"}"));
  EXPECT_THAT(ProblemOf("{ reads = { 'placed' }, function(d) return d.placed.zone end }"),
              HasSubstr("per = \"label:NAME\""));
  EXPECT_THAT(ProblemOf("{ reads = { 'placed' }, per = 'planet', function(d) return 1 end }"),
              HasSubstr("accounts cannot be kept by 'planet'"));
  EXPECT_THAT(ProblemOf("function(d) return d.label.rack end"), HasSubstr("add it to labels"));
  EXPECT_THAT(ProblemOf("function(d, w) return w.gpu end"), HasSubstr("did you mean 'gpus'?"));
  EXPECT_EQ(ProblemOf("{ reads = { 'free' }, function(d, w, c) return d.free.cpu end }"), "");
}

}  // namespace
}  // namespace muster::luajit
