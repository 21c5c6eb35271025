// Examiner: reads the calls of a past as they were made, and asks on the way when jobs that had to
// wait would start, with nothing but what was known by then. What came of it is in the same past.
//
// At the end it is at the present: the same record and state answer a question about today.
#ifndef MUSTER_BINDINGS_ETA_EXAMINE_H_
#define MUSTER_BINDINGS_ETA_EXAMINE_H_

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cpp/replay.h"
#include "bindings/eta/estimate.h"
#include "bindings/eta/record.h"
#include "bindings/eta/trust.h"
#include "db/store.h"
#include "muster/journal.h"

namespace muster::eta {

/// One question of the past.
struct Question {
  std::size_t job = 0;  ///< its place among those submitted
  std::string id;       ///< "namespace/name"
  std::string queue;    ///< "namespace/name" of its LocalQueue
  TimeNs at = kNoTime;
  Waits said{};
  /// What the waits of the last week in the same queue say: its own quantiles of those that had to
  /// wait; of all queues where those are few. The naive estimate.
  Waits naive{};
  bool has_naive = false;
  DurationNs waited = -1;  ///< what came of it; below 0: it has not started yet
};

struct ExamineOptions {
  /// Of jobs that had to wait, every so many-th is asked about; 0: none.
  std::size_t every = 0;
  EstimateOptions estimate;
};

class Examiner {
 public:
  Examiner(Replayer::PolicyLoader load, const ExamineOptions& options);

  /// Reads all that `ledger` has. O(history + questions x futures x cycles).
  Status Read(const StoredHistory& ledger);
  /// Takes the next call of a past. kDataLoss: the engine does something else now.
  Status Take(const Commit& commit);

  /// Those asked so far, with what came of them by now.
  std::vector<Question> Questions() const;

  const Record& record() const { return record_; }
  const Engine& engine() const { return replayer_.engine(); }
  /// As Estimate, of the state after the last call.
  Result<std::vector<Outlook>> Ask(TimeNs now, std::span<const Key> asked,
                                   const EstimateOptions& options) const;

 private:
  /// A job of the last week that had waited.
  struct Waited {
    TimeNs started = kNoTime;
    DurationNs wait = 0;
  };

  template <typename AnyCommit>
  Status TakeAny(const AnyCommit& commit, bool is_cycle);
  Status AskDue();
  Waits Naive(const std::string& queue, TimeNs now, bool* known) const;
  void NoteStart(std::size_t job, TimeNs at);

  const ExamineOptions options_;
  Replayer replayer_;
  Record record_;
  std::vector<std::size_t> fresh_;                    ///< submitted, and no cycle has passed since
  std::map<std::size_t, TimeNs> had_wait_;            ///< jobs that were found waiting, since when
  std::map<std::string, std::deque<Waited>> recent_;  ///< by queue; empty: all
  TimeNs cycled_ = kNoTime;  ///< time of the last cycle, since which `fresh_` was not looked at
  std::size_t waited_count_ = 0;
  std::vector<Question> questions_;
};

/// Jobs of `ledger` that still waited when the instant of the first cycle after their submission
/// was over: those that an Examiner may ask about. O(history).
Result<std::size_t> CountWaits(const StoredHistory& ledger);

/// `questions` as they would have been answered at their times by an estimate that is put right by
/// the answers of those before: with `frozen`, only by those that had come until then. Those that
/// have not started are left out. O(questions x answers).
std::vector<Answered> Mended(std::span<const Question> questions, TimeNs from,
                             TimeNs frozen = kNoTime);
/// Those from `from` on, as they were said, or as the naive estimate has it.
enum class Said { kPlain, kNaive };
std::vector<Answered> Plain(std::span<const Question> questions, TimeNs from, Said said);
/// All answers until now.
Trust TrustIn(std::span<const Question> questions);

}  // namespace muster::eta

#endif  // MUSTER_BINDINGS_ETA_EXAMINE_H_
