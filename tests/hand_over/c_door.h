// The C library as a door for the cases: calls come as commands in JSON.
#ifndef MUSTER_TESTS_HAND_OVER_C_DOOR_H_
#define MUSTER_TESTS_HAND_OVER_C_DOOR_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "bindings/c/include/muster.h"
#include "tests/hand_over/cases.h"

namespace muster::testing {

/// "NotFound" of MUSTER_NOT_FOUND.
inline std::string CodeText(muster_code code) {
  switch (code) {
    case MUSTER_OK:
      return "";
    case MUSTER_INVALID_ARGUMENT:
      return "InvalidArgument";
    case MUSTER_NOT_FOUND:
      return "NotFound";
    case MUSTER_FAILED_PRECONDITION:
      return "FailedPrecondition";
    default:
      return muster_code_name(code);
  }
}

/// What a call said; takes both over.
inline Said Told(muster_code code, muster_bytes* bytes, muster_error* error) {
  Said said{CodeText(code),
            code == MUSTER_OK ? muster_bytes_data(bytes) : muster_error_message(error)};
  muster_bytes_free(bytes);
  muster_error_free(error);
  return said;
}

/// "QuotaReserved" of MUSTER_PHASE_RESERVED.
inline std::string PhaseText(std::int32_t phase) {
  constexpr const char* kPhases[] = {"Pending",  "QuotaReserved", "Admitted",
                                     "Evicting", "Inactive",      "Finished"};
  return kPhases[phase];
}

/// Plays commands as data, with nothing but muster.h.
class CDoor : public Door {
 public:
  explicit CDoor(std::string path) : path_(std::move(path)) { Open(); }
  ~CDoor() override { muster_close(engine_, nullptr); }
  CDoor(const CDoor&) = delete;
  CDoor& operator=(const CDoor&) = delete;

  Said Do(const std::string& command, std::int64_t at) override {
    muster_bytes* answer = nullptr;
    muster_error* error = nullptr;
    const muster_code code =
        muster_do(engine_, command.data(), command.size(), at, &answer, &error);
    return testing::Told(code, answer, error);
  }
  Said DecisionsOf(const std::string& consumer, std::size_t most) override {
    muster_decisions* decisions = nullptr;
    muster_error* error = nullptr;
    const muster_code code =
        muster_decisions_of(engine_, consumer.c_str(), most, 0, &decisions, &error);
    return Told(code, decisions, error);
  }
  Said DecisionsAfter(std::int64_t number, std::size_t most) override {
    muster_decisions* decisions = nullptr;
    muster_error* error = nullptr;
    const muster_code code = muster_decisions_after(engine_, number, most, 0, &decisions, &error);
    return Told(code, decisions, error);
  }
  Said Phase(const std::string& name) override {
    std::int32_t phase = 0;
    muster_error* error = nullptr;
    const muster_code code = muster_phase(engine_, "team", name.c_str(), &phase, &error);
    Said said = testing::Told(code, static_cast<muster_bytes*>(nullptr), error);
    if (code == MUSTER_OK) said.text = PhaseText(phase);
    return said;
  }
  void Restart() override {
    EXPECT_EQ(muster_close(std::exchange(engine_, nullptr), nullptr), MUSTER_OK);
    Open();
  }

 protected:
  muster_engine* engine() const { return engine_; }

 private:
  static Said Told(muster_code code, muster_decisions* decisions, muster_error* error) {
    muster_bytes* json = nullptr;
    if (code == MUSTER_OK) {
      EXPECT_EQ(muster_decisions_json(decisions, &json, nullptr), MUSTER_OK);
      CheckArray(decisions, json);
    }
    muster_decisions_free(decisions);
    return testing::Told(code, json, error);
  }

  /// The array says what the JSON says.
  static void CheckArray(const muster_decisions* decisions, const muster_bytes* json) {
    const auto told = nlohmann::json::parse(muster_bytes_data(json));
    ASSERT_EQ(muster_decisions_count(decisions), told["decisions"].size());
    EXPECT_EQ(muster_decisions_last(decisions), told["last"]);
    const muster_decision* each = muster_decisions_data(decisions);
    for (const auto& expected : told["decisions"]) {
      EXPECT_EQ(each->size, sizeof(muster_decision));
      EXPECT_EQ(each->number, expected["number"]);
      EXPECT_EQ(muster_decision_kind(each->kind), expected["kind"]);
      EXPECT_EQ(each->name, expected["workload"]["name"]);
      EXPECT_EQ(each->uid, expected["uid"]);
      EXPECT_EQ(each->stop != 0, expected.value("stop", false));
      EXPECT_EQ(each->pod_set_count, expected.contains("admission") ? 1U : 0U);
      if (each->pod_set_count > 0) {
        EXPECT_STREQ(each->pod_sets->name, "main");
        EXPECT_STREQ(each->pod_sets->flavors->resource, "cpu");
        EXPECT_EQ(each->pod_sets->flavors->amount, 3'000);
        EXPECT_EQ(each->cluster_queue, expected["admission"]["clusterQueue"]);
      }
      ++each;
    }
  }

  void Open() {
    muster_options options = {};
    options.size = sizeof options;
    options.allow_time_jump = 1;
    options.relaxed = 1;
    muster_error* error = nullptr;
    if (muster_open(path_.c_str(), &options, &engine_, &error) != MUSTER_OK) {
      throw std::runtime_error(muster_error_message(error));
    }
  }

  std::string path_;
  muster_engine* engine_ = nullptr;
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_HAND_OVER_C_DOOR_H_
