// Victims under fair sharing where hooks have a say: preemptors that share their view of the tree,
// one after another while each takes and charges, find what each finds by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/policy/policy_calls.h"
#include "engine/policy/policy_table.h"
#include "engine/preempt/preemption_search.h"
#include "tests/property/crowded_heads.h"
#include "tests/property/crowded_tree.h"
#include "tests/property/for_each_world.h"

namespace muster::testing {
namespace {

/// Shares and costs without sense, but always the same for the same row.
class RandomSay final : public Policy {
 public:
  explicit RandomSay(Choices& choices) : seed_(choices.Below(1000)) {
    info_.name = "say";
    info_.hash = std::string(64, 'e');
    const std::int64_t which = choices.Below(3);
    if (which != 0) Add(Hook::kShare).reads = {"native_share", "usage"};
    if (which != 1) {
      HookInfo& info = Add(Hook::kVictim);
      info.named = std::vector<std::string>{"priority"};
      same_queue_ = choices.OneIn(3);
      borrowing_ = choices.OneIn(3);
      subject_ = choices.OneIn(3);
      if (same_queue_) info.named->push_back("same_queue");
      if (borrowing_) info.named->push_back("borrowing");
      info.reads_subject = subject_;
      if (choices.OneIn(2)) {
        info.per = {{choices.OneIn(2) ? AccountBy::kClusterQueue : AccountBy::kNamespace, ""}};
        info.keys = 3;
        budgets_ = true;
      }
    }
    if (choices.OneIn(3)) Add(Hook::kPreemptLimits).keys = 2;
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook hook, const muster_batch& batch, std::span<double> answers) override {
    ++calls;
    if (hook == Hook::kPreemptLimits) {
      answers[0] = 2;
      answers[1] = std::numeric_limits<double>::infinity();
      return {};
    }
    if (hook == Hook::kVictim && budgets_) {
      for (std::size_t i = 0; i < batch.count; ++i) {
        const auto priority = static_cast<std::int64_t>(batch.workloads[i].priority);
        answers[3 * i] = CostFor(batch, i);
        answers[3 * i + 1] = static_cast<double>((priority + seed_) % 3);
        answers[3 * i + 2] = static_cast<double>((priority * 5 + seed_) % 7);
      }
      return {};
    }
    for (std::size_t i = 0; i < answers.size(); ++i) {
      answers[i] = hook == Hook::kShare ? ShareFor(batch.nodes[i]) : CostFor(batch, i);
    }
    return {};
  }
  int calls = 0;

 private:
  HookInfo& Add(Hook hook) {
    HookInfo& info = info_.hooks.emplace_back();
    info.hook = hook;
    return info;
  }
  double ShareFor(const muster_node& node) const {
    const auto usage = static_cast<std::int64_t>(node.usage[0] * 8);
    return static_cast<double>((usage * 7 + seed_) % 11) + node.is_cohort;
  }
  double CostFor(const muster_batch& batch, std::size_t i) const {
    auto cost = static_cast<std::int64_t>(batch.workloads[i].priority) * 3 + seed_;
    if (same_queue_) cost += static_cast<std::int64_t>(batch.holdings[i].same_queue) * 5;
    if (borrowing_) cost += static_cast<std::int64_t>(batch.holdings[i].borrowing) * 2;
    if (subject_) cost += static_cast<std::int64_t>(batch.subject->priority) % 2;
    return cost % 7 == 0 ? std::numeric_limits<double>::infinity() : static_cast<double>(cost % 5);
  }

  std::int64_t seed_;
  bool same_queue_ = false, borrowing_ = false, subject_ = false, budgets_ = false;
  PolicyInfo info_;
};

/// Of each key victims spend together no more than any of them says is left.
void ExpectWithinBudgets(const PreemptionSearch& search, const muster::World& world,
                         const std::vector<Victim>& victims) {
  std::map<std::string, std::pair<double, double>> spent;
  for (const Victim& victim : victims) {
    if (victim.spending.spends == 0 || world.workload(victim.workload).evicted) continue;
    const auto [of, is_new] = spent.try_emplace(search.BudgetOf(victim), 0, victim.spending.left);
    of->second.first += victim.spending.spends;
    of->second.second = std::min(of->second.second, victim.spending.left);
  }
  for (const auto& [key, of] : spent) EXPECT_LE(of.first, of.second) << key;
}

/// Heads in turn, some of them twice: each takes its victims and is charged, or is charged without,
/// or leaves everything as it was.
void CheckHooked(const std::vector<Object>& objects, Choices& choices, int* found) {
  muster::World world;
  Load(objects, world);
  PolicyTable table;
  const auto say = std::make_shared<RandomSay>(choices);
  table.Activate(world, say);
  PolicyCalls calls(world, table, 1);
  const std::vector<const WorkloadRecord*> heads = HeadsOf(world);
  PreemptionSearch sharing(world, {}, &calls);
  // What a repetition makes, which reports: as many calls.
  PreemptionSearch reporting(world, {}, &calls);
  const auto find = [&](const PreemptionRequest& request) {
    const int before = say->calls;
    std::vector<Victim> victims = sharing.FindVictims(request);
    const int made = std::exchange(say->calls, 0) - before;
    SearchReport report;
    EXPECT_EQ(ShowVictims(world, reporting.FindVictims(request, &report)),
              ShowVictims(world, victims));
    EXPECT_EQ(std::exchange(say->calls, 0), made);
    ExpectWithinBudgets(sharing, world, victims);
    return victims;
  };
  // First as in nomination, on a tree on which nothing is tried.
  const auto alone = [&](const PreemptionRequest& request, const Claims* taken) {
    PreemptionSearch search(world, {}, &calls);
    search.SetClaims(taken, false);
    return ShowVictims(world, search.FindVictims(request));
  };
  for (std::size_t turn = 0; turn < 2 * heads.size(); ++turn) {
    const Asked asked(world, *heads[turn % heads.size()], choices);
    EXPECT_EQ(ShowVictims(world, find(asked.Request())), alone(asked.Request(), nullptr))
        << asked.head.spec.key.name << ", turn " << turn;
  }
  std::deque<CapacityMark> marks;
  for (std::uint32_t tree = 0; tree < world.capacity.trees().size(); ++tree) {
    marks.emplace_back(world.capacity, tree);
  }
  std::map<std::uint32_t, Claims> claims;
  for (std::size_t turn = 0; turn < 3 * heads.size(); ++turn) {
    const Asked asked(world, *heads[turn % heads.size()], choices);
    const PreemptionRequest request = asked.Request();
    Claims& taken = claims[asked.queue.tree];
    const std::string expected = alone(request, &taken);
    sharing.SetClaims(&taken, true);
    reporting.SetClaims(&taken, true);
    const std::vector<Victim> victims = find(request);
    EXPECT_EQ(ShowVictims(world, victims), expected)
        << asked.head.spec.key.name << ", turn " << turn;
    *found += !victims.empty() && !taken.victims.empty();
    if (choices.OneIn(3)) continue;
    Take(world, asked, victims, taken);
  }
  EXPECT_TRUE(calls.failures().empty());
}

void CheckAllHooked(int count, Seeds seeds) {
  int found = 0;
  ForEach(MakeCrowdedTree, count, seeds, [&](const std::vector<Object>& objects, Choices& choices) {
    CheckHooked(objects, choices, &found);
  });
  if (std::getenv("MUSTER_SEED") == nullptr) {
    EXPECT_GT(found, count / 4);
  }
}

TEST(HookedVictims, AreThoseThatEachPreemptorFindsAlone) { CheckAllHooked(1000, Seeds::kFixed); }
TEST(LongHookedVictims, AreThoseThatEachPreemptorFindsAlone) {
  CheckAllHooked(1'500, Seeds::kFresh);
}
TEST(NightHookedVictims, AreThoseThatEachPreemptorFindsAlone) {
  CheckAllHooked(25'000, Seeds::kFresh);
}

}  // namespace
}  // namespace muster::testing
