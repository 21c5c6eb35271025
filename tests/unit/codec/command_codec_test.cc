// Commands as bytes: every kind comes back as it was, its view is written as itself, and no bytes
// of another origin are taken for one.
#include "engine/codec/command_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/model/sample_objects.h"

namespace muster {
namespace {

const std::vector<Key>& Keys() {
  static const std::vector<Key> keys = {{"team-a", "train"}, {"team-b", ""}};
  return keys;
}

/// Every kind of command, with something in every field.
std::vector<Command> Samples() {
  const std::vector<Object> objects = SampleObjects();
  std::vector<Workload> workloads;
  for (const Object& object : objects) {
    if (const auto* workload = std::get_if<Workload>(&object)) workloads.push_back(*workload);
  }
  PodSetUpdate pods;
  pods.name = "main";
  pods.node_selector = {{"pool", "y"}};
  WorkloadUpdate update{Keys()[0], 7, false, {}, {{{"main", 2}}}, {}};
  update.reclaimable_pods = {{"main", 1}};
  update.open_gates = {"gate"};
  const PolicyChange change{"me", "because"};
  return {
      command::Apply{objects, MissingReference::kAsKueue, Submission::kTaken},
      command::Submit{workloads, Submission::kTaken},
      command::Delete{ObjectKind::kWorkload, Keys()[0], true},
      update,
      CheckUpdate{Keys()[0], "budget", CheckState::kRetry, "later", 60, {pods}},
      command::Ready{Keys(), false},
      command::Finish{Keys(), true},
      command::Cancel{Keys()},
      command::Evict{Keys()[0], "Maintenance"},
      command::Evicted{Keys(), Lifecycle::kSkip},
      command::Advance{},
      command::Cycle{},
      command::ActivatePolicy{"hash", change},
      command::RollBackPolicy{"package", {"hash", "other"}, change},
      command::NoteStaged{"package", "hash", "its spec fails", change},
  };
}

TEST(CommandCodec, TheSamplesHaveEveryKindOnce) {
  const std::vector<Command> samples = Samples();
  ASSERT_EQ(samples.size(), kCommandKinds);
  for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(samples[i].index(), i);
}

TEST(CommandCodec, WhatWasWrittenComesBack) {
  for (const Command& command : Samples()) {
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
  const std::vector<Command> samples = Samples();
  const auto& apply = std::get<command::Apply>(samples[0]);
  const auto& submit = std::get<command::Submit>(samples[1]);
  EXPECT_EQ(Written(view::Apply{apply.objects, apply.missing, apply.submission}),
            Encode(samples[0]));
  EXPECT_EQ(Written(view::Submit{submit.workloads, submit.submission}), Encode(samples[1]));
  EXPECT_EQ(Written(view::Ready{Keys(), false}), Encode(samples[5]));
  EXPECT_EQ(Written(view::Finish{Keys(), true}), Encode(samples[6]));
  EXPECT_EQ(Written(view::Cancel{Keys()}), Encode(samples[7]));
  EXPECT_EQ(Written(view::Evicted{Keys(), Lifecycle::kSkip}), Encode(samples[9]));
}

TEST(CommandCodec, EveryBeginningAndEveryExtraByteIsRefused) {
  for (const Command& command : Samples()) {
    const std::string bytes = Encode(command);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(DecodeCommand(std::string_view(bytes).substr(0, size)).ok())
          << CommandName(KindOf(command)) << " of " << size << " bytes";
    }
    EXPECT_FALSE(DecodeCommand(bytes + '\0').ok()) << CommandName(KindOf(command));
  }
}

TEST(CommandCodec, AChangedByteIsRefusedOrGivesAnotherCommand) {
  for (const Command& command : Samples()) {
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
