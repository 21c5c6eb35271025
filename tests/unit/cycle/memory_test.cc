// Memory follows what is there, not what ever came.
#include <gtest/gtest.h>
#include <malloc.h>

#include <string>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::kNoon;
using testing::MakeFlavor;
using testing::MakeLocalQueue;
using testing::MakeNamespace;
using testing::MakeQueue;
using testing::MakeWorkload;

/// Bytes that the process has from its allocator; 0 where a sanitizer has taken its place.
std::int64_t BytesInUse() { return static_cast<std::int64_t>(mallinfo2().uordblks); }

class Gateway {
 public:
  Gateway() {
    std::vector<Object> objects{MakeNamespace(), MakeFlavor("default")};
    for (const char* queue : {"a", "b"}) {
      objects.push_back(MakeQueue(queue, "cohort", {{"default", "cpu", kBatch, {}, {}}}));
      objects.push_back(MakeLocalQueue(queue));
    }
    EXPECT_TRUE(engine_.Apply(objects, now_).ok());
  }

  /// Submits, starts, ends and forgets so many jobs, each under a new name.
  void Pass(std::int64_t jobs) {
    for (std::int64_t done = 0; done < jobs; done += kBatch) {
      now_ += kSecond;
      std::vector<Workload> batch;
      std::vector<Key> keys;
      for (std::int64_t i = 0; i < kBatch; ++i) {
        const std::string name = "job-" + std::to_string(++number_);
        batch.push_back(MakeWorkload(name, i % 2 == 0 ? "a" : "b", Cpu(1)));
        keys.push_back(batch.back().key);
      }
      ASSERT_TRUE(engine_.Submit(batch, now_).ok());
      for (int cycle = 0; cycle < 3; ++cycle) ASSERT_TRUE(engine_.RunCycle(now_).ok());
      ASSERT_TRUE(engine_.Finish(std::span(keys).first(kBatch / 2), false, now_).ok());
      ASSERT_TRUE(engine_.Cancel(keys, now_).ok());
    }
  }

  /// So many jobs with labels, users, requests and resources that never came before. None can
  /// start, and nothing ends that would wake them, until they are cancelled.
  void PassNames(std::int64_t names) {
    for (std::int64_t i = 0; i < names; ++i) {
      const std::string name = "n" + std::to_string(++number_);
      Workload large = MakeWorkload(name, "a", Cpu(2 * kBatch + number_));
      large.labels = {{kUserLabel, name}, {"label-" + name, "value-" + name}};
      const Workload strange =
          MakeWorkload(name + "x", "a", {{"example.com/" + name, Quantity::Units(1)}});
      ASSERT_TRUE(engine_.Submit(std::vector{large, strange}, now_).ok());
      for (int cycle = 0; cycle < 2; ++cycle) ASSERT_TRUE(engine_.RunCycle(now_).ok());
      ASSERT_TRUE(engine_.Cancel(std::vector{large.key, strange.key}, now_).ok());
    }
  }

  /// So many namespaces, each with a LocalQueue and a job.
  void PassNamespaces(std::int64_t namespaces) {
    for (std::int64_t i = 0; i < namespaces; ++i) {
      const std::string name = "ns" + std::to_string(++number_);
      LocalQueue queue = MakeLocalQueue("a");
      queue.key = {name, "lq-" + name};
      ASSERT_TRUE(engine_.Apply(std::vector<Object>{Namespace{name, {}}, queue}, now_).ok());
      Workload job = MakeWorkload(name, name, Cpu(1));
      job.key.ns = name;
      ASSERT_TRUE(engine_.Submit(std::span(&job, 1), now_).ok());
      ASSERT_TRUE(engine_.RunCycle(now_).ok());
      ASSERT_TRUE(engine_.Cancel(std::span(&job.key, 1), now_).ok());
      ASSERT_TRUE(engine_.Delete(ObjectKind::kLocalQueue, queue.key, now_).ok());
      ASSERT_TRUE(engine_.Delete(ObjectKind::kNamespace, {"", name}, now_).ok());
    }
  }

  /// Makes and deletes so many queues, each under a new name.
  void PassQueues(int queues) {
    for (int i = 0; i < queues; ++i) {
      const std::string name = "q" + std::to_string(++number_);
      const std::vector<Object> objects{MakeQueue(name, "cohort", {{"default", "cpu", 1, {}, {}}}),
                                        MakeLocalQueue(name)};
      ASSERT_TRUE(engine_.Apply(objects, now_).ok());
      ASSERT_TRUE(engine_.Delete(ObjectKind::kLocalQueue, KeyOf(objects[1]), now_).ok());
      ASSERT_TRUE(engine_.Delete(ObjectKind::kClusterQueue, KeyOf(objects[0]), now_).ok());
    }
  }

 private:
  static constexpr std::int64_t kBatch = 100;
  Engine engine_;
  TimeNs now_ = kNoon;
  std::int64_t number_ = 0;
};

/// After a few everything has its size.
void ExpectFlat(std::int64_t jobs) {
  constexpr std::int64_t kNoise = 64 * 1024;
  Gateway gateway;
  gateway.Pass(20'000);
  const std::int64_t before = BytesInUse();
  gateway.Pass(jobs);
  EXPECT_LT(BytesInUse() - before, kNoise) << "after " << jobs << " jobs";
}

TEST(Memory, IsFlatOverJobsThatComeAndGo) { ExpectFlat(180'000); }
TEST(NightMemory, IsFlatOverTenMillionJobsThatComeAndGo) { ExpectFlat(10'000'000); }

TEST(Memory, IsFlatOverNamesThatComeAndGo) {
  Gateway gateway;
  gateway.PassNames(6'000);
  const std::int64_t before = BytesInUse();
  gateway.PassNames(12'000);
  EXPECT_LT(BytesInUse() - before, 512 * 1024) << "so much swings between two looks";
}

TEST(NightMemory, IsFlatOverNamesThatComeAndGo) {
  Gateway gateway;
  gateway.PassNames(20'000);
  const std::int64_t before = BytesInUse();
  gateway.PassNames(500'000);
  EXPECT_LT(BytesInUse() - before, 512 * 1024) << "so much swings between two looks";
}

TEST(Memory, IsFlatOverNamespacesThatComeAndGo) {
  Gateway gateway;
  gateway.PassNamespaces(500);
  const std::int64_t before = BytesInUse();
  gateway.PassNamespaces(2'000);
  EXPECT_LT(BytesInUse() - before, 8 * 1024);
}

TEST(Memory, IsFlatOverQueuesThatComeAndGo) {
  Gateway gateway;
  gateway.PassQueues(500);
  const std::int64_t before = BytesInUse();
  gateway.PassQueues(2'000);
  EXPECT_LT(BytesInUse() - before, 8 * 1024);
}

}  // namespace
}  // namespace muster
