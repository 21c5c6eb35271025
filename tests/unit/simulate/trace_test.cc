// Each format by a few rows, and what is said about rows that make no sense.
#include "bindings/simulate/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/simulate/gunzip.h"
#include "bindings/simulate/number.h"

namespace muster::simulate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr TimeNs kSecondOf2020 = 1'598'918'400;  ///< 2020-09-01T00:00:00Z

Trace Read(std::string_view text, const TraceColumns& columns = {}) {
  Result<Trace> trace = ReadTrace("log", text, GuessTraceFormat(text), columns);
  EXPECT_TRUE(trace.ok()) << trace.status().message();
  return trace.ok() ? *std::move(trace) : Trace();
}

std::string Mistake(std::string_view text, TraceFormat format, const TraceColumns& columns = {}) {
  return std::string(ReadTrace("log", text, format, columns).status().message());
}

TraceColumns Columns() {
  TraceColumns columns;
  columns.submit = "at";
  columns.run = "for";
  columns.size = "gpus";
  return columns;
}

TEST(Trace, TheStandardWorkloadFormatIsRead) {
  const Trace trace = Read(
      "; UnixStartTime: 1000\n"
      "; MaxProcs: 128\n"
      "  2  50  3  20  4 -1 -1  8  60 -1 1  7  1  -1 3 -1 -1 -1\n"
      "1 10 3 30 -1 -1 -1 2 -1 -1 1 -1 1 -1 -1 -1 -1 -1 ; a comment\n"
      "3 11 3 -1 1 -1 -1 1 60 -1 5 7 1 -1 3 -1 -1 -1\n");
  EXPECT_EQ(trace.origin, 1000 * kSecond);
  ASSERT_EQ(trace.jobs.size(), 2U);
  const TraceJob& first = trace.jobs[0];  // by submit
  EXPECT_EQ(first.id, "1");
  EXPECT_EQ(first.submit, 10 * kSecond);
  EXPECT_EQ(first.run, 30 * kSecond);
  EXPECT_EQ(first.requested, first.run);
  EXPECT_EQ(first.size, 2);
  EXPECT_EQ(first.queue, "");
  EXPECT_EQ(first.user, "");
  const TraceJob& second = trace.jobs[1];
  EXPECT_EQ(second.size, 8);  // what was asked for is more than what was given
  EXPECT_EQ(second.pods, 8);
  EXPECT_EQ(second.requested, 60 * kSecond);
  EXPECT_EQ(second.queue, "3");
  EXPECT_EQ(second.user, "7");
  EXPECT_THAT(trace.left_out, ElementsAre(Pair("never ran", 1)));
}

TEST(Trace, PhillyIsReadInTheOrderOfItsDates) {
  const Trace trace = Read(
      "timestamp,duration,num_gpus,gpu_time,cluster\n"
      "1970-01-02 00:00:10,60,8,480,ee9e8c\n"
      "1970-01-02 00:00:00,5.5,1,5.5,b436b2\n"
      "\n");
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.jobs[0].queue, "b436b2");
  EXPECT_EQ(trace.jobs[0].submit, 86'400 * kSecond);
  EXPECT_EQ(trace.jobs[0].run, 5'500'000'000);
  EXPECT_EQ(trace.jobs[0].id, "3");  // its line
  EXPECT_EQ(trace.jobs[1].size, 8);
}

TEST(Trace, ShapesOfGangsAreTheirPods) {
  const Trace trace = Read(
      "#job id,arrival time (sec),topology,shape,size,duration (sec)\n"
      "7,3.0,CLOS,2+2,4,100\n");
  ASSERT_EQ(trace.jobs.size(), 1U);
  EXPECT_EQ(trace.jobs[0].pods, 2);
  EXPECT_EQ(trace.jobs[0].size, 4);
  EXPECT_EQ(trace.jobs[0].id, "7");
}

TEST(Trace, HeliosCountsInMicroseconds) {
  const Trace trace = Read(
      "# cut from the log\n"
      "job_id,user,tenant,class,submit_time,num_chips,chip_type,num_nodes,duration_s\n"
      "11,u1,vcvGl,finetune,2500000,16,,2,90\n"
      "12,u1,vcvGl,finetune,2500000,9,,2,90\n");
  EXPECT_EQ(trace.origin, kSecondOf2020 * kSecond);
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.jobs[0].submit, 2'500'000'000);
  EXPECT_EQ(trace.jobs[0].pods, 2);
  EXPECT_EQ(trace.jobs[0].user, "u1");
  EXPECT_EQ(trace.jobs[1].pods, 1);  // 9 GPUs are no two pods that are alike
}

TEST(Trace, PodsOfOpenbRunFromTheirStartToTheirEnd) {
  const Trace trace = Read(
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
      "deletion_time,scheduled_time\n"
      "p0,12000,16384,1,1000,,LS,Running,5,105,25\n"
      "p1,6000,12288,1,460,,BE,Pending,6,200,\n"
      "p2,6000,12288,0,0,,BE,Running,6,200,7\n");
  ASSERT_EQ(trace.jobs.size(), 1U);
  EXPECT_EQ(trace.jobs[0].id, "p0");
  EXPECT_EQ(trace.jobs[0].submit, 5 * kSecond);
  EXPECT_EQ(trace.jobs[0].run, 80 * kSecond);
  EXPECT_EQ(trace.jobs[0].queue, "LS");
  EXPECT_THAT(trace.left_out, ElementsAre(Pair("asks for nothing", 1), Pair("never ran", 1)));
}

TEST(Trace, AnyTableIsReadByTheNamesOfItsColumns) {
  TraceColumns columns = Columns();
  columns.queue = "team";
  columns.pods = "n";
  columns.requested = "limit";
  columns.id = "name";
  const Trace trace = Read(
      "# exported\r\n"
      "name,team,at,for,gpus,n,limit\r\n"
      "\"a,\"\"1\"\"\",ml,1970-01-01T00:01:00Z,10,4,2,20\r\n",
      columns);
  ASSERT_EQ(trace.jobs.size(), 1U);
  EXPECT_EQ(trace.jobs[0].id, "a,\"1\"");
  EXPECT_EQ(trace.jobs[0].queue, "ml");
  EXPECT_EQ(trace.jobs[0].submit, 60 * kSecond);
  EXPECT_EQ(trace.jobs[0].pods, 2);
  EXPECT_EQ(trace.jobs[0].requested, 20 * kSecond);
}

TEST(Trace, ALongTableIsReadInPartsAsIfItWereOne) {
  constexpr int kRows = 150'000;
  const auto table = [](int broken, int broken_too) {
    std::string text = "at,for,gpus\n\n";
    for (int row = 0; row < kRows; ++row) {
      const bool is_broken = row == broken || row == broken_too;
      text.append(std::to_string(row)).append(".500000000000000000,1,2");
      text.append(is_broken ? "x\n" : row % 1000 == 0 ? "\r\n\n" : "\n");
    }
    return text;
  };
  const std::string whole = table(-1, -1);
  ASSERT_GT(whole.size(), std::size_t{3} << 20) << "is no long one";
  const Trace trace = Read(whole, Columns());
  ASSERT_EQ(trace.jobs.size(), std::size_t{kRows});
  for (int row = 0; row < kRows; ++row) {
    const TraceJob& job = trace.jobs[static_cast<std::size_t>(row)];
    ASSERT_EQ(job.submit, row * kSecond + kSecond / 2);
    ASSERT_EQ(job.id, std::to_string(row + 3 + (row + 999) / 1000)) << "its line";
  }
  EXPECT_THAT(Mistake(table(140'000, 90'000), TraceFormat::kCsv, Columns()),
              HasSubstr("log:90093:"));
}

TEST(Trace, EveryMistakeIsNamedByItsPlaceWithACure) {
  const TraceFormat csv = TraceFormat::kCsv;
  EXPECT_EQ(Mistake("at,for,gpus\n1,2\n", csv, Columns()),
            "log:2:1: a row of 2 columns; its header has 3");
  EXPECT_EQ(Mistake("at,for,gpus\n1,x,3\n", csv, Columns()),
            "log:2:3: \"x\" is not a number; write one below 3.2e9");
  EXPECT_EQ(Mistake("at,for,gpus\nsoon,2,3\n", csv, Columns()),
            "log:2:1: \"soon\" is not a time; write seconds, or a date such as 2017-09-04 "
            "10:00:00");
  for (const char* size : {"1.5", "nan", "inf", "2e9", "1e300"}) {
    EXPECT_THAT(Mistake("at,for,gpus\n1,2," + std::string(size) + "\n", csv, Columns()),
                HasSubstr("is not a whole number"))
        << size;
  }
  EXPECT_EQ(Mistake("at,four,gpus\n1,2,3\n", csv, Columns()),
            "log:1:1: no column \"for\"; write \"four\"");
  EXPECT_THAT(Mistake("at,for,gpus\n1,2,3\n", csv),
              HasSubstr("which column is the submit; write --columns submit=NAME"));
  EXPECT_THAT(Mistake("1 2 x\n", TraceFormat::kSwf), HasSubstr("log:1:5: \"x\" is not a number"));
  EXPECT_THAT(Mistake("1 2 3\n", TraceFormat::kSwf), HasSubstr("log:1:1: a row of 3 fields"));
  EXPECT_THAT(Mistake("1 2 3 4 2e9 6 7 8 9 10 11 12 13 14 15 16 17 18\n", TraceFormat::kSwf),
              HasSubstr("more processors"));
}

TEST(Trace, CompressedTextIsReadAsWhatItWas) {
  // printf 'a,b\n' | gzip -n
  const std::string packed(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\xd4\x49\xe2\x02\x00"
      "\xc5\x10\x97\x24\x04\x00\x00\x00",
      24);
  const Result<std::string> text = Gunzip(packed);
  ASSERT_TRUE(text.ok()) << text.status().message();
  EXPECT_EQ(*text, "a,b\n");
  EXPECT_EQ(*Gunzip("plain"), "plain");
  EXPECT_FALSE(Gunzip(packed.substr(0, 15)).ok());
}

TEST(Trace, NumbersAreReadAlikeHoweverTheyAreWritten) {
  EXPECT_EQ(NumberIn("0"), 0.0);
  EXPECT_EQ(NumberIn("007"), 7.0);
  EXPECT_EQ(NumberIn("12.5"), 12.5);
  EXPECT_EQ(NumberIn("-3"), -3.0);
  EXPECT_EQ(NumberIn("1e3"), 1000.0);
  EXPECT_EQ(NumberIn("999999999999999"), 999'999'999'999'999.0);
  EXPECT_EQ(NumberIn("1000000000000000"), 1e15);
  EXPECT_EQ(NumberIn("0000000000000000012"), 12.0);
  for (const char* none : {"", " ", "1 ", "+1", "1x", "x", "1000000000000001", "nan", "1e16"}) {
    EXPECT_EQ(NumberIn(none), std::nullopt) << "\"" << none << "\"";
  }
}

}  // namespace
}  // namespace muster::simulate
