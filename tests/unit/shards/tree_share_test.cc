#include "bindings/shards/tree_share.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace muster {
namespace {

using Names = std::vector<std::string>;

TEST(TreeShare, OneThatIsAloneTakesAll) {
  EXPECT_EQ(NextMove({{}, {"a", "b"}, {}, {}}, 1).take, "b");
  EXPECT_EQ(NextMove({{"b"}, {"a"}, {}, {}}, 1).take, "a");
  const ShareMove rest = NextMove({{"a", "b"}, {}, {}, {}}, 1);
  EXPECT_FALSE(rest.take || rest.give);
}

TEST(TreeShare, AFreeOneIsForThoseThatHaveFewest) {
  EXPECT_FALSE(NextMove({{"a"}, {"b"}, {}, {0}}, 0).take);
  EXPECT_TRUE(NextMove({{"a"}, {"b"}, {}, {1}}, 0).take);
  EXPECT_TRUE(NextMove({{"a"}, {"b"}, {"b"}, {0}}, 0).take) << "which do not take it";
}

TEST(TreeShare, OneIsGivenBackOnlyWhereThatMakesItMoreEven) {
  EXPECT_FALSE(NextMove({{"a"}, {}, {}, {0}}, 0).give);
  EXPECT_EQ(NextMove({{"a", "b"}, {}, {}, {0}}, 0).give, "b");
  EXPECT_FALSE(NextMove({{"a", "b"}, {"c"}, {}, {0}}, 0).give) << "c may be enough";
}

/// Instances that come and go, and look one after the other.
class Instances {
 public:
  explicit Instances(std::size_t trees) {
    for (std::size_t i = 0; i < trees; ++i) free_.push_back("t" + std::to_string(i));
  }
  void Come() { serve_.emplace_back(); }
  void Go(std::size_t i) {
    free_.insert(free_.end(), serve_[i].begin(), serve_[i].end());
    serve_.erase(serve_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::size_t size() const { return serve_.size(); }
  /// Whether any of them moved a ledger.
  bool Round() {
    bool moved = false;
    for (std::size_t i = 0; i < serve_.size(); ++i) {
      ShareView view{serve_[i], free_, {}, {}};
      for (std::size_t k = 0; k < serve_.size(); ++k) {
        if (k != i) view.others.push_back(static_cast<std::int64_t>(serve_[k].size()));
      }
      const ShareMove move = NextMove(view, i);
      if (move.take) Transfer(*move.take, &free_, &serve_[i]);
      if (move.give) Transfer(*move.give, &serve_[i], &free_);
      moved = moved || move.take || move.give;
    }
    return moved;
  }
  bool AreEven() const {
    const auto [least, most] =
        std::minmax_element(serve_.begin(), serve_.end(),
                            [](const Names& a, const Names& b) { return a.size() < b.size(); });
    return free_.empty() && most->size() <= least->size() + 1;
  }

 private:
  static void Transfer(const std::string& tree, Names* from, Names* to) {
    ASSERT_EQ(std::erase(*from, tree), 1U) << "it moves what is there";
    to->push_back(tree);
  }

  Names free_;
  std::vector<Names> serve_;
};

TEST(TreeShare, InstancesThatComeAndGoEndUpEvenAndAtRest) {
  std::mt19937 random(17);
  for (int story = 0; story < 2'000; ++story) {
    const std::size_t trees = random() % 12;
    Instances instances(trees);
    instances.Come();
    for (int change = 0; change < 6; ++change) {
      if (instances.size() > 1 && random() % 2 == 0) {
        instances.Go(random() % instances.size());
      } else {
        instances.Come();
      }
      std::size_t rounds = 0;
      while (instances.Round() && rounds <= 4 * trees) ++rounds;
      ASSERT_LE(rounds, 2 * trees + 2) << "story " << story;
      ASSERT_TRUE(instances.AreEven()) << "story " << story;
    }
  }
}

using Ready = std::set<std::string>;

TEST(TreeShare, WhatIsLostIsDealtAmongThoseThatAreReadyForIt) {
  const std::vector<Instance> both = {{"x", 2, true, {"a", "b", "c"}},
                                      {"y", 1, true, {"a", "b", "c"}}};
  EXPECT_EQ(DealtTo("y", {"a", "b", "c"}, both), (Names{"a", "c"}))
      << "it has fewest, then is equal";
  EXPECT_EQ(DealtTo("x", {"a", "b", "c"}, both), Names{"b"});
  EXPECT_EQ(DealtTo("y", {"a", "b"}, {{"x", 5, true, {"b"}}, {"y", 0, true, {"a"}}}), Names{"a"});
  EXPECT_EQ(DealtTo("y", {"a"}, {{"x", 0, false, {}}, {"y", 3, true, {}}}), Names{})
      << "none is ready, so it is shared as one that must be read";
}

TEST(TreeShare, AllThatKnowTheSameDealAlike) {
  std::mt19937 random(23);
  for (int story = 0; story < 500; ++story) {
    const Names free = {"a", "b", "c", "d"};
    std::vector<Instance> instances;
    Ready any;
    for (const char* name : {"u", "v", "w"}) {
      Instance& each = instances.emplace_back(Instance{name, std::int64_t(random() % 4), true, {}});
      for (const std::string& ledger : free) {
        if (random() % 2 == 0) each.ready.insert(ledger);
      }
      any.insert(each.ready.begin(), each.ready.end());
    }
    Names dealt;
    for (const Instance& each : instances) {
      for (const std::string& ledger : DealtTo(each.name, free, instances)) {
        EXPECT_TRUE(each.ready.contains(ledger)) << "story " << story;
        dealt.push_back(ledger);
      }
    }
    std::sort(dealt.begin(), dealt.end());
    EXPECT_EQ(dealt, Names(any.begin(), any.end())) << "each once, in story " << story;
  }
}

TEST(TreeShare, OneIsGivenToAnInstanceThatIsReadyForIt) {
  const Names mine = {"a", "b", "c"};
  EXPECT_EQ(OneToGive("x", mine, {{"x", 3, true, {}}, {"y", 0, true, {"a", "b"}}}), "b");
  EXPECT_EQ(OneToGive("x", mine, {{"x", 3, true, {}}, {"y", 0, true, {}}}), std::nullopt)
      << "it reads them still";
  EXPECT_EQ(OneToGive("x", mine, {{"x", 3, true, {}}, {"y", 0, false, {}}}), "c")
      << "it will not be ready before it has it";
  EXPECT_EQ(OneToGive("x", mine, {{"x", 3, true, {}}, {"y", 0, true, {}}, {"z", 1, true, {"a"}}}),
            std::nullopt)
      << "y is to have the next one";
}

}  // namespace
}  // namespace muster
