// A short life of a ledger on a CrashVfs, with a note in the disk's record at each acknowledgement.
#ifndef MUSTER_TESTS_FAULT_LEDGER_STORY_H_
#define MUSTER_TESTS_FAULT_LEDGER_STORY_H_

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "db/sqlite/ledger.h"
#include "db/sqlite/testing.h"
#include "tests/testing/crash_vfs.h"
#include "tests/testing/ledger_world.h"

namespace muster::testing {

inline constexpr const char* kStoryFile = "L";
inline const StoredPolicy kStoryPolicy{
    "5ca1ab1e", {{"policy.lua", std::string(3000, 'p')}, {"policy_spec.lua", "return {}"}}};
/// CrashVfs::Mark of an acknowledged StorePolicy; smaller marks are numbers of durable commits.
inline constexpr std::int64_t kPolicyMark = 1'000'000;

struct Story {
  explicit Story(CrashVfs* disk) : vfs(disk) {
    testing.vfs = disk->name();
    testing.checkpoint_pages = 12;
    testing.reserve_bytes = 4096;
  }

  CrashVfs* vfs;
  LedgerTesting testing;
  LedgerWorld world;
  std::vector<Commit> history;              ///< everything that was handed over
  std::set<std::int64_t> boundaries = {0};  ///< a crash may leave this many commits
  std::int64_t acknowledged = 0;
  bool policy_acknowledged = false;
  std::vector<Status> errors;  ///< all that was not OK, in order

  LedgerOptions Options() const { return {"test", Durability::kFull, {}, &testing}; }

  std::unique_ptr<Ledger> Open() {
    Result<std::unique_ptr<Ledger>> ledger = Ledger::Open(kStoryFile, OpenMode::kCreate, Options());
    if (ledger.ok()) return std::move(*ledger);
    errors.push_back(ledger.status());
    return nullptr;
  }

  /// Appends `group` cycles and makes them durable together. False when the ledger refused.
  bool Decide(Store* ledger, int group, int jobs) {
    Ticket ticket = 0;
    for (int i = 0; i < group; ++i) {
      history.push_back(world.Cycle(jobs));
      const Result<Ticket> appended = ledger->Append(history.back());
      if (!Note(appended.status())) return false;
      ticket = *appended;
    }
    boundaries.insert(static_cast<std::int64_t>(history.size()));
    if (!Note(ledger->Durable(ticket))) return false;
    acknowledged = static_cast<std::int64_t>(history.size());
    vfs->Mark(acknowledged);
    return true;
  }

  bool StorePolicy(Store* ledger) {
    if (!Note(ledger->StorePolicy(kStoryPolicy))) return false;
    policy_acknowledged = true;
    vfs->Mark(kPolicyMark);
    return true;
  }

  bool Load(Store* ledger) {
    return Note(ledger->Load([](auto, auto, auto) { return Status::Ok(); }));
  }

  bool Note(const Status& status) {
    if (!status.ok()) errors.push_back(status);
    return status.ok();
  }
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_FAULT_LEDGER_STORY_H_
