// A gateway's life in which each call follows from nothing but what the engine holds: an engine
// that is opened after any crash must go on exactly as the one that never crashed.
#ifndef MUSTER_TESTS_FAULT_ENGINE_ENGINE_STORY_H_
#define MUSTER_TESTS_FAULT_ENGINE_ENGINE_STORY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "db/sqlite/testing.h"
#include "muster/durable_engine.h"
#include "tests/testing/crash_vfs.h"

namespace muster::testing {

struct EngineStory {
  /// Two stories of different numbers write different bytes.
  EngineStory(CrashVfs* disk, std::uint64_t number);

  CrashVfs* vfs;
  std::string prefix;  ///< of the jobs' names
  LedgerTesting testing;
  std::unique_ptr<DurableEngine> gateway;
  std::vector<Status> errors;     ///< all that was not OK, in order
  std::int64_t acknowledged = 0;  ///< commits; each is a Mark in the disk's record
  /// StateHash after each number of commits; complete where nothing failed.
  std::vector<std::string> states;

  /// False when it was refused.
  bool Open();
  /// The next call: objects, submits, cycles, ends of pods and jobs, once a policy. Each makes one
  /// commit.
  bool Step();
  bool Close();
  /// `sessions` openings with `steps` calls each, and their closings; ends at the first refusal.
  bool Live(int sessions, int steps);

  std::int64_t commits() const;

 private:
  bool Note(const Status& status);
  Status Call();
  Status SubmitJobs(TimeNs now);
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_FAULT_ENGINE_ENGINE_STORY_H_
