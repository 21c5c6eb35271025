// What a memory of lists changes is the time: bytes and JSON are the same with it and without.
#include "engine/codec/written_memory.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "engine/codec/byte_writer.h"
#include "engine/codec/json_fields.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

std::string Bytes(const Workload& workload, WrittenMemory* memory) {
  ByteWriter writer(memory);
  VisitFields(writer, workload);
  return writer.Take();
}

std::string Json(const Workload& workload, WrittenMemory* memory) {
  JsonWriter writer(memory);
  WriteJson(writer, workload);
  return writer.Take();
}

/// Two series of one template each, and one that has changed its own podsets.
std::vector<Workload> Jobs() {
  const Workload small = testing::MakeWorkload("small", "lq", testing::Cpu(1));
  const Workload large = testing::MakeWorkload("large", "lq", testing::Cpu(64));
  std::vector<Workload> jobs = {small, large, small, large, small};
  jobs.back().pod_sets[0].count = 7;
  jobs.push_back(Workload{});
  return jobs;
}

TEST(WrittenMemory, ChangesNoByte) {
  WrittenMemory memory;
  for (const Workload& job : Jobs()) EXPECT_EQ(Bytes(job, &memory), Bytes(job, nullptr));
}

TEST(WrittenMemory, ChangesNoJson) {
  WrittenMemory memory;
  for (const Workload& job : Jobs()) EXPECT_EQ(Json(job, &memory), Json(job, nullptr));
}

TEST(WrittenMemory, HoldsAListSoThatNoOtherTakesItsPlace) {
  WrittenMemory memory;
  for (int i = 0; i < 1000; ++i) {
    const Workload job = testing::MakeWorkload("job", "lq", testing::Cpu(i));
    ASSERT_EQ(Bytes(job, &memory), Bytes(job, nullptr)) << i;
  }
}

TEST(WrittenMemory, AListThatIsChangedAfterwardsIsWrittenAsItIs) {
  WrittenMemory memory;
  Workload job = testing::MakeWorkload("job", "lq", testing::Cpu(1));
  Bytes(job, &memory);
  job.pod_sets[0].count = 5;
  EXPECT_EQ(Bytes(job, &memory), Bytes(job, nullptr));
}

}  // namespace
}  // namespace muster
