// Questions about what is to come: when jobs will start, what a change would make of them. They
// take long, and so run aside on a copy of what is on disk; no decision waits for them.
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/cpp/open_store.h"
#include "bindings/http/checks.h"
#include "bindings/http/problem.h"
#include "bindings/http/said.h"
#include "bindings/http/service.h"
#include "bindings/http/writes.h"
#include "bindings/lab/what_if.h"
#include "muster/durable_engine.h"
#include "muster/muster.h"

namespace muster::http {
namespace {

constexpr std::size_t kMostFutures = 199;    // five times what is usual
constexpr std::size_t kMostQuestions = 400;  // of the past; ten times
constexpr std::size_t kMostRuns = 8'000;     // of the engine in one call; five times

using Words = std::vector<std::string>;

/// What the parameters of a question about starts say to `muster eta`.
std::variant<Words, Response> EtaWords(const Target& target, const std::string& db) {
  for (const auto& [name, allowed] : {std::pair{"output", Words{"table", "json"}},
                                      std::pair{"arrivals", Words{"true", "false"}}}) {
    if (auto wrong = CheckWord(target, name, allowed)) return *std::move(wrong);
  }
  Words words = {"eta", "--db=" + db};
  words.push_back(target.Query("output") == "table" ? "--output=table" : "--output=json");
  if (target.Query("arrivals") == "false") words.emplace_back("--no-arrivals");
  std::size_t futures = 39;  // what `muster eta` takes
  std::size_t questions = 40;
  for (const auto& [name, most] :
       {std::pair{"futures", kMostFutures}, std::pair{"questions", kMostQuestions}}) {
    const std::string text(target.Query(name));
    const bool is_questions = most == kMostQuestions;
    if (text.empty()) continue;
    const bool none = text == "0" && is_questions;
    if (!none && !CountOf(text, most)) {
      return Refuse(
          BadQuery(name, std::string(name) + " is a number up to " + std::to_string(most), ""));
    }
    words.push_back("--" + std::string(name) + "=" + text);
    (is_questions ? questions : futures) = none ? 0 : *CountOf(text, most);
  }
  if (futures * (questions + 1) > kMostRuns) {
    return Refuse(BadQuery("questions",
                           "futures times questions is a number up to " + std::to_string(kMostRuns),
                           "ask with fewer questions"));
  }
  return words;
}

/// What `muster eta` said of one workload, which is there.
Response EtaResponse(const Said& said, bool json) {
  if (said.code != 2) return ResponseOf(said, json ? kJsonMedia : kTextMedia);
  return Refuse(Refusal{409, "FailedPrecondition", LastWords(said.err), "", {"path"}});
}

}  // namespace

Verdict Service::Eta(const Request& request) {
  if (auto hidden = NeedsToSeeAll(request.caller)) return *std::move(hidden);
  const std::variant<Words, Response> words = EtaWords(request.target, db_);
  if (const auto* const refused = std::get_if<Response>(&words)) return *refused;
  const bool json = request.target.Query("output") != "table";
  return SayWords(request.head, std::get<Words>(words), json ? kJsonMedia : kTextMedia);
}

Verdict Service::EtaOf(const Request& request) {
  std::variant<Words, Response> words = EtaWords(request.target, db_);
  if (const auto* const refused = std::get_if<Response>(&words)) return *refused;
  const Key key{request.target.path[2], request.target.path[3]};
  const bool json = request.target.Query("output") != "table";
  const auto is_seen = [key, caller = request.caller](Engine& engine, TimeNs) {
    const Sight sight(caller, engine);
    return WorkloadIsSeen(sight, engine, key) ? JsonResponse(lab::Json::object())
                                              : NotThere("workload '" + key.ToString() + "'");
  };
  return Take(request.head, 0,
              [this, key, json, is_seen, words = std::get<Words>(std::move(words))](
                  const std::string&, const Reply& reply) mutable {
                words.push_back(key.ToString());
                const auto go_on = [this, json, words, reply](Response seen) {
                  if (seen.status != 200) return reply(std::move(seen));
                  Aside(
                      [this, json, words]() -> Result<Response> {
                        return EtaResponse(views_.say(words), json);
                      },
                      reply);
                };
                around_.room->Do({is_seen, /*changes=*/false, /*alone=*/false, go_on});
              });
}

Verdict Service::WhatIf(const Request& request) {
  if (auto hidden = NeedsToSeeAll(request.caller)) return *std::move(hidden);
  if (auto wrong = CheckType(request.head, {"application/json"})) return *std::move(wrong);
  if (auto wrong = CheckWord(request.target, "output", {"table", "json"})) return *std::move(wrong);
  return TakeBody(
      request, kMaxCommandBytes,
      [this, output = std::string(request.target.Query("output"))](std::string body,
                                                                   const Reply& reply) {
        const auto text = std::make_shared<std::string>(std::move(body));
        OnReader([this, output, text, reply] { BeginWhatIf(output, std::move(*text), reply); },
                 reply);
      });
}

void Service::BeginWhatIf(const std::string& output, std::string body, const Reply& reply) {
  auto read = ReadCommands(std::move(body));
  if (auto* const refused = std::get_if<Response>(&read)) return Tell(std::move(*refused), reply);
  const auto sent = std::make_shared<SentCommands>(std::get<SentCommands>(std::move(read)));
  Aside(
      [this, output, sent]() -> Result<Response> {
        const Result<std::unique_ptr<HistoryReader>> ledger = OpenHistory(db_);
        if (!ledger.ok()) return ledger.status();
        Result<Engine> engine = ReadLedger(**ledger);
        if (!engine.ok()) return engine.status();
        const Status loads = engine->SetPolicyLoader(
            [&ledger](std::string_view hash) { return PolicyForCommand(**ledger, hash); });
        if (!loads.ok()) return loads;
        std::size_t refused = 0;
        const Result<lab::Courses> courses =
            lab::AskWhatIf(*engine, WallClock(), sent->commands, &refused);
        if (!courses.ok() && refused < sent->commands.size()) {
          return RefuseCommand(*sent, refused, courses.status(), {});
        }
        if (!courses.ok()) return courses.status();
        return Response{200, std::string(output == "table" ? kTextMedia : kJsonMedia),
                        views_.what_if(*courses, output)};
      },
      reply);
}

}  // namespace muster::http
