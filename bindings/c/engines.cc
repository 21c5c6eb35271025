// Engines: opening, copying, closing, and what holds of all of one.
#include "bindings/c/handles.h"
#include "bindings/cpp/stored_policies.h"
#include "db/store.h"

using muster::c::Give;
using muster::c::Run;
using muster::c::With;

namespace {

using muster::Engine;
using muster::Result;
using muster::Status;

Status CheckOptions(const muster_options* options) {
  if (options == nullptr) return Status::Ok();
  return muster::c::CheckSize(options, sizeof(muster_options), "muster_options");
}

/// How `do` finds the packages that commands name. A pipeline's thread has the ledger for itself
/// until all is stored.
Status LoadFromLedger(muster_engine& opened) {
  return opened.get().SetPolicyLoader([&opened](std::string_view hash) {
    if (opened.pipeline) opened.pipeline->Await(opened.pipeline->newest());
    const auto find = [&opened](std::string_view h) {
      return opened.durable->ledger().LoadPolicy(h);
    };
    return muster::LoadNamedPolicy(find, hash);
  });
}

/// A handle of an engine that keeps nothing.
muster_engine* Handed(Engine engine) {
  auto opened = std::make_unique<muster_engine>();
  opened->in_memory = std::make_unique<Engine>(std::move(engine));
  return opened.release();
}

}  // namespace

muster_code muster_open_memory(const muster_options* options, muster_engine** engine,
                               muster_error** error) {
  if (engine != nullptr) *engine = nullptr;
  return Run(error, [&]() -> Status {
    if (engine == nullptr) return muster::c::Misuse("engine is NULL; give a place for it");
    if (Status wrong = CheckOptions(options); !wrong.ok()) return wrong;
    *engine = Handed(Engine());
    return Status::Ok();
  });
}

muster_code muster_open(const char* path, const muster_options* options, muster_engine** engine,
                        muster_error** error) {
  if (engine != nullptr) *engine = nullptr;
  return Run(error, [&]() -> Status {
    if (engine == nullptr) return muster::c::Misuse("engine is NULL; give a place for it");
    if (muster::c::TextOf(path).empty()) return muster::c::Misuse("path is empty; name a ledger");
    if (Status wrong = CheckOptions(options); !wrong.ok()) return wrong;
    muster::DurableOptions wanted;
    if (options != nullptr) {
      wanted.create = options->must_exist == 0;
      wanted.allow_time_jump = options->allow_time_jump != 0;
      wanted.relaxed = options->relaxed != 0;
      wanted.lock_wait = std::chrono::milliseconds(options->lock_wait_ms);
    }
    Result<std::unique_ptr<muster::DurableEngine>> durable =
        muster::DurableEngine::Open(path, wanted);
    if (!durable.ok()) return durable.status();
    auto opened = std::make_unique<muster_engine>();
    opened->durable = *std::move(durable);
    if (Status loads = LoadFromLedger(*opened); !loads.ok()) return loads;
    *engine = opened.release();
    return Status::Ok();
  });
}

muster_code muster_read_ledger(const char* path, muster_engine** engine, muster_error** error) {
  if (engine != nullptr) *engine = nullptr;
  return Run(error, [&]() -> Status {
    if (engine == nullptr) return muster::c::Misuse("engine is NULL; give a place for it");
    if (muster::c::TextOf(path).empty()) return muster::c::Misuse("path is empty; name a ledger");
    Result<Engine> read = muster::ReadLedger(path);
    if (!read.ok()) return read.status();
    *engine = Handed(*std::move(read));
    return Status::Ok();
  });
}

muster_code muster_copy(muster_engine* engine, muster_engine** copy, muster_error** error) {
  if (copy != nullptr) *copy = nullptr;
  return With(engine, error, [&](Engine& e) -> Status {
    if (copy == nullptr) return muster::c::Misuse("copy is NULL; give a place for it");
    Result<Engine> forked = e.Fork();
    if (!forked.ok()) return forked.status();
    *copy = Handed(*std::move(forked));
    return Status::Ok();
  });
}

muster_code muster_close(muster_engine* engine, muster_error** error) {
  if (engine == nullptr) return Run(error, [] { return Status::Ok(); });
  // What another process opened is its own, and stays as it is.
  if (!muster::c::CheckUsable(engine).ok()) {
    return Run(error, [&] { return muster::c::CheckUsable(engine); });
  }
  if (engine->calls > 0) {
    return Run(error, [] {
      return Status(muster::StatusCode::kFailedPrecondition,
                    "another thread is in a call of this engine, so it stays open; end the threads "
                    "that call it (muster_wake ends a wait for decisions), then close it");
    });
  }
  const std::unique_ptr<muster_engine> owned(engine);
  return Run(error, [&]() -> Status {
    if (!engine->durable) return Status::Ok();
    Status stored = muster::c::Settle(*engine);
    engine->pipeline.reset();
    Status closed = engine->durable->Close();
    return stored.ok() ? closed : stored;
  });
}

muster_code muster_closed(muster_engine* engine, muster_error** error) {
  return With(engine, error, [](Engine& e) { return e.Closed(); });
}

muster_code muster_state_hash(muster_engine* engine, muster_bytes** hash, muster_error** error) {
  if (hash != nullptr) *hash = nullptr;
  return With(engine, error, [&](Engine& e) {
    Result<std::string> text = e.StateHash();
    if (!text.ok()) return text.status();
    Give(*std::move(text), hash);
    return Status::Ok();
  });
}

muster_code muster_check_time(muster_engine* engine, int64_t now, muster_error** error) {
  return With(engine, error, [&](Engine& e) { return e.CheckTime(muster::c::TimeOf(now)); });
}

muster_code muster_last_time(muster_engine* engine, int64_t* at, muster_error** error) {
  if (at != nullptr) *at = 0;
  return With(engine, error, [&](Engine&) -> Status {
    if (!engine->durable) {
      return {muster::StatusCode::kFailedPrecondition,
              "an engine in memory has no ledger; open one with muster_open"};
    }
    const Result<muster::TimeNs> last = engine->durable->last_time();
    if (last.ok() && at != nullptr) *at = *last;
    return last.status();
  });
}

muster_code muster_check_invariants(muster_engine* engine, muster_error** error) {
  return With(engine, error, [](Engine& e) { return e.CheckInvariants(); });
}
