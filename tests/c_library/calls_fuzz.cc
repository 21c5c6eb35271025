// Random sequences of calls of the C library, also with texts, sizes and numbers that are wrong. No
// call may crash, break an invariant or close the engine; each that fails says why and hands out
// nothing. libFuzzer drives it by what bindings/c covers; the engine below is checked by the
// sanitizers and its own invariants.
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bindings/c/include/muster.h"
#include "tests/c_library/calls_more.h"
#include "tests/c_library/calls_out.h"
#include "tests/c_library/calls_packages.h"
#include "tests/c_library/calls_texts.h"

namespace {

using muster::testing::Choices;
using muster::testing::Fail;
using muster::testing::kCommands;
using muster::testing::kKinds;
using muster::testing::kManifests;
using muster::testing::kMoreQueues;
using muster::testing::kNames;
using muster::testing::kParams;
using muster::testing::kQueues;
using muster::testing::kSecond;
using muster::testing::kStart;
using muster::testing::kWorkload;
using muster::testing::Out;

class Session {
 public:
  explicit Session(Choices& choose) : choose_(choose) {
    if (choose_.Below(16) == 0) {
      folder_ = std::filesystem::temp_directory_path() / ("calls_fuzz." + std::to_string(getpid()));
      std::filesystem::create_directories(folder_);
    }
    Open();
    for (const char* manifest : {kQueues, kMoreQueues}) {
      out_.Must(muster_apply(engine_, manifest, std::char_traits<char>::length(manifest), "queues",
                             MUSTER_REFUSE, Now(), &out_.bytes, &out_.error));
    }
    out_.Must(muster_shape_parse(kWorkload, std::char_traits<char>::length(kWorkload), "shape",
                                 &shape_, &out_.error));
  }

  ~Session() {
    out_.Check(muster_closed(engine_, &out_.error));
    out_.Check(muster_check_invariants(engine_, &out_.error));
    muster_shape_free(shape_);
    out_.Check(muster_close(engine_, &out_.error));
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void Call() {
    switch (choose_.Below(32)) {
      case 0:
        return Apply();
      case 1:
      case 2:
      case 3:
        return Submit();
      case 4:
      case 5:
        return RunCycle();
      case 6:
        return Report();
      case 7:
        return Evict();
      case 8:
        return CheckAnswers();
      case 9:
        return Do();
      case 10:
        return Consume();
      case 11:
        return Decisions();
      case 12:
        return out_.Check(muster_get(engine_, choose_.Of(kKinds), choose_.Name(), choose_.Name(),
                                     choose_.Name(), choose_.Name(), &out_.bytes, &out_.error));
      case 13:
        return out_.Check(
            muster_explain(engine_, choose_.Name(), choose_.Name(), &out_.bytes, &out_.error));
      case 14: {
        std::int32_t phase = 0;
        return out_.Check(
            muster_phase(engine_, choose_.Name(), choose_.Name(), &phase, &out_.error));
      }
      case 15:
        return out_.Check(muster_advance(engine_, Now(), &out_.error));
      case 16: {
        std::int64_t at = 0;
        return out_.Check(muster_next_deadline(engine_, &at, &out_.error));
      }
      case 17:
        return out_.Check(muster_state_hash(engine_, &out_.bytes, &out_.error));
      case 18:
        return Validate();
      case 19:
        return choose_.Below(2) == 0 ? StartPatch() : Observe();
      case 20:
        return Shape();
      case 21:
        return Scenario();
      case 22:
        return muster_wake(engine_);
      case 23:  // a package that is loaded takes as long as a hundred other calls
        return choose_.Below(4) == 0 ? Policy() : RunCycle();
      case 24:
      case 25:
        return Ahead();
      case 26:
        return Copy();
      case 27:
        return muster::testing::Update(engine_, Now(), choose_, out_);
      case 28:
        return muster::testing::AskOfObjects(engine_, Now(), choose_, out_);
      case 29:
        return muster::testing::AskOfTimes(engine_, Now(), choose_, out_);
      case 30:  // what plays days takes as long as a thousand other calls
        return choose_.Below(8) == 0 ? muster::testing::Report(engine_, folder_, choose_, out_)
                                     : muster::testing::AskLibrary(choose_, out_);
      default:
        return Reopen();
    }
  }

 private:
  void Open() {
    muster_options options{};
    options.size = sizeof options;
    options.relaxed = 1;
    options.allow_time_jump = 1;
    out_.Check(folder_.empty()
                   ? muster_open_memory(&options, &engine_, &out_.error)
                   : muster_open((folder_ / "ledger").c_str(), &options, &engine_, &out_.error));
    if (engine_ == nullptr) Fail("no engine", folder_.c_str());
  }

  void Reopen() {
    if (folder_.empty()) return;
    out_.Check(muster_close(engine_, &out_.error));
    Open();
  }

  /// Goes on, mostly; sometimes it wants to go back, or far ahead.
  std::int64_t Now() {
    const std::int64_t step = choose_.Number();
    now_ += step >= 0 && step <= 1000 ? step * kSecond : 0;
    return step == -1 ? kStart : now_;
  }

  /// Of one that stands alone any number may be told. An array is as long as it says.
  std::uint32_t Size(std::size_t right, std::size_t count) {
    const bool wrong = count == 1 && choose_.Below(8) == 0;
    return static_cast<std::uint32_t>(wrong ? choose_.Number() : static_cast<std::int64_t>(right));
  }

  void Apply() {
    const std::string text = choose_.Text(kManifests);
    out_.Check(muster_apply(engine_, text.data(), text.size(), choose_.Name(),
                            static_cast<std::int32_t>(choose_.Number()), Now(), &out_.bytes,
                            &out_.error));
  }

  void Validate() {
    const std::string text = choose_.Text(kManifests);
    out_.Check(muster_validate(engine_, text.data(), text.size(), choose_.Name(), MUSTER_REFUSE,
                               &out_.error));
  }

  void Submit() {
    std::vector<muster_job> jobs(choose_.Below(4));
    for (muster_job& job : jobs) {
      job.size = Size(sizeof job, jobs.size());
      job.shape = choose_.Below(8) == 0 ? nullptr : shape_;
      job.ns = choose_.Below(8) == 0 ? choose_.Name() : "team";
      job.name = choose_.Name();
      job.queue = choose_.Below(2) == 0 ? nullptr : choose_.Name();
      job.has_priority = choose_.Below(2) == 0 ? 1 : 0;
      job.priority = static_cast<std::int32_t>(choose_.Number());
      job.count = static_cast<std::int32_t>(choose_.Number());
      job.created = choose_.Below(4) == 0 ? choose_.Number() : 0;
      job.uid = choose_.Below(4) == 0 ? choose_.Name() : nullptr;
    }
    std::size_t created = 0;
    muster_bytes* warnings = nullptr;
    const bool warned = choose_.Below(2) == 0;
    const muster_code code =
        warned ? muster_submit_warned(engine_, jobs.data(), jobs.size(), Now(), &created, &warnings,
                                      &out_.error)
               : muster_submit(engine_, jobs.data(), jobs.size(), Now(), &created, &out_.error);
    muster_bytes_free(warnings);
    if (created > (code == MUSTER_OK ? jobs.size() : 0)) Fail("created", "more than it took");
    out_.Check(code);
  }

  void RunCycle() {
    muster_cycle cycle{};
    cycle.size = sizeof cycle;
    out_.Check(muster_run_cycle(engine_, Now(), &cycle,
                                choose_.Below(2) == 0 ? &out_.bytes : nullptr, &out_.error));
  }

  /// With a uid at times, which mostly is that of no job.
  muster_name Named(std::size_t elements) {
    muster_name name = {};
    name.size = Size(sizeof name, elements);
    name.ns = choose_.Below(8) == 0 ? choose_.Name() : "team";
    name.name = choose_.Name();
    if (choose_.Below(4) == 0) name.uid = choose_.Name();
    return name;
  }

  void Evict() {
    if (choose_.Below(2) == 0) {
      return out_.Check(muster_evict(engine_, choose_.Name(), choose_.Name(), choose_.Name(), Now(),
                                     &out_.error));
    }
    const muster_name name = Named(1);
    out_.Check(muster_evict_job(engine_, choose_.Below(16) == 0 ? nullptr : &name, choose_.Name(),
                                Now(), &out_.error));
  }

  void Report() {
    std::vector<muster_name> names(choose_.Below(3));
    for (muster_name& name : names) name = Named(names.size());
    const auto flag = static_cast<std::int32_t>(choose_.Below(2));
    const muster_name* const first = names.data();
    const std::size_t count = names.size();
    switch (choose_.Below(4)) {
      case 0:
        return out_.Check(muster_finish(engine_, first, count, flag, Now(), &out_.error));
      case 1:
        return out_.Check(muster_evicted(engine_, first, count, Now(), &out_.error));
      case 2:
        return out_.Check(muster_cancel(engine_, first, count, Now(), &out_.error));
      default:
        return out_.Check(muster_ready(engine_, first, count, flag, Now(), &out_.error));
    }
  }

  void CheckAnswers() {
    std::int32_t phase = 0;
    const char* const check = choose_.Below(4) == 0 ? "x" : "budget";
    const auto state = static_cast<std::int32_t>(choose_.Number());
    if (choose_.Below(2) == 0) {
      return out_.Check(muster_check(engine_, "team", choose_.Name(), check, state, choose_.Name(),
                                     Now(), &phase, &out_.error));
    }
    const muster_name name = Named(1);
    out_.Check(
        muster_check_job(engine_, &name, check, state, choose_.Name(), Now(), &phase, &out_.error));
  }

  void Do() {
    const std::string json = choose_.Text(kCommands);
    if (choose_.Below(4) == 0) {
      return out_.Check(
          muster_what_if(engine_, json.data(), json.size(), Now(), &out_.bytes, &out_.error));
    }
    out_.Check(muster_do(engine_, json.data(), json.size(), Now(), &out_.bytes, &out_.error),
               /*partial=*/true);
  }

  void Consume() {
    muster_cursor cursor{};
    cursor.size = sizeof cursor;
    const char* const consumer = choose_.Name();
    const std::int64_t number = choose_.Number();
    switch (choose_.Below(3)) {
      case 0:
        return out_.Check(
            muster_register_consumer(engine_, consumer, number, Now(), &cursor, &out_.error));
      case 1:
        return out_.Check(
            muster_acknowledge(engine_, consumer, number, Now(), &cursor, &out_.error));
      default:
        return out_.Check(muster_remove_consumer(engine_, consumer, Now(), &out_.error));
    }
  }

  void Decisions() {
    muster_decisions* decisions = nullptr;
    const std::size_t limit = choose_.Below(8);
    out_.Check(
        choose_.Below(2) == 0
            ? muster_decisions_of(engine_, choose_.Name(), limit, 0, &decisions, &out_.error)
            : muster_decisions_after(engine_, choose_.Number(), limit, 0, &decisions, &out_.error));
    if (decisions == nullptr) return;
    const std::size_t count = muster_decisions_count(decisions);
    if (count > limit) Fail("decisions", "more than the limit");
    const muster_decision* const told = muster_decisions_data(decisions);
    if ((told == nullptr) != (count == 0)) Fail("decisions", "an array of another length");
    for (std::size_t i = 0; i < count; ++i) {
      if (told[i].number > muster_decisions_last(decisions)) Fail("decisions", "behind the newest");
      if (*muster_decision_kind(told[i].kind) == '\0') Fail("decisions", "of no kind");
      if (muster_decisions_topology(decisions, i, told[i].pod_set_count) != nullptr) {
        Fail("decisions", "places of no podset");
      }
    }
    out_.Check(muster_decisions_json(decisions, &out_.bytes, &out_.error));
    muster_decisions_free(decisions);
  }

  /// Calls between a start and a stop run ahead of the disk where there is one.
  void Ahead() {
    std::int64_t newest = 0;
    std::int32_t stored = 0;
    switch (choose_.Below(4)) {
      case 0:
        return out_.Check(muster_pipeline_start(engine_, choose_.Below(9), &out_.error));
      case 1:
        return out_.Check(muster_pipeline_stop(engine_, &out_.error));
      case 2:
        return out_.Check(muster_pipeline_stored(engine_, choose_.Number(), &stored, &out_.error));
      default:
        out_.Must(muster_pipeline_ticket(engine_, &newest, &out_.error));
        return out_.Check(muster_pipeline_wait(
            engine_, choose_.Below(4) == 0 ? choose_.Number() : newest, &out_.error));
    }
  }

  /// What holds of a copy holds of the engine, too.
  void Copy() {
    const std::string text = choose_.Text(kManifests);
    if (choose_.Below(2) == 0) {
      return out_.Check(muster_check_owner(engine_, choose_.Name(), text.data(), text.size(),
                                           choose_.Name(), &out_.error));
    }
    muster_engine* copy = nullptr;
    out_.Check(choose_.Below(2) == 0 || folder_.empty()
                   ? muster_copy(engine_, &copy, &out_.error)
                   : muster_read_ledger((folder_ / "ledger").c_str(), &copy, &out_.error));
    if (copy == nullptr) return;
    out_.Must(muster_run_cycle(copy, now_, nullptr, nullptr, &out_.error));
    out_.Must(muster_check_invariants(copy, &out_.error));
    out_.Must(muster_close(copy, &out_.error));
  }

  void StartPatch() {
    const std::string text = choose_.Text(kManifests);
    out_.Check(muster_start_patch(engine_, "team", choose_.Name(), text.data(), text.size(),
                                  choose_.Name(), &out_.bytes, &out_.error));
  }

  void Observe() {
    const std::string text = choose_.Text(kManifests);
    out_.Check(muster_observe(engine_, text.data(), text.size(), choose_.Name(), 0, &out_.bytes,
                              &out_.error));
  }

  void Shape() {
    const std::string text = choose_.Text(kManifests);
    muster_shape* shape = nullptr;
    out_.Check(muster_shape_parse(text.data(), text.size(), choose_.Name(), &shape, &out_.error));
    if (shape == nullptr) return;
    muster_shape_free(shape_);
    shape_ = shape;
  }

  void Scenario() {
    const std::string text = choose_.Text(kManifests);
    std::size_t failed = 0;
    out_.Check(muster_scenario(text.data(), text.size(), choose_.Name(), &out_.bytes, &failed,
                               &out_.error));
  }

  /// One of two packages, or none that is there.
  void Policy() {
    const std::string& folder = choose_.Of(muster::testing::Packages::Folders());
    const char* const params = choose_.Of(kParams);
    std::size_t failed = 0;
    switch (choose_.Below(9)) {
      case 8:
        return out_.Check(muster_policy_test(folder.c_str(), &out_.bytes, &failed, &out_.error));
      case 0:
        return out_.Check(muster_policy_check(folder.c_str(), params, &out_.bytes, &out_.error));
      case 1:
        return Stage(folder, params);
      case 2:
        return out_.Check(muster_policy_activate_staged(engine_, choose_.Name(), choose_.Name(),
                                                        choose_.Name(), Now(), &out_.bytes,
                                                        &out_.error));
      case 3:
      case 4:
        return out_.Check(muster_policy_activate(engine_, folder.c_str(), params, choose_.Name(),
                                                 choose_.Name(), Now(), &out_.bytes, &out_.error));
      case 5:
        return out_.Check(
            muster_policy_roll_back(engine_, choose_.Name(), choose_.Name(), Now(), &out_.error));
      case 6:
        return out_.Check(muster_policy_shadow(
            engine_, choose_.Below(2) == 0 ? nullptr : folder.c_str(), params, &out_.error));
      default:
        return out_.Check(muster_policy_shadow_report(engine_, &out_.bytes, &out_.error));
    }
  }

  /// Stages a package; what passed mostly goes live, perhaps after other calls.
  void Stage(const std::string& folder, const char* params) {
    const muster_code code = muster_policy_stage(engine_, folder.c_str(), params, choose_.Name(),
                                                 choose_.Name(), Now(), &out_.bytes, &out_.error);
    const std::string info = code == MUSTER_OK ? muster_bytes_data(out_.bytes) : "";
    out_.Check(code);
    if (code != MUSTER_OK || choose_.Below(4) == 0) return;
    const std::string mark = "\"hash\": \"";
    const std::size_t begins = info.find(mark) + mark.size();
    const std::string hash = info.substr(begins, info.find('"', begins) - begins);
    if (choose_.Below(2) == 0) RunCycle();
    out_.Check(muster_policy_activate_staged(engine_, hash.c_str(), "me", nullptr, Now(),
                                             &out_.bytes, &out_.error));
  }

  Choices& choose_;
  std::filesystem::path folder_;
  muster_engine* engine_ = nullptr;
  muster_shape* shape_ = nullptr;
  std::int64_t now_ = kStart;
  Out out_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  muster_set_log_level(MUSTER_OFF);
  Choices choose(data, size);
  Session session(choose);
  constexpr int kMostCalls = 60;
  for (int i = 0; i < kMostCalls && !choose.Done(); ++i) session.Call();
  return 0;
}
