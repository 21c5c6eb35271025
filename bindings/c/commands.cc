// Commands as JSON, and those about one workload.
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

/// The commands of `json`; what is wrong with it goes to `mistakes` with its code.
Result<std::vector<Command>> ReadCommands(std::string_view json,
                                          std::vector<muster_mistake>* mistakes, StatusCode* code) {
  std::vector<wire::Mistake> wrong;
  Result<std::vector<Command>> commands = wire::CommandsFromJson(json, &wrong);
  if (commands.ok()) return commands;
  for (const wire::Mistake& each : wrong) mistakes->push_back(ShownAs(each));
  *code = commands.status().code();
  return commands;
}

/// Carries out what `json` says; what is refused goes to `mistakes` with its code.
Status Do(Engine& engine, manifest::NamesByUid& names, std::string_view json, TimeNs now,
          std::string* answers, std::vector<muster_mistake>* mistakes, StatusCode* code) {
  const Result<std::vector<Command>> commands = ReadCommands(json, mistakes, code);
  if (!commands.ok()) return mistakes->empty() ? commands.status() : Status::Ok();
  const bool list = IsList(json);
  std::string text;
  for (std::size_t i = 0; i < commands->size(); ++i) {
    Status refused = lab::CheckAtDoor(engine, (*commands)[i]);
    if (refused.ok()) {
      const Result<Answer> answer = engine.Do((*commands)[i], now);
      if (answer.ok()) text += (text.empty() ? "" : ",") + wire::ToJson(*answer);
      const auto* apply = std::get_if<command::Apply>(&(*commands)[i]);
      if (answer.ok() && apply != nullptr) names.Note(apply->objects);
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
using muster::Result;
using muster::Status;
using muster::c::Ahead;
using muster::c::AheadUnless;
using muster::c::TextOf;
using muster::c::TimeOf;
using muster::c::With;

muster_code muster_do(muster_engine* engine, const char* json, size_t size, int64_t now,
                      muster_bytes** answers, muster_error** error) {
  const auto enter = [&](const auto& call) {
    return AheadUnless(answers != nullptr, engine, error, call);
  };
  const auto work = [engine](Engine& e, auto&&... rest) {
    return muster::c::Do(e, engine->names, rest...);
  };
  return muster::c::AnswerJson(enter, work, TextOf(json, size), now, answers, error);
}

muster_code muster_what_if(muster_engine* engine, const char* json, size_t size, int64_t now,
                           muster_bytes** answer, muster_error** error) {
  return muster::c::AnswerJson([&](const auto& call) { return With(engine, error, call); },
                               muster::c::AskWhatIf, TextOf(json, size), now, answer, error);
}

muster_code muster_schema(muster_bytes** schema, muster_error** error) {
  if (schema != nullptr) *schema = nullptr;
  return muster::c::Run(error, [&] {
    muster::c::Give(muster::wire::Schema(), schema);
    return Status::Ok();
  });
}

muster_code muster_evict(muster_engine* engine, const char* ns, const char* name,
                         const char* reason, int64_t now, muster_error** error) {
  const muster_name workload = {sizeof workload, 0, ns, name, nullptr, 0};
  return muster_evict_job(engine, &workload, reason, now, error);
}

muster_code muster_evict_job(muster_engine* engine, const muster_name* workload, const char* reason,
                             int64_t now, muster_error** error) {
  return Ahead(engine, error, [&](Engine& e) {
    muster::command::Evict command;
    command.reason = TextOf(reason);
    Status may = muster::c::ReadName(workload, &command.workload, &command.uid, &command.run);
    if (may.ok()) may = muster::lab::CheckAtDoor(e, command);
    if (!may.ok()) return may;
    return e.Evict(command.workload, command.reason, TimeOf(now), command.uid, command.run);
  });
}

muster_code muster_check(muster_engine* engine, const char* ns, const char* name, const char* check,
                         int32_t state, const char* message, int64_t now, int32_t* phase,
                         muster_error** error) {
  const muster_name workload = {sizeof workload, 0, ns, name, nullptr, 0};
  return muster_check_job(engine, &workload, check, state, message, now, phase, error);
}

muster_code muster_check_job(muster_engine* engine, const muster_name* workload, const char* check,
                             int32_t state, const char* message, int64_t now, int32_t* phase,
                             muster_error** error) {
  if (phase != nullptr) *phase = 0;
  const auto answer = [&](Engine& e) -> Status {
    if (state < MUSTER_CHECK_PENDING || state > MUSTER_CHECK_REJECTED) {
      return muster::c::Misuse("state is " + std::to_string(state) +
                               "; write one of MUSTER_CHECK_*");
    }
    muster::CheckUpdate update;
    const Status named = muster::c::ReadName(workload, &update.workload, &update.uid, &update.run);
    if (!named.ok()) return named;
    update.check = TextOf(check);
    update.state = static_cast<CheckState>(state);
    update.message = TextOf(message);
    const Result<muster::WorkloadPhase> now_is = e.UpdateCheck(update, TimeOf(now));
    if (now_is.ok() && phase != nullptr) *phase = static_cast<std::int32_t>(*now_is);
    return now_is.status();
  };
  return AheadUnless(phase != nullptr, engine, error, answer);
}
