// Policies and scenarios: checking, testing, activating, undoing, comparing, playing.
#include "bindings/c/policies.h"

#include <sstream>

#include "bindings/cli/author/spec_report.h"
#include "bindings/cli/show/shadow_view.h"
#include "bindings/cli/show/test_report.h"
#include "bindings/lab/json.h"
#include "bindings/lab/scenario/scenario_test.h"
#include "bindings/lab/spec_world.h"
#include "bindings/luajit/policy_package.h"
#include "bindings/luajit/spec_runner.h"
#include "bindings/wire/wire.h"

namespace muster::c {
namespace {

using lab::Json;

Result<std::shared_ptr<Policy>> Load(const char* folder, const char* params) {
  PolicyParams read;
  if (Status wrong = ReadParams(params, &read); !wrong.ok()) return wrong;
  return LoadPolicy(std::string(TextOf(folder)), read);
}

/// The packages that decide now, of those that this handle has loaded.
Result<std::vector<std::shared_ptr<Policy>>> ActiveOf(muster_engine& engine) {
  const Result<std::vector<PolicyInfo>> infos = engine.get().Policies();
  if (!infos.ok()) return infos.status();
  std::vector<std::shared_ptr<Policy>> active;
  for (const PolicyInfo& info : *infos) {
    const auto found = engine.loaded.find(info.hash);
    if (found != engine.loaded.end()) active.push_back(found->second);
  }
  return active;
}

Status RollBackInMemory(muster_engine& engine, const PolicyChange& change, TimeNs now) {
  if (engine.activations.empty()) {
    return {StatusCode::kFailedPrecondition, "no policy was activated that could be undone"};
  }
  const muster_engine::Activation& newest = engine.activations.back();
  Status done = engine.get().RollBackPolicy(newest.package, newest.before, now, change);
  if (done.ok()) engine.activations.pop_back();
  return done;
}

}  // namespace

Status ReadParams(const char* text, PolicyParams* params) {
  if (text == nullptr) return Status::Ok();
  const Json json = Json::parse(text, nullptr, false);
  const Status wrong =
      Misuse("params is no JSON object of texts; write {\"name\": \"value\"}, or NULL for none");
  if (!json.is_object()) return wrong;
  for (const auto& [name, value] : json.items()) {
    if (!value.is_string()) return wrong;
    (*params)[name] = value.get<std::string>();
  }
  return Status::Ok();
}

std::string InfoText(const PolicyInfo& info, const std::string* doubt) {
  Json hooks = Json::array();
  for (const HookInfo& hook : info.hooks) {
    hooks.push_back({{"hook", HookName(hook.hook)}, {"place", hook.place}});
  }
  Json told = {{"name", info.name},
               {"hash", info.hash},
               {"description", info.description},
               {"hooks", std::move(hooks)}};
  if (doubt != nullptr) told["doubt"] = *doubt;
  return lab::JsonText(told);
}

Status ActivateInMemory(muster_engine& engine, const std::shared_ptr<Policy>& policy,
                        const PolicyChange& change, TimeNs now, std::vector<StoppedHook>* stopped) {
  Result<std::vector<std::shared_ptr<Policy>>> before = ActiveOf(engine);
  if (!before.ok()) return before.status();
  const PolicyInfo& info = policy->info();
  Status done = engine.get().ActivatePolicy(policy, now, change, stopped);
  if (!done.ok()) return done;
  engine.loaded[info.hash] = policy;
  engine.activations.push_back({info.name, *std::move(before)});
  return Status::Ok();
}

PolicyChange ChangeOf(const char* by, const char* why) {
  return {std::string(TextOf(by)), std::string(TextOf(why))};
}

}  // namespace muster::c

using muster::Engine;
using muster::Result;
using muster::Status;
using muster::c::Change;
using muster::c::TextOf;
using muster::c::TimeOf;
using muster::c::With;

muster_code muster_policy_check(const char* folder, const char* params, muster_bytes** info,
                                muster_error** error) {
  if (info != nullptr) *info = nullptr;
  return muster::c::Run(error, [&] {
    const auto policy = muster::c::Load(folder, params);
    if (policy.ok()) muster::c::Give(muster::c::InfoText((*policy)->info()), info);
    return policy.status();
  });
}

muster_code muster_policy_test(const char* folder, muster_bytes** report, size_t* failed,
                               muster_error** error) {
  if (report != nullptr) *report = nullptr;
  if (failed != nullptr) *failed = 0;
  return muster::c::Run(error, [&] {
    const auto source = muster::luajit::ReadPackage(std::string(TextOf(folder)));
    if (!source.ok()) return source.status();
    muster::lab::EngineWorld world;
    muster::luajit::SpecOptions options;
    options.world = &world;
    const muster::luajit::SpecRun run = muster::luajit::RunSpecs(*source, options);
    if (failed != nullptr) {
      *failed = static_cast<std::size_t>(std::count_if(
          run.cases.begin(), run.cases.end(),
          [](const auto& each) { return each.verdict == muster::luajit::SpecVerdict::kFailed; }));
    }
    std::istringstream in;
    std::ostringstream out;
    muster::cli::Io io{in, out, out, muster::cli::Paint(), muster::cli::Paint()};
    muster::cli::PrintSpecs(run.cases, "json", true, io);
    muster::c::Give(std::move(out).str(), report);
    return Status::Ok();
  });
}

muster_code muster_policy_activate(muster_engine* engine, const char* folder, const char* params,
                                   const char* by, const char* why, int64_t now,
                                   muster_bytes** answer, muster_error** error) {
  if (answer != nullptr) *answer = nullptr;
  return Change(engine, error, [&](Engine&) {
    const muster::PolicyChange change = muster::c::ChangeOf(by, why);
    muster::answer::Activated activated;
    Status done;
    if (engine->durable) {
      muster::PolicyParams read;
      done = muster::c::ReadParams(params, &read);
      if (done.ok()) {
        done = engine->durable->ActivatePolicy(std::string(TextOf(folder)), TimeOf(now), read,
                                               change, &activated.stopped);
      }
    } else {
      const auto policy = muster::c::Load(folder, params);
      done = policy.ok() ? muster::c::ActivateInMemory(*engine, *policy, change, TimeOf(now),
                                                       &activated.stopped)
                         : policy.status();
    }
    if (done.ok()) muster::c::Give(muster::wire::ToJson(muster::Answer(activated)), answer);
    return done;
  });
}

muster_code muster_policy_roll_back(muster_engine* engine, const char* by, const char* why,
                                    int64_t now, muster_error** error) {
  return Change(engine, error, [&](Engine&) {
    const muster::PolicyChange change = muster::c::ChangeOf(by, why);
    if (engine->durable) return engine->durable->RollBackPolicy(TimeOf(now), change);
    return muster::c::RollBackInMemory(*engine, change, TimeOf(now));
  });
}

muster_code muster_policy_shadow(muster_engine* engine, const char* folder, const char* params,
                                 muster_error** error) {
  return With(engine, error, [&](Engine& e) {
    if (folder == nullptr) return e.ShadowPolicy(nullptr);
    auto policy = muster::c::Load(folder, params);
    return policy.ok() ? e.ShadowPolicy(*std::move(policy)) : policy.status();
  });
}

muster_code muster_policy_shadow_report(muster_engine* engine, muster_bytes** json,
                                        muster_error** error) {
  if (json != nullptr) *json = nullptr;
  return With(engine, error, [&](Engine& e) {
    const Result<muster::ShadowReport> report = e.Shadow();
    if (report.ok()) {
      muster::c::Give(muster::lab::JsonText(muster::cli::ShadowJson(*report)), json);
    }
    return report.status();
  });
}

muster_code muster_scenario(const char* yaml, size_t size, const char* name, muster_bytes** report,
                            size_t* failed, muster_error** error) {
  if (report != nullptr) *report = nullptr;
  if (failed != nullptr) *failed = 0;
  return muster::c::Run(error, [&] {
    const muster::manifest::Source source{name == nullptr ? "scenario" : name,
                                          std::string(TextOf(yaml, size))};
    const muster::lab::TestResult result = muster::lab::RunScenarioTest(source, {});
    if (failed != nullptr) {
      *failed = static_cast<std::size_t>(
          std::count_if(result.checks.begin(), result.checks.end(),
                        [](const auto& check) { return !check.mismatches.empty(); }));
      if (*failed == 0 && result.verdict == muster::lab::Verdict::kBroken) *failed = 1;
    }
    std::ostringstream out;
    muster::cli::PrintTestJson({result}, out);
    muster::c::Give(std::move(out).str(), report);
    return Status::Ok();
  });
}
