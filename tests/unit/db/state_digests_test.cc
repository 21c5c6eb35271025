#include "db/postgres/state_digests.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace muster {
namespace {

class StateDigestsOfRows : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(PrepareHashing().ok()); }

  /// One change; now and then of a row that the same commit has already.
  StateRow Change() {
    constexpr StateRow::Table kTables[] = {StateRow::Table::kObject, StateRow::Table::kWorkload,
                                           StateRow::Table::kQueue, StateRow::Table::kEngine};
    StateRow row{kTables[random_() % 4], "a/" + std::to_string(random_() % 700), std::nullopt};
    if (random_() % 3 != 0) {
      row.value = std::to_string(random_());
      if (row.table == StateRow::Table::kWorkload) row.workload.emplace().uid = "u";
      rows_[PlaceOf(row)] = row;
    } else {
      rows_.erase(PlaceOf(row));
    }
    return row;
  }
  std::uint64_t Sum() const {
    FieldBuffer fields;
    std::uint64_t sum = 0;
    for (const auto& [place, row] : rows_) sum += DigestOf(row, &fields);
    return sum;
  }

  std::mt19937_64 random_{1};
  std::map<RowPlace, StateRow> rows_;
};

TEST_F(StateDigestsOfRows, AreTheSumOfThoseThatAreThereAfterEveryCommit) {
  StateDigests digests;
  digests.Add({});
  EXPECT_EQ(digests.sum(), 0u);
  for (const int size : {1, 2, 255, 256, 257, 1000, 3, 0, 5000, 100}) {
    std::vector<StateRow> commit;
    for (int i = 0; i < size; ++i) commit.push_back(Change());
    digests.Add(commit);
    ASSERT_EQ(digests.sum(), Sum()) << size;
  }
}

TEST_F(StateDigestsOfRows, GoOnFromAStateThatWasRead) {
  for (int i = 0; i < 1000; ++i) Change();
  PgState state;
  state.digest = Sum();
  state.rows = rows_;
  StateDigests digests(state);
  std::vector<StateRow> commit;
  for (int i = 0; i < 1000; ++i) commit.push_back(Change());
  digests.Add(commit);
  EXPECT_EQ(digests.sum(), Sum());
}

TEST_F(StateDigestsOfRows, KnowARowByItsTableAndItsKey) {
  EXPECT_EQ(HashOfText("1a/b"), HashOfText("1a/b"));
  EXPECT_FALSE(HashOfText("1a/b") == HashOfText("0a/b"));
  StateDigests digests;
  const StateRow workload{StateRow::Table::kWorkload, "a/b", "x"};
  const StateRow object{StateRow::Table::kObject, "a/b", "x"};
  digests.Add(std::vector{workload, object});
  FieldBuffer fields;
  EXPECT_EQ(digests.sum(), DigestOf(workload, &fields) + DigestOf(object, &fields));
}

}  // namespace
}  // namespace muster
