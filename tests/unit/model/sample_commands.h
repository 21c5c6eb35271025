// One command of every kind with something in every field: what a codec must carry.
#ifndef MUSTER_TESTS_UNIT_MODEL_SAMPLE_COMMANDS_H_
#define MUSTER_TESTS_UNIT_MODEL_SAMPLE_COMMANDS_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "muster/command.h"
#include "tests/unit/model/sample_objects.h"

namespace muster {

inline const std::vector<Key>& SampleKeys() {
  static const std::vector<Key> keys = {{"team-a", "train"}, {"team-b", ""}};
  return keys;
}

inline const std::vector<std::string>& SampleUids() {
  static const std::vector<std::string> uids = {"uid-1", ""};
  return uids;
}

inline const std::vector<std::int64_t>& SampleRuns() {
  static const std::vector<std::int64_t> runs = {2, 0};
  return runs;
}

/// Every kind of command, with something in every field.
inline std::vector<Command> SampleCommands() {
  const std::vector<Object> objects = SampleObjects();
  std::vector<Workload> workloads;
  for (const Object& object : objects) {
    if (const auto* workload = std::get_if<Workload>(&object)) workloads.push_back(*workload);
  }
  PodSetUpdate pods;
  pods.name = "main";
  pods.node_selector = {{"pool", "y"}};
  WorkloadUpdate update{SampleKeys()[0], 7, false, {}, {{{"main", 2}}}, {}};
  update.reclaimable_pods = {{"main", 1}};
  update.open_gates = {"gate"};
  update.checkpointed = 7;
  update.uid = "uid-1";
  update.run = 2;
  const PolicyChange change{"me", "because"};
  return {
      command::Apply{objects, MissingReference::kAsKueue, Submission::kTaken},
      command::Submit{workloads, Submission::kTaken},
      command::Delete{ObjectKind::kWorkload, SampleKeys()[0], true},
      update,
      CheckUpdate{SampleKeys()[0], "budget", CheckState::kRetry, "later", 60, {pods}, "uid-1", 2},
      command::Ready{SampleKeys(), false, SampleUids(), SampleRuns()},
      command::Finish{SampleKeys(), true, SampleUids(), SampleRuns(), "FailedToStart",
                      "pool is slow"},
      command::Cancel{SampleKeys(), SampleUids(), SampleRuns()},
      command::Evict{SampleKeys()[0], "Maintenance", "uid-1", 2},
      command::Evicted{SampleKeys(), SampleUids(), SampleRuns()},
      command::Advance{},
      command::Cycle{},
      command::ActivatePolicy{"hash", change},
      command::RollBackPolicy{"package", {"hash", "other"}, change},
      command::NoteStaged{"package", "hash", "its spec fails", change},
      command::RegisterConsumer{"gateway", 4},
      command::Acknowledge{"gateway", 9},
      command::RemoveConsumer{"gateway"},
  };
}

}  // namespace muster

#endif  // MUSTER_TESTS_UNIT_MODEL_SAMPLE_COMMANDS_H_
