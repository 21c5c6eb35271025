// A made-up history for tests of the ledger: jobs come, start and end, without an engine.
//
// The rows of current state follow from the events by one rule, so a test can compare what a ledger
// holds with what its events say: a row is the payload of the newest event about it.
#ifndef MUSTER_TESTS_TESTING_LEDGER_WORLD_H_
#define MUSTER_TESTS_TESTING_LEDGER_WORLD_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "muster/journal.h"

namespace muster::testing {

using StateRows = std::map<std::pair<StateRow::Table, std::string>, std::string>;

/// What the rows must be after `events`.
void FoldEvents(const std::vector<Event>& events, StateRows* rows);

class LedgerWorld {
 public:
  /// Payloads are about `payload_bytes` long.
  explicit LedgerWorld(std::size_t payload_bytes = 120) : payload_bytes_(payload_bytes) {}

  /// A cycle: `jobs` are submitted, as many of the oldest start, as many of the oldest that run
  /// end.
  Commit Cycle(int jobs);
  /// One call that submits `jobs`; their keys are ("team-N/job-K", K counted from 1).
  Commit Submit(int jobs);
  /// Starts up to `jobs` of the oldest that wait, and nothing else.
  Commit Start(int jobs);
  std::int64_t submitted() const { return submitted_; }

 private:
  void AddSubmit(Commit* commit);
  void AddStarts(Commit* commit, int jobs);
  void Change(Commit* commit, EventKind kind, StateRow::Table table, const std::string& key,
              bool removed = false);

  std::size_t payload_bytes_;
  std::int64_t submitted_ = 0;
  std::int64_t cycles_ = 0;
  std::int64_t commits_ = 0;
  std::deque<std::string> pending_;
  std::deque<std::string> running_;
};

/// Key of the job that was submitted as number `job`.
std::string JobKey(std::int64_t job);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_LEDGER_WORLD_H_
