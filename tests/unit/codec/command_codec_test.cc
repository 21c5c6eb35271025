// Commands as bytes: every kind comes back as it was, its view is written as itself, and no bytes
// of another origin are taken for one.
#include "engine/codec/command_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/model/sample_commands.h"

namespace muster {
namespace {

TEST(CommandCodec, TheSamplesHaveEveryKindOnce) {
  const std::vector<Command> samples = SampleCommands();
  ASSERT_EQ(samples.size(), kCommandKinds);
  for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(samples[i].index(), i);
}

TEST(CommandCodec, WhatWasWrittenComesBack) {
  for (const Command& command : SampleCommands()) {
    const Result<Command> back = DecodeCommand(Encode(command));
    ASSERT_TRUE(back.ok()) << back.status().message();
    EXPECT_EQ(*back, command) << CommandName(KindOf(command));
  }
}

template <typename View>
std::string Written(const View& view) {
  ByteWriter writer;
  EncodeCommand(writer, view);
  return writer.Take();
}

TEST(CommandCodec, AViewIsWrittenAsTheCommandThatItGives) {
  const std::vector<Command> samples = SampleCommands();
  const auto& apply = std::get<command::Apply>(samples[0]);
  const auto& submit = std::get<command::Submit>(samples[1]);
  EXPECT_EQ(Written(view::Apply{apply.objects, apply.missing, apply.submission}),
            Encode(samples[0]));
  EXPECT_EQ(Written(view::Submit{submit.workloads, submit.submission}), Encode(samples[1]));
  EXPECT_EQ(Written(view::Ready{SampleKeys(), false, SampleUids(), SampleRuns()}),
            Encode(samples[5]));
  const auto& finish = std::get<command::Finish>(samples[6]);
  EXPECT_EQ(Written(view::Finish{SampleKeys(), true, SampleUids(), SampleRuns(), finish.reason,
                                 finish.message}),
            Encode(samples[6]));
  EXPECT_EQ(Written(view::Cancel{SampleKeys(), SampleUids(), SampleRuns()}), Encode(samples[7]));
  EXPECT_EQ(Written(view::Evicted{SampleKeys(), SampleUids(), SampleRuns()}), Encode(samples[9]));
}

TEST(CommandCodec, ReportsFromBeforeTheyHadAUidOrARunAreRead) {
  const Key job = SampleKeys()[0];
  WorkloadUpdate update;
  update.workload = job;
  CheckUpdate check;
  check.workload = job;
  check.check = "budget";
  const std::vector<Command> older = {update,
                                      check,
                                      command::Ready{{job}},
                                      command::Finish{{job}},
                                      command::Cancel{{job}},
                                      command::Evict{job, "Maintenance"},
                                      command::Evicted{{job}}};
  for (const Command& command : older) {
    std::string bytes = Encode(command);
    for (const char version : {char{10}, char{9}}) {
      bytes.front() = version;
      bytes.pop_back();  // no run, no uid, or a list of none: one byte
      // Nor a reason and a message.
      const bool ends = std::holds_alternative<command::Finish>(command);
      if (ends && version == 10) bytes.resize(bytes.size() - 2);
      const Result<Command> back = DecodeCommand(bytes);
      ASSERT_TRUE(back.ok()) << CommandName(KindOf(command)) << ": " << back.status().message();
      EXPECT_EQ(*back, command) << CommandName(KindOf(command));
    }
  }
}

TEST(CommandCodec, AnEndFromBeforeItHadAReasonIsRead) {
  const Command finish = command::Finish{SampleKeys(), true, SampleUids()};
  std::string bytes = Encode(finish);
  bytes.front() = 10;
  bytes.resize(bytes.size() - 3);  // nor did it have runs
  const Result<Command> back = DecodeCommand(bytes);
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(*back, finish);
}

TEST(CommandCodec, EveryBeginningAndEveryExtraByteIsRefused) {
  for (const Command& command : SampleCommands()) {
    const std::string bytes = Encode(command);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(DecodeCommand(std::string_view(bytes).substr(0, size)).ok())
          << CommandName(KindOf(command)) << " of " << size << " bytes";
    }
    EXPECT_FALSE(DecodeCommand(bytes + '\0').ok()) << CommandName(KindOf(command));
  }
}

TEST(CommandCodec, AChangedByteIsRefusedOrGivesAnotherCommand) {
  for (const Command& command : SampleCommands()) {
    const std::string bytes = Encode(command);
    for (std::size_t i = 1; i < bytes.size(); ++i) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ 0x55);
      const Result<Command> back = DecodeCommand(changed);
      if (!back.ok()) continue;
      EXPECT_NE(*back, command) << CommandName(KindOf(command)) << " at " << i;
    }
  }
}

}  // namespace
}  // namespace muster
