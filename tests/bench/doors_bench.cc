// What a door costs: jobs submitted by the thousand through the C library and from Python, beside
// the same jobs given to the C++ class; and how fast a consumer reads decisions behind its cursor.
//
// All engines are in memory: the disk is the same behind every door. Processor time of the thread,
// or of Python's process, with the making of the jobs from their names.
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bindings/c/include/muster.h"
#include "bindings/manifest/manifest.h"
#include "muster/engine.h"
#include "tests/bench/durable_bench.h"
#include "tests/bench/worlds.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::bench {
namespace {

constexpr int kBatch = 1000;
constexpr const char* kQueue = R"(
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor,
 metadata: {name: default}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue,
 metadata: {name: team}, spec: {namespaceSelector: {}, resourceGroups: [
  {coveredResources: [cpu], flavors: [
    {name: default, resources: [{name: cpu, nominalQuota: 1}]}]}]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue,
 metadata: {name: lq-team, namespace: default}, spec: {clusterQueue: team}}
)";
constexpr const char* kShape = R"(
{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload,
 metadata: {name: shape, namespace: default}, spec: {queueName: lq-team, podSets: [
  {name: main, count: 1,
   template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}}}]}}
)";

std::string NameOf(int batch, int i) { return "w-" + std::to_string(batch * kBatch + i); }

void RequireOk(muster_code code, muster_error* const* error) {
  Require(code == MUSTER_OK, *error == nullptr ? "" : muster_error_message(*error));
}

class CDoor {
 public:
  CDoor() {
    muster_error* error = nullptr;
    RequireOk(muster_open_memory(nullptr, &engine_, &error), &error);
    const std::string queue = kQueue;
    RequireOk(muster_apply(engine_, queue.data(), queue.size(), "queue", MUSTER_REFUSE,
                           testing::kNoon, nullptr, &error),
              &error);
    const std::string shape = kShape;
    RequireOk(muster_shape_parse(shape.data(), shape.size(), "shape", &shape_, &error), &error);
  }
  ~CDoor() {
    muster_shape_free(shape_);
    muster_close(engine_, nullptr);
  }
  CDoor(const CDoor&) = delete;
  CDoor& operator=(const CDoor&) = delete;

  void Submit(int batch) {
    std::vector<std::string> names;
    names.reserve(kBatch);
    std::vector<muster_job> jobs(kBatch);
    for (int i = 0; i < kBatch; ++i) {
      names.push_back(NameOf(batch, i));
      muster_job& job = jobs[static_cast<std::size_t>(i)];
      job.size = sizeof job;
      job.shape = shape_;
      job.ns = "default";
      job.name = names.back().c_str();
      job.queue = "lq-team";
    }
    muster_error* error = nullptr;
    RequireOk(muster_submit(engine_, jobs.data(), jobs.size(), testing::kNoon, nullptr, &error),
              &error);
  }

 private:
  muster_engine* engine_ = nullptr;
  muster_shape* shape_ = nullptr;
};

class CppDoor {
 public:
  CppDoor() {
    const std::vector<Object> objects = {testing::MakeFlavor("default"),
                                         testing::MakeQueue("team", "", {{.nominal = 1}}),
                                         testing::MakeLocalQueue("team")};
    Require(engine_.Apply(objects, testing::kNoon));
    const manifest::Source source{"shape", kShape};
    const manifest::Manifests read = manifest::Parse({&source, 1});
    Require(read.objects.size() == 1, "the shape is wrong");
    shape_ = std::get<Workload>(read.objects.front());
  }
  void Submit(int batch) {
    std::vector<Workload> jobs(kBatch, shape_);
    for (int i = 0; i < kBatch; ++i) {
      Workload& job = jobs[static_cast<std::size_t>(i)];
      job.key = {"default", NameOf(batch, i)};
      job.created = testing::kNoon;
    }
    Require(engine_.Submit(jobs, testing::kNoon));
  }

 private:
  Engine engine_;
  Workload shape_;
};

/// Seconds of `batches` through C++ and through C, a batch each in turn.
std::pair<double, double> InTurn(int batches) {
  CppDoor cpp;
  CDoor c;
  double floor = 0;
  double own = 0;
  for (int batch = 0; batch < batches; ++batch) {
    floor += CpuSeconds([&] { cpp.Submit(batch); });
    own += CpuSeconds([&] { c.Submit(batch); });
  }
  return {floor, own};
}

void Tell(benchmark::State& state, int batches, double floor, double own) {
  state.SetIterationTime(own);
  state.counters["floor, s"] = floor;
  state.counters["a second"] = batches * kBatch / own;
}

void ThroughC(benchmark::State& state, int batches) {
  for (auto _ : state) {
    const auto [floor, own] = InTurn(batches);
    Tell(state, batches, floor, own);
  }
}

/// What doors.py says it took.
double SecondsOfPython(int batches) {
  const std::string command =
      "MUSTER_LIBRARY='" MUSTER_LIBRARY "' PYTHONPATH='" +
      (testing::SourceDir() / "bindings/python/src").string() + "' python3 -B '" +
      (testing::SourceDir() / "tests/bench/doors.py").string() + "' " + std::to_string(batches);
  std::FILE* const said = popen(command.c_str(), "r");
  double seconds = 0;
  Require(said != nullptr && std::fscanf(said, "%lf", &seconds) == 1 && pclose(said) == 0,
          "cannot run " + command);
  return seconds;
}

void ThroughPython(benchmark::State& state, int batches) {
  for (auto _ : state) {
    const double own = SecondsOfPython(batches);
    Tell(state, batches, InTurn(batches).first, own);
  }
}

/// Submits and starts everything, then reads and acknowledges it by the thousand.
void BehindACursor(benchmark::State& state, int batches) {
  for (auto _ : state) {
    Engine engine;
    TimeNs now = testing::kNoon;
    Require(engine.Apply(FlatCohorts(100), now));
    Require(engine.RegisterConsumer("gateway", now).status());
    for (int batch = 0; batch < batches; ++batch) {
      now += kSecond;
      std::vector<Workload> jobs;
      for (int i = 0; i < kBatch; ++i) {
        jobs.push_back(testing::MakeWorkload(NameOf(batch, i), QueueName(i), testing::Cpu(1)));
      }
      Require(engine.Submit(jobs, now));
      const std::vector<Key> started = KeysOf(Take(engine.RunCycle(now)).admitted);
      Require(engine.Finish(started, /*failed=*/false, now));
      Require(engine.Cancel(started, now));
    }
    std::int64_t read = 0;
    const double own = CpuSeconds([&] {
      for (;;) {
        const answer::Decisions next = Take(engine.Decisions("gateway", kBatch));
        if (next.decisions.empty()) return;
        read += static_cast<std::int64_t>(next.decisions.size());
        Require(engine.Acknowledge("gateway", next.decisions.back().number, now).status());
      }
    });
    state.SetIterationTime(own);
    state.counters["decisions a second"] = static_cast<double>(read) / own;
  }
}

}  // namespace

void RegisterDoors(Size size) {
  const int batches = size == Size::kSmoke ? 1 : 1000;
  const std::string jobs = std::to_string(batches * kBatch);
  const auto add = [&](const std::string& name, void (*run)(benchmark::State&, int)) {
    benchmark::RegisterBenchmark(name.c_str(), run, batches)->Iterations(1)->UseManualTime();
  };
  add("doors/" + jobs + " submitted through C", ThroughC);
  add("doors/" + jobs + " submitted through Python", ThroughPython);
  add("doors/" + jobs + " read behind a cursor", BehindACursor);
}

}  // namespace muster::bench
