// Helpers for policy tests: a package from one Lua text, and a batch built row by row.
#ifndef MUSTER_TESTS_UNIT_LUAJIT_POLICY_BATCH_H_
#define MUSTER_TESTS_UNIT_LUAJIT_POLICY_BATCH_H_

#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "bindings/luajit/lua_policy.h"

namespace muster::luajit::testing {

/// A package "policies/x" whose policy.lua is `lua`.
inline PackageSource SourceOf(std::string lua) {
  return {"policies/x", {{"policy.lua", std::move(lua)}}};
}

/// A package whose queue_order has this body; line 1 of the file is the function's first line.
inline PackageSource OrderOf(const std::string& body, const std::string& before = "") {
  return SourceOf(
      before +
      "return { api = 1, name = \"x\", queue_order = { reads = {\"now\"}, function(w, c) " + body +
      " end } }");
}

/// Owns the memory behind a muster_batch.
class PolicyBatch {
 public:
  explicit PolicyBatch(unsigned int count = 0) {
    Intern("");
    for (unsigned int i = 0; i < count; ++i) Add("job-" + std::to_string(i)).priority = i;
  }
  PolicyBatch(const PolicyBatch&) = delete;
  PolicyBatch& operator=(const PolicyBatch&) = delete;

  unsigned int Intern(const std::string& text) {
    texts_.push_back(text);
    return static_cast<unsigned int>(texts_.size() - 1);
  }
  void AddResource(const std::string& name) { resources_.push_back(Intern(name)); }
  muster_workload& Add(const std::string& name) {
    muster_workload& w = workloads_.emplace_back();
    w.name = Intern(name);
    w.namespace_ = Intern("ns");
    w.local_queue = Intern("lq");
    w.cluster_queue = Intern("cq");
    w.pods = w.podsets = 1;
    w.max_run = std::numeric_limits<double>::infinity();
    return w;
  }
  muster_workload& operator[](std::size_t i) { return workloads_[i]; }

  const muster_batch& Get() {
    strings_.clear();
    for (const std::string& text : texts_) {
      strings_.push_back({text.data(), static_cast<unsigned int>(text.size())});
    }
    batch_.count = static_cast<unsigned int>(workloads_.size());
    batch_.workloads = workloads_.data();
    batch_.strings = strings_.data();
    batch_.resource_count = static_cast<unsigned int>(resources_.size());
    batch_.resources = resources_.data();
    if (batch_.queue == nullptr && !workloads_.empty()) {
      queue_.name = workloads_[0].cluster_queue;
      batch_.queue = &queue_;
    }
    return batch_;
  }
  muster_batch& header() { return batch_; }

 private:
  std::deque<std::string> texts_;
  std::vector<muster_workload> workloads_;
  std::vector<unsigned int> resources_;
  std::vector<muster_string> strings_;
  muster_node queue_{};
  muster_batch batch_{};
};

/// Loads `source` and asks queue_order about `batch`. `keys` receives the answer.
inline HookOutcome Order(const PackageSource& source, PolicyBatch& batch,
                         std::vector<double>* keys = nullptr, const SandboxOptions& options = {},
                         const ParamTexts& params = {}) {
  const LoadedPackage loaded = Load(source, params, options);
  HookOutcome outcome;
  if (loaded.policy == nullptr) {
    outcome.ok = false;
    for (const PackageProblem& problem : loaded.problems)
      outcome.message += problem.ToString() + "\n";
    return outcome;
  }
  std::vector<double> answer(batch.Get().count *
                             static_cast<std::size_t>(loaded.policy->info().hooks[0].keys));
  outcome = loaded.policy->Call(Hook::kQueueOrder, batch.Get(), answer);
  if (keys != nullptr) *keys = answer;
  return outcome;
}

}  // namespace muster::luajit::testing

#endif  // MUSTER_TESTS_UNIT_LUAJIT_POLICY_BATCH_H_
