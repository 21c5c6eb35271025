// The C functions from outside: what they hand out, what they refuse, and how they wait.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "bindings/c/handles.h"
#include "bindings/c/include/muster.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"
#include "tests/unit/c/one_queue.h"

namespace muster::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* kJob = R"(
apiVersion: batch/v1
kind: Job
metadata:
  namespace: team
  name: shape
  labels: {kueue.x-k8s.io/queue-name: jobs}
spec:
  parallelism: 2
  template:
    spec:
      containers:
      - name: main
        image: none
        resources: {requests: {cpu: 500m}}
      restartPolicy: Never
)";

struct Free {
  void operator()(muster_engine* each) const { muster_close(each, nullptr); }
  void operator()(muster_error* each) const { muster_error_free(each); }
  void operator()(muster_bytes* each) const { muster_bytes_free(each); }
  void operator()(muster_shape* each) const { muster_shape_free(each); }
  void operator()(muster_decisions* each) const { muster_decisions_free(each); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

/// An engine in memory with one queue, and the shape of a job.
class CCalls : public ::testing::Test {
 protected:
  CCalls() {
    EXPECT_EQ(muster_open_memory(nullptr, &engine_, nullptr), MUSTER_OK);
    EXPECT_EQ(Apply(kOneQueue), MUSTER_OK) << Message();
    muster_shape* shape = nullptr;
    const std::string job = kJob;
    EXPECT_EQ(Ask(muster_shape_parse(job.data(), job.size(), "job", &shape, &error_)), MUSTER_OK)
        << Message();
    shape_.reset(shape);
  }
  ~CCalls() override {
    muster_error_free(error_);
    EXPECT_EQ(muster_close(engine_, nullptr), MUSTER_OK);
  }

  /// Keeps the error of the call that ran last.
  muster_code Ask(muster_code code) { return code; }
  void Forget() {
    muster_error_free(error_);
    error_ = nullptr;
  }
  std::string Message() const { return muster_error_message(error_); }

  muster_code Apply(const std::string& yaml) {
    Forget();
    return muster_apply(engine_, yaml.data(), yaml.size(), "queues.yaml", MUSTER_REFUSE, kNoon,
                        nullptr, &error_);
  }
  muster_code Submit(const std::vector<std::string>& names, std::size_t* created = nullptr) {
    Forget();
    std::vector<muster_job> jobs(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      jobs[i].size = sizeof(muster_job);
      jobs[i].shape = shape_.get();
      jobs[i].ns = "team";
      jobs[i].name = names[i].c_str();
    }
    return muster_submit(engine_, jobs.data(), jobs.size(), kNoon, created, &error_);
  }
  json Get(const char* kind, const char* name = nullptr) {
    Forget();
    muster_bytes* text = nullptr;
    EXPECT_EQ(muster_get(engine_, kind, nullptr, name, nullptr, nullptr, &text, &error_), MUSTER_OK)
        << Message();
    const Owned<muster_bytes> owned(text);
    return json::parse(muster_bytes_data(text));
  }

  muster_engine* engine_ = nullptr;
  muster_error* error_ = nullptr;
  Owned<muster_shape> shape_;
};

TEST_F(CCalls, AStartIsWrittenIntoTheObjectThatWasAdmitted) {
  const std::string job = kJob;
  const auto start = [&](muster_bytes** out) {
    Forget();
    return muster_start_patch(engine_, "team", "job-shape", job.data(), job.size(), nullptr, out,
                              &error_);
  };
  ASSERT_EQ(Apply(job), MUSTER_OK) << Message();
  muster_bytes* text = nullptr;
  EXPECT_EQ(start(&text), MUSTER_FAILED_PRECONDITION) << "it holds no quota";
  EXPECT_EQ(text, nullptr);
  ASSERT_EQ(muster_run_cycle(engine_, kNoon, nullptr, nullptr, nullptr), MUSTER_OK);
  ASSERT_EQ(start(&text), MUSTER_OK) << Message();
  const Owned<muster_bytes> owned(text);
  const json answer = json::parse(muster_bytes_data(text));
  EXPECT_EQ(answer["workload"], "team/job-shape");
  EXPECT_EQ(answer["objects"][0]["patch"]["spec"]["suspend"], false);
  Forget();
  muster_bytes* none = nullptr;
  EXPECT_EQ(muster_start_patch(engine_, "team", "job-shape", kOneQueue,
                               std::string(kOneQueue).size(), nullptr, &none, &error_),
            MUSTER_NOT_FOUND);
  EXPECT_THAT(Message(), HasSubstr("give those that it was submitted from"));
}

TEST_F(CCalls, AStatusIsReadFromTheObject) {
  const std::string job = kJob;
  ASSERT_EQ(Apply(job), MUSTER_OK) << Message();
  ASSERT_EQ(muster_run_cycle(engine_, kNoon, nullptr, nullptr, nullptr), MUSTER_OK);
  const auto observe = [&](const std::string& text) -> std::string {
    Forget();
    muster_bytes* bytes = nullptr;
    if (muster_observe(engine_, text.data(), text.size(), "s.yaml", kNoon, &bytes, &error_) !=
        MUSTER_OK) {
      EXPECT_EQ(bytes, nullptr);
      return Message();
    }
    const Owned<muster_bytes> owned(bytes);
    return json::parse(muster_bytes_data(bytes))["objects"][0]["result"];
  };
  EXPECT_EQ(observe(job), "unchanged");
  const std::string failed = "status: {conditions: [{type: Failed, status: 'True'}]}\n";
  EXPECT_EQ(observe(job + failed), "failed");
  std::int32_t phase = 0;
  ASSERT_EQ(muster_phase(engine_, "team", "job-shape", &phase, nullptr), MUSTER_OK);
  EXPECT_EQ(phase, MUSTER_PHASE_FINISHED);
  EXPECT_THAT(observe(kOneQueue), HasSubstr("no object of a job kind"));
}

TEST_F(CCalls, AGatewaysDayInBatches) {
  muster_cursor cursor = {};
  cursor.size = sizeof cursor;
  ASSERT_EQ(muster_register_consumer(engine_, "gateway", -1, kNoon, &cursor, nullptr), MUSTER_OK);
  std::size_t created = 0;
  ASSERT_EQ(Submit({"a", "b", "a2"}, &created), MUSTER_OK) << Message();
  EXPECT_EQ(created, 3U);
  EXPECT_EQ(Submit({"a", "b"}, &created), MUSTER_OK);
  EXPECT_EQ(created, 0U) << "they are there";
  muster_cycle cycle = {};
  cycle.size = sizeof cycle;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(muster_run_cycle(engine_, kNoon, &cycle, nullptr, nullptr), MUSTER_OK);
    EXPECT_EQ(cycle.admitted, 1);
    EXPECT_EQ(cycle.number, i + 1);
  }
  muster_decisions* decisions = nullptr;
  ASSERT_EQ(muster_decisions_of(engine_, "gateway", 2, 0, &decisions, nullptr), MUSTER_OK);
  const Owned<muster_decisions> owned(decisions);
  ASSERT_EQ(muster_decisions_count(decisions), 2U);
  const muster_decision* first = muster_decisions_data(decisions);
  EXPECT_STREQ(first->name, "a");
  EXPECT_EQ(first->pod_sets->count, 2);
  EXPECT_EQ(first->pod_sets->flavors->amount, 1'000);
  EXPECT_EQ(muster_acknowledge(engine_, "gateway", first[1].number, kNoon, &cursor, nullptr),
            MUSTER_OK);
  EXPECT_EQ(cursor.acknowledged, 2);
  EXPECT_EQ(cursor.last, 3);
  EXPECT_EQ(Get("consumers")["items"][0]["behind"], 1);
  const muster_name gone = {sizeof(muster_name), 0, "team", "a", nullptr, 0};
  EXPECT_EQ(muster_finish(engine_, &gone, 1, 0, kNoon, nullptr), MUSTER_OK);
  std::int32_t phase = -1;
  EXPECT_EQ(muster_phase(engine_, "team", "a", &phase, nullptr), MUSTER_OK);
  EXPECT_EQ(phase, MUSTER_PHASE_FINISHED);
  EXPECT_EQ(muster_check_invariants(engine_, nullptr), MUSTER_OK);
}

TEST_F(CCalls, ErrorsHaveCodePlaceAndCure) {
  EXPECT_EQ(Apply("kind: ClusterQueue\nmetadata: {name: x}\nspce: {}\n"), MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(muster_error_code(error_), MUSTER_INVALID_ARGUMENT);
  ASSERT_GE(muster_error_count(error_), 1U);
  EXPECT_THAT(muster_error_place(error_, 0), HasSubstr("queues.yaml:"));
  EXPECT_THAT(Message(), HasSubstr("queues.yaml:"));
  std::string cures;
  for (std::size_t i = 0; i < muster_error_count(error_); ++i)
    cures += muster_error_cure(error_, i);
  EXPECT_NE(cures, "");
  EXPECT_STREQ(muster_error_place(error_, 99), "");
  Forget();
  const std::string command = R"({"command": "finish", "workloads": [{"nmae": "x"}]})";
  EXPECT_EQ(muster_do(engine_, command.data(), command.size(), kNoon, nullptr, &error_),
            MUSTER_INVALID_ARGUMENT);
  EXPECT_THAT(muster_error_place(error_, 0), HasSubstr("workloads[0]"));
  Forget();
  EXPECT_EQ(muster_explain(engine_, "team", "none", nullptr, &error_), MUSTER_NOT_FOUND);
  EXPECT_STREQ(muster_code_name(muster_error_code(error_)), "MUSTER_NOT_FOUND");
}

TEST_F(CCalls, AListOfCommandsTellsWhatHappenedBeforeTheRefusal) {
  const std::string list = R"([{"command": "advance"}, {"command": "ready",
    "workloads": [{"namespace": "team", "name": "none"}]}])";
  muster_bytes* answers = nullptr;
  EXPECT_EQ(muster_do(engine_, list.data(), list.size(), kNoon, &answers, &error_),
            MUSTER_NOT_FOUND);
  const Owned<muster_bytes> owned(answers);
  EXPECT_STREQ(muster_bytes_data(answers), R"([{"answer":"done"}])");
  EXPECT_THAT(muster_error_place(error_, 0), HasSubstr("[1]"));
}

TEST_F(CCalls, WhatMustBeThereIsAskedFor) {
  EXPECT_EQ(muster_apply(nullptr, "", 0, nullptr, 0, 0, nullptr, nullptr), MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(muster_decisions_of(engine_, "x", 1, 0, nullptr, nullptr), MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(muster_finish(engine_, nullptr, 1, 0, 0, nullptr), MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(muster_finish(engine_, nullptr, 0, 0, 0, nullptr), MUSTER_OK);
  muster_job job = {};
  EXPECT_EQ(muster_submit(engine_, &job, 1, 0, nullptr, &error_), MUSTER_INVALID_ARGUMENT);
  EXPECT_THAT(Message(), HasSubstr("set it to sizeof(muster_job)"));
  Forget();
  for (const std::size_t never_set : {sizeof job + 1, std::size_t{0xFFFFFFF8}}) {
    job.size = static_cast<std::uint32_t>(never_set);
    EXPECT_EQ(muster_submit(engine_, &job, 1, 0, nullptr, &error_), MUSTER_INVALID_ARGUMENT);
    EXPECT_THAT(Message(), HasSubstr("set it to sizeof(muster_job)"));
    Forget();
  }
  job.size = sizeof job;
  EXPECT_EQ(muster_submit(engine_, &job, 1, 0, nullptr, &error_), MUSTER_INVALID_ARGUMENT);
  EXPECT_THAT(Message(), HasSubstr("muster_shape_parse"));
  Forget();
  EXPECT_EQ(muster_get(engine_, "workload", nullptr, nullptr, "wating", nullptr, nullptr, &error_),
            MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(muster_close(nullptr, nullptr), MUSTER_OK);
}

TEST_F(CCalls, AStructOfAnOlderHeaderIsFilledAsFarAsItGoes) {
  struct Older {
    muster_cycle cycle;
    std::int64_t behind = 77;
  } older = {};
  older.cycle.size = 16;  // size, at_rest and the number
  older.cycle.at = 77;
  ASSERT_EQ(Submit({"a"}), MUSTER_OK) << Message();
  ASSERT_EQ(muster_run_cycle(engine_, kNoon, &older.cycle, nullptr, nullptr), MUSTER_OK);
  EXPECT_EQ(older.cycle.size, 16U);
  EXPECT_EQ(older.cycle.number, 1);
  EXPECT_EQ(older.cycle.at, 77);
}

TEST_F(CCalls, WaitingEndsWithADecisionWithTheTimeOrWhenWoken) {
  ASSERT_EQ(muster_register_consumer(engine_, "gateway", -1, kNoon, nullptr, nullptr), MUSTER_OK);
  ASSERT_EQ(Submit({"a"}), MUSTER_OK) << Message();
  const auto wait = [&](std::int64_t ms) {
    muster_decisions* decisions = nullptr;
    EXPECT_EQ(muster_decisions_of(engine_, "gateway", 9, ms, &decisions, nullptr), MUSTER_OK);
    const Owned<muster_decisions> owned(decisions);
    return muster_decisions_count(decisions);
  };
  EXPECT_EQ(wait(0), 0U);
  EXPECT_EQ(wait(10), 0U) << "the time is over";
  std::atomic<std::size_t> told{99};
  std::thread waits([&] { told = wait(-1); });
  ASSERT_EQ(muster_run_cycle(engine_, kNoon, nullptr, nullptr, nullptr), MUSTER_OK);
  waits.join();
  EXPECT_EQ(told, 1U);
  ASSERT_EQ(muster_acknowledge(engine_, "gateway", 1, kNoon, nullptr, nullptr), MUSTER_OK);
  std::atomic<bool> over{false};
  std::thread woken([&] {
    told = wait(-1);
    over = true;
  });
  while (!over) {
    muster_wake(engine_);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  woken.join();
  EXPECT_EQ(told, 0U);
}

TEST_F(CCalls, PoliciesAreCheckedTestedActivatedAndUndone) {
  const std::string folder = (SourceDir() / "policies/small-first").string();
  muster_bytes* text = nullptr;
  ASSERT_EQ(muster_policy_check(folder.c_str(), nullptr, &text, &error_), MUSTER_OK) << Message();
  EXPECT_EQ(json::parse(muster_bytes_data(text))["name"], "small-first");
  muster_bytes_free(text);
  std::size_t failed = 99;
  ASSERT_EQ(muster_policy_test(folder.c_str(), &text, &failed, &error_), MUSTER_OK) << Message();
  EXPECT_EQ(failed, 0U);
  EXPECT_TRUE(json::accept(muster_bytes_data(text)));
  muster_bytes_free(text);
  ASSERT_EQ(muster_policy_shadow(engine_, folder.c_str(), nullptr, &error_), MUSTER_OK);
  ASSERT_EQ(muster_policy_shadow_report(engine_, &text, &error_), MUSTER_OK);
  EXPECT_THAT(muster_bytes_data(text), HasSubstr("small-first"));
  muster_bytes_free(text);
  ASSERT_EQ(muster_policy_activate(engine_, folder.c_str(), nullptr, "me", "why not", kNoon, &text,
                                   &error_),
            MUSTER_OK)
      << Message();
  EXPECT_EQ(json::parse(muster_bytes_data(text))["answer"], "activated");
  muster_bytes_free(text);
  EXPECT_EQ(Get("policies")["items"].size(), 1U);
  ASSERT_EQ(muster_policy_roll_back(engine_, "me", "no", kNoon, &error_), MUSTER_OK) << Message();
  EXPECT_EQ(Get("policies")["items"].size(), 0U);
  EXPECT_EQ(muster_policy_roll_back(engine_, "me", "no", kNoon, nullptr),
            MUSTER_FAILED_PRECONDITION);
  EXPECT_EQ(muster_policy_check(folder.c_str(), "[1]", nullptr, nullptr), MUSTER_INVALID_ARGUMENT);
}

TEST_F(CCalls, ReadingIsWhatTheCommandPrints) {
  ASSERT_EQ(Submit({"a"}), MUSTER_OK) << Message();
  EXPECT_EQ(Get("wl")["items"][0]["metadata"]["name"], "a");
  EXPECT_EQ(Get("clusterqueues", "queue")["status"]["pendingWorkloads"], 1);
  muster_bytes* text = nullptr;
  ASSERT_EQ(muster_explain(engine_, "team", "a", &text, &error_), MUSTER_OK) << Message();
  EXPECT_TRUE(json::accept(muster_bytes_data(text)));
  muster_bytes_free(text);
  ASSERT_EQ(muster_schema(&text, &error_), MUSTER_OK);
  EXPECT_TRUE(json::accept(muster_bytes_data(text)));
  muster_bytes_free(text);
}

TEST_F(CCalls, WhatIfAnswersAndChangesNothing) {
  ASSERT_EQ(Submit({"a"}), MUSTER_OK) << Message();
  const std::string command =
      R"({"command":"cancel","workloads":[{"namespace":"team","name":"a"}]})";
  muster_bytes* text = nullptr;
  ASSERT_EQ(muster_what_if(engine_, command.data(), command.size(), kNoon, &text, &error_),
            MUSTER_OK)
      << Message();
  const json answer = json::parse(muster_bytes_data(text));
  muster_bytes_free(text);
  EXPECT_EQ(answer["changes"][0]["workload"], "team/a");
  EXPECT_EQ(answer["changes"][0]["change"], "is gone");
  EXPECT_EQ(Get("wl")["items"].size(), 1U);
  const std::string absent =
      R"([{"command":"cancel",
           "workloads":[{"namespace":"team","name":"b"}]}])";
  EXPECT_EQ(muster_what_if(engine_, absent.data(), absent.size(), kNoon, &text, &error_),
            MUSTER_NOT_FOUND);
  EXPECT_EQ(text, nullptr);
  EXPECT_EQ(muster_what_if(engine_, "[", 1, kNoon, nullptr, nullptr), MUSTER_INVALID_ARGUMENT);
}

TEST(CLedger, GoesOnWhereItStoodAndHasOneWriter) {
  const TemporaryDirectory directory;
  const std::string path = (directory.path() / "ledger").string();
  muster_engine* engine = nullptr;
  muster_options options = {};
  options.size = sizeof options;
  options.must_exist = 1;
  EXPECT_EQ(muster_open(path.c_str(), &options, &engine, nullptr), MUSTER_NOT_FOUND);
  options.must_exist = 0;
  options.allow_time_jump = 1;
  ASSERT_EQ(muster_open(path.c_str(), &options, &engine, nullptr), MUSTER_OK);
  muster_engine* second = nullptr;
  muster_error* error = nullptr;
  EXPECT_EQ(muster_open(path.c_str(), nullptr, &second, &error), MUSTER_UNAVAILABLE);
  EXPECT_EQ(second, nullptr);
  muster_error_free(error);
  const std::string yaml = kOneQueue;
  ASSERT_EQ(muster_apply(engine, yaml.data(), yaml.size(), nullptr, MUSTER_REFUSE, kNoon, nullptr,
                         nullptr),
            MUSTER_OK);
  muster_bytes* before = nullptr;
  ASSERT_EQ(muster_state_hash(engine, &before, nullptr), MUSTER_OK);
  const Owned<muster_bytes> owned_before(before);
  ASSERT_EQ(muster_close(engine, nullptr), MUSTER_OK);
  ASSERT_EQ(muster_open(path.c_str(), &options, &engine, nullptr), MUSTER_OK);
  muster_bytes* after = nullptr;
  ASSERT_EQ(muster_state_hash(engine, &after, nullptr), MUSTER_OK);
  const Owned<muster_bytes> owned_after(after);
  EXPECT_STREQ(muster_bytes_data(after), muster_bytes_data(before));
  ASSERT_EQ(muster_close(engine, nullptr), MUSTER_OK);
}

TEST(CLedger, HasNoPackageOfAnUnknownHash) {
  const TemporaryDirectory directory;
  const std::string path = (directory.path() / "ledger").string();
  muster_engine* engine = nullptr;
  ASSERT_EQ(muster_open(path.c_str(), nullptr, &engine, nullptr), MUSTER_OK);
  const std::string command =
      R"({"command": "activate-policy", "hash": ")" + std::string(64, 'f') + R"("})";
  muster_error* error = nullptr;
  EXPECT_EQ(muster_do(engine, command.data(), command.size(), kNoon, nullptr, &error),
            MUSTER_NOT_FOUND);
  EXPECT_THAT(muster_error_message(error),
              HasSubstr("the ledger has no policy package of the hash " + std::string(64, 'f')));
  muster_error_free(error);
  EXPECT_EQ(muster_what_if(engine, command.data(), command.size(), kNoon, nullptr, nullptr),
            MUSTER_NOT_FOUND);
  ASSERT_EQ(muster_close(engine, nullptr), MUSTER_OK);
}

TEST(CClose, WhileAnotherThreadIsInACallSaysSoAndLeavesTheEngineOpen) {
  muster_engine* engine = nullptr;
  ASSERT_EQ(muster_open_memory(nullptr, &engine, nullptr), MUSTER_OK);
  std::thread waiting([engine] {
    muster_decisions* decisions = nullptr;
    EXPECT_EQ(muster_decisions_after(engine, 0, 10, -1, &decisions, nullptr), MUSTER_OK);
    muster_decisions_free(decisions);
  });
  while (engine->calls == 0) std::this_thread::yield();
  muster_error* error = nullptr;
  EXPECT_EQ(muster_close(engine, &error), MUSTER_FAILED_PRECONDITION);
  EXPECT_THAT(muster_error_message(error),
              HasSubstr("another thread is in a call of this engine, so it stays open; end the "
                        "threads that call it (muster_wake ends a wait for decisions)"));
  muster_error_free(error);
  // Before it waits a wake may come too early, and then another has to.
  while (engine->calls > 0) {
    muster_wake(engine);
    std::this_thread::yield();
  }
  waiting.join();
  EXPECT_EQ(muster_close(engine, nullptr), MUSTER_OK);
}

TEST(CLog, GoesToASinkAndBack) {
  const TemporaryDirectory directory;
  std::vector<std::string> lines;
  muster_set_log_level(MUSTER_INFO);
  muster_set_log_sink(
      [](void* context, std::int32_t, const char* message, std::size_t size) {
        static_cast<std::vector<std::string>*>(context)->emplace_back(message, size);
      },
      &lines);
  muster_engine* engine = nullptr;
  ASSERT_EQ(muster_open((directory.path() / "ledger").c_str(), nullptr, &engine, nullptr),
            MUSTER_OK);
  ASSERT_EQ(muster_close(engine, nullptr), MUSTER_OK);
  muster_set_log_sink(nullptr, nullptr);
  muster_set_log_level(MUSTER_WARNING);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines[0], HasSubstr("opened"));
}

TEST(CScenario, IsPlayedAndCounted) {
  const std::string yaml = R"(
apiVersion: muster.dev/v1
kind: Scenario
metadata: {name: nothing}
spec:
  steps:
  - cycle: {}
    expect: {pending: {team/none: {}}}
)";
  std::size_t failed = 0;
  muster_bytes* report = nullptr;
  ASSERT_EQ(muster_scenario(yaml.data(), yaml.size(), "s.yaml", &report, &failed, nullptr),
            MUSTER_OK);
  EXPECT_EQ(failed, 1U) << muster_bytes_data(report);
  EXPECT_TRUE(json::accept(muster_bytes_data(report)));
  muster_bytes_free(report);
}

}  // namespace
}  // namespace muster::testing
