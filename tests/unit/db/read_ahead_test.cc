// Two threads, and no caller can tell: the same rows in the same order, the same end.
#include "db/read_ahead.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace muster {
namespace {

struct Row {
  StateRow::Table table;
  std::string key;
  std::string value;
  bool operator==(const Row&) const = default;
};

std::vector<Row> Rows(int count) {
  std::vector<Row> rows;
  for (int i = 0; i < count; ++i) {
    const auto length = static_cast<std::size_t>(i % 1000 == 7 ? 300'000 : i % 90);
    rows.push_back({i % 5 == 0 ? StateRow::Table::kQueue : StateRow::Table::kWorkload,
                    "key " + std::to_string(i), std::string(length, 'x')});
  }
  return rows;
}

/// Reads `rows`, then ends with `end`.
auto ReaderOf(const std::vector<Row>& rows, Status end = Status::Ok()) {
  return [&rows, end](const RowVisitor& visitor) {
    for (const Row& row : rows) {
      if (Status status = visitor(row.table, row.key, row.value); !status.ok()) return status;
    }
    return end;
  };
}

/// Takes rows in until there are `most`.
RowVisitor Into(std::vector<Row>& taken, std::size_t most = 1'000'000) {
  return [&taken, most](StateRow::Table table, std::string_view key, std::string_view value) {
    if (taken.size() == most) return Status(StatusCode::kDataLoss, "enough");
    taken.push_back({table, std::string(key), std::string(value)});
    return Status::Ok();
  };
}

TEST(ReadAhead, GivesEveryRowInItsOrder) {
  for (const int count : {0, 1, 20'000}) {
    const std::vector<Row> rows = Rows(count);
    std::vector<Row> taken;
    EXPECT_TRUE(ReadAhead(ReaderOf(rows), Into(taken)).ok());
    EXPECT_TRUE(taken == rows) << count;
  }
}

TEST(ReadAhead, TakesInOnTheThreadThatAsked) {
  const std::vector<Row> rows = Rows(10);
  const RowVisitor visitor = [me = std::this_thread::get_id()](auto, auto, auto) {
    return std::this_thread::get_id() == me ? Status::Ok() : Status(StatusCode::kInternal, "no");
  };
  EXPECT_TRUE(ReadAhead(ReaderOf(rows), visitor).ok());
}

TEST(ReadAhead, EndsWithWhatReadingEndedWithAfterAllRowsBeforeIt) {
  const std::vector<Row> rows = Rows(5000);
  std::vector<Row> taken;
  const Status status = ReadAhead(ReaderOf(rows, {StatusCode::kDataLoss, "damaged"}), Into(taken));
  EXPECT_EQ(status.message(), "damaged");
  EXPECT_TRUE(taken == rows);
}

TEST(ReadAhead, EndsWithTheFirstRowThatIsRefused) {
  const std::vector<Row> rows = Rows(20'000);
  for (const std::size_t most : {0u, 1u, 5000u}) {
    std::vector<Row> taken;
    const auto reader = ReaderOf(rows, {StatusCode::kDataLoss, "damaged"});
    EXPECT_EQ(ReadAhead(reader, Into(taken, most)).message(), "enough");
    EXPECT_EQ(taken.size(), most);
  }
}

TEST(ReadAhead, LetsExceptionsOfBothSidesThrough) {
  const std::vector<Row> rows = Rows(20'000);
  const auto breaks = [](auto, auto, auto) -> Status { throw std::runtime_error("takes"); };
  EXPECT_THROW((void)ReadAhead(ReaderOf(rows), breaks), std::runtime_error);
  std::vector<Row> taken;
  const auto broken = [&](const RowVisitor& visitor) -> Status {
    (void)ReaderOf(rows)(visitor);
    throw std::runtime_error("reads");
  };
  EXPECT_THROW((void)ReadAhead(broken, Into(taken)), std::runtime_error);
  EXPECT_TRUE(taken == rows);
}

}  // namespace
}  // namespace muster
