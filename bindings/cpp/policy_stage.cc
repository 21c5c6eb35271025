// See policy_stage.h.
#include "bindings/cpp/policy_stage.h"

#include <utility>

#include "bindings/cpp/stored_policies.h"
#include "engine/base/caught.h"

namespace muster {
namespace {

constexpr int kPasses = 20;

/// What the job came to; what it throws is why the candidate is refused.
Candidate Outcome(const std::function<Candidate()>& job) noexcept {
  Candidate failed;
  try {
    return job();
  } catch (...) {
    failed.status = Caught();
  }
  return failed;
}

}  // namespace

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
    if (policy.ok() && tests) candidate.status = Guarded([&] { return tests(folder); });
    return candidate;
  });
}

void PolicyStage::Try(Candidate candidate, std::vector<LiveBatch> batches,
                      std::vector<PolicyParams> params) {
  Give([candidate = std::move(candidate), params = std::move(params),
        batches = std::make_shared<std::vector<LiveBatch>>(std::move(batches))]() mutable {
    // More than once: what becomes hot is compiled here and not in the first cycle that it decides.
    for (int pass = 0; pass < kPasses && candidate.status.ok(); ++pass) {
      candidate.status = DryCall(*candidate.policy, *batches);
    }
    candidate.tried = true;
    for (const PolicyParams& one : params) {
      Result<std::shared_ptr<Policy>> bound = candidate.policy->WithParams(one);
      if (bound.ok()) candidate.bound.push_back(std::move(*bound));
    }
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

void PolicyStage::Retire(std::shared_ptr<Policy> policy) {
  const std::lock_guard lock(mutex_);
  retired_.push_back(std::move(policy));
}

void PolicyStage::Work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return ending_ || job_ != nullptr; });
    if (ending_) return;
    const std::function<Candidate()> job = std::exchange(job_, nullptr);
    running_ = true;
    std::vector<std::shared_ptr<Policy>> retired = std::exchange(retired_, {});
    lock.unlock();
    retired.clear();
    Candidate candidate = Outcome(job);
    lock.lock();
    running_ = false;
    done_ = std::move(candidate);
  }
}

}  // namespace muster
