// What a record keeps of a workload is all of it.
#include "engine/state/whole_workload.h"

#include <gtest/gtest.h>

#include "engine/codec/byte_writer.h"
#include "engine/codec/codec.h"
#include "engine/codec/json_fields.h"
#include "tests/testing/builders.h"
#include "tests/unit/model/sample_objects.h"

namespace muster {
namespace {

Workload ThereAndBack(const Workload& workload) {
  WorkloadRecord record;
  KeepWorkload(workload, record);
  return WholeWorkload(record);
}

TEST(WholeWorkload, SaysWhatItSaidBeforeInEveryField) {
  const Workload full = SampleWorkload();
  EXPECT_EQ(ThereAndBack(full), full);
  EXPECT_EQ(ThereAndBack(Workload()), Workload());
}

TEST(WholeWorkload, IsWrittenFromTheRecordAsFromTheWorkload) {
  for (const Workload& workload : {SampleWorkload(), Workload()}) {
    WorkloadRecord record;
    KeepWorkload(workload, record);
    ByteWriter of_record, of_workload;
    VisitFields(of_record, record);
    VisitFields(of_workload, workload);
    EXPECT_EQ(of_record.bytes(), of_workload.bytes());
    JsonWriter json;
    WriteJson(json, record);
    EXPECT_EQ(json.Take(), ToCanonicalJson(workload));
  }
}

TEST(WholeWorkload, ThatHasNothingRareTakesNoMemoryForIt) {
  WorkloadRecord record;
  KeepWorkload(testing::Holding(testing::MakeWorkload("job", "lq", testing::Cpu(1)), "queue"),
               record);
  EXPECT_TRUE(record.spec.status.rare.IsNew());
  EXPECT_TRUE(record.aside.IsNew());
  ForgetRequeueState(record.spec.status);
  EXPECT_TRUE(record.spec.status.rare.IsNew());
}

}  // namespace
}  // namespace muster
