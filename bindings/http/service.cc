// A row of the table for each path; what is not in it is 404, another method 405, a parameter that
// the row does not have 400.
#include "bindings/http/service.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "bindings/cpp/open_store.h"
#include "bindings/http/checks.h"
#include "bindings/http/embedded.h"
#include "bindings/http/page.h"
#include "bindings/http/problem.h"
#include "bindings/wire/wire.h"
#include "engine/base/caught.h"
#include "engine/base/join.h"
#include "engine/base/shown.h"
#include "muster/durable_engine.h"
#include "muster/log.h"
#include "muster/muster.h"

namespace muster::http {
namespace {

using lab::Json;

constexpr std::size_t kDefaultListed = 500;
constexpr std::size_t kDefaultDecisions = 1000;
constexpr std::size_t kMaxDecisions = 10'000;
constexpr std::size_t kMaxWaitSeconds = 60;
constexpr std::size_t kMaxNumber = std::numeric_limits<std::int64_t>::max();

/// 0 where there is no such file.
std::uintmax_t SizeOf(const std::string& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  return error ? 0 : size;
}

Response NotThere(const std::string& what) {
  return Refuse(Refusal{404, "NotFound", "there is no " + what, "", {"path"}});
}

bool SeesWorkload(const Sight& sight, const Engine& engine, const Key& key) {
  const Result<WorkloadView> workload = engine.GetWorkload(key);
  return workload.ok() &&
         sight.Sees("workloads", {key, workload->cluster_queue, std::string(workload->spec.queue)});
}

/// "team-a/train" is namespace and name, "train" a name.
Key KeyFrom(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return Key{"", text};
  return Key{text.substr(0, slash), text.substr(slash + 1)};
}

/// The names of workloads in an explanation that the caller does not see otherwise.
void HideOthers(const Sight& sight, const Engine& engine, Json* explained) {
  for (Json* const list :
       {&(*explained)["holders"], &(*explained)["candidates"], &(*explained)["ahead"]["nearest"]}) {
    for (Json& each : *list) {
      Json& name = each["workload"];
      if (!SeesWorkload(sight, engine, KeyFrom(name.get<std::string>()))) name = "(another's)";
    }
  }
}

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

}  // namespace

struct Service::Request {
  const Head& head;
  const Target& target;
  const Caller& caller;
};

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
  return {{"GET", {"healthz"}, {}, Act::kPublic, &Service::Health},
          {"GET", {"readyz"}, {}, Act::kPublic, &Service::Ready},
          {"GET", {"version"}, {}, Act::kPublic, &Service::Version},
          {"GET", {"openapi.yaml"}, {}, Act::kPublic, &Service::OpenApi},
          {"GET", {}, {}, Act::kPublic, &Service::Page},
          {"GET", {"metrics"}, {}, Act::kRead, &Service::Metrics},
          {"POST", {"v1", "apply"}, {"dryRun"}, Act::kApply, &Service::ApplyBody},
          {"POST", {"v1", "submit"}, {"dryRun"}, Act::kSubmit, &Service::SubmitBody},
          {"POST", {"v1", "commands"}, {}, Act::kCommand, &Service::Commands},
          {"GET",
           {"v1", "decisions"},
           {"consumer", "after", "limit", "wait"},
           Act::kRead,
           &Service::Decisions},
          {"GET", {"v1", "workloads", "*", "*", "explain"}, {}, Act::kRead, &Service::Explain},
          {"GET",
           {"v1", "*", "..."},
           {"namespace", "state", "limit", "after"},
           Act::kRead,
           &Service::List}};
}

Service::Service(std::string db, Json version, Views views, const std::string& tokens)
    : db_(std::move(db)), version_(std::move(version)), views_(std::move(views)) {
  if (!tokens.empty()) tokens_.emplace(tokens);
}

Verdict Service::Begin(const Head& head) {
  if (auto refused = CheckOrigin(head)) return *std::move(refused);
  if (!tokens_ && !IsThisMachine(head.Field("host"))) {
    return Refuse(Refusal{403,
                          "PermissionDenied",
                          "Host '" + Shown(head.Field("host")) + "' is not this machine",
                          "without tokens only 127.0.0.1, [::1] and localhost are served",
                          {"header", "Host"}});
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
  if (!tokens_) return Caller{"local", Role::kAdmin, {}};
  const Result<std::vector<Token>>& tokens = tokens_->Tokens();
  if (!tokens.ok()) {
    return Refuse(Refusal{503, "Unavailable", "the service cannot read its tokens", "", {}});
  }
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view shown = head.Field("authorization");
  const Token* const token =
      shown.starts_with(kScheme) ? FindToken(*tokens, shown.substr(kScheme.size())) : nullptr;
  if (token != nullptr) return Caller{token->name, token->role, token->of};
  NoteRefused(head, "-", shown.empty() ? "no token" : "unknown token");
  Response response = Refuse(Refusal{401,
                                     "Unauthenticated",
                                     shown.empty() ? "there is no token" : "no such token",
                                     "send the field Authorization: Bearer TOKEN",
                                     {"header", "Authorization"}});
  response.fields.emplace_back("WWW-Authenticate", "Bearer");
  return response;
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
      if (row.parameters.contains(name)) continue;
      const std::vector<std::string> known(row.parameters.begin(), row.parameters.end());
      return Refuse(BadQuery(name, "there is no parameter '" + Shown(name) + "' here",
                             known.empty() ? "leave it out" : "there are " + Join(known)));
    }
    if (row.act == Act::kPublic) return (this->*row.handler)(Request{head, target, Caller()});
    const std::variant<Caller, Response> identified = Identify(head);
    if (const auto* const refused = std::get_if<Response>(&identified)) return *refused;
    const Caller& caller = std::get<Caller>(identified);
    if (const std::optional<Refusal> forbidden = Forbids(caller, row.act)) {
      NoteRefused(head, caller.name, forbidden->message);
      return Refuse(*forbidden);
    }
    return (this->*row.handler)(Request{head, target, caller});
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
  return Accepted{most_bytes, [held, go = std::move(go)](std::string body, Reply reply) {
                    go(std::move(body), [held, reply = std::move(reply)](Response response) {
                      reply(std::move(response));
                    });
                  }};
}

Verdict Service::Read(const Head& head, std::function<Response(Engine&, TimeNs)> work) {
  return Take(head, 0, [this, work = std::move(work)](const std::string&, Reply reply) {
    around_.room->Do({work, /*changes=*/false, /*alone=*/false, std::move(reply)});
  });
}

Verdict Service::Health(const Request& /*request*/) { return JsonResponse({{"status", "ok"}}); }

Verdict Service::Ready(const Request& request) {
  return Read(request.head, [](Engine& engine, TimeNs) {
    const Status closed = engine.Closed();
    return closed.ok() ? JsonResponse({{"status", "ready"}}) : Refuse(RefusalOf(closed));
  });
}

Verdict Service::Version(const Request& /*request*/) { return JsonResponse(version_); }

Verdict Service::OpenApi(const Request& /*request*/) {
  return Response{200, "application/yaml", std::string(OpenApiText())};
}

Verdict Service::Page(const Request& /*request*/) { return PageResponse(); }

Verdict Service::Metrics(const Request& request) {
  if (!request.caller.SeesAll()) {
    return Refuse(Refusal{403,
                          "PermissionDenied",
                          "token " + request.caller.name + " does not see metrics",
                          "they are about more than it is of; use a viewer's of everything",
                          {}});
  }
  return Read(request.head, [this](Engine& engine, TimeNs) {
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

Verdict Service::Manifests(const Request& request, Sent sent) {
  if (auto wrong = CheckType(request.head, {"application/yaml", "application/json"})) {
    return *std::move(wrong);
  }
  const std::string_view dry = request.target.Query("dryRun");
  if (!dry.empty() && dry != "true" && dry != "false") {
    return Refuse(BadQuery("dryRun", "dryRun is true or false", "write dryRun=true"));
  }
  return Take(request.head, kMaxManifestBytes,
              [this, call = ManifestCall{request.caller, sent, dry == "true"}](std::string body,
                                                                               Reply reply) {
                around_.reader->Do([this, call, body = std::move(body), reply]() mutable {
                  BeginManifests(call, std::move(body), std::move(reply));
                });
              });
}

void Service::BeginManifests(const ManifestCall& call, std::string body, Reply reply) {
  auto read = ReadManifests(std::move(body), call.sent);
  if (auto* const refused = std::get_if<Response>(&read)) {
    return around_.post([reply, refused = std::move(*refused)] { reply(refused); });
  }
  const auto manifests =
      std::make_shared<manifest::Manifests>(std::get<manifest::Manifests>(std::move(read)));
  const auto work = [call, manifests](Engine& engine, TimeNs now) {
    const auto forbidden = Forbids(call.caller, engine, manifests->objects);
    return forbidden ? Refuse(*forbidden)
                     : ApplyManifests(engine, *manifests, call.sent, now, call.dry_run);
  };
  if (!call.dry_run) {
    return around_.room->Do({work, /*changes=*/true, /*alone=*/false, std::move(reply)});
  }
  around_.aside->Do([this, work, reply] {
    const Result<Response> tried = Guarded([&]() -> Result<Response> {
      Result<Engine> copy = ReadLedger(db_);
      if (!copy.ok()) return copy.status();
      return work(*copy, WallClock());
    });
    around_.post([reply, response = tried.ok() ? *tried : Refuse(RefusalOf(tried.status()))] {
      reply(response);
    });
  });
}

Verdict Service::Commands(const Request& request) {
  if (auto wrong = CheckType(request.head, {"application/json"})) return *std::move(wrong);
  return Take(request.head, kMaxCommandBytes,
              [this, caller = request.caller](std::string body, Reply reply) {
                around_.reader->Do([this, caller, body = std::move(body), reply]() mutable {
                  BeginCommands(caller, std::move(body), std::move(reply));
                });
              });
}

void Service::BeginCommands(const Caller& caller, std::string body, Reply reply) {
  auto read = ReadCommands(std::move(body));
  if (auto* const refused = std::get_if<Response>(&read)) {
    return around_.post([reply, refused = std::move(*refused)] { reply(refused); });
  }
  const auto sent = std::make_shared<SentCommands>(std::get<SentCommands>(std::move(read)));
  NameAuthor(caller.name, sent.get());
  const auto work = [sent, caller, metrics = around_.metrics](Engine& engine, TimeNs now) {
    for (const Command& command : sent->commands) {
      if (const auto forbidden = Forbids(caller, engine, command)) return Refuse(*forbidden);
    }
    return CarryOut(engine, *sent, now, metrics);
  };
  around_.room->Do({work, /*changes=*/true, sent->NeedsLedger(), std::move(reply)});
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
    asked.ns = request.target.Query("namespace");
    if (!asked.ns.empty() && !kind->namespaced) {
      return Refuse(BadQuery("namespace", kind->name + " have no namespace", "leave it out"));
    }
    asked.after = KeyFrom(std::string(request.target.Query("after")));
    asked.states = Split(request.target.Query("state"), ',');
    for (const std::string& state : asked.states) {
      const bool known =
          std::find(views_.states.begin(), views_.states.end(), state) != views_.states.end();
      if (known && kind->name == "workloads") continue;
      return Refuse(BadQuery("state", "state '" + Shown(state) + "' is none of " + kind->name,
                             "workloads have " + Join(views_.states)));
    }
  }
  return Read(request.head, [this, asked, one, caller = request.caller](Engine& engine, TimeNs) {
    const Sight sight(caller, engine);
    if (!sight.SeesKind(asked.kind)) {
      return Refuse(Refusal{403,
                            "PermissionDenied",
                            "token " + caller.name + " does not see " + asked.kind,
                            "they are about more than it is of",
                            {}});
    }
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

Verdict Service::Decisions(const Request& request) {
  if (!request.caller.SeesAll()) {
    return Refuse(Refusal{403,
                          "PermissionDenied",
                          "token " + request.caller.name + " does not see decisions",
                          "they are about more than it is of; use an agent's",
                          {}});
  }
  const std::string consumer(request.target.Query("consumer"));
  const std::string_view after = request.target.Query("after");
  const auto number = after == "0" ? std::optional<std::size_t>(0) : CountOf(after, kMaxNumber);
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
  const auto work = [consumer, number, most](Engine& engine, TimeNs) {
    const Result<answer::Decisions> decisions =
        consumer.empty() ? engine.Decisions(static_cast<std::int64_t>(*number), *most)
                         : engine.Decisions(consumer, *most);
    if (!decisions.ok()) return Refuse(RefusalOf(decisions.status()));
    Response response;
    response.body = wire::ToJson(Answer(*decisions)) + "\n";
    response.nothing_yet = decisions->decisions.empty();
    return response;
  };
  return Take(request.head, 0, [this, work, seconds](const std::string&, Reply reply) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(*seconds);
    around_.room->Do({work, /*changes=*/false, /*alone=*/false, std::move(reply), until});
  });
}

Verdict Service::Explain(const Request& request) {
  const Key key{request.target.path[2], request.target.path[3]};
  return Read(request.head, [this, key, caller = request.caller](Engine& engine, TimeNs) {
    const Sight sight(caller, engine);
    Result<Json> explained = views_.explain(engine, key);
    if (!explained.ok() || !SeesWorkload(sight, engine, key)) {
      return NotThere("workload '" + key.ToString() + "'");
    }
    HideOthers(sight, engine, &*explained);
    return JsonResponse(*explained);
  });
}

}  // namespace muster::http
