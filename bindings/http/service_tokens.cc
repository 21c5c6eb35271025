// Tokens come and go over HTTP as `muster token` has it: the same file, changed whole. What an
// admin did is on the log.
#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/http/checks.h"
#include "bindings/http/problem.h"
#include "bindings/http/service.h"
#include "engine/base/caught.h"
#include "engine/base/join.h"
#include "engine/base/shown.h"
#include "muster/log.h"
#include "muster/muster.h"

namespace muster::http {
namespace {

using lab::Json;

constexpr std::size_t kMaxTokenBytes = 64 << 10;

Refusal BadBody(std::string path, std::string message, std::string cure) {
  return {
      400, "InvalidArgument", std::move(message), std::move(cure), {"body", "", std::move(path)}};
}

/// The token that a body asks for, {"name", "role", "of"}.
std::variant<Token, Refusal> TokenAskedFor(const std::string& body) {
  constexpr const char* kForm =
      R"(write {"name": "ci-a", "role": "submitter", "of": ["namespace:team-a"]})";
  const Json json = Json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return BadBody("", "the body is no object in JSON", kForm);
  Token token;
  for (const auto& [name, value] : json.items()) {
    if (name == "of") {
      const bool texts =
          value.is_array() && std::all_of(value.begin(), value.end(),
                                          [](const Json& each) { return each.is_string(); });
      if (!texts) return BadBody(name, "of is a list of texts", kForm);
      token.of = value.get<std::vector<std::string>>();
    } else if (name != "name" && name != "role") {
      return BadBody(name, "there is no field '" + Shown(name) + "' here",
                     "there are name, role, of");
    } else if (!value.is_string()) {
      return BadBody(name, name + " is a text", kForm);
    }
  }
  for (const char* name : {"name", "role"}) {
    if (!json.contains(name)) return BadBody(name, std::string(name) + " is missing", kForm);
  }
  const Result<Role> role = RoleOf(json["role"].get<std::string>());
  if (!role.ok()) return BadBody("role", role.status().message(), "");
  token.role = *role;
  token.name = json["name"].get<std::string>();
  if (Status wrong = CheckToken(token); !wrong.ok()) return BadBody("", wrong.message(), "");
  token.created = WallClock();
  return token;
}

Response NoTokens() {
  return Refuse(Refusal{409,
                        "FailedPrecondition",
                        "the service takes every caller: it was begun without tokens",
                        "begin it with muster serve --tokens FILE",
                        {}});
}

}  // namespace

Verdict Service::TokenList(const Request& /*request*/) {
  if (!tokens_) return NoTokens();
  const Result<std::vector<Token>>& tokens = tokens_->Tokens();
  if (!tokens.ok()) return Refuse(RefusalOf(tokens.status()));
  return JsonResponse({{"items", TokensJson(*tokens)}});
}

/// Changes the file beside the io thread, which waits for no disk, and answers when it counts.
void Service::ChangeFile(std::function<Response()> change, const Reply& reply) {
  around_.reader->Do([this, change = std::move(change), reply] {
    const Result<Response> changed =
        stopping_ ? Stopping() : Guarded([&]() -> Result<Response> { return change(); });
    Tell(changed, [this, reply](Response response) {
      tokens_->LookAgain();
      reply(std::move(response));
    });
  });
}

Verdict Service::TokenCreate(const Request& request) {
  if (!tokens_) return NoTokens();
  if (auto wrong = CheckType(request.head, {"application/json"})) return *std::move(wrong);
  return TakeBody(
      request, kMaxTokenBytes,
      [this, by = request.caller.name](const std::string& body, const Reply& reply) {
        const std::variant<Token, Refusal> asked = TokenAskedFor(body);
        if (const auto* const refused = std::get_if<Refusal>(&asked))
          return reply(Refuse(*refused));
        const auto create = [token = std::get<Token>(asked), path = tokens_->path(), by] {
          const Result<std::string> secret = CreateToken(path, MissingFile::kRefuse, token);
          if (!secret.ok()) return Refuse(RefusalOf(secret.status()));
          Log(LogLevel::kWarning, "token " + token.name + " of role " +
                                      std::string(RoleName(token.role)) + " made by " + by);
          Json json = TokensJson({token}).front();
          json["token"] = *secret;
          return JsonResponse(json);
        };
        ChangeFile(create, reply);
      });
}

Verdict Service::TokenRevoke(const Request& request) {
  if (!tokens_) return NoTokens();
  return Take(request.head, 0,
              [this, by = request.caller.name, name = request.target.path.back()](
                  const std::string&, const Reply& reply) {
                ChangeFile(
                    [path = tokens_->path(), by, name] {
                      const Status revoked = RevokeToken(path, name);
                      if (!revoked.ok()) return Refuse(RefusalOf(revoked));
                      Log(LogLevel::kWarning, "token " + name + " revoked by " + by);
                      return JsonResponse({{"name", name}, {"revoked", true}});
                    },
                    reply);
              });
}

}  // namespace muster::http
