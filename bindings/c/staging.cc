// Staging: a package is checked and tried beside the engine, and may then go live as it is.
//
// Its tests and its trial take seconds. The engine is locked for two moments only: to copy what its
// hooks would be asked about, and to note what came of it.
#include <string>
#include <utility>

#include "bindings/c/policies.h"
#include "bindings/cpp/stored_policies.h"
#include "bindings/lab/specs.h"
#include "bindings/wire/wire.h"
#include "db/store.h"
#include "muster/live_batch.h"

namespace muster::c {
namespace {

constexpr std::size_t kTrialItems = 10'000;  // of a hook, as `muster policy activate`

/// Its own tests, then its hooks on what the engine holds.
Status TryPackage(muster_engine& engine, const std::string& folder, Policy& policy,
                  std::string* doubt) {
  if (Status tested = lab::RunOwnTests(folder, doubt); !tested.ok()) return tested;
  Result<std::vector<LiveBatch>> batches = std::vector<LiveBatch>();
  {
    const std::lock_guard<std::mutex> lock(engine.mutex);
    batches = engine.get().LiveBatches(policy.info(), kTrialItems);
  }
  return batches.ok() ? DryCall(policy, *batches) : batches.status();
}

/// kFailedPrecondition where the folder does not hold any more what was read from it.
Status StillTheSame(const std::string& folder, const StoredPolicy& stored,
                    const PolicyParams& params) {
  const Result<StoredPolicy> again = ReadPolicyFolder(folder, params);
  if (again.ok() && again->hash == stored.hash) return Status::Ok();
  return {StatusCode::kFailedPrecondition,
          folder + ": was changed while it was tried; stage it again"};
}

Status Stage(muster_engine& engine, const std::string& folder, const PolicyParams& params,
             const PolicyChange& change, TimeNs now, std::string* told) {
  const InCall counted(engine);
  Result<StoredPolicy> stored = ReadPolicyFolder(folder, params);
  if (!stored.ok()) return stored.status();
  Result<std::shared_ptr<Policy>> policy = LoadStoredPolicy(*stored, folder);
  if (!policy.ok()) return policy.status();
  const PolicyInfo info = (*policy)->info();
  std::string doubt;
  Status tried = TryPackage(engine, folder, **policy, &doubt);
  if (tried.ok()) tried = StillTheSame(folder, *stored, params);
  const std::lock_guard<std::mutex> lock(engine.mutex);
  if (Status failed = Settle(engine); !failed.ok()) return failed;
  const Status noted =
      engine.get().NoteStaged(info.name, stored->hash, tried.message(), change, now);
  if (!tried.ok() || !noted.ok()) return tried.ok() ? noted : tried;
  engine.staged = muster_engine::Staged{*std::move(stored), *std::move(policy)};
  *told = InfoText(info, &doubt);
  return Status::Ok();
}

Status ActivateStaged(muster_engine& engine, std::string_view hash, const PolicyChange& change,
                      TimeNs now, std::vector<StoppedHook>* stopped) {
  if (!engine.staged || engine.staged->stored.hash != hash) {
    return {StatusCode::kFailedPrecondition,
            "no package with hash '" + std::string(hash) +
                "' is staged; call muster_policy_stage, whose answer has the hash of the newest"};
  }
  Status done;
  if (engine.durable) {
    done = engine.durable->ledger().StorePolicy(engine.staged->stored);
    if (done.ok()) done = engine.get().ActivatePolicy(engine.staged->policy, now, change, stopped);
  } else {
    done = ActivateInMemory(engine, engine.staged->policy, change, now, stopped);
  }
  if (done.ok()) engine.staged.reset();
  return done;
}

}  // namespace
}  // namespace muster::c

using muster::Engine;
using muster::Status;
using muster::c::TextOf;
using muster::c::TimeOf;

muster_code muster_policy_stage(muster_engine* engine, const char* folder, const char* params,
                                const char* by, const char* why, int64_t now, muster_bytes** info,
                                muster_error** error) {
  if (info != nullptr) *info = nullptr;
  return muster::c::Run(error, [&]() -> Status {
    if (Status wrong = muster::c::CheckUsable(engine); !wrong.ok()) return wrong;
    muster::PolicyParams read;
    if (Status wrong = muster::c::ReadParams(params, &read); !wrong.ok()) return wrong;
    std::string told;
    Status staged = muster::c::Stage(*engine, std::string(TextOf(folder)), read,
                                     muster::c::ChangeOf(by, why), TimeOf(now), &told);
    if (staged.ok()) muster::c::Give(std::move(told), info);
    return staged;
  });
}

muster_code muster_policy_activate_staged(muster_engine* engine, const char* hash, const char* by,
                                          const char* why, int64_t now, muster_bytes** answer,
                                          muster_error** error) {
  if (answer != nullptr) *answer = nullptr;
  return muster::c::Change(engine, error, [&](Engine&) {
    muster::answer::Activated activated;
    Status done = muster::c::ActivateStaged(*engine, TextOf(hash), muster::c::ChangeOf(by, why),
                                            TimeOf(now), &activated.stopped);
    if (done.ok()) muster::c::Give(muster::wire::ToJson(muster::Answer(activated)), answer);
    return done;
  });
}
