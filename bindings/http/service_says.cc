// What the command line says of the ledger: verbs that read more than the engine has, its history.
// They run aside, on the ledger as it is on disk, so that no decision waits for them.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/http/checks.h"
#include "bindings/http/problem.h"
#include "bindings/http/said.h"
#include "bindings/http/service.h"
#include "bindings/http/surely.h"
#include "engine/base/caught.h"

namespace muster::http {
namespace {

constexpr std::size_t kMostCommits = 1000;  ///< of a page of the history

}  // namespace

void Service::Aside(std::function<Result<Response>()> work, const Reply& reply) {
  if (load_->aside.fetch_add(1) >= kMostAside) {
    load_->aside -= 1;
    return around_.post([reply] { reply(TooMuch("too many questions are under way")); });
  }
  const auto run = [this, work = std::move(work), reply] {
    const Result<Response> done = Guarded([&]() -> Result<Response> {
      if (stopping_) return Stopping();
      if (std::optional<Response> refused = Unread()) return *std::move(refused);
      return work();
    });
    load_->aside -= 1;
    Tell(done, reply);
  };
  try {
    around_.aside->Do(run);
  } catch (...) {  // its thread has not heard of it
    load_->aside -= 1;
    throw;
  }
}

void Service::Tell(const Result<Response>& done, const Reply& reply) {
  Surely([&] {
    around_.post([reply, response = done.ok() ? *done : Refuse(RefusalOf(done.status()))] {
      reply(response);
    });
  });
}

void Service::OnReader(std::function<void()> work, const Reply& reply) {
  around_.reader->Do([this, work = std::move(work), reply] {
    if (stopping_) return Tell(Stopping(), reply);
    const Status done = Guarded([&] {
      work();
      return Status::Ok();
    });
    if (!done.ok()) Tell(done, reply);  // what throws has not handed its reply on
  });
}

/// Each parameter of the request becomes an option of that name, in one word, so that its value is
/// never taken for another option.
Verdict Service::Say(const Request& request, std::vector<std::string> words,
                     std::string_view media) {
  if (auto hidden = NeedsToSeeAll(request.caller)) return *std::move(hidden);
  words.push_back("--db=" + db_);
  for (const auto& [name, value] : request.target.query) {
    if (name != "kind" && name != "name") words.push_back("--" + name + "=" + value);
  }
  if (media.empty()) media = request.target.Query("output") == "json" ? kJsonMedia : kTextMedia;
  return SayWords(request.head, std::move(words), media);
}

Verdict Service::SayWords(const Head& head, std::vector<std::string> words,
                          std::string_view media) {
  const auto said = [this, words = std::move(words), media]() -> Result<Response> {
    return ResponseOf(views_.say(words), media);
  };
  return Take(head, 0,
              [this, said](const std::string&, const Reply& reply) { Aside(said, reply); });
}

Verdict Service::Usage(const Request& request) { return Say(request, {"usage"}); }

Verdict Service::Defrag(const Request& request) { return Say(request, {"defrag"}); }

Verdict Service::Shards(const Request& request) {
  if (!around_.neighbours.shards) {
    return Refuse(Refusal{404,
                          "NotFound",
                          "the ledger of this service is in a file, and the only one there",
                          "ask a service whose ledger is in a database",
                          {"path"}});
  }
  return Take(request.head, 0, [this](const std::string&, const Reply& reply) {
    Aside(
        [this]() -> Result<Response> {
          const Result<lab::Json> shards = around_.neighbours.shards();
          if (!shards.ok()) return shards.status();
          return JsonResponse({{"items", *shards}});
        },
        reply);
  });
}

Verdict Service::PolicyList(const Request& request) { return Say(request, {"policy", "list"}); }

/// JSON Lines: what a reader needs to go on behind a line is in it.
Verdict Service::History(const Request& request) {
  std::vector<std::string> words = {"ledger", "export"};
  const std::string_view limit = request.target.Query("limit");
  if (limit.empty()) {
    words.push_back("--limit=" + std::to_string(kMostCommits));
  } else if (!CountOf(limit, kMostCommits)) {
    return Refuse(BadQuery("limit", "limit is from 1 to " + std::to_string(kMostCommits), ""));
  }
  return Say(request, std::move(words), "application/jsonl");
}

Verdict Service::HistoryOf(const Request& request) {
  const std::string name = request.target.path[2] + "/" + request.target.path[3];
  if (name.starts_with('-')) return NotThere("workload '" + name + "'");
  return Say(request, {"describe", "workload", name, "--output=json"}, kJsonMedia);
}

Verdict Service::Describe(const Request& request) {
  std::vector<std::string> words = {"describe"};
  for (const char* name : {"kind", "name"}) {
    const std::string value(request.target.Query(name));
    if (value.empty() || value.starts_with('-')) {
      return Refuse(BadQuery(name, std::string(name) + " is that of an object",
                             "write kind=workloads&name=NAMESPACE/NAME"));
    }
    words.push_back(value);
  }
  return Say(request, std::move(words));
}

}  // namespace muster::http
