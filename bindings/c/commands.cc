// Commands: as JSON, and the calls of every day in batches.
#include <optional>
#include <utility>

#include "bindings/c/handles.h"
#include "bindings/cli/show/what_if_view.h"
#include "bindings/lab/door.h"
#include "bindings/lab/what_if.h"
#include "bindings/wire/wire.h"

namespace muster::c {
namespace {

muster_mistake ShownAs(const wire::Mistake& mistake) {
  std::string place = std::to_string(mistake.line) + ":" + std::to_string(mistake.column);
  if (!mistake.path.empty()) place += ": " + mistake.path;
  return {std::move(place), mistake.what, mistake.cure};
}

/// What is wrong with command `index`, with its place in the text.
std::vector<muster_mistake> Refused(std::string_view json, std::size_t index,
                                    const Status& status) {
  std::vector<muster_mistake> mistakes;
  for (const Problem& problem : status.problems()) {
    if (mistakes.size() == wire::kMaxMistakes) break;
    mistakes.push_back(ShownAs(wire::Locate(json, index, &problem)));
  }
  if (!mistakes.empty()) return mistakes;
  wire::Mistake whole = wire::Locate(json, index);
  whole.what = status.message();
  mistakes.push_back(ShownAs(whole));
  return mistakes;
}

bool IsList(std::string_view json) {
  const std::size_t first = json.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && json[first] == '[';
}

/// The keys of a batch; kInvalidArgument for one that cannot be read.
Status KeysOf(const muster_name* workloads, std::size_t count, std::vector<Key>* keys) {
  if (count == 0) return Status::Ok();
  if (workloads == nullptr) return Misuse("workloads is NULL; give as many as count says");
  Status sized = CheckSize(workloads, sizeof(muster_name), "muster_name");
  if (!sized.ok()) return sized;
  keys->reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const muster_name& each = At(workloads, i);
    keys->push_back(KeyOf(each.ns, each.name));
  }
  return Status::Ok();
}

/// Gives a copy of its shape what is the job's own.
void MakeOwn(const muster_job& job, TimeNs now, Workload& workload) {
  workload.key = KeyOf(job.ns, job.name);
  workload.uid = TextOf(job.uid);
  workload.created = job.created != 0 ? job.created : now;
  if (job.queue != nullptr) workload.queue = TextOf(job.queue);
  if (job.has_priority != 0) workload.priority = job.priority;
  if (job.count != 0) workload.pod_sets.front().count = job.count;
}

Status JobsOf(const muster_job* jobs, std::size_t count, TimeNs now,
              std::vector<Workload>* workloads) {
  if (count == 0) return Status::Ok();
  if (jobs == nullptr) return Misuse("jobs is NULL; give as many as count says");
  if (Status sized = CheckSize(jobs, sizeof(muster_job), "muster_job"); !sized.ok()) return sized;
  workloads->reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const muster_job& job = At(jobs, i);
    const auto wrong = [i](const char* what) {
      return Misuse("jobs[" + std::to_string(i) + "]: " + what);
    };
    if (job.shape == nullptr) return wrong("shape is NULL; make one with muster_shape_parse");
    if (job.count < 0) return wrong("count is below 0; write how many pods it has");
    if (job.shape->workload.pod_sets.empty()) return wrong("its shape has no podset; give it one");
    workloads->push_back(job.shape->workload);
    MakeOwn(job, now, workloads->back());
  }
  return Status::Ok();
}

/// A call about workloads that are named.
template <typename Call>
muster_code Batch(muster_engine* engine, const muster_name* workloads, std::size_t count,
                  muster_error** error, const Call& call) {
  return Change(engine, error, [&](Engine& e) {
    std::vector<Key> keys;
    const Status read = KeysOf(workloads, count, &keys);
    return read.ok() ? call(e, keys) : read;
  });
}

/// The commands of `json`; what is wrong with it goes to `mistakes` with its code.
Result<std::vector<Command>> ReadCommands(std::string_view json,
                                          std::vector<muster_mistake>* mistakes,
                                          StatusCode* code) {
  std::vector<wire::Mistake> wrong;
  Result<std::vector<Command>> commands = wire::CommandsFromJson(json, &wrong);
  if (commands.ok()) return commands;
  for (const wire::Mistake& each : wrong) mistakes->push_back(ShownAs(each));
  *code = commands.status().code();
  return commands;
}

/// Carries out what `json` says; what is refused goes to `mistakes` with its code.
Status Do(Engine& engine, std::string_view json, TimeNs now, std::string* answers,
          std::vector<muster_mistake>* mistakes, StatusCode* code) {
  const Result<std::vector<Command>> commands = ReadCommands(json, mistakes, code);
  if (!commands.ok()) return mistakes->empty() ? commands.status() : Status::Ok();
  const bool list = IsList(json);
  std::string text;
  for (std::size_t i = 0; i < commands->size(); ++i) {
    Status refused = lab::CheckAtDoor(engine, (*commands)[i]);
    if (refused.ok()) {
      const Result<Answer> answer = engine.Do((*commands)[i], now);
      if (answer.ok()) text += (text.empty() ? "" : ",") + wire::ToJson(*answer);
      refused = answer.status();
    }
    if (refused.ok()) continue;
    *mistakes = Refused(json, i, refused);
    *code = refused.code();
    break;
  }
  *answers = list ? "[" + text + "]" : text;
  return Status::Ok();
}

/// What they would change, in `answer`.
Status AskWhatIf(const Engine& engine, std::string_view json, TimeNs now, std::string* answer,
                 std::vector<muster_mistake>* mistakes, StatusCode* code) {
  const Result<std::vector<Command>> commands = ReadCommands(json, mistakes, code);
  if (!commands.ok()) return mistakes->empty() ? commands.status() : Status::Ok();
  std::size_t refused = 0;
  const Result<lab::Courses> courses = lab::AskWhatIf(engine, now, *commands, &refused);
  if (courses.ok()) {
    *answer = lab::JsonText(cli::WhatIfAnswerJson(Compare(courses->without, courses->with)));
  } else if (refused < commands->size()) {
    *mistakes = Refused(json, refused, courses.status());
    *code = courses.status().code();
    return Status::Ok();
  }
  return courses.status();
}

/// A call of commands that answers in JSON: `enter` leads to the engine, `ask` asks it.
template <typename Enter, typename Ask>
muster_code AnswerJson(const Enter& enter, const Ask& ask, std::string_view json, std::int64_t now,
                       muster_bytes** answer, muster_error** error) {
  if (answer != nullptr) *answer = nullptr;
  std::vector<muster_mistake> mistakes;
  StatusCode refused = StatusCode::kOk;
  const muster_code code = enter([&](Engine& engine) {
    std::string text;
    const Status status = ask(engine, json, TimeOf(now), &text, &mistakes, &refused);
    if (status.ok() && !text.empty()) Give(std::move(text), answer);
    return status;
  });
  return mistakes.empty() ? code : Tell(refused, std::move(mistakes), error);
}

}  // namespace
}  // namespace muster::c

using muster::CheckState;
using muster::Engine;
using muster::Key;
using muster::Result;
using muster::Status;
using muster::c::Batch;
using muster::c::Change;
using muster::c::KeyOf;
using muster::c::TextOf;
using muster::c::TimeOf;
using muster::c::With;
using Keys = std::vector<Key>;

muster_code muster_do(muster_engine* engine, const char* json, size_t size, int64_t now,
                      muster_bytes** answers, muster_error** error) {
  return muster::c::AnswerJson(
      [&](const auto& call) { return Change(engine, error, call); }, muster::c::Do,
      TextOf(json, size), now, answers, error);
}

muster_code muster_what_if(muster_engine* engine, const char* json, size_t size, int64_t now,
                           muster_bytes** answer, muster_error** error) {
  return muster::c::AnswerJson(
      [&](const auto& call) { return With(engine, error, call); }, muster::c::AskWhatIf,
      TextOf(json, size), now, answer, error);
}

muster_code muster_schema(muster_bytes** schema, muster_error** error) {
  if (schema != nullptr) *schema = nullptr;
  return muster::c::Run(error, [&] {
    muster::c::Give(muster::wire::Schema(), schema);
    return Status::Ok();
  });
}

muster_code muster_submit(muster_engine* engine, const muster_job* jobs, size_t count, int64_t now,
                          size_t* created, muster_error** error) {
  if (created != nullptr) *created = 0;
  return Change(engine, error, [&](Engine& e) {
    const muster::TimeNs at = TimeOf(now);
    std::vector<muster::Workload> workloads;
    Status status = muster::c::JobsOf(jobs, count, at, &workloads);
    if (!status.ok()) return status;
    std::vector<muster::Applied> applied;
    status = e.Submit(workloads, at, &applied);
    if (status.ok() && created != nullptr) {
      *created = static_cast<std::size_t>(
          std::count(applied.begin(), applied.end(), muster::Applied::kCreated));
    }
    return status;
  });
}

muster_code muster_finish(muster_engine* engine, const muster_name* workloads, size_t count,
                          int32_t failed, int64_t now, muster_error** error) {
  return Batch(engine, workloads, count, error, [&](Engine& e, const Keys& keys) {
    return e.Finish(keys, failed != 0, TimeOf(now));
  });
}

muster_code muster_evicted(muster_engine* engine, const muster_name* workloads, size_t count,
                           int64_t now, muster_error** error) {
  return Batch(engine, workloads, count, error,
               [&](Engine& e, const Keys& keys) { return e.Evicted(keys, TimeOf(now)); });
}

muster_code muster_cancel(muster_engine* engine, const muster_name* workloads, size_t count,
                          int64_t now, muster_error** error) {
  return Batch(engine, workloads, count, error,
               [&](Engine& e, const Keys& keys) { return e.Cancel(keys, TimeOf(now)); });
}

muster_code muster_ready(muster_engine* engine, const muster_name* workloads, size_t count,
                         int32_t ready, int64_t now, muster_error** error) {
  return Batch(engine, workloads, count, error,
               [&](Engine& e, const Keys& keys) { return e.Ready(keys, TimeOf(now), ready != 0); });
}

muster_code muster_evict(muster_engine* engine, const char* ns, const char* name,
                         const char* reason, int64_t now, muster_error** error) {
  return Change(engine, error, [&](Engine& e) {
    const muster::command::Evict command{KeyOf(ns, name), std::string(TextOf(reason))};
    const Status may = muster::lab::CheckAtDoor(e, command);
    return may.ok() ? e.Evict(command.workload, command.reason, TimeOf(now)) : may;
  });
}

muster_code muster_check(muster_engine* engine, const char* ns, const char* name, const char* check,
                         int32_t state, const char* message, int64_t now, int32_t* phase,
                         muster_error** error) {
  if (phase != nullptr) *phase = 0;
  return Change(engine, error, [&](Engine& e) -> Status {
    if (state < MUSTER_CHECK_PENDING || state > MUSTER_CHECK_REJECTED) {
      return muster::c::Misuse("state is " + std::to_string(state) +
                               "; write one of MUSTER_CHECK_*");
    }
    muster::CheckUpdate update;
    update.workload = KeyOf(ns, name);
    update.check = TextOf(check);
    update.state = static_cast<CheckState>(state);
    update.message = TextOf(message);
    const Result<muster::WorkloadPhase> now_is = e.UpdateCheck(update, TimeOf(now));
    if (now_is.ok() && phase != nullptr) *phase = static_cast<std::int32_t>(*now_is);
    return now_is.status();
  });
}
