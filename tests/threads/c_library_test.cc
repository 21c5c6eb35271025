// Many threads call one engine of the C library: some submit and decide, one waits for decisions
// and acknowledges them, one reads, one stages a policy and has it decide. Calls take turns, so all
// is told once and no invariant breaks; ThreadSanitizer must see no race. The same with a ledger
// whose calls run ahead of the disk, while one thread stops and starts the pipeline.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "bindings/c/include/muster.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

constexpr int kSubmitters = 2;
constexpr int kBatches = 10;
constexpr int kPerBatch = 10;
constexpr int kJobs = kSubmitters * kBatches * kPerBatch;
constexpr std::int64_t kAt = 1'770'000'000'000'000'000;
constexpr std::int64_t kLongestWaitMs = 120'000;
const std::string kQueueForThreads = R"(
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: default}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: team},
 spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [
  {name: default, resources: [{name: cpu, nominalQuota: 1000}]}]}]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: jobs, namespace: team},
 spec: {clusterQueue: team}}
)";
const std::string kShapeForThreads = R"(
{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: shape, namespace: team},
 spec: {queueName: jobs, podSets: [{name: main, count: 1,
  template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}}}]}}
)";

/// An engine with one queue and a consumer; with a ledger where `path` names one.
class SharedEngine {
 public:
  explicit SharedEngine(const std::string& path) {
    if (path.empty()) {
      Must(muster_open_memory(nullptr, &engine_, nullptr));
    } else {
      muster_options options{};
      options.size = sizeof options;
      options.allow_time_jump = 1;
      Must(muster_open(path.c_str(), &options, &engine_, nullptr));
      Must(muster_pipeline_start(engine_, 4, nullptr));
    }
    Must(muster_apply(engine_, kQueueForThreads.data(), kQueueForThreads.size(), "queue",
                      MUSTER_REFUSE, kAt, nullptr, nullptr));
    Must(muster_shape_parse(kShapeForThreads.data(), kShapeForThreads.size(), "shape", &shape_,
                            nullptr));
    Must(muster_register_consumer(engine_, "gateway", 0, kAt, nullptr, nullptr));
  }
  ~SharedEngine() {
    Must(muster_check_invariants(engine_, nullptr));
    muster_shape_free(shape_);
    Must(muster_close(engine_, nullptr));
  }
  SharedEngine(const SharedEngine&) = delete;
  SharedEngine& operator=(const SharedEngine&) = delete;

  static void Must(muster_code code) { EXPECT_STREQ(muster_code_name(code), "MUSTER_OK"); }

  void SubmitAndDecide(int thread) {
    for (int batch = 0; batch < kBatches; ++batch) {
      std::vector<std::string> names;
      std::vector<muster_job> jobs(kPerBatch);
      for (int i = 0; i < kPerBatch; ++i) {
        names.push_back("w-" + std::to_string((thread * kBatches + batch) * kPerBatch + i));
      }
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].size = sizeof jobs[i];
        jobs[i].shape = shape_;
        jobs[i].ns = "team";
        jobs[i].name = names[i].c_str();
      }
      Must(muster_submit(engine_, jobs.data(), jobs.size(), kAt, nullptr, nullptr));
      Must(muster_run_cycle(engine_, kAt, nullptr, nullptr, nullptr));
      std::int64_t ticket = 0;
      Must(muster_pipeline_ticket(engine_, &ticket, nullptr));
      Must(muster_pipeline_wait(engine_, ticket, nullptr));
    }
  }

  /// What is called meanwhile is on disk when it returns, or ahead of it.
  void StopAndStart() {
    for (int i = 0; i < kBatches; ++i) {
      Must(muster_pipeline_stop(engine_, nullptr));
      Must(muster_pipeline_start(engine_, 4, nullptr));
    }
  }

  /// Cycles until none decides anything more: each takes one job of the queue.
  void DecideAll() {
    muster_cycle cycle{};
    cycle.size = sizeof cycle;
    while (cycle.at_rest == 0) Must(muster_run_cycle(engine_, kAt, &cycle, nullptr, nullptr));
  }

  /// Until each job was told to start; returns their names as they were told.
  std::vector<std::string> Consume() {
    std::vector<std::string> started;
    while (started.size() < kJobs) {
      muster_decisions* told = nullptr;
      Must(muster_decisions_of(engine_, "gateway", 7, kLongestWaitMs, &told, nullptr));
      const std::size_t count = muster_decisions_count(told);
      if (count == 0) break;
      const muster_decision* const all = muster_decisions_data(told);
      for (std::size_t i = 0; i < count; ++i) started.emplace_back(all[i].name);
      Must(muster_acknowledge(engine_, "gateway", all[count - 1].number, kAt, nullptr, nullptr));
      muster_decisions_free(told);
    }
    return started;
  }

  void Read(const std::atomic<bool>& over) {
    while (!over) {
      muster_bytes* json = nullptr;
      Must(muster_get(engine_, "workloads", nullptr, nullptr, nullptr, nullptr, &json, nullptr));
      muster_bytes_free(json);
    }
  }

  void StageAndActivate() {
    const std::string folder = (SourceDir() / "policies/small-first").string();
    muster_bytes* info = nullptr;
    Must(muster_policy_stage(engine_, folder.c_str(), nullptr, "me", nullptr, kAt, &info, nullptr));
    const std::string text = muster_bytes_data(info);
    muster_bytes_free(info);
    const std::size_t hash = text.find("\"hash\": \"") + 9;
    Must(muster_policy_activate_staged(engine_,
                                       text.substr(hash, text.find('"', hash) - hash).c_str(), "me",
                                       nullptr, kAt, nullptr, nullptr));
  }

 private:
  muster_engine* engine_ = nullptr;
  muster_shape* shape_ = nullptr;
};

void CallFromManyThreads(const std::string& path) {
  SharedEngine engine(path);
  std::vector<std::string> started;
  std::atomic<bool> over = false;
  std::thread consumes([&] { started = engine.Consume(); });
  std::thread reads([&] { engine.Read(over); });
  std::thread stages([&] { engine.StageAndActivate(); });
  std::thread stops([&] {
    if (!path.empty()) engine.StopAndStart();
  });
  std::vector<std::thread> submits;
  for (int i = 0; i < kSubmitters; ++i) submits.emplace_back([&, i] { engine.SubmitAndDecide(i); });
  for (std::thread& each : submits) each.join();
  engine.DecideAll();
  consumes.join();
  stages.join();
  stops.join();
  over = true;
  reads.join();
  std::sort(started.begin(), started.end());
  EXPECT_EQ(started.size(), kJobs);
  EXPECT_EQ(std::unique(started.begin(), started.end()), started.end());
}

TEST(OneEngineOfTheCLibrary, IsCalledByManyThreads) { CallFromManyThreads(""); }

TEST(OneEngineOfTheCLibrary, IsCalledByManyThreadsAheadOfTheDisk) {
  const TemporaryDirectory directory;
  CallFromManyThreads((directory.path() / "ledger").string());
}

}  // namespace
}  // namespace muster::testing
