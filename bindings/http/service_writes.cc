// What changes the engine: a body is read on one thread, carried out on the engine's.
#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "bindings/http/checks.h"
#include "bindings/http/problem.h"
#include "bindings/http/service.h"
#include "bindings/stop/queue_stop.h"
#include "engine/base/utf8.h"
#include "muster/durable_engine.h"
#include "muster/muster.h"

namespace muster::http {
namespace {

/// Commands that can say so say whose they are.
void NameAuthor(const std::string& name, SentCommands* sent) {
  for (Command& command : sent->commands) {
    if (auto* const activate = std::get_if<command::ActivatePolicy>(&command)) {
      activate->change.by = name;
    } else if (auto* const back = std::get_if<command::RollBackPolicy>(&command)) {
      back->change.by = name;
    } else if (auto* const staged = std::get_if<command::NoteStaged>(&command)) {
      staged->change.by = name;
    }
  }
}

bool HasQueue(const std::vector<Object>& objects) {
  return std::any_of(objects.begin(), objects.end(), [](const Object& object) {
    return std::holds_alternative<LocalQueue>(object);
  });
}

/// Whether LocalQueues may come or go by it.
bool ChangesQueues(const Command& command) {
  const auto* const apply = std::get_if<command::Apply>(&command);
  const auto* const gone = std::get_if<command::Delete>(&command);
  return (gone != nullptr && gone->kind == ObjectKind::kLocalQueue) ||
         (apply != nullptr && HasQueue(apply->objects));
}

/// Sets the stop policy that a body asks for.
Response Stopped(Engine& engine, const stop::Asked& asked, TimeNs now) {
  const auto stopped = stop::SetStopPolicy(engine, asked.queues, asked.policy, now);
  return stopped.ok() ? JsonResponse(stop::ToJson(asked, *stopped))
                      : Refuse(RefusalOf(stopped.status()));
}

}  // namespace

Verdict Service::Manifests(const Request& request, Sent sent) {
  if (auto wrong = CheckType(request.head, {"application/yaml", "application/json"})) {
    return *std::move(wrong);
  }
  const std::string_view dry = request.target.Query("dryRun");
  if (!dry.empty() && dry != "true" && dry != "false") {
    return Refuse(BadQuery("dryRun", "dryRun is true or false", "write dryRun=true"));
  }
  return TakeBody(
      request, kMaxManifestBytes,
      [this, call = ManifestCall{request.caller, sent, dry == "true", request.head.target}](
          std::string body, const Reply& reply) {
        const auto text = std::make_shared<std::string>(std::move(body));
        OnReader([this, call, text, reply] { BeginManifests(call, std::move(*text), reply); },
                 reply);
      });
}

void Service::BeginManifests(const ManifestCall& call, std::string body, Reply reply) {
  auto read = ReadManifests(std::move(body), call.sent);
  if (auto* const refused = std::get_if<Response>(&read)) return Tell(std::move(*refused), reply);
  const auto manifests =
      std::make_shared<manifest::Manifests>(std::get<manifest::Manifests>(std::move(read)));
  // Of a copy, beside the room, they are asked anew.
  const auto names = call.dry_run ? nullptr : names_;
  const auto work = [this, call, manifests, names](Engine& engine, TimeNs now) {
    if (auto elsewhere = around_.neighbours.SendOn(*manifests, call.target)) {
      return *std::move(elsewhere);
    }
    if (const auto forbidden = Forbids(call.caller, engine, manifests->objects)) {
      return Refuse(*forbidden);
    }
    Response done = ApplyManifests(engine, *manifests, call.sent, now, call.dry_run, names.get());
    if (!call.dry_run && HasQueue(manifests->objects)) around_.neighbours.TellQueues(engine);
    return done;
  };
  if (!call.dry_run) {
    return around_.room->Do({work, /*changes=*/true, /*alone=*/false, std::move(reply),
                             /*until=*/std::nullopt, call.caller.Signature()});
  }
  Aside(
      [this, work]() -> Result<Response> {
        Result<Engine> copy = ReadLedger(db_);
        if (!copy.ok()) return copy.status();
        return work(*copy, WallClock());
      },
      reply);
}

Verdict Service::Commands(const Request& request) {
  if (auto wrong = CheckType(request.head, {"application/json"})) return *std::move(wrong);
  return TakeBody(
      request, kMaxCommandBytes,
      [this, caller = request.caller](std::string body, const Reply& reply) {
        const auto text = std::make_shared<std::string>(std::move(body));
        OnReader([this, caller, text, reply] { BeginCommands(caller, std::move(*text), reply); },
                 reply);
      });
}

Verdict Service::SetStopPolicy(const Request& request) {
  if (auto wrong = CheckType(request.head, {"application/json"})) return *std::move(wrong);
  return TakeBody(request, kMaxQueuesBytes,
                  [this, caller = request.caller](std::string body, const Reply& reply) {
                    const auto text = std::make_shared<std::string>(std::move(body));
                    OnReader([this, caller, text, reply] { BeginStopPolicy(caller, *text, reply); },
                             reply);
                  });
}

void Service::BeginStopPolicy(const Caller& caller, const std::string& body, const Reply& reply) {
  if (!IsUtf8(body)) return Tell(NotUtf8(), reply);
  const Result<stop::Asked> read = stop::AskedFor(body);
  if (!read.ok()) {
    Refusal refusal = RefusalOf(read.status());
    refusal.where.in = "body";
    return Tell(Refuse(refusal), reply);
  }
  const auto work = [asked = *read](Engine& engine, TimeNs now) {
    return Stopped(engine, asked, now);
  };
  around_.room->Do(
      {work, /*changes=*/true, /*alone=*/false, reply, /*until=*/std::nullopt, caller.Signature()});
}

void Service::BeginCommands(const Caller& caller, std::string body, Reply reply) {
  auto read = ReadCommands(std::move(body));
  if (auto* const refused = std::get_if<Response>(&read)) return Tell(std::move(*refused), reply);
  const auto sent = std::make_shared<SentCommands>(std::get<SentCommands>(std::move(read)));
  NameAuthor(caller.name, sent.get());
  const auto work = [this, sent, caller, names = names_](Engine& engine, TimeNs now) {
    for (const Command& command : sent->commands) {
      if (const auto forbidden = Forbids(caller, engine, command)) return Refuse(*forbidden);
      const auto* apply = std::get_if<command::Apply>(&command);
      if (apply != nullptr) names->Note(apply->objects);
    }
    Response done = CarryOut(engine, *sent, now, around_.metrics);
    if (std::any_of(sent->commands.begin(), sent->commands.end(), ChangesQueues)) {
      around_.neighbours.TellQueues(engine);
    }
    return done;
  };
  around_.room->Do({work, /*changes=*/true, sent->NeedsLedger(), std::move(reply),
                    /*until=*/std::nullopt, caller.Signature()});
}

}  // namespace muster::http
