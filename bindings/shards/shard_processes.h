// The processes of an instance of muster serve --shards: one for each ledger that it serves, and
// where it stands by, one for each that another serves.
#ifndef MUSTER_BINDINGS_SHARDS_SHARD_PROCESSES_H_
#define MUSTER_BINDINGS_SHARDS_SHARD_PROCESSES_H_

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bindings/shards/standby_line.h"
#include "bindings/shards/tree_share.h"

namespace muster {

/// What an instance is, and how its processes begin.
struct ShardWords {
  std::string db;                 ///< without a ledger
  std::vector<std::string> each;  ///< words of each process, after its ledger
  bool stands_by = false;         ///< for what others serve
  std::string name;               ///< of the instance, as in Census
};

/// Used by one thread.
class ShardProcesses {
 public:
  ShardProcesses(ShardWords words, std::function<void(std::string)> say)
      : words_(std::move(words)), say_(std::move(say)) {}
  /// All have ended.
  ~ShardProcesses();
  ShardProcesses(const ShardProcesses&) = delete;
  ShardProcesses& operator=(const ShardProcesses&) = delete;

  /// How many it serves. Not those that it tries to take: instances that know the same deal alike.
  std::size_t Serves() const;
  /// Ledgers that it could take at once; nullopt: it does not stand by.
  std::optional<std::set<std::string>> Ready() const;

  /// Hears what they have said, and which have ended.
  void Hear();
  /// Tells those that stand by what there is, takes what is dealt to this instance, and begins to
  /// stand by for what others serve.
  void Follow(const Census& census);
  /// Takes a ledger that none stands by for, or gives one, as NextMove says.
  void Share(const Census& census);

 private:
  using Clock = std::chrono::steady_clock;
  enum class Does { kStandsBy, kTakes, kServes, kStops };
  struct Process {
    std::string ledger;
    pid_t id = -1;
    Does does = Does::kServes;
    std::unique_ptr<StandbyLine> line = nullptr;  ///< of one that began by standing by
    bool ready = false;                           ///< it has followed its ledger
    std::int64_t told = -1;                       ///< of this commit
    bool held = false;                            ///< it was seen to hold its ledger
  };

  /// Ledgers that are its share now: those that were told to stop are another's.
  std::vector<std::string> Mine() const;
  Process* Find(const std::string& ledger);
  /// Of these words beside those of each.
  void Begin(Process process, const std::vector<std::string>& how);
  void StandBy(const std::string& ledger);
  /// By the process that stands by for it, else by a new one.
  void Take(const std::string& ledger);
  void Give(const std::string& ledger);
  void HearFrom(Process& process);
  /// What the others have done about the ledger of a process.
  void Tell(const Census::Ledger& ledger, Process* process);
  /// Free ledgers, since when, that this instance is not to leave alone.
  void NoteFree(const Census& census);
  std::size_t Reading() const;  ///< how many stand by and are not ready yet

  const ShardWords words_;
  const std::function<void(std::string)> say_;
  std::vector<Process> processes_;
  std::map<std::string, Clock::time_point> free_since_;
  std::map<std::string, Clock::time_point> left_alone_;  ///< until then
};

}  // namespace muster

#endif  // MUSTER_BINDINGS_SHARDS_SHARD_PROCESSES_H_
