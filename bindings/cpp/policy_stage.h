// PolicyStage: one thread that brings a package from its folder to a policy that may go live.
//
// Two jobs, because the engine's own thread has to copy the live batches in between: load, then
// try. One candidate at a time; a job that is given while another runs waits for it.
#ifndef MUSTER_BINDINGS_CPP_POLICY_STAGE_H_
#define MUSTER_BINDINGS_CPP_POLICY_STAGE_H_

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "db/store_types.h"
#include "muster/engine.h"
#include "muster/live_batch.h"

namespace muster {

/// A package on its way.
struct Candidate {
  StoredPolicy stored;
  std::shared_ptr<Policy> policy;  ///< null when loading failed
  Status status;                   ///< of the last job
  bool tried = false;              ///< on live batches
  /// With the parameters of each binding; holding them makes WithParams answer at once.
  std::vector<std::shared_ptr<Policy>> bound = {};
};

class PolicyStage {
 public:
  PolicyStage();
  ~PolicyStage();
  PolicyStage(const PolicyStage&) = delete;
  PolicyStage& operator=(const PolicyStage&) = delete;

  /// Reads, checks and loads `folder`, then runs `tests` when given.
  void Load(std::string folder, std::function<Status(const std::string&)> tests);
  /// Asks the candidate about every batch, and loads it with each of these parameters.
  void Try(Candidate candidate, std::vector<LiveBatch> batches, std::vector<PolicyParams> params);
  /// Lets go of a generation that is not needed elsewhere, on the thread of the stage.
  void Retire(std::shared_ptr<Policy> policy);
  /// What the last job came to, once; nullopt while it runs and when there was none.
  std::optional<Candidate> Take();
  bool running();

 private:
  void Give(std::function<Candidate()> job);
  void Work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::function<Candidate()> job_;  ///< guarded by mutex_, as all below
  std::optional<Candidate> done_;
  std::vector<std::shared_ptr<Policy>> retired_;
  bool running_ = false;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_POLICY_STAGE_H_
