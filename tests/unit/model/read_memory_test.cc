// Reading with a memory: the same values, less memory.
#include "engine/model/read_memory.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <variant>

#include "engine/model/byte_reader.h"
#include "engine/model/byte_writer.h"
#include "tests/unit/model/sample_objects.h"

namespace muster {
namespace {

struct Outcome {
  bool ok = false;
  bool at_end = false;
  Workload workload;
  bool operator==(const Outcome&) const = default;
};

Outcome Read(std::string_view bytes, ReadMemory* memory) {
  ByteReader reader(bytes, memory);
  Outcome outcome;
  VisitFields(reader, outcome.workload);
  outcome.ok = reader.ok();
  outcome.at_end = reader.AtEnd();
  return outcome;
}

std::string Written(const Workload& workload) {
  ByteWriter writer;
  VisitFields(writer, workload);
  return writer.Take();
}

Workload Sample() {
  return std::get<Workload>(SampleObjects()[static_cast<std::size_t>(ObjectKind::kWorkload)]);
}

/// The `i`-th of a series in which lists, maps and words come again, some with other neighbours.
Workload OfSeries(int i) {
  Workload workload = Sample();
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
    const std::string bytes = Written(OfSeries(i));
    const Outcome read = Read(bytes, &memory);
    ASSERT_TRUE(read.ok && read.at_end);
    ASSERT_TRUE(read.workload == OfSeries(i)) << i;
  }
}

TEST(ReadMemory, RefusesWhatReadersWithoutItRefuse) {
  ReadMemory memory;
  const std::string whole = Written(Sample());
  ASSERT_TRUE(Read(whole, &memory).ok);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ASSERT_FALSE(Read(std::string_view(whole).substr(0, size), &memory).ok) << size;
  }
  std::mt19937 random(7);
  for (int i = 0; i < 5'000; ++i) {
    std::string bytes = whole;
    bytes[random() % bytes.size()] = static_cast<char>(random());
    ASSERT_TRUE(Read(bytes, &memory) == Read(bytes, nullptr)) << "change " << i;
  }
  EXPECT_TRUE(Read(whole, &memory).workload == Sample()) << "damaged bytes left nothing behind";
}

TEST(ReadMemory, LetsEqualListsBeTheSameMemory) {
  ReadMemory memory;
  const std::string bytes = Written(Sample());
  const Workload first = Read(bytes, &memory).workload;
  const Workload second = Read(bytes, &memory).workload;
  EXPECT_EQ(first.pod_sets.data(), second.pod_sets.data());
  EXPECT_EQ(&first.labels.map(), &second.labels.map());
  EXPECT_EQ(first.queue.view().data(), second.queue.view().data());
  ASSERT_TRUE(first.status.admission);
  EXPECT_EQ(first.status.admission->pod_sets.data(), second.status.admission->pod_sets.data());
}

TEST(ReadMemory, AChangeOfOneIsNoChangeOfOthers) {
  ReadMemory memory;
  const std::string bytes = Written(Sample());
  Workload changed = Read(bytes, &memory).workload;
  changed.pod_sets[0].count += 1;
  changed.labels["new"] = "label";
  EXPECT_TRUE(Read(bytes, &memory).workload == Sample());
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
