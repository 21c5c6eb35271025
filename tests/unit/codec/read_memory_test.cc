// Reading with a memory: the same values, less memory.
#include "engine/codec/read_memory.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "engine/codec/byte_reader.h"
#include "engine/codec/byte_writer.h"
#include "tests/unit/model/sample_objects.h"

namespace muster {
namespace {

struct ReadOutcome {
  bool ok = false;
  bool at_end = false;
  Workload workload;
  bool operator==(const ReadOutcome&) const = default;
};

ReadOutcome ReadWorkload(std::string_view bytes, ReadMemory* memory) {
  ByteReader reader(bytes, memory);
  ReadOutcome outcome;
  VisitFields(reader, outcome.workload);
  outcome.ok = reader.ok();
  outcome.at_end = reader.AtEnd();
  return outcome;
}

std::string WorkloadBytes(const Workload& workload) {
  ByteWriter writer;
  VisitFields(writer, workload);
  return writer.Take();
}

/// The `i`-th of a series in which lists, maps and words come again, some with other neighbours.
Workload WorkloadOfSeries(int i) {
  Workload workload = SampleWorkload();
  workload.key.name += std::to_string(i);
  workload.uid = "uid " + std::to_string(i);
  workload.pod_sets[0].count = 1 + i % 3;
  workload.labels["turn"] = std::to_string(i % 12);  // more than are remembered
  if (i % 5 == 0) workload.pod_sets.clear();
  if (i % 4 == 0) workload.status.admission.reset();
  return workload;
}

TEST(ReadMemory, ReadsWhatReadersWithoutItRead) {
  ReadMemory memory;
  for (int i = 0; i < 100; ++i) {
    const std::string bytes = WorkloadBytes(WorkloadOfSeries(i));
    const ReadOutcome read = ReadWorkload(bytes, &memory);
    ASSERT_TRUE(read.ok && read.at_end);
    ASSERT_TRUE(read.workload == WorkloadOfSeries(i)) << i;
  }
}

TEST(ReadMemory, RefusesWhatReadersWithoutItRefuse) {
  ReadMemory memory;
  const std::string whole = WorkloadBytes(SampleWorkload());
  ASSERT_TRUE(ReadWorkload(whole, &memory).ok);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ASSERT_FALSE(ReadWorkload(std::string_view(whole).substr(0, size), &memory).ok) << size;
  }
  std::mt19937 random(7);
  for (int i = 0; i < 5'000; ++i) {
    std::string bytes = whole;
    bytes[random() % bytes.size()] = static_cast<char>(random());
    ASSERT_TRUE(ReadWorkload(bytes, &memory) == ReadWorkload(bytes, nullptr)) << "change " << i;
  }
  EXPECT_TRUE(ReadWorkload(whole, &memory).workload == SampleWorkload())
      << "damaged bytes left nothing behind";
}

TEST(ReadMemory, LetsEqualListsBeTheSameMemory) {
  ReadMemory memory;
  const std::string bytes = WorkloadBytes(SampleWorkload());
  const Workload first = ReadWorkload(bytes, &memory).workload;
  const Workload second = ReadWorkload(bytes, &memory).workload;
  EXPECT_EQ(first.pod_sets.data(), second.pod_sets.data());
  EXPECT_EQ(&first.labels.map(), &second.labels.map());
  EXPECT_EQ(first.queue.view().data(), second.queue.view().data());
  ASSERT_TRUE(first.status.admission);
  EXPECT_EQ(first.status.admission->pod_sets.data(), second.status.admission->pod_sets.data());
}

TEST(ReadMemory, AChangeOfOneIsNoChangeOfOthers) {
  ReadMemory memory;
  const std::string bytes = WorkloadBytes(SampleWorkload());
  Workload changed = ReadWorkload(bytes, &memory).workload;
  changed.pod_sets[0].count += 1;
  changed.labels["new"] = "label";
  EXPECT_TRUE(ReadWorkload(bytes, &memory).workload == SampleWorkload());
}

TEST(RecentTexts, WordsThatCameTwiceStayAmongThoseThatComeOnce) {
  RecentTexts texts;
  const Text often = texts.Get("a queue");
  int same = 0;
  for (int i = 0; i < 10'000; ++i) {
    if (texts.Get("a queue").view().data() == often.view().data()) ++same;
    EXPECT_EQ(texts.Get(std::to_string(i)), std::to_string(i));
  }
  EXPECT_EQ(same, 10'000);
  EXPECT_TRUE(texts.Get("").empty());
}

}  // namespace
}  // namespace muster
