// Calls of the C library ahead of the disk, engines made of others, and a process that was forked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include "bindings/c/handles.h"
#include "bindings/c/include/muster.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr const char* kQueueAhead = R"(
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: default}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: queue},
 spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [
  {name: default, resources: [{name: cpu, nominalQuota: 4}]}]}]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: jobs, namespace: team},
 spec: {clusterQueue: queue}}
)";
constexpr const char* kShapeAhead = R"(
{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: shape, namespace: team},
 spec: {queueName: jobs, podSets: [{name: main, count: 1,
  template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}}}]}}
)";

/// The message of a refused call; frees the error.
std::string Told(muster_error* error) {
  std::string message = muster_error_message(error);
  muster_error_free(error);
  return message;
}

/// An engine with a ledger, one queue of 4 CPUs and a consumer.
class CAhead : public ::testing::Test {
 protected:
  CAhead() {
    Open();
    const std::string queues = kQueueAhead;
    const std::string shape = kShapeAhead;
    EXPECT_EQ(muster_apply(engine_, queues.data(), queues.size(), nullptr, MUSTER_REFUSE, kNoon,
                           nullptr, nullptr),
              MUSTER_OK);
    EXPECT_EQ(muster_register_consumer(engine_, "gateway", -1, kNoon, nullptr, nullptr), MUSTER_OK);
    EXPECT_EQ(muster_shape_parse(shape.data(), shape.size(), nullptr, &shape_, nullptr), MUSTER_OK);
  }
  ~CAhead() override {
    muster_shape_free(shape_);
    muster_close(engine_, nullptr);
  }

  void Open() {
    muster_options options = {};
    options.size = sizeof options;
    options.allow_time_jump = 1;
    EXPECT_EQ(muster_open(path_.c_str(), &options, &engine_, nullptr), MUSTER_OK);
  }
  muster_code Submit(const std::string& name, muster_error** error = nullptr) {
    muster_job job = {};
    job.size = sizeof job;
    job.shape = shape_;
    job.ns = "team";
    job.name = name.c_str();
    return muster_submit(engine_, &job, 1, kNoon, nullptr, error);
  }
  std::int64_t Ticket() {
    std::int64_t ticket = -1;
    EXPECT_EQ(muster_pipeline_ticket(engine_, &ticket, nullptr), MUSTER_OK);
    return ticket;
  }
  /// Where the workload is, as an engine has it that reads the ledger; -1 where it is not there.
  std::int32_t StoredPhase(const char* name) const {
    muster_engine* reads = nullptr;
    EXPECT_EQ(muster_read_ledger(path_.c_str(), &reads, nullptr), MUSTER_OK);
    std::int32_t phase = -1;
    if (muster_phase(reads, "team", name, &phase, nullptr) != MUSTER_OK) phase = -1;
    EXPECT_EQ(muster_close(reads, nullptr), MUSTER_OK);
    return phase;
  }

  const TemporaryDirectory directory_;
  const std::string path_ = (directory_.path() / "ledger").string();
  muster_engine* engine_ = nullptr;
  muster_shape* shape_ = nullptr;
};

TEST_F(CAhead, WhatWasWaitedForIsOnDisk) {
  ASSERT_EQ(muster_pipeline_start(engine_, 0, nullptr), MUSTER_OK);
  const std::int64_t before = Ticket();
  for (int i = 0; i < 20; ++i) ASSERT_EQ(Submit("job-" + std::to_string(i)), MUSTER_OK);
  const std::int64_t ticket = Ticket();
  EXPECT_EQ(ticket, before + 20);
  ASSERT_EQ(muster_pipeline_wait(engine_, ticket, nullptr), MUSTER_OK);
  std::int32_t stored = 0;
  EXPECT_EQ(muster_pipeline_stored(engine_, ticket, &stored, nullptr), MUSTER_OK);
  EXPECT_EQ(stored, 1);
  EXPECT_EQ(StoredPhase("job-19"), MUSTER_PHASE_PENDING);
  ASSERT_EQ(muster_pipeline_stop(engine_, nullptr), MUSTER_OK);
  EXPECT_EQ(Ticket(), ticket);
  EXPECT_EQ(muster_pipeline_wait(engine_, ticket, nullptr), MUSTER_OK);
  ASSERT_EQ(muster_pipeline_start(engine_, 2, nullptr), MUSTER_OK);
  ASSERT_EQ(Submit("later"), MUSTER_OK);
  EXPECT_EQ(Ticket(), ticket + 1) << "tickets go on";
  ASSERT_EQ(muster_close(engine_, nullptr), MUSTER_OK);
  EXPECT_EQ(StoredPhase("later"), MUSTER_PHASE_PENDING);
  Open();
}

TEST_F(CAhead, StaysOpenWhileAnotherThreadIsInACallOfThePipeline) {
  for (const bool stops : {false, true}) {
    ASSERT_EQ(muster_pipeline_start(engine_, 0, nullptr), MUSTER_OK);
    const std::int64_t ticket = Ticket();
    muster_code closed = MUSTER_OK;
    muster_error* error = nullptr;
    std::unique_lock<std::mutex> turn(engine_->mutex);
    std::thread calls([&] {
      EXPECT_EQ(stops ? muster_pipeline_stop(engine_, nullptr)
                      : muster_pipeline_wait(engine_, ticket, nullptr),
                MUSTER_OK);
    });
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (engine_->calls == 0 && std::chrono::steady_clock::now() < limit) {
      std::this_thread::yield();
    }
    const bool counted = engine_->calls > 0;
    if (counted) closed = muster_close(engine_, &error);
    turn.unlock();
    calls.join();
    ASSERT_TRUE(counted) << "a call that waits for its turn is not seen; stops: " << stops;
    ASSERT_EQ(closed, MUSTER_FAILED_PRECONDITION);
    EXPECT_THAT(Told(error), HasSubstr("another thread is in a call"));
    ASSERT_EQ(muster_pipeline_stop(engine_, nullptr), MUSTER_OK);
  }
}

TEST_F(CAhead, DecisionsAndWhatIsReadAreOnDisk) {
  ASSERT_EQ(muster_pipeline_start(engine_, 0, nullptr), MUSTER_OK);
  ASSERT_EQ(Submit("job"), MUSTER_OK);
  ASSERT_EQ(muster_run_cycle(engine_, kNoon, nullptr, nullptr, nullptr), MUSTER_OK);
  muster_decisions* told = nullptr;
  ASSERT_EQ(muster_decisions_of(engine_, "gateway", 9, 0, &told, nullptr), MUSTER_OK);
  EXPECT_EQ(muster_decisions_count(told), 1U);
  muster_decisions_free(told);
  EXPECT_EQ(StoredPhase("job"), MUSTER_PHASE_ADMITTED);
  ASSERT_EQ(Submit("read"), MUSTER_OK);
  std::int32_t phase = -1;
  ASSERT_EQ(muster_phase(engine_, "team", "read", &phase, nullptr), MUSTER_OK);
  EXPECT_EQ(StoredPhase("read"), phase);
  ASSERT_EQ(Submit("cycled"), MUSTER_OK);
  muster_bytes* answer = nullptr;
  ASSERT_EQ(muster_run_cycle(engine_, kNoon, nullptr, &answer, nullptr), MUSTER_OK);
  EXPECT_THAT(muster_bytes_data(answer), HasSubstr("read"));
  muster_bytes_free(answer);
  EXPECT_EQ(StoredPhase("read"), MUSTER_PHASE_ADMITTED);
}

TEST_F(CAhead, RefusesWhatIsNone) {
  muster_error* error = nullptr;
  EXPECT_EQ(muster_pipeline_stop(engine_, nullptr), MUSTER_OK) << "there is none: all is on disk";
  EXPECT_EQ(muster_pipeline_wait(engine_, Ticket() + 1, &error), MUSTER_INVALID_ARGUMENT);
  EXPECT_THAT(Told(error), HasSubstr("was not given yet"));
  EXPECT_EQ(muster_pipeline_stored(engine_, -1, nullptr, nullptr), MUSTER_INVALID_ARGUMENT);
  ASSERT_EQ(muster_pipeline_start(engine_, 1, nullptr), MUSTER_OK);
  EXPECT_EQ(muster_pipeline_start(engine_, 1, &error), MUSTER_FAILED_PRECONDITION);
  EXPECT_THAT(Told(error), HasSubstr("muster_pipeline_stop"));
  EXPECT_EQ(Submit("Not a name", &error), MUSTER_INVALID_ARGUMENT) << "calls ahead tell mistakes";
  EXPECT_THAT(Told(error), HasSubstr("Not a name"));
  muster_engine* memory = nullptr;
  ASSERT_EQ(muster_open_memory(nullptr, &memory, nullptr), MUSTER_OK);
  EXPECT_EQ(muster_pipeline_start(memory, 1, &error), MUSTER_FAILED_PRECONDITION);
  EXPECT_THAT(Told(error), HasSubstr("open a ledger"));
  EXPECT_EQ(muster_close(memory, nullptr), MUSTER_OK);
  EXPECT_EQ(muster_pipeline_start(nullptr, 1, nullptr), MUSTER_INVALID_ARGUMENT);
}

TEST_F(CAhead, AFullDiskFailsWhatWasNotThereYetAndAllThatComes) {
  ASSERT_EQ(muster_pipeline_start(engine_, 0, nullptr), MUSTER_OK);
  ASSERT_EQ(Submit("before"), MUSTER_OK);
  ASSERT_EQ(muster_pipeline_wait(engine_, Ticket(), nullptr), MUSTER_OK);
  // No file of this process may grow any more.
  rlimit old = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  rlimit none = old;
  none.rlim_cur = 1;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  const muster_code submitted = Submit("lost");
  const muster_code waited = muster_pipeline_wait(engine_, Ticket(), nullptr);
  const muster_code next = Submit("refused");
  muster_error* error = nullptr;
  const muster_code closed = muster_closed(engine_, &error);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(submitted, AnyOf(MUSTER_OK, MUSTER_UNAVAILABLE)) << "as soon as the disk has failed";
  EXPECT_EQ(waited, MUSTER_UNAVAILABLE);
  EXPECT_EQ(next, MUSTER_UNAVAILABLE);
  EXPECT_EQ(closed, MUSTER_UNAVAILABLE);
  EXPECT_FALSE(Told(error).empty());
  std::int32_t stored = 0;
  EXPECT_EQ(muster_pipeline_stored(engine_, Ticket(), &stored, nullptr), MUSTER_UNAVAILABLE);
  EXPECT_EQ(stored, 0);
  EXPECT_EQ(muster_close(engine_, nullptr), MUSTER_UNAVAILABLE);
  Open();
  EXPECT_EQ(StoredPhase("before"), MUSTER_PHASE_PENDING);
  EXPECT_EQ(StoredPhase("lost"), -1);
}

TEST_F(CAhead, ACopyIsAnEngineOfItsOwn) {
  ASSERT_EQ(Submit("job"), MUSTER_OK);
  muster_engine* copy = nullptr;
  ASSERT_EQ(muster_copy(engine_, &copy, nullptr), MUSTER_OK);
  ASSERT_EQ(muster_run_cycle(copy, kNoon, nullptr, nullptr, nullptr), MUSTER_OK);
  std::int32_t phase = -1;
  ASSERT_EQ(muster_phase(copy, "team", "job", &phase, nullptr), MUSTER_OK);
  EXPECT_EQ(phase, MUSTER_PHASE_ADMITTED);
  EXPECT_EQ(muster_close(copy, nullptr), MUSTER_OK);
  ASSERT_EQ(muster_phase(engine_, "team", "job", &phase, nullptr), MUSTER_OK);
  EXPECT_EQ(phase, MUSTER_PHASE_PENDING);
  EXPECT_EQ(muster_copy(engine_, nullptr, nullptr), MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(muster_read_ledger("/nowhere/ledger", &copy, nullptr), MUSTER_NOT_FOUND);
  EXPECT_EQ(copy, nullptr);
}

TEST_F(CAhead, AnOwnerAppliesNoQueue) {
  const std::string queues = kQueueAhead;
  muster_error* error = nullptr;
  EXPECT_EQ(muster_check_owner(engine_, "queue", queues.data(), queues.size(), "mine.yaml", &error),
            MUSTER_INVALID_ARGUMENT);
  EXPECT_THAT(muster_error_place(error, 0), HasSubstr("mine.yaml:2:"));
  muster_error_free(error);
  EXPECT_EQ(muster_check_owner(engine_, "queue", "", 0, nullptr, nullptr), MUSTER_OK);
}

/// What the calls of a child come to, as bits of what is wrong.
int WrongInChild(muster_engine* engine) {
  muster_error* error = nullptr;
  int wrong = muster_closed(engine, &error) == MUSTER_FAILED_PRECONDITION ? 0 : 1;
  if (std::string(muster_error_message(error)).find("fork()") == std::string::npos) wrong |= 2;
  muster_decisions* told = nullptr;
  if (muster_decisions_of(engine, "gateway", 9, -1, &told, nullptr) != MUSTER_FAILED_PRECONDITION) {
    wrong |= 4;
  }
  muster_wake(engine);
  if (muster_run_cycle(engine, kNoon, nullptr, nullptr, nullptr) != MUSTER_FAILED_PRECONDITION) {
    wrong |= 8;
  }
  if (muster_close(engine, nullptr) != MUSTER_FAILED_PRECONDITION) wrong |= 16;
  muster_engine* own = nullptr;
  if (muster_open_memory(nullptr, &own, nullptr) != MUSTER_OK) wrong |= 32;
  if (muster_run_cycle(own, kNoon, nullptr, nullptr, nullptr) != MUSTER_OK) wrong |= 64;
  if (muster_close(own, nullptr) != MUSTER_OK) wrong |= 128;
  return wrong;
}

TEST_F(CAhead, AForkedProcessIsRefusedAndItsParentGoesOn) {
  ASSERT_EQ(muster_pipeline_start(engine_, 0, nullptr), MUSTER_OK);
  std::size_t heard = 0;
  std::thread waits([&] {
    muster_decisions* told = nullptr;
    EXPECT_EQ(muster_decisions_of(engine_, "gateway", 9, -1, &told, nullptr), MUSTER_OK);
    heard = muster_decisions_count(told);
    muster_decisions_free(told);
  });
  ASSERT_EQ(Submit("job"), MUSTER_OK);
  const pid_t child = fork();
  if (child == 0) _exit(WrongInChild(engine_));
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "exit code " << WEXITSTATUS(status);
  EXPECT_EQ(muster_run_cycle(engine_, kNoon, nullptr, nullptr, nullptr), MUSTER_OK);
  waits.join();
  EXPECT_EQ(heard, 1U);
}

}  // namespace
}  // namespace muster::testing
