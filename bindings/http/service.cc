// A row of the table for each path; what is not in it is 404, another method 405, a parameter that
// the row does not have 400.
#include "bindings/http/service.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "bindings/http/checks.h"
#include "bindings/http/embedded.h"
#include "bindings/http/page.h"
#include "bindings/http/problem.h"
#include "engine/base/join.h"
#include "engine/base/shown.h"
#include "muster/log.h"

namespace muster::http {

/// Whether a path is about one object, so that it may have been sent on.
static bool NamesOne(const Target& target) {
  const std::vector<std::string>& path = target.path;
  return path.size() >= 4 || (path.size() == 2 && path[1] == "describe");
}

/// A pattern's `*` is any segment; `...` behind it any that follow, or none.
struct Service::Row {
  std::string method;
  std::vector<std::string> pattern;
  std::set<std::string> parameters;
  Act act;
  Verdict (Service::*handler)(const Request&);

  bool Matches(const std::vector<std::string>& path) const {
    const bool open = !pattern.empty() && pattern.back() == "...";
    const std::size_t fixed = pattern.size() - (open ? 1 : 0);
    if (path.size() < fixed || (!open && path.size() > fixed)) return false;
    for (std::size_t i = 0; i < fixed; ++i) {
      if (pattern[i] != "*" && pattern[i] != path[i]) return false;
    }
    return true;
  }
};

std::vector<Service::Row> Service::Rows() {
  return {
      {"GET", {"healthz"}, {}, Act::kPublic, &Service::Health},
      {"GET", {"readyz"}, {}, Act::kPublic, &Service::Ready},
      {"GET", {"version"}, {}, Act::kPublic, &Service::Version},
      {"GET", {"openapi.yaml"}, {}, Act::kPublic, &Service::OpenApi},
      {"GET", {}, {}, Act::kPublic, &Service::Page},
      {"GET", {"metrics"}, {}, Act::kRead, &Service::Metrics},
      {"POST", {"v1", "apply"}, {"dryRun"}, Act::kApply, &Service::ApplyBody},
      {"POST", {"v1", "submit"}, {"dryRun"}, Act::kSubmit, &Service::SubmitBody},
      {"POST", {"v1", "commands"}, {kTried}, Act::kCommand, &Service::Commands},
      {"POST", {"v1", "stop-policy"}, {}, Act::kStop, &Service::SetStopPolicy},
      {"POST", {"v1", "observe"}, {}, Act::kReport, &Service::Observe},
      {"GET",
       {"v1", "decisions"},
       {"consumer", "after", "limit", "wait"},
       Act::kRead,
       &Service::Decisions},
      {"GET", {"v1", "workloads", "*", "*", "explain"}, {"output"}, Act::kRead, &Service::Explain},
      {"POST", {"v1", "workloads", "*", "*", "start-patch"}, {}, Act::kRead, &Service::StartPatch},
      {"GET", {"v1", "top"}, {"width", "height", "namespace", "colour"}, Act::kRead, &Service::Top},
      {"GET",
       {"v1", "defrag"},
       {"topology", "level", "nodes", "output"},
       Act::kRead,
       &Service::Defrag},
      {"GET", {"v1", "heat"}, {}, Act::kRead, &Service::Heat},
      {"GET", {"v1", "usage"}, {"since", "until", "by", "output"}, Act::kRead, &Service::Usage},
      {"GET",
       {"v1", "describe"},
       {"kind", "name", "namespace", "output"},
       Act::kRead,
       &Service::Describe},
      {"GET",
       {"v1", "history"},
       {"since", "until", "after", "limit"},
       Act::kRead,
       &Service::History},
      {"GET", {"v1", "workloads", "*", "*", "history"}, {}, Act::kRead, &Service::HistoryOf},
      {"GET", {"v1", "shards"}, {}, Act::kRead, &Service::Shards},
      {"GET", {"v1", "policy-list"}, {"output"}, Act::kRead, &Service::PolicyList},
      {"GET",
       {"v1", "workloads", "*", "*", "eta"},
       {"futures", "questions", "arrivals", "output"},
       Act::kRead,
       &Service::EtaOf},
      {"GET",
       {"v1", "eta"},
       {"futures", "questions", "arrivals", "output"},
       Act::kRead,
       &Service::Eta},
      {"POST", {"v1", "what-if"}, {"output"}, Act::kRead, &Service::WhatIf},
      {"GET", {"v1", "tokens"}, {}, Act::kTokens, &Service::TokenList},
      {"POST", {"v1", "tokens"}, {}, Act::kTokens, &Service::TokenCreate},
      {"DELETE", {"v1", "tokens", "*"}, {}, Act::kTokens, &Service::TokenRevoke},
      {"GET",
       {"v1", "*", "..."},
       {"namespace", "state", "limit", "after", "output", "name", "sort"},
       Act::kRead,
       &Service::List}};
}

Service::Service(std::string db, lab::Json version, Views views, const std::string& tokens,
                 const RateLimits& rates)
    : db_(std::move(db)), version_(std::move(version)), views_(std::move(views)), rates_(rates) {
  if (!tokens.empty()) tokens_.emplace(tokens);
}

void Service::SetSurroundings(Surroundings surroundings) {
  around_ = std::move(surroundings);
  feed_ = std::make_shared<Feed>(*around_.room, around_.later);
}

Verdict Service::Begin(const Head& head) {
  if (auto refused = CheckOrigin(head)) return *std::move(refused);
  if (!tokens_) {
    if (auto refused = CheckHost(head)) return *std::move(refused);
  }
  if ((head.method == "GET" || head.method == "HEAD") &&
      (head.chunked || head.body_bytes.value_or(0) > 0)) {
    return Refuse(Refusal{
        400, "InvalidArgument", "a " + head.method + " has no body", "leave it out", {"body"}});
  }
  const Result<Target> target = ParseTarget(head.target);
  if (target.ok()) return Route(head, *target);
  Refusal refusal = RefusalOf(target.status());
  refusal.where.in = "path";
  return Refuse(refusal);
}

std::variant<Caller, Response> Service::Identify(const Head& head) {
  if (!tokens_) return Caller{"local", Role::kAdmin, {}, {}};
  const auto found = FindCaller(*tokens_, head);
  if (const auto* const token = std::get_if<const Token*>(&found)) {
    return Caller{(*token)->name, (*token)->role, (*token)->of, (*token)->hash};
  }
  const Response& refused = std::get<Response>(found);
  if (refused.status == 401) {
    NoteRefused(head, "-", head.Field("authorization").empty() ? "no token" : "unknown token");
  }
  return refused;
}

bool Service::IsGood(const Caller& caller) {
  if (!tokens_) return true;
  const Result<std::vector<Token>>& tokens = tokens_->Tokens();
  return tokens.ok() && std::any_of(tokens->begin(), tokens->end(), [&](const Token& token) {
           return token.hash == caller.hash && token.role == caller.role && token.of == caller.of;
         });
}

/// At most a line a second: what is refused must not fill the disk.
void Service::NoteRefused(const Head& head, const std::string& name, const std::string& why) {
  const auto now = std::chrono::steady_clock::now();
  if (now - noted_ < std::chrono::seconds(1)) {
    ++not_noted_;
    return;
  }
  noted_ = now;
  Log(LogLevel::kWarning,
      "refused: " + name + " from " + head.peer + ", " + Shown(head.method) + " " +
          Shown(head.target) + ": " + why +
          (not_noted_ > 0 ? "; " + std::to_string(not_noted_) + " more before it" : ""));
  not_noted_ = 0;
}

Verdict Service::Route(const Head& head, const Target& target) {
  static const std::vector<Row> kRows = Rows();
  const std::string method = head.method == "HEAD" ? "GET" : head.method;
  std::set<std::string> methods;
  for (const Row& row : kRows) {
    if (!row.Matches(target.path)) continue;
    if (!methods.empty() && row.handler == &Service::List) break;  // the path is another's
    methods.insert(row.method);
    if (row.method != method) continue;
    for (const auto& [name, value] : target.query) {
      if (row.parameters.contains(name) || (name == kTried && NamesOne(target))) continue;
      const std::vector<std::string> known(row.parameters.begin(), row.parameters.end());
      return Refuse(BadQuery(name, "there is no parameter '" + Shown(name) + "' here",
                             known.empty() ? "leave it out" : "there are " + Join(known)));
    }
    if (row.act == Act::kPublic) return (this->*row.handler)(Request{head, target, Caller()});
    const std::variant<Caller, Response> identified = Identify(head);
    if (const auto* const refused = std::get_if<Response>(&identified)) return *refused;
    const Caller& caller = std::get<Caller>(identified);
    if (auto limited = Limit(head, caller)) return *std::move(limited);
    if (const std::optional<Refusal> forbidden = Forbids(caller, row.act)) {
      NoteRefused(head, caller.name, forbidden->message);
      return Refuse(*forbidden);
    }
    if (!NamesOne(target)) return (this->*row.handler)(Request{head, target, caller});
    Target own = target;
    own.query.erase(kTried);
    return SentOn(head, own, (this->*row.handler)(Request{head, own, caller}));
  }
  if (methods.empty()) return NotThere("such path; /openapi.yaml lists them");
  std::string allowed;
  for (const std::string& each : methods) {
    allowed += (allowed.empty() ? "" : ", ") + each + (each == "GET" ? ", HEAD" : "");
  }
  Response response = Refuse(Refusal{405,
                                     "InvalidArgument",
                                     "method " + Shown(head.method) + " is not for this path",
                                     "use " + allowed,
                                     {}});
  response.fields.emplace_back("Allow", allowed);
  return response;
}

Verdict Service::SentOn(const Head& head, const Target& target, Verdict verdict) const {
  auto* const accepted = std::get_if<Accepted>(&verdict);
  if (accepted == nullptr || !NamesOneJob(target)) return verdict;
  const std::string ns(target.path[1] == "describe" ? target.Query("namespace") : target.path[2]);
  accepted->go = [&neighbours = around_.neighbours, ns, sent = head.target,
                  go = std::move(accepted->go)](std::string body, const Reply& reply) {
    go(std::move(body), [&neighbours, ns, sent, reply](Response response) {
      std::optional<Response> elsewhere;
      if (response.status == 404) elsewhere = neighbours.SendOnByName({ns}, sent);
      reply(elsewhere ? *std::move(elsewhere) : std::move(response));
    });
  };
  return verdict;
}

Verdict Service::Take(const Head& head, std::size_t most_bytes, Go go) {
  const std::size_t bytes =
      head.chunked ? most_bytes : std::min<std::uint64_t>(head.body_bytes.value_or(0), most_bytes);
  if (load_->requests.load() >= kMostRequests || load_->bytes.load() + bytes > kMostBytes) {
    return TooMuch("too many requests are under way");
  }
  load_->requests += 1;
  load_->bytes += bytes;
  const std::shared_ptr<void> held(nullptr, [load = load_, bytes](void*) {
    load->requests -= 1;
    load->bytes -= bytes;
  });
  return Accepted{most_bytes,
                  [held, load = load_, go = std::move(go)](std::string body, Reply reply) {
                    go(std::move(body), [held, load, reply = std::move(reply)](Response response) {
                      Load::Charge(load, &response);
                      reply(std::move(response));
                    });
                  }};
}

std::optional<Response> Service::Limit(const Head& head, const Caller& caller) {
  const std::size_t bytes = head.chunked ? 1 : head.body_bytes.value_or(0);
  const std::size_t wait = rates_.Ask(caller.name, bytes, Rates::Clock::now());
  if (wait == 0) return std::nullopt;
  const std::string why = "token " + caller.name + " asks for more than its share";
  NoteRefused(head, caller.name, why);
  return TooMuch(why, wait);
}

Verdict Service::TakeBody(const Request& request, std::size_t most_bytes, Go go) {
  if (!request.head.chunked) return Take(request.head, most_bytes, std::move(go));
  return Take(
      request.head, most_bytes,
      [this, name = request.caller.name, go = std::move(go)](std::string body, Reply reply) {
        rates_.Count(name, body.size(), Rates::Clock::now());
        go(std::move(body), std::move(reply));
      });
}

Verdict Service::Read(const Head& head, std::function<Response(Engine&, TimeNs)> work) {
  return Take(head, 0, [this, work = std::move(work)](const std::string&, Reply reply) {
    const auto charged = [this, work](Engine& engine, TimeNs now) {
      if (std::optional<Response> refused = Unread()) return *std::move(refused);
      Response response = work(engine, now);
      Load::Charge(load_, &response);
      return response;
    };
    around_.room->Do({charged, /*changes=*/false, /*alone=*/false, std::move(reply)});
  });
}

Verdict Service::ReadFirst(const Head& head, std::function<Response(Engine&, TimeNs)> work) {
  return Take(head, 0, [this, work = std::move(work)](const std::string&, Reply reply) {
    Job job{work, /*changes=*/false, /*alone=*/false, std::move(reply)};
    job.turn = Turn::kFirst;
    around_.room->Do(std::move(job));
  });
}

void Service::Load::Charge(const std::shared_ptr<Load>& load, Response* response) {
  if (response->held != nullptr) return;
  const std::size_t size = response->body.size();
  load->unread += size;
  response->held = std::shared_ptr<void>(load.get(), [load, size](void*) { load->unread -= size; });
}

std::optional<Response> Service::Unread() const {
  if (load_->unread.load() <= kMostUnread) return std::nullopt;
  return TooMuch("too many answers wait to be read");
}

Verdict Service::Health(const Request& /*request*/) { return JsonResponse({{"status", "ok"}}); }

Verdict Service::Ready(const Request& request) {
  return ReadFirst(request.head, [room = around_.room](Engine& engine, TimeNs) {
    Status closed = engine.Closed();
    if (closed.ok() && room->LedgerIsAnothers()) {
      closed = {StatusCode::kUnavailable, "another service has taken the ledger over"};
    }
    return closed.ok() ? JsonResponse({{"status", "ready"}}) : Refuse(RefusalOf(closed));
  });
}

Verdict Service::Version(const Request& /*request*/) { return JsonResponse(version_); }

Verdict Service::OpenApi(const Request& /*request*/) {
  return Response{200, "application/yaml", std::string(OpenApiText())};
}

Verdict Service::Page(const Request& /*request*/) { return PageResponse(); }

}  // namespace muster::http
