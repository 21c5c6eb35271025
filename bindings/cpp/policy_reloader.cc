// A save that comes while a candidate is on its way makes the candidate old: it is dropped and the
// folder staged again, so that what goes live is always what was there when it was quiet.
#include "muster/policy_reloader.h"

#include <chrono>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

#include "bindings/cpp/policy_stage.h"
#include "bindings/cpp/policy_watch.h"
#include "db/sqlite/ledger.h"
#include "engine/base/caught.h"
#include "muster/durable_engine.h"
#include "muster/log.h"

namespace muster {
namespace {

constexpr std::size_t kMostItems = 200;  // of a live batch; copying them takes 0.2 ms

}  // namespace

struct PolicyReloader::Worker {
  explicit Worker(ReloadOptions o) : options(std::move(o)) {
    if (options.watch) {
      watch.emplace(options.folder, std::chrono::milliseconds(options.quiet / kMillisecond));
    }
  }

  std::vector<ReloadStep> Poll(Engine& engine, Store* ledger, TimeNs now) {
    if (watch && watch->TakeChange()) wanted = true;
    std::vector<ReloadStep> steps;
    if (std::optional<Candidate> candidate = stage.Take()) {
      staging = false;
      const bool old = wanted || (watch && watch->restless());
      if (!old) Continue(std::move(*candidate), engine, ledger, now, steps);
      if (old) wanted = true;
    }
    if (wanted && !staging && !(watch && watch->restless())) {
      wanted = false;
      staging = true;
      stage.Load(options.folder, options.tests);
    }
    return steps;
  }

  void Continue(Candidate candidate, Engine& engine, Store* ledger, TimeNs now,
                std::vector<ReloadStep>& steps) {
    const bool read = !candidate.stored.hash.empty();
    if (read && candidate.stored.hash == seen && !candidate.tried) return;  // nothing was changed
    seen = candidate.stored.hash;
    if (!candidate.status.ok()) {
      return Refuse(candidate, WhyNot(candidate.status), engine, now, steps);
    }
    if (!candidate.tried) {
      Result<std::vector<LiveBatch>> batches =
          engine.LiveBatches(candidate.policy->info(), kMostItems);
      Result<std::vector<PolicyParams>> params = ParamsOf(engine, candidate);
      const Status asked = batches.ok() ? params.status() : batches.status();
      if (!asked.ok()) return Refuse(candidate, asked, engine, now, steps);
      staging = true;
      return stage.Try(std::move(candidate), std::move(*batches), std::move(*params));
    }
    const PolicyInfo info = candidate.policy->info();
    Status status = ledger == nullptr ? Status::Ok() : ledger->StorePolicy(candidate.stored);
    if (status.ok()) {
      status = engine.NoteStaged(info.name, info.hash, {}, {options.by, "checked and tried"}, now);
    }
    std::vector<StoppedHook> stopped;
    if (status.ok()) {
      status = engine.ActivatePolicy(candidate.policy, now, {options.by, "its folder was saved"},
                                     &stopped);
    }
    if (!status.ok()) return Refuse(candidate, status, engine, now, steps);
    // Closing a state takes as long as loading one: the engine, which keeps two, drops none itself.
    kept.push_back(candidate.policy);
    for (; kept.size() > 3; kept.pop_front()) stage.Retire(std::move(kept.front()));
    steps.push_back(
        {ReloadStep::Outcome::kActivated, info.name, info.hash, {}, std::move(stopped)});
    Log(LogLevel::kInfo, "policy " + info.name + "@" + info.hash.substr(0, 12) + " activated");
  }

  // What is taken away takes nothing back.
  Status WhyNot(const Status& status) const {
    std::error_code error;
    if (kept.empty() || std::filesystem::exists(options.folder + "/policy.lua", error)) {
      return status;
    }
    return Status(status.code(), options.folder + " has no policy.lua any more; policy " +
                                     kept.back()->info().name +
                                     " stays active; muster policy rollback takes it out");
  }

  static Result<std::vector<PolicyParams>> ParamsOf(const Engine& engine,
                                                    const Candidate& candidate) {
    const Result<std::vector<Object>> bindings = engine.Objects(ObjectKind::kPolicyBinding);
    if (!bindings.ok()) return bindings.status();
    std::vector<PolicyParams> params;
    for (const Object& object : *bindings) {
      const auto& binding = std::get<PolicyBinding>(object);
      const bool ours = binding.policy == candidate.policy->info().name;
      if (ours && !binding.params.empty()) params.push_back(binding.params);
    }
    return params;
  }

  void Refuse(const Candidate& candidate, const Status& status, Engine& engine, TimeNs now,
              std::vector<ReloadStep>& steps) {
    const std::string name =
        candidate.policy == nullptr ? options.folder : candidate.policy->info().name;
    const Status noted = engine.NoteStaged(name, candidate.stored.hash, status.message(),
                                           {options.by, "refused"}, now);
    if (!noted.ok()) Log(LogLevel::kError, noted.message());
    Log(LogLevel::kInfo, "policy " + name + " refused: " + status.message());
    steps.push_back({ReloadStep::Outcome::kRefused, name, candidate.stored.hash, status.message()});
  }

  const ReloadOptions options;
  std::optional<PolicyWatch> watch;
  PolicyStage stage;
  bool wanted = false;                       ///< the folder is to be staged
  bool staging = false;                      ///< a job is given
  std::string seen;                          ///< hash that was staged last
  std::deque<std::shared_ptr<Policy>> kept;  ///< activated here, the newest last
};

PolicyReloader::PolicyReloader(ReloadOptions options) noexcept {
  try {
    worker_ = std::make_unique<Worker>(std::move(options));
  } catch (const std::system_error& error) {
    broken_ = Guarded([&] {
      return Status(StatusCode::kUnavailable,
                    std::string("no thread to stage policies: ") + error.what());
    });
  } catch (...) {
    broken_ = Caught();
  }
}
PolicyReloader::~PolicyReloader() = default;

Status PolicyReloader::status() const noexcept {
  return worker_ != nullptr && worker_->watch ? worker_->watch->status() : broken_;
}

void PolicyReloader::Stage() noexcept {
  if (worker_ != nullptr) worker_->wanted = true;
}

Result<std::vector<ReloadStep>> PolicyReloader::Poll(Engine& engine, TimeNs now) noexcept {
  if (worker_ == nullptr) return broken_;
  if (Status closed = engine.Closed(); !closed.ok()) return closed;
  return Guarded([&] { return Result(worker_->Poll(engine, nullptr, now)); });
}

Result<std::vector<ReloadStep>> PolicyReloader::Poll(DurableEngine& engine, TimeNs now) noexcept {
  if (worker_ == nullptr) return broken_;
  if (Status closed = engine.engine().Closed(); !closed.ok()) return closed;
  return Guarded([&] { return Result(worker_->Poll(engine.engine(), &engine.ledger(), now)); });
}

bool PolicyReloader::busy() noexcept {
  if (worker_ == nullptr) return false;
  try {
    return worker_->wanted || worker_->staging || (worker_->watch && worker_->watch->restless());
  } catch (...) {
    return true;  // there was something to read
  }
}

}  // namespace muster
