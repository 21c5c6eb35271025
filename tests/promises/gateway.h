// A gateway's life under one policy package, told at random: jobs come in bursts over several
// queues, end, are cancelled, save their work and make room; the engine is reopened at any time, or
// dies in the middle of a commit. What runs is counted here from what was answered, without
// accounts.
#ifndef MUSTER_TESTS_PROMISES_GATEWAY_H_
#define MUSTER_TESTS_PROMISES_GATEWAY_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "muster/muster.h"
#include "tests/testing/choices.h"
#include "tests/testing/memory_journal.h"

namespace muster::testing {

/// A job as its user knows it.
struct PromisedJob {
  std::string name;
  std::string queue;  ///< ClusterQueue
  std::map<std::string, std::string, std::less<>> labels;
  int gpus = 1;
  std::int32_t priority = 0;
  TimeNs created = 0;
  // What became of it:
  bool running = false;   ///< charged: also while it makes room
  bool evicting = false;  ///< told to make room
  std::string flavor;
  TimeNs started = 0;
  TimeNs saved = 0;  ///< last checkpoint of this run, or its start

  const std::string& Label(std::string_view name) const;
};

/// A job that came, or was taken back.
struct PromisedEvent {
  TimeNs at = 0;
  std::string user;  ///< label muster.dev/user
  bool cancelled = false;
};

/// What stories of one package are like.
struct PromisedWorld {
  std::string package;  ///< folder below policies/
  std::map<std::string, std::string, std::less<>> params = {};
  int queues = 2;
  int gpus = 8;                                    ///< of the first flavor, for each queue
  std::vector<std::string> flavors = {"default"};  ///< in order; each has as much
  bool preemption = true;
  std::vector<int> sizes = {1, 2, 3};
  std::int32_t priorities = 3;     ///< 0, 1, ...
  DurationNs tick = 60 * kSecond;  ///< time goes on by up to `ticks` of it
  int ticks = 30;
  /// Labels of a new job.
  std::function<std::map<std::string, std::string, std::less<>>(Choices&)> labels = {};
};

class PromisedGateway {
 public:
  PromisedGateway(const PromisedWorld& world, std::shared_ptr<Policy> policy, Choices& choices);

  using Jobs = std::map<std::string, PromisedJob, std::less<>>;
  /// Called after each call of RunCycle with the jobs before it.
  using Check = std::function<void(const Jobs& before, const CycleResult& result)>;
  /// Tells `steps` steps; stops at the first failure.
  void Tell(int steps, const Check& check);

  const PromisedWorld& world() const { return world_; }
  TimeNs now() const { return now_; }
  /// Workloads of a queue that one call of RunCycle looks at, one after the other.
  int heads() const { return heads_; }
  const Jobs& jobs() const { return jobs_; }
  const std::vector<PromisedEvent>& events() const { return events_; }
  /// What was decided so far, a line a cycle; for a failure's message.
  const std::string& story() const { return story_; }

 private:
  class DyingJournal : public MemoryJournal {
   public:
    Result<Ticket> Append(Commit commit) override;
    bool dies = false;  ///< at the next commit
  };

  void Open();
  void Reopen();
  void SubmitBurst();
  void Cycle(const Check& check);
  void ReportEvicted();
  void End();
  void Save();
  void CheckBooks();
  void Write(const CycleResult& result);
  PromisedJob* Draw(bool running);

  PromisedWorld world_;
  std::shared_ptr<Policy> policy_;
  Choices& choices_;
  int heads_;
  DyingJournal journal_;
  Engine engine_;
  TimeNs now_;
  Jobs jobs_;
  int submitted_ = 0;
  std::vector<PromisedEvent> events_;
  std::string story_;
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_PROMISES_GATEWAY_H_
