// Tokens: which callers a service takes. A file holds their names, roles and hashes; what a caller
// shows stands nowhere.
//
// A token is 256 random bits, so one fast hash (BLAKE2b) is enough. Hashes are compared in a time
// that does not tell how much of them is equal, and all of them every time.
#ifndef MUSTER_BINDINGS_HTTP_TOKENS_H_
#define MUSTER_BINDINGS_HTTP_TOKENS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bindings/http/message.h"
#include "bindings/lab/json.h"
#include "muster/status.h"
#include "muster/types.h"

namespace muster::http {

enum class Role {
  kAdmin,      ///< everything
  kOwner,      ///< binds policies to its queues, and sees them
  kSubmitter,  ///< submits and cancels jobs of its namespaces, and sees those
  kViewer,     ///< sees; everything where it is of nothing
  kAgent,      ///< reports what became of jobs, and sees everything
};

std::string_view RoleName(Role role);  ///< "submitter"
/// kInvalidArgument with the roles that there are.
Result<Role> RoleOf(std::string_view name);

struct Token {
  std::string name;
  Role role = Role::kViewer;
  /// What the role is about: "cohort:NAME", "clusterqueue:NAME", "namespace:NAME",
  /// "localqueue:NAMESPACE/NAME".
  std::vector<std::string> of;
  std::string hash;  ///< 64 hexadecimal digits
  TimeNs created = kNoTime;
};

/// What is wrong with the name, or with what the role is to be about; OK: nothing.
Status CheckToken(const Token& token);

/// kNotFound, kUnavailable; kInvalidArgument where it is no such file.
Result<std::vector<Token>> ReadTokens(const std::string& path);

/// Whether a file that is not there may begin.
enum class MissingFile { kRefuse, kBegin };
/// Replaces the file whole by what `change` makes of it; only its owner may read it. Of several
/// that change it at once, also in other processes, each sees what the one before it made. After an
/// error, also of `change`, the file is as it was. kUnavailable: it cannot be written, or another
/// had it for five seconds.
Status ChangeTokens(const std::string& path, MissingFile missing,
                    const std::function<Status(std::vector<Token>&)>& change);
/// Adds a token and returns it, which is kept nowhere; its `hash` is not looked at.
/// kInvalidArgument as CheckToken; kFailedPrecondition: there is one of that name.
Result<std::string> CreateToken(const std::string& path, MissingFile missing, Token token);
/// kNotFound: there is none of that name, or no file.
Status RevokeToken(const std::string& path, const std::string& name);

/// Names, roles and when they were made; no hashes.
lab::Json TokensJson(const std::vector<Token>& tokens);

/// A new token to show, "muster_" and 43 characters.
Result<std::string> NewSecret();
Result<std::string> HashOfSecret(std::string_view secret);

/// The token that is shown; null: none of them. O(tokens), whichever it is.
const Token* FindToken(const std::vector<Token>& tokens, std::string_view secret);

class TokenFile;

/// The token that a request shows (Authorization: Bearer), or why it is not let in: 401, or 503
/// when the file cannot be read.
std::variant<const Token*, Response> FindCaller(TokenFile& file, const Head& head);

/// A file of tokens that is read again when it has changed, at most twice a second.
class TokenFile {
 public:
  explicit TokenFile(std::string path) : path_(std::move(path)) {}
  /// The tokens as the file has them now. While it cannot be read, none is good.
  const Result<std::vector<Token>>& Tokens();
  /// The next call looks at the file, however short a time ago one did.
  void LookAgain() { next_look_ = {}; }
  const std::string& path() const { return path_; }

 private:
  struct Look {
    std::int64_t inode = 0;
    std::int64_t changed = 0;
    std::int64_t size = -1;
    bool operator==(const Look&) const = default;
  };

  std::string path_;
  Look seen_;
  std::chrono::steady_clock::time_point next_look_{};
  Result<std::vector<Token>> tokens_ = std::vector<Token>();
};

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_TOKENS_H_
