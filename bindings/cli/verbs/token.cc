// muster token: the callers of a service. Each verb reads the file of tokens and replaces it whole.
#include <algorithm>
#include <memory>
#include <string>
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

  /// The tokens of the file; `none` where it is not there yet and may begin.
  int Read(bool may_begin, Io& io, std::vector<Token>* tokens) const {
    if (file_.empty()) return io.Fail(kWrongUse, "name the file of tokens with --tokens FILE");
    Result<std::vector<Token>> read = http::ReadTokens(file_);
    if (!read.ok() && may_begin && read.status().code() == StatusCode::kNotFound) return kDone;
    if (!read.ok() && read.status().code() == StatusCode::kNotFound) {
      return io.Fail(kWrongUse, read.status().message());
    }
    if (!read.ok()) return io.Fail(ExitCodeFor(read.status()), read.status().message());
    *tokens = *std::move(read);
    return kDone;
  }

  int Write(const std::vector<Token>& tokens, Io& io) const {
    const Status status = http::WriteTokens(file_, tokens);
    return status.ok() ? int{kDone} : io.Fail(ExitCodeFor(status), status.message());
  }

  static auto Find(std::vector<Token>& tokens, const std::string& name) {
    return std::find_if(tokens.begin(), tokens.end(),
                        [&](const Token& token) { return token.name == name; });
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
            "localqueue:NAMESPACE/NAME of a submitter, the first three of a viewer.",
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
    std::vector<Token> tokens;
    if (const int code = Read(/*may_begin=*/true, io, &tokens); code != kDone) return code;
    const Result<http::Role> role = http::RoleOf(role_);
    if (!role.ok()) return io.Fail(kWrongUse, "token create: " + role.status().message());
    Token token{name_, *role, of_, "", WallClock()};
    if (const Status status = http::CheckToken(token); !status.ok()) {
      return io.Fail(kWrongUse, "token create: " + status.message());
    }
    if (Find(tokens, name_) != tokens.end()) {
      return io.Fail(kNo, "there is a token " + name_ + " already; muster token revoke " + name_);
    }
    const Result<std::string> secret = http::NewSecret();
    if (!secret.ok()) return io.Fail(kRefused, secret.status().message());
    Result<std::string> hash = http::HashOfSecret(*secret);
    if (!hash.ok()) return io.Fail(kRefused, hash.status().message());
    token.hash = *std::move(hash);
    tokens.push_back(std::move(token));
    if (const int code = Write(tokens, io); code != kDone) return code;
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
    std::vector<Token> tokens;
    if (const int code = Read(/*may_begin=*/false, io, &tokens); code != kDone) return code;
    const auto found = Find(tokens, name_);
    if (found == tokens.end()) return io.Fail(kNo, "there is no token " + name_);
    tokens.erase(found);
    if (const int code = Write(tokens, io); code != kDone) return code;
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
    std::vector<Token> tokens;
    if (const int code = Read(/*may_begin=*/false, io, &tokens); code != kDone) return code;
    Table table({"NAME", "ROLE", "OF", "CREATED"});
    Json list = Json::array();
    for (const Token& token : tokens) {
      const std::string created = manifest::FormatTime(token.created);
      table.Add({token.name, std::string(http::RoleName(token.role)), Join(token.of), created});
      list.push_back({{"name", token.name},
                      {"role", http::RoleName(token.role)},
                      {"of", token.of},
                      {"created", created}});
    }
    if (output_ == "json") {
      PrintJson(io.out, list);
    } else {
      table.Print(io.out, io.paint);
    }
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
