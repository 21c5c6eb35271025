// POST /v1/observe: what the status of job objects says of their workloads, told to the engine. The
// way back of start-patch.
#include <memory>
#include <utility>

#include "bindings/http/checks.h"
#include "bindings/http/problem.h"
#include "bindings/http/service.h"
#include "bindings/http/target.h"
#include "bindings/http/writes.h"
#include "bindings/manifest/observe_objects.h"
#include "engine/base/caught.h"
#include "muster/muster.h"

namespace muster::http {
namespace {

constexpr std::size_t kMaxStatusBytes = std::size_t{256} << 10;

/// Nothing where all that the jobs say is of workloads that the caller may see and tell about.
std::optional<Response> ForbidsAny(const Caller& caller, const Engine& engine,
                                   const manifest::JobObjects& read) {
  const Sight sight(caller, engine);
  for (const manifest::JobObject& job : read.jobs) {
    const auto observed = manifest::Observe(engine, job);
    if (!observed.ok()) return Refuse(RefusalOf(observed.status()));
    for (const manifest::Observed& each : *observed) {
      if (!WorkloadIsSeen(sight, engine, each.workload)) {
        return NotThere("workload '" + each.workload.ToString() + "'");
      }
      for (const Command& command : each.commands) {
        if (const auto forbidden = Forbids(caller, engine, command)) return Refuse(*forbidden);
      }
    }
  }
  return std::nullopt;
}

Response TellAll(const Caller& caller, Engine& engine, const manifest::JobObjects& read, TimeNs now,
                 metrics::Metrics* metrics) {
  if (!read.problem.empty()) {
    return Refuse(RefusalOf(Status(StatusCode::kInvalidArgument, read.problem)));
  }
  if (read.jobs.empty()) {
    return Refuse(Refusal{400,
                          "InvalidArgument",
                          "there is no object of a job kind with a queue",
                          "send the objects that workloads were made of, with their status",
                          {"body"}});
  }
  if (auto forbidden = ForbidsAny(caller, engine, read)) return *std::move(forbidden);
  std::vector<manifest::Observed> all;
  for (const manifest::JobObject& job : read.jobs) {
    auto observed = manifest::Observe(engine, job);
    if (!observed.ok()) return Refuse(RefusalOf(observed.status()));
    for (manifest::Observed& each : *observed) {
      SentCommands sent;
      sent.commands = each.commands;
      if (Response told = CarryOut(engine, sent, now, metrics); told.status != 200) return told;
      all.push_back(std::move(each));
    }
  }
  return {200, "application/json", manifest::ToJson(all)};
}

}  // namespace

Verdict Service::Observe(const Request& request) {
  if (auto wrong = CheckType(request.head, {"application/yaml", "application/json"})) {
    return *std::move(wrong);
  }
  return TakeBody(request, kMaxStatusBytes,
                  [this, caller = request.caller](std::string body, const Reply& reply) {
                    if (!IsUtf8(body)) return reply(NotUtf8());
                    const auto text = std::make_shared<std::string>(std::move(body));
                    OnReader([this, caller, text, reply] { ReadStatuses(caller, *text, reply); },
                             reply);
                  });
}

/// Reads the objects beside the engine's thread, then tells it what they say.
void Service::ReadStatuses(const Caller& caller, const std::string& body, const Reply& reply) {
  const auto objects = std::make_shared<manifest::JobObjects>();
  const Status read = Guarded([&]() -> Status {
    const manifest::Source source{"body", body};
    *objects = manifest::ReadJobObjects({&source, 1}, std::nullopt, WallClock());
    return Status::Ok();
  });
  if (!read.ok()) {
    return around_.post([reply, refused = Refuse(RefusalOf(read))] { reply(refused); });
  }
  const auto work = [caller, objects, metrics = around_.metrics](Engine& engine, TimeNs now) {
    return TellAll(caller, engine, *objects, now, metrics);
  };
  around_.room->Do(
      {work, /*changes=*/true, /*alone=*/false, reply, /*until=*/std::nullopt, caller.Signature()});
}

}  // namespace muster::http
