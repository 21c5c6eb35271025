// A row read into a record says what it says when it is read as a value, whatever was read before.
#include "engine/record/read_record.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/codec/byte_writer.h"
#include "engine/state/whole_workload.h"
#include "tests/testing/builders.h"
#include "tests/unit/model/sample_objects.h"

namespace muster {
namespace {

using StoredWhole = StoredWorkloadOf<Workload, std::string>;

std::string RowOf(const Workload& workload, std::int64_t arrival) {
  StoredWhole stored;
  stored.spec = workload;
  stored.arrival = arrival;
  stored.message = arrival % 2 == 0 ? "why" : "";
  stored.room_from = {workload.key};
  ByteWriter writer;
  VisitFields(writer, std::as_const(stored));
  return writer.Take();
}

template <typename Stored>
bool Decodes(ByteReader& reader, Stored& stored) {
  VisitFields(reader, stored);
  return reader.ok() && reader.AtEnd();
}

/// Reads row after row in the same memory and compares each with what it says as a value.
class Reading {
 public:
  /// Whether the row decodes.
  bool Read(std::string_view row) {
    StoredWhole whole;
    ByteReader plain(row);
    const bool decodes = Decodes(plain, whole);
    WorkloadRecord record;
    ReadWorkload read{.spec = {record, recent_}};
    ByteReader reader(row, &memory_);
    EXPECT_EQ(Decodes(reader, read), decodes);
    if (!decodes) return false;
    WorkloadRecord kept;
    KeepWorkload(whole.spec, kept);
    EXPECT_TRUE(WholeWorkload(record) == WholeWorkload(kept));
    EXPECT_EQ(read.arrival, whole.arrival);
    EXPECT_EQ(read.message, whole.message);
    EXPECT_EQ(read.room_from, whole.room_from);
    return true;
  }

 private:
  ReadMemory memory_;
  RecentRecords recent_;
};

Workload Sample() {
  return std::get<Workload>(SampleObjects()[static_cast<std::size_t>(ObjectKind::kWorkload)]);
}

/// Of two templates and three queues; half of them hold quota since their own time.
std::vector<Workload> Many() {
  std::vector<Workload> workloads;
  for (int i = 0; i < 60; ++i) {
    const std::string queue = "q" + std::to_string(i % 3);
    Workload workload =
        testing::MakeWorkload("w" + std::to_string(i), queue, testing::Cpu(1 + i % 2), i % 2);
    if (i % 4 < 2) {
      workload = testing::Holding(workload, queue);
      for (Condition& condition : workload.status.conditions) {
        condition.message = "by " + queue;
        condition.since = testing::kNoon + i / 7 * kSecond;
      }
      workload.status.conditions.front().since += i % 5 * kSecond;
      if (i % 6 == 0) workload.status.conditions.back().since = kNoTime;
    }
    if (i % 5 == 0) workload.labels = LabelMap{{"team", "t" + std::to_string(i % 4)}};
    if (i % 11 == 0) workload.annotations = LabelMap{{"note", std::to_string(i)}};
    workload.active = i % 13 != 0;
    workloads.push_back(std::move(workload));
  }
  workloads.push_back(Sample());
  workloads.push_back(Workload());
  return workloads;
}

TEST(ReadRecord, SaysWhatTheRowSaysWhateverWasReadBefore) {
  Reading reading;
  for (int round = 0; round < 3; ++round) {
    std::int64_t arrival = 0;
    for (const Workload& workload : Many()) {
      ASSERT_TRUE(reading.Read(RowOf(workload, ++arrival))) << workload.key.ToString();
    }
  }
}

TEST(ReadRecord, TimesOfAKnownListMayBeAnything) {
  Reading reading;
  constexpr TimeNs kMost = std::numeric_limits<TimeNs>::max();
  for (const TimeNs first : {TimeNs{0}, TimeNs{-1}, kNoTime + 1, kMost, kNoTime}) {
    for (const TimeNs second : {TimeNs{0}, TimeNs{5}, kNoTime + 1, kMost, kNoTime}) {
      Workload workload = testing::Holding(testing::MakeWorkload("w", "q", testing::Cpu(1)), "q");
      workload.status.conditions.front().since = first;
      workload.status.conditions.back().since = second;
      for (int times = 0; times < 2; ++times) ASSERT_TRUE(reading.Read(RowOf(workload, 1)));
    }
  }
}

TEST(ReadRecord, RefusesEveryPrefixAndTrailingBytes) {
  Reading reading;
  for (const Workload& workload : {Many().front(), Sample()}) {
    const std::string row = RowOf(workload, 4711);
    for (int known = 0; known < 2; ++known) {
      for (std::size_t size = 0; size < row.size(); ++size) {
        ASSERT_FALSE(reading.Read(row.substr(0, size))) << size << " of " << row.size();
      }
      ASSERT_FALSE(reading.Read(row + '\0'));
      ASSERT_TRUE(reading.Read(row));
    }
  }
}

TEST(ReadRecord, RefusesTheSameDamage) {
  constexpr std::uint64_t kSeed = 20261122;
  std::mt19937_64 random(kSeed);
  Reading reading;
  const std::vector<Workload> workloads = Many();
  for (int round = 0; round < 5000; ++round) {
    std::string row = RowOf(workloads[random() % workloads.size()], std::int64_t{1} << round % 60);
    for (std::size_t n = random() % 3; n > 0; --n) {
      row[random() % row.size()] = static_cast<char>(random());
    }
    (void)reading.Read(row);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << kSeed << ", round " << round;
  }
}

}  // namespace
}  // namespace muster
