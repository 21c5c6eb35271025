// What of the engine is only looked at: lists, explanations, decisions, metrics.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "bindings/cpp/open_store.h"
#include "bindings/cpp/replay_input.h"
#include "bindings/http/checks.h"
#include "bindings/http/problem.h"
#include "bindings/http/said.h"
#include "bindings/http/service.h"
#include "bindings/wire/wire.h"
#include "engine/base/join.h"
#include "engine/base/shown.h"

namespace muster::http {
namespace {

using lab::Json;

constexpr std::size_t kDefaultListed = 500;
constexpr std::size_t kDefaultDecisions = 1000;
constexpr std::size_t kMaxDecisions = 10'000;
constexpr std::size_t kMaxWaitSeconds = 60;
constexpr std::size_t kMaxNumber = std::numeric_limits<std::int64_t>::max();

constexpr std::string_view kEvents = "text/event-stream";

/// Whether the request names this type among those that it accepts.
bool Accepts(const Head& head, std::string_view type) {
  for (const std::string& each : Split(head.Field("accept"), ',')) {
    const std::size_t begin = each.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    const std::string name = each.substr(begin, each.find_first_of("; \t", begin) - begin);
    if (name == type) return true;
  }
  return false;
}

/// Of a decision: 0 stands before the first; nullopt: it is none.
std::optional<std::size_t> NumberOf(std::string_view text) {
  return text == "0" ? std::optional<std::size_t>(0) : CountOf(text, kMaxNumber);
}

/// 0 where there is no such file.
std::uintmax_t SizeOf(const std::string& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  return error ? 0 : size;
}

Response DoesNotSee(const Caller& caller, const std::string& kind) {
  return Refuse(Refusal{403,
                        "PermissionDenied",
                        "token " + caller.name + " does not see " + kind,
                        "they are about more than it is of",
                        {}});
}

/// Objects or an explanation as a command line prints them.
Response Printed(const Result<std::string>& text, const std::string& output) {
  if (!text.ok()) return Refuse(RefusalOf(text.status()));
  if (output == "json") return {200, std::string(kJsonMedia), *text};
  return {200, std::string(output == "yaml" ? "application/yaml" : kTextMedia), *text};
}

}  // namespace

Verdict Service::Metrics(const Request& request) {
  if (!request.caller.SeesAll()) {
    return Refuse(Refusal{403,
                          "PermissionDenied",
                          "token " + request.caller.name + " does not see metrics",
                          "they are about more than it is of; use a viewer's of everything",
                          {}});
  }
  return ReadFirst(request.head, [this](Engine& engine, TimeNs) {
    std::string text = around_.metrics->Text(engine);
    if (!IsDatabase(db_)) {
      text +=
          "# HELP muster_ledger_bytes Size of the ledger and its log\n"
          "# TYPE muster_ledger_bytes gauge\nmuster_ledger_bytes ";
      text += std::to_string(SizeOf(db_) + SizeOf(db_ + "-wal")) + "\n";
    }
    return Response{200, "text/plain; version=0.0.4; charset=utf-8", std::move(text)};
  });
}

Verdict Service::List(const Request& request) {
  const std::vector<std::string>& path = request.target.path;
  const auto kind = std::find_if(views_.kinds.begin(), views_.kinds.end(),
                                 [&](const ViewKind& each) { return each.name == path[1]; });
  if (kind == views_.kinds.end()) {
    std::vector<std::string> names;
    for (const ViewKind& each : views_.kinds) names.push_back(each.name);
    return Refuse(Refusal{404,
                          "NotFound",
                          "there is no kind '" + Shown(path[1]) + "'",
                          "there are " + Join(names),
                          {"path"}});
  }
  if (!request.target.Query("output").empty()) return PrintList(request, *kind);
  for (const char* name : {"name", "sort"}) {
    if (request.target.Query(name).empty()) continue;
    return Refuse(BadQuery(name, std::string(name) + " is for what is printed",
                           "add output=table, or leave it out"));
  }
  Asked asked;
  asked.kind = kind->name;
  const bool one = path.size() > 2;
  if (one) {
    const std::size_t named = kind->namespaced ? 4 : 3;
    if (path.size() != named) {
      return NotThere("such path; write /v1/" + kind->name +
                      (kind->namespaced ? "/NAMESPACE/NAME" : "/NAME"));
    }
    if (!request.target.query.empty()) {
      return Refuse(BadQuery(request.target.query.begin()->first,
                             "one object is named; parameters are for lists", "leave it out"));
    }
    asked.name = path.back();
    if (kind->namespaced) asked.ns = path[2];
    asked.most = 1;
  } else {
    const std::string_view limit = request.target.Query("limit");
    const auto most = limit.empty() ? kDefaultListed : CountOf(limit, kMaxListed);
    if (!most) {
      return Refuse(BadQuery("limit", "limit is from 1 to " + std::to_string(kMaxListed), ""));
    }
    asked.most = *most;
    if (auto wrong = Narrow(request.target, *kind, &asked)) return *std::move(wrong);
    asked.after = CutAtSlash(request.target.Query("after"));
  }
  return Read(request.head, [this, asked, one, caller = request.caller](Engine& engine, TimeNs) {
    const Sight sight(caller, engine);
    if (!sight.SeesKind(asked.kind)) return DoesNotSee(caller, asked.kind);
    Asked seen = asked;
    seen.sees = [&](const Subject& subject) { return sight.Sees(asked.kind, subject); };
    const Listed listed = views_.list(engine, seen);
    if (one) {
      if (!listed.items.empty()) return JsonResponse(listed.items.front());
      return NotThere(asked.kind + " '" + (asked.ns.empty() ? "" : asked.ns + "/") + asked.name +
                      "'");
    }
    Json json = {{"apiVersion", "v1"}, {"kind", "List"}, {"items", listed.items}};
    if (listed.more) json["metadata"] = {{"continue", listed.next.ToString()}};
    return JsonResponse(json);
  });
}

/// Reads namespace and state; what is wrong with them.
std::optional<Response> Service::Narrow(const Target& target, const ViewKind& kind,
                                        Asked* asked) const {
  asked->ns = target.Query("namespace");
  if (!asked->ns.empty() && !kind.namespaced) {
    return Refuse(BadQuery("namespace", kind.name + " have no namespace", "leave it out"));
  }
  asked->states = Split(target.Query("state"), ',');
  for (const std::string& state : asked->states) {
    const bool known =
        std::find(views_.states.begin(), views_.states.end(), state) != views_.states.end();
    if (known && kind.name == "workloads") continue;
    return Refuse(BadQuery("state", "state '" + Shown(state) + "' is none of " + kind.name,
                           "workloads have " + Join(views_.states)));
  }
  return std::nullopt;
}

Verdict Service::PrintList(const Request& request, const ViewKind& kind) {
  const Target& target = request.target;
  if (target.path.size() > 2) {
    return Refuse(BadQuery(
        "output", "one object is named; parameters are for lists",
        "ask /v1/" + kind.name + "?output=" + Shown(target.Query("output")) + "&name=NAME"));
  }
  for (const char* name : {"limit", "after"}) {
    if (target.Query(name).empty()) continue;
    return Refuse(BadQuery(name, "what is printed comes in one page", "leave it out"));
  }
  if (auto wrong = CheckWord(target, "output", views_.outputs)) return *std::move(wrong);
  if (auto wrong = CheckWord(target, "sort", views_.sorts)) return *std::move(wrong);
  Asked asked;
  asked.kind = kind.name;
  asked.name = target.Query("name");
  asked.sort = target.Query("sort");
  if (!asked.sort.empty() && kind.name != "workloads") {
    return Refuse(BadQuery("sort", "sort is about workloads", "leave it out"));
  }
  if (auto wrong = Narrow(target, kind, &asked)) return *std::move(wrong);
  const std::string output(target.Query("output"));
  return Read(request.head, [this, asked, output, caller = request.caller](Engine& engine, TimeNs) {
    const Sight sight(caller, engine);
    if (!sight.SeesKind(asked.kind)) return DoesNotSee(caller, asked.kind);
    Asked seen = asked;
    if (!caller.SeesAll()) {
      seen.sees = [&](const Subject& subject) { return sight.Sees(asked.kind, subject); };
    }
    return Printed(views_.print(engine, seen, output), output);
  });
}

Verdict Service::Decisions(const Request& request) {
  if (!request.caller.SeesAll()) {
    return Refuse(Refusal{403,
                          "PermissionDenied",
                          "token " + request.caller.name + " does not see decisions",
                          "they are about more than it is of; use an agent's",
                          {}});
  }
  if (Accepts(request.head, kEvents)) return DecisionEvents(request);
  const std::string consumer(request.target.Query("consumer"));
  const std::string_view after = request.target.Query("after");
  const auto number = NumberOf(after);
  if (consumer.empty() == after.empty() || (!after.empty() && !number)) {
    return Refuse(BadQuery("after", "decisions are behind a consumer or a number",
                           "write one of consumer=NAME and after=NUMBER"));
  }
  const std::string_view limit = request.target.Query("limit");
  const auto most =
      limit.empty() ? std::optional<std::size_t>(kDefaultDecisions) : CountOf(limit, kMaxDecisions);
  if (!most) {
    return Refuse(BadQuery("limit", "limit is from 1 to " + std::to_string(kMaxDecisions), ""));
  }
  const std::string_view wait = request.target.Query("wait");
  const auto seconds =
      wait.empty() || wait == "0" ? std::optional<std::size_t>(0) : CountOf(wait, kMaxWaitSeconds);
  if (!seconds) {
    return Refuse(
        BadQuery("wait", "wait is from 0 to " + std::to_string(kMaxWaitSeconds) + " seconds", ""));
  }
  const auto work = [this, consumer, number, most](Engine& engine, TimeNs) {
    if (std::optional<Response> refused = Unread()) return *std::move(refused);
    const Result<answer::Decisions> decisions =
        consumer.empty() ? engine.Decisions(static_cast<std::int64_t>(*number), *most)
                         : engine.Decisions(consumer, *most);
    if (!decisions.ok()) return Refuse(RefusalOf(decisions.status()));
    Response response;
    response.body = wire::ToJson(Answer(*decisions)) + "\n";
    response.nothing_yet = decisions->decisions.empty();
    Load::Charge(load_, &response);
    return response;
  };
  return Take(request.head, 0, [this, work, seconds](const std::string&, Reply reply) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(*seconds);
    around_.room->Do({work, /*changes=*/false, /*alone=*/false, std::move(reply), until});
  });
}

/// Where the stream begins is found out by the engine, so that what cannot begin is refused.
Verdict Service::DecisionEvents(const Request& request) {
  const std::string consumer(request.target.Query("consumer"));
  const std::string_view last_seen = request.head.Field("last-event-id");
  const std::string_view after = last_seen.empty() ? request.target.Query("after") : last_seen;
  const auto number = NumberOf(after);
  if (!after.empty() && !number) {
    const std::string from = last_seen.empty() ? "after" : "Last-Event-ID";
    return Refuse(BadQuery(from, from + " '" + Shown(after) + "' is no number of a decision",
                           "write that of the last one that was heard"));
  }
  if (after.empty() && consumer.empty()) {
    return Refuse(BadQuery("after", "events are behind a consumer or a number",
                           "write consumer=NAME or after=NUMBER"));
  }
  for (const char* name : {"limit", "wait"}) {
    if (request.target.Query(name).empty()) continue;
    return Refuse(BadQuery(name, std::string("a stream has no ") + name, "leave it out"));
  }
  const auto begin = std::make_shared<std::int64_t>(0);
  const auto work = [consumer, number, begin](Engine& engine, TimeNs) {
    const Result<answer::Decisions> found =
        number ? engine.Decisions(static_cast<std::int64_t>(*number), 1)
               : engine.Decisions(consumer, 1);
    if (!found.ok()) return Refuse(RefusalOf(found.status()));
    const bool none = found->decisions.empty();
    *begin = none ? found->last : found->decisions.front().number - 1;
    return Response();
  };
  return Take(request.head, 0,
              [this, work, begin, caller = request.caller](const std::string&, const Reply& reply) {
                const auto answer = [this, begin, caller, reply](Response response) {
                  if (response.status != 200) return reply(std::move(response));
                  reply(Feed::Listen(feed_, *begin, [this, caller] { return IsGood(caller); }));
                };
                around_.room->Do({work, /*changes=*/false, /*alone=*/false, answer});
              });
}

Verdict Service::Explain(const Request& request) {
  const Key key{request.target.path[2], request.target.path[3]};
  if (auto wrong = CheckWord(request.target, "output", {"table", "json"})) {
    return *std::move(wrong);
  }
  const std::string output =
      request.target.Query("output") == "table" ? std::string("table") : std::string("json");
  return Read(request.head, [this, key, output, caller = request.caller](Engine& engine, TimeNs) {
    const Sight sight(caller, engine);
    const auto sees = [&](const Key& each) { return WorkloadIsSeen(sight, engine, each); };
    if (!sees(key)) return NotThere("workload '" + key.ToString() + "'");
    return Printed(views_.explain(engine, key, sees, output), output);
  });
}

Verdict Service::Top(const Request& request) {
  constexpr std::size_t kMostColumns = 500;
  constexpr std::size_t kDefaultColumns = 100;
  TopAsked asked;
  asked.ns = request.target.Query("namespace");
  asked.width = kDefaultColumns;
  for (const auto& [name, size] :
       {std::pair{"width", &asked.width}, std::pair{"height", &asked.height}}) {
    const std::string_view text = request.target.Query(name);
    if (text.empty() || (text == "0" && size == &asked.height)) continue;
    const auto count = CountOf(text, kMostColumns);
    if (!count) {
      return Refuse(
          BadQuery(name, std::string(name) + " is from 1 to " + std::to_string(kMostColumns), ""));
    }
    *size = *count;
  }
  if (auto wrong = CheckWord(request.target, "colour", {"true", "false"})) return *std::move(wrong);
  asked.colour = request.target.Query("colour") == "true";
  return Read(request.head, [this, asked, caller = request.caller](Engine& engine, TimeNs now) {
    TopAsked seen = asked;
    const Sight sight(caller, engine);
    if (!caller.SeesAll()) {
      seen.sees = [&sight](const std::string& kind, const Subject& subject) {
        return sight.Sees(kind, subject);
      };
    }
    return Printed(views_.top(engine, seen, now), "table");
  });
}

/// It names no job: every caller that may read sees it, as it sees /v1/topologies.
Verdict Service::Heat(const Request& request) {
  return Read(request.head, [this](Engine& engine, TimeNs) {
    const Json heat = views_.heat(engine);  // in one line: there may be many hosts
    return Response{200, std::string(kJsonMedia),
                    heat.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"};
  });
}

}  // namespace muster::http
