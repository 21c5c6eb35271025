// Manifests in: apply, validate, shapes.
#include <optional>
#include <span>
#include <variant>

#include "bindings/c/handles.h"
#include "bindings/lab/json.h"
#include "bindings/lab/lint/lint.h"
#include "bindings/lab/near_names.h"
#include "bindings/manifest/manifest.h"
#include "bindings/manifest/observe_objects.h"
#include "bindings/manifest/slices.h"
#include "bindings/manifest/start_objects.h"
#include "bindings/wire/wire.h"
#include "muster/queue_owner.h"

namespace muster::c {
namespace {

std::optional<MissingReference> MissingOf(std::int32_t missing) {
  switch (missing) {
    case MUSTER_REFUSE:
      return MissingReference::kRefuse;
    case MUSTER_ACCEPT:
      return MissingReference::kAccept;
    case MUSTER_AS_KUEUE:
      return MissingReference::kAsKueue;
    default:
      return std::nullopt;
  }
}

std::string PlaceOf(const manifest::Place& place) {
  if (place.line <= 0) return place.file;
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::vector<muster_mistake> MistakesOf(const std::vector<manifest::Diagnostic>& diagnostics) {
  std::vector<muster_mistake> mistakes;
  for (const manifest::Diagnostic& each : diagnostics) {
    if (each.severity != manifest::Severity::kError) continue;
    mistakes.push_back({PlaceOf(each.place), each.what, each.cure});
  }
  return mistakes;
}

/// A text read as manifests.
struct Read {
  manifest::Manifests manifests;
  MissingReference missing = MissingReference::kRefuse;
};

/// Reads the text; what is wrong with it goes to `mistakes`.
Status ReadText(const Engine& engine, manifest::NamesByUid* names, std::string_view yaml,
                const char* name, std::int32_t missing, Read* read,
                std::vector<muster_mistake>* mistakes) {
  const std::optional<MissingReference> meant = MissingOf(missing);
  if (!meant) {
    return Misuse("missing is " + std::to_string(missing) +
                  "; write MUSTER_REFUSE, MUSTER_ACCEPT or MUSTER_AS_KUEUE");
  }
  read->missing = *meant;
  const manifest::Source source{name == nullptr ? "manifest" : name, std::string(yaml)};
  manifest::ParseOptions options;
  options.refuse_unread = *meant != MissingReference::kAsKueue;
  read->manifests = manifest::Parse(std::span(&source, 1), options);
  manifest::Settle(engine, &read->manifests, names);
  if (read->manifests.HasErrors()) *mistakes = MistakesOf(read->manifests.diagnostics);
  return Status::Ok();
}

/// With places in the text, and names that are close to what is not there.
std::vector<muster_mistake> Located(const Read& read, const Engine& engine,
                                    std::vector<Problem> problems) {
  lab::ProposeNames(read.manifests.objects, engine, &problems);
  return MistakesOf(manifest::Locate(read.manifests, problems));
}

/// What is to be said of manifests that `engine` takes, told on a copy of it.
Status Advise(const Read& read, const Engine& engine, std::vector<muster_mistake>* mistakes,
              muster_bytes** json) {
  const auto problems = engine.Validate(read.manifests.objects, read.missing);
  if (!problems.ok()) return problems.status();
  *mistakes = Located(read, engine, *problems);
  if (!mistakes->empty()) return Status::Ok();
  Result<Engine> copy = engine.Fork();
  if (!copy.ok()) return copy.status();
  std::vector<manifest::Diagnostic> found = read.manifests.diagnostics;
  for (manifest::Diagnostic& more : lab::LintBeforeApply(read.manifests, *copy)) {
    found.push_back(std::move(more));
  }
  // The last time that the engine knows: earlier ones are taken at that.
  Status applied = copy->Apply(read.manifests.objects, 0, read.missing);
  if (applied.ok()) applied = manifest::Follow(&*copy, read.manifests, 0);
  if (!applied.ok()) return applied;
  for (const auto& more :
       {lab::LintApplied(read.manifests, *copy), lab::LintNamespaceQuotas(read.manifests, *copy),
        lab::LintEnded(read.manifests, *copy)}) {
    found.insert(found.end(), more.begin(), more.end());
  }
  lab::Json advice = lab::Json::array();
  for (const manifest::Diagnostic& each : found) {
    advice.push_back({{"place", PlaceOf(each.place)}, {"what", each.what}, {"cure", each.cure}});
  }
  Give(lab::JsonText({{"advice", std::move(advice)}}), json);
  return Status::Ok();
}

/// Tells the mistakes where there are some, else the code.
muster_code Told(muster_code code, std::vector<muster_mistake> mistakes, muster_error** error) {
  if (mistakes.empty()) return code;
  return Tell(StatusCode::kInvalidArgument, std::move(mistakes), error);
}

}  // namespace
}  // namespace muster::c

using muster::Engine;
using muster::Status;
using muster::c::Misuse;
using muster::c::TextOf;

muster_code muster_apply(muster_engine* engine, const char* yaml, size_t size, const char* name,
                         int32_t missing, int64_t now, muster_bytes** answer,
                         muster_error** error) {
  if (answer != nullptr) *answer = nullptr;
  std::vector<muster_mistake> mistakes;
  const muster_code code = muster::c::Change(engine, error, [&](Engine& e) {
    muster::c::Read read;
    Status status =
        muster::c::ReadText(e, &engine->names, TextOf(yaml, size), name, missing, &read, &mistakes);
    if (!status.ok() || !mistakes.empty()) return status;
    muster::answer::Applied applied;
    status = e.Apply(read.manifests.objects, muster::c::TimeOf(now), read.missing, &applied.objects,
                     muster::Submission::kAsk, &applied.failures, &applied.warnings);
    if (!status.problems().empty()) {
      mistakes = muster::c::Located(read, e, status.problems());
      return Status::Ok();
    }
    if (status.ok()) {
      status =
          muster::manifest::Follow(&e, read.manifests, muster::c::TimeOf(now), &applied.objects);
    }
    if (status.ok()) engine->names.Note(read.manifests.objects);
    if (status.ok()) muster::c::Give(muster::wire::ToJson(muster::Answer(applied)), answer);
    return status;
  });
  return muster::c::Told(code, std::move(mistakes), error);
}

muster_code muster_validate(muster_engine* engine, const char* yaml, size_t size, const char* name,
                            int32_t missing, muster_error** error) {
  std::vector<muster_mistake> mistakes;
  const muster_code code = muster::c::With(engine, error, [&](Engine& e) {
    muster::c::Read read;
    Status status =
        muster::c::ReadText(e, &engine->names, TextOf(yaml, size), name, missing, &read, &mistakes);
    if (!status.ok() || !mistakes.empty()) return status;
    const auto problems = e.Validate(read.manifests.objects, read.missing);
    if (problems.ok()) mistakes = muster::c::Located(read, e, *problems);
    return problems.status();
  });
  return muster::c::Told(code, std::move(mistakes), error);
}

muster_code muster_advise(muster_engine* engine, const char* yaml, size_t size, const char* name,
                          int32_t missing, muster_bytes** json, muster_error** error) {
  if (json != nullptr) *json = nullptr;
  std::vector<muster_mistake> mistakes;
  const muster_code code = muster::c::With(engine, error, [&](Engine& e) {
    muster::c::Read read;
    const Status status =
        muster::c::ReadText(e, &engine->names, TextOf(yaml, size), name, missing, &read, &mistakes);
    if (!status.ok() || !mistakes.empty()) return status;
    return muster::c::Advise(read, e, &mistakes, json);
  });
  return muster::c::Told(code, std::move(mistakes), error);
}

muster_code muster_check_owner(muster_engine* engine, const char* queue, const char* yaml,
                               size_t size, const char* name, muster_error** error) {
  std::vector<muster_mistake> mistakes;
  const muster_code code = muster::c::With(engine, error, [&](Engine& e) {
    muster::c::Read read;
    Status status = muster::c::ReadText(e, &engine->names, TextOf(yaml, size), name, MUSTER_REFUSE,
                                        &read, &mistakes);
    if (!status.ok() || !mistakes.empty()) return status;
    const auto problems = muster::CheckQueueOwner(e, read.manifests.objects, TextOf(queue));
    if (problems.ok()) mistakes = muster::c::Located(read, e, *problems);
    return problems.status();
  });
  return muster::c::Told(code, std::move(mistakes), error);
}

muster_code muster_start_patch(muster_engine* engine, const char* ns, const char* workload,
                               const char* yaml, size_t size, const char* name, muster_bytes** json,
                               muster_error** error) {
  if (json != nullptr) *json = nullptr;
  return muster::c::With(engine, error, [&](Engine& e) {
    const muster::manifest::Source source{name == nullptr ? "manifest" : name,
                                          std::string(TextOf(yaml, size))};
    const muster::Key key = muster::manifest::RunningSlice(e, muster::c::KeyOf(ns, workload));
    const auto started = muster::manifest::StartObjects(e, key, std::span(&source, 1));
    if (!started.ok()) return started.status();
    muster::c::Give(muster::manifest::ToJson(key, *started), json);
    return Status::Ok();
  });
}

muster_code muster_observe(muster_engine* engine, const char* yaml, size_t size, const char* name,
                           int64_t now, muster_bytes** json, muster_error** error) {
  if (json != nullptr) *json = nullptr;
  return muster::c::Change(engine, error, [&](Engine& e) -> Status {
    const muster::manifest::Source source{name == nullptr ? "manifest" : name,
                                          std::string(TextOf(yaml, size))};
    const muster::TimeNs at = muster::c::TimeOf(now);
    const auto read = muster::manifest::ReadJobObjects({&source, 1}, std::nullopt, at);
    const auto observed = muster::manifest::ObserveAll(&e, read, at);
    if (!observed.ok()) return observed.status();
    muster::c::Give(muster::manifest::ToJson(*observed), json);
    return Status::Ok();
  });
}

muster_code muster_shape_parse(const char* yaml, size_t size, const char* name,
                               muster_shape** shape, muster_error** error) {
  if (shape != nullptr) *shape = nullptr;
  std::vector<muster_mistake> mistakes;
  const muster_code code = muster::c::Run(error, [&]() -> Status {
    if (shape == nullptr) return Misuse("shape is NULL; give a place for it");
    muster::c::Read read;
    const Status status = muster::c::ReadText(Engine(), nullptr, TextOf(yaml, size), name,
                                              MUSTER_REFUSE, &read, &mistakes);
    if (!status.ok() || !mistakes.empty()) return status;
    const auto& objects = read.manifests.objects;
    const auto* workload =
        objects.size() == 1 ? std::get_if<muster::Workload>(objects.data()) : nullptr;
    if (workload == nullptr) {
      return Misuse("a shape is made of one object; write a Workload or a Job");
    }
    *shape = new muster_shape{*workload};
    (*shape)->workload.uid.clear();  // a job has its own, or is given one
    return Status::Ok();
  });
  return muster::c::Told(code, std::move(mistakes), error);
}

void muster_shape_free(muster_shape* shape) { delete shape; }
