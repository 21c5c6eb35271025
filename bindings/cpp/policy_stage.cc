// See policy_stage.h.
#include "bindings/cpp/policy_stage.h"

#include <utility>

#include "bindings/cpp/stored_policies.h"

namespace muster {

PolicyStage::PolicyStage() : thread_([this] { Work(); }) {}

PolicyStage::~PolicyStage() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void PolicyStage::Load(std::string folder, std::function<Status(const std::string&)> tests) {
  Give([folder = std::move(folder), tests = std::move(tests)] {
    Candidate candidate;
    Result<StoredPolicy> stored = ReadPolicyFolder(folder, {});
    if (!stored.ok()) {
      candidate.status = stored.status();
      return candidate;
    }
    candidate.stored = std::move(*stored);
    Result<std::shared_ptr<Policy>> policy = LoadStoredPolicy(candidate.stored, folder);
    candidate.status = policy.ok() ? Status::Ok() : policy.status();
    if (policy.ok()) candidate.policy = std::move(*policy);
    if (policy.ok() && tests) candidate.status = tests(folder);
    return candidate;
  });
}

void PolicyStage::Try(Candidate candidate, std::vector<LiveBatch> batches) {
  Give([candidate = std::move(candidate),
        batches = std::make_shared<std::vector<LiveBatch>>(std::move(batches))]() mutable {
    candidate.status = DryCall(*candidate.policy, *batches);
    candidate.tried = true;
    return std::move(candidate);
  });
}

std::optional<Candidate> PolicyStage::Take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, std::nullopt);
}

bool PolicyStage::running() {
  const std::lock_guard lock(mutex_);
  return running_ || job_ != nullptr || done_.has_value();
}

void PolicyStage::Give(std::function<Candidate()> job) {
  {
    const std::lock_guard lock(mutex_);
    job_ = std::move(job);
  }
  wake_.notify_one();
}

void PolicyStage::Work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return ending_ || job_ != nullptr; });
    if (ending_) return;
    const std::function<Candidate()> job = std::exchange(job_, nullptr);
    running_ = true;
    lock.unlock();
    Candidate candidate = job();
    lock.lock();
    running_ = false;
    done_ = std::move(candidate);
  }
}

}  // namespace muster
