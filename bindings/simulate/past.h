// The past of a ledger: the calls that its gateway made, and what became of every job. That is read
// from the events that calls left behind, which say the same of a call that is made again.
#ifndef MUSTER_BINDINGS_SIMULATE_PAST_H_
#define MUSTER_BINDINGS_SIMULATE_PAST_H_

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/store.h"
#include "muster/command.h"
#include "muster/journal.h"

namespace muster::simulate {

/// One hold of quota, from its reservation on. kNoTime: that did not happen.
struct Attempt {
  TimeNs reserved = kNoTime;
  TimeNs admitted = kNoTime;
  TimeNs evicted = kNoTime;   ///< ordered
  TimeNs released = kNoTime;  ///< its quota was free: evicted and gone, ended, or withdrawn
  bool operator==(const Attempt&) const = default;
};

struct JobPast {
  std::string id;  ///< "namespace/name", behind the first of that name "#2" and so on
  TimeNs submitted = kNoTime;
  TimeNs finished = kNoTime;
  TimeNs withdrawn = kNoTime;  ///< before it had finished
  std::vector<Attempt> attempts;
  bool operator==(const JobPast&) const = default;
};

/// The name in JobPast::id.
Key KeyOfJob(std::string_view id);

/// Where one job stands among all, and which of its attempts is the last; 0: it has had none.
inline constexpr std::size_t kNoJob = static_cast<std::size_t>(-1);
struct JobMoment {
  std::size_t job = kNoJob;
  std::size_t attempts = 0;
};

/// Gathers what became of jobs from the events of calls.
class Observer {
 public:
  /// What an event meant for a job; null for one that means nothing here.
  using Sink = std::function<void(EventKind kind, std::size_t job)>;

  /// Takes the events of one call at `at`, in order. O(events log jobs).
  void Note(std::span<const Event> events, TimeNs at, const Sink& sink = {});
  /// The job that has this name now; nullopt when there is none.
  std::optional<JobMoment> Find(const std::string& subject) const;
  const std::vector<JobPast>& jobs() const { return jobs_; }  ///< by submission

 private:
  bool NoteOf(const Event& event, TimeNs at, std::size_t job);

  std::vector<JobPast> jobs_;
  std::map<std::string, std::size_t> now_;  ///< by "namespace/name"
  std::map<std::string, std::size_t> seen_;
};

struct RecordedCall {
  TimeNs at = kNoTime;
  Command command;
  std::vector<Event> events;
  /// Of those that say what jobs did (ready, checks, finished, gone): what was known of each job
  /// that it names, in that order.
  std::vector<JobMoment> about;
};

struct Past {
  std::vector<RecordedCall> calls;
  std::vector<JobPast> jobs;
};

/// Reads everything up to and including `until`; kNoTime: all. kInvalidArgument for a ledger that
/// was written before its format kept commands. O(history), which is kept in memory.
Result<Past> ReadPast(const StoredHistory& ledger, TimeNs until);

/// The workloads that a command of a gateway names, if it is about what they did.
std::span<const Key> JobsNamedBy(const Command& command);

/// How long a job would have run without an eviction, by its past, and whether what its earlier
/// attempts did was saved. Method: when its last attempt is the longest, it began anew each time;
/// else each went on where the one before had been evicted. nullopt: it never finished.
struct Need {
  DurationNs run = 0;
  bool saves = false;
};
std::optional<Need> NeedOf(const JobPast& job);

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_SIMULATE_PAST_H_
