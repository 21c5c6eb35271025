// POST /v1/observe: what the status of job objects says of their workloads, told to the engine. The
// way back of start-patch.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/http/checks.h"
#include "bindings/http/problem.h"
#include "bindings/http/said.h"
#include "bindings/http/service.h"
#include "bindings/http/target.h"
#include "bindings/http/writes.h"
#include "bindings/manifest/observe_objects.h"
#include "engine/base/utf8.h"
#include "muster/muster.h"

namespace muster::http {
namespace {

/// The caller's own mistake or the state's, at the place of the object that it is about.
Refusal At(const manifest::JobObject& job, Refusal refusal) {
  refusal.where = {"body", "", "", job.place.line, job.place.column};
  return refusal;
}

/// The engine refuses what `job` says; `told` is what the objects before it said.
Response Midway(const manifest::JobObject& job, const Key& workload, const Status& status,
                const std::vector<manifest::Observed>& told) {
  Refusal refusal = At(job, RefusalOf(status));
  refusal.message = workload.ToString() + ": " + refusal.message;
  if (refusal.cure.empty()) refusal.cure = "leave this object out, or send it as it is now";
  Response response = Refuse(refusal);
  lab::Json json = lab::Json::parse(response.body);
  json["objects"] = lab::Json::parse(manifest::ToJson(told))["objects"];
  response.body = lab::JsonText(json) + "\n";
  return response;
}

/// For an admin or an agent: all that is told is a report, also how many pods will not be made
/// anew, though no command `update` is an agent's.
Response TellAll(Engine& engine, const manifest::JobObjects& read, TimeNs now,
                 metrics::Metrics* metrics) {
  if (read.mistake) return Refuse(RefusalOf(*read.mistake));
  if (!manifest::AreQueued(engine, read)) {
    return Refuse(Refusal{400,
                          "InvalidArgument",
                          "there is no object of a job kind with a queue",
                          "send the objects that workloads were made of, with their status",
                          {"body"}});
  }
  for (const manifest::JobObject& job : read.jobs) {
    if (manifest::Observe(engine, job).ok()) continue;
    return Refuse(At(job, {404, "NotFound", manifest::WhatLacks(job), manifest::CureOfLack(job)}));
  }
  std::vector<manifest::Observed> all;
  for (const manifest::JobObject& job : read.jobs) {
    auto observed = manifest::Observe(engine, job);
    if (!observed.ok()) return Midway(job, job.workload_key, observed.status(), all);
    for (manifest::Observed& each : *observed) {
      for (const Command& command : each.commands) {
        const Result<Answer> told = DoNoted(engine, command, now, metrics);
        if (told.ok()) continue;
        const bool was_reclaimed = std::holds_alternative<command::Update>(each.commands.front());
        if (&command != &each.commands.front() && was_reclaimed) {
          all.push_back({each.workload, "reclaimed", {}});
        }
        return Midway(job, each.workload, told.status(), all);
      }
      all.push_back(std::move(each));
    }
  }
  for (manifest::Observed& each : manifest::ObserveGone(engine, read)) {
    for (const Command& command : each.commands) {
      const Result<Answer> told = DoNoted(engine, command, now, metrics);
      if (!told.ok()) return Refuse(RefusalOf(told.status()));
    }
    all.push_back(std::move(each));
  }
  return {200, std::string(kJsonMedia), manifest::ToJson(all)};
}

}  // namespace

Verdict Service::Observe(const Request& request) {
  if (auto wrong = CheckType(request.head, {"application/yaml", "application/json"})) {
    return *std::move(wrong);
  }
  return TakeBody(request, kMaxManifestBytes,
                  [this, caller = request.caller](std::string body, const Reply& reply) {
                    if (!IsUtf8(body)) return reply(NotUtf8());
                    const auto text = std::make_shared<std::string>(std::move(body));
                    OnReader([this, caller, text, reply] { ReadStatuses(caller, *text, reply); },
                             reply);
                  });
}

/// Reads the objects beside the engine's thread, then tells it what they say.
void Service::ReadStatuses(const Caller& caller, const std::string& body, const Reply& reply) {
  const manifest::Source source{"body", body};
  const auto objects = std::make_shared<manifest::JobObjects>(
      manifest::ReadJobObjects({&source, 1}, std::nullopt, WallClock()));
  const auto work = [objects, metrics = around_.metrics](Engine& engine, TimeNs now) {
    return TellAll(engine, *objects, now, metrics);
  };
  around_.room->Do(
      {work, /*changes=*/true, /*alone=*/false, reply, /*until=*/std::nullopt, caller.Signature()});
}

}  // namespace muster::http
