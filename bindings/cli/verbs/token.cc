// muster token: the callers of a service. Each verb reads the file of tokens and replaces it whole.
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/json.h"
#include "bindings/cli/table.h"
#include "bindings/cli/world/report.h"
#include "bindings/http/tokens.h"
#include "bindings/manifest/manifest.h"
#include "engine/base/join.h"
#include "muster/muster.h"

namespace muster::cli {
namespace {

using http::Token;

/// What the verbs share.
class TokenCommand : public Command {
 protected:
  void DeclareFile(Flags& flags) {
    flags.Text("--tokens", "FILE", &file_, "The file that muster serve --tokens reads.");
  }

  int NeedFile(Io& io) const {
    return file_.empty() ? io.Fail(kWrongUse, "name the file of tokens with --tokens FILE")
                         : int{kDone};
  }

  /// What went wrong with the file of tokens.
  int FailFile(const Status& status, Io& io) const {
    std::error_code none;
    const bool missing = !std::filesystem::exists(file_, none);
    return io.Fail(missing ? kWrongUse : ExitCodeFor(status), status.message());
  }

  std::string file_;
};

class TokenCreate : public TokenCommand {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "token create",
        .group = "Serve",
        .summary = "a new token for callers of a service",
        .usage = "NAME --role ROLE [--of WHAT,...] --tokens FILE",
        .about =
            "Prints the token, once: the file keeps its hash. A role says what its caller may do: "
            "admin everything; owner binds policies to its queues; submitter submits and cancels "
            "jobs of its namespaces or LocalQueues; agent reports what became of jobs; viewer "
            "reads. Owner, submitter and viewer see what --of names, agent and a viewer without "
            "--of see everything.\n"
            "--of takes cohort:NAME and clusterqueue:NAME of an owner, namespace:NAME and "
            "localqueue:NAMESPACE/NAME of a submitter, the first three of a viewer. With "
            "priorityclass:NAME a submitter's jobs name one of those WorkloadPriorityClasses, no "
            "other priority.",
        .examples = {{"For the pipelines of a team",
                      "muster token create ci-a --role submitter --of namespace:team-a --tokens t"},
                     {"For its lead",
                      "muster token create lead-a --role owner --of cohort:research --tokens t"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Required("NAME", &name_, "What the log and events call the caller.");
    flags.Text("--role", "ROLE", &role_, "admin, owner, submitter, viewer or agent.");
    flags.CommaList("--of", "WHAT,...", &of_, "What the role is about.");
    DeclareFile(flags);
  }

  int Run(Io& io) override {
    if (const int code = NeedFile(io); code != kDone) return code;
    const Result<http::Role> role = http::RoleOf(role_);
    if (!role.ok()) return io.Fail(kWrongUse, "token create: " + role.status().message());
    const Token token{name_, *role, of_, "", WallClock()};
    const Result<std::string> secret = http::CreateToken(file_, http::MissingFile::kBegin, token);
    if (!secret.ok()) {
      return io.Fail(http::CheckToken(token).ok() ? ExitCodeFor(secret.status()) : kWrongUse,
                     "token create: " + secret.status().message());
    }
    io.out << *secret << '\n';
    return kDone;
  }

 private:
  std::string name_;
  std::string role_;
  std::vector<std::string> of_;
};

class TokenRevoke : public TokenCommand {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "token revoke",
        .group = "Serve",
        .summary = "a token is good no more",
        .usage = "NAME --tokens FILE",
        .about = "A service that runs refuses it within a second.",
        .examples = {{"It was lost", "muster token revoke ci-a --tokens t"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Required("NAME", &name_, "Of the token.");
    DeclareFile(flags);
  }

  int Run(Io& io) override {
    if (const int code = NeedFile(io); code != kDone) return code;
    const Status revoked = http::RevokeToken(file_, name_);
    if (!revoked.ok()) return FailFile(revoked, io);
    io.out << "token " << name_ << " revoked\n";
    return kDone;
  }

 private:
  std::string name_;
};

class TokenList : public TokenCommand {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "token list",
        .group = "Serve",
        .summary = "names and roles of tokens",
        .usage = "--tokens FILE [-o table|json]",
        .about = "What callers may do that show one of these.",
        .examples = {{"Of a service", "muster token list --tokens t"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    DeclareFile(flags);
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A line a token, or JSON.");
  }

  int Run(Io& io) override {
    if (const int code = NeedFile(io); code != kDone) return code;
    const Result<std::vector<Token>> tokens = http::ReadTokens(file_);
    if (!tokens.ok()) return FailFile(tokens.status(), io);
    if (output_ == "json") {
      PrintJson(io.out, http::TokensJson(*tokens));
      return kDone;
    }
    Table table({"NAME", "ROLE", "OF", "CREATED"});
    for (const Token& token : *tokens) {
      table.Add({token.name, std::string(http::RoleName(token.role)), Join(token.of),
                 manifest::FormatTime(token.created)});
    }
    table.Print(io.out, io.paint);
    return kDone;
  }

 private:
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeTokenCreate() { return std::make_unique<TokenCreate>(); }
std::unique_ptr<Command> MakeTokenRevoke() { return std::make_unique<TokenRevoke>(); }
std::unique_ptr<Command> MakeTokenList() { return std::make_unique<TokenList>(); }

}  // namespace muster::cli
