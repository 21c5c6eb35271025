// See tokens.h.
#include "bindings/http/tokens.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include "bindings/http/problem.h"
#include "bindings/lab/json.h"
#include "bindings/manifest/manifest.h"
#include "engine/base/join.h"
#include "engine/base/shown.h"
#include "muster/log.h"

namespace muster::http {
namespace {

using lab::Json;

constexpr std::array<std::pair<Role, std::string_view>, 5> kRoles = {{
    {Role::kAdmin, "admin"},
    {Role::kOwner, "owner"},
    {Role::kSubmitter, "submitter"},
    {Role::kViewer, "viewer"},
    {Role::kAgent, "agent"},
}};
constexpr std::size_t kSecretBytes = 32;
constexpr std::string_view kPrefix = "muster_";
constexpr std::size_t kMaxName = 63;
constexpr std::chrono::milliseconds kReload{500};
constexpr std::chrono::seconds kOthers{5};  // for another that changes the file

Status BadTokens(std::string what) { return Status(StatusCode::kInvalidArgument, std::move(what)); }

/// The kinds that a role may be about.
std::vector<std::string> KindsOf(Role role) {
  switch (role) {
    case Role::kOwner:
      return {"cohort", "clusterqueue"};
    case Role::kSubmitter:
      return {"namespace", "localqueue", "priorityclass"};
    case Role::kViewer:
      return {"cohort", "clusterqueue", "namespace"};
    case Role::kAdmin:
    case Role::kAgent:
      return {};
  }
  return {};
}

Status CheckAbout(Role role, const std::string& about) {
  const std::vector<std::string> kinds = KindsOf(role);
  const std::size_t colon = about.find(':');
  const std::string kind = about.substr(0, colon);
  const bool known = std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  const std::string name = colon == std::string::npos ? "" : about.substr(colon + 1);
  const bool slash = name.find('/') != std::string::npos;
  if (known && !name.empty() && slash == (kind == "localqueue")) return Status::Ok();
  std::string forms;
  for (const std::string& each : kinds) {
    forms +=
        (forms.empty() ? "" : ", ") + each + (each == "localqueue" ? ":NAMESPACE/NAME" : ":NAME");
  }
  return BadTokens("'" + Shown(about) + "' is nothing a role " + std::string(RoleName(role)) +
                   " is about; " + (forms.empty() ? "it is about everything" : "write " + forms));
}

Result<Token> TokenFrom(const Json& json) {
  const Result<Role> role = RoleOf(json.at("role").get<std::string>());
  if (!role.ok()) return role.status();
  Token token{json.at("name").get<std::string>(), *role,
              json.at("of").get<std::vector<std::string>>(), json.at("hash").get<std::string>(),
              manifest::ParseTime(json.at("created").get<std::string>()).value_or(kNoTime)};
  if (Status status = CheckToken(token); !status.ok()) return status;
  constexpr std::size_t kDigits = 64;
  if (token.hash.size() != kDigits ||
      token.hash.find_first_not_of("0123456789abcdef") != std::string::npos) {
    return BadTokens("token " + token.name + " has no hash of 64 hexadecimal digits");
  }
  return token;
}

Status WriteAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0) return Status(StatusCode::kUnavailable, "cannot write the tokens");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return fsync(file) == 0 ? Status::Ok()
                          : Status(StatusCode::kUnavailable, "cannot write the tokens");
}

auto Find(std::vector<Token>& tokens, const std::string& name) {
  return std::find_if(tokens.begin(), tokens.end(),
                      [&](const Token& token) { return token.name == name; });
}

/// What the file of these has.
std::string TextOf(const std::vector<Token>& tokens) {
  Json list = TokensJson(tokens);
  for (std::size_t i = 0; i < tokens.size(); ++i) list[i]["hash"] = tokens[i].hash;
  return lab::JsonText({{"tokens", std::move(list)}}) + "\n";
}

/// Holds the folder of a file, so that one call at a time changes what is in it. It goes with the
/// process.
class FolderLock {
 public:
  explicit FolderLock(const std::string& path)
      : folder_(open(FolderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    const auto until = std::chrono::steady_clock::now() + kOthers;
    while (folder_ >= 0 && !held_) {
      held_ = flock(folder_, LOCK_EX | LOCK_NB) == 0;
      if (held_ || std::chrono::steady_clock::now() >= until) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  ~FolderLock() {
    if (folder_ >= 0) close(folder_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  bool held() const { return held_; }
  /// What was renamed in the folder is on disk.
  bool Sync() const { return fsync(folder_) == 0; }

 private:
  static std::string FolderOf(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
  }

  int folder_;
  bool held_ = false;
};

}  // namespace

std::string_view RoleName(Role role) {
  return std::find_if(kRoles.begin(), kRoles.end(),
                      [role](const auto& each) { return each.first == role; })
      ->second;
}

Result<Role> RoleOf(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& [role, word] : kRoles) {
    if (word == name) return role;
    names.emplace_back(word);
  }
  return BadTokens("there is no role '" + Shown(name) + "'; there are " + Join(names));
}

Status CheckToken(const Token& token) {
  const bool named =
      !token.name.empty() && token.name.size() <= kMaxName &&
      token.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == std::string::npos;
  if (!named) {
    return BadTokens("a token's name has 1 to 63 of a-z, 0-9, - and ., not '" + Shown(token.name) +
                     "'");
  }
  for (const std::string& about : token.of) {
    if (Status status = CheckAbout(token.role, about); !status.ok()) return status;
  }
  const bool needs = token.role == Role::kOwner || token.role == Role::kSubmitter;
  const bool has = std::any_of(token.of.begin(), token.of.end(), [](const std::string& about) {
    return !about.starts_with("priorityclass:");
  });
  if (!needs || has) return Status::Ok();
  return BadTokens("a role " + std::string(RoleName(token.role)) + " says of what: " +
                   (token.role == Role::kOwner ? "cohort:NAME, clusterqueue:NAME"
                                               : "namespace:NAME, localqueue:NAMESPACE/NAME"));
}

Result<std::vector<Token>> ReadTokens(const std::string& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) {
    return Status(StatusCode::kNotFound, "there is no file of tokens " + path);
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) return Status(StatusCode::kUnavailable, "cannot read " + path);
  std::vector<Token> tokens;
  try {
    const Json json = Json::parse(text);
    for (const Json& each : json.at("tokens")) {
      Result<Token> token = TokenFrom(each);
      if (!token.ok()) return BadTokens(path + ": " + token.status().message());
      tokens.push_back(*std::move(token));
    }
  } catch (const Json::exception& error) {
    return BadTokens(path + " is no file of tokens: " + error.what());
  }
  return tokens;
}

Status ChangeTokens(const std::string& path, MissingFile missing,
                    const std::function<Status(std::vector<Token>&)>& change) {
  const FolderLock lock(path);
  if (!lock.held()) {
    return Status(StatusCode::kUnavailable,
                  "another call changes " + path + ", or its folder cannot be opened; try again");
  }
  const std::string beside = path + ".new";
  (void)unlink(beside.c_str());  // a killed call may have left one behind
  const int file = open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return Status(StatusCode::kUnavailable, "cannot create " + beside);
  Result<std::vector<Token>> tokens = ReadTokens(path);
  if (tokens.status().code() == StatusCode::kNotFound && missing == MissingFile::kBegin) {
    tokens = std::vector<Token>();
  }
  Status status = tokens.ok() ? change(*tokens) : tokens.status();
  if (status.ok()) status = WriteAll(file, TextOf(*tokens));
  close(file);
  if (status.ok() && std::rename(beside.c_str(), path.c_str()) != 0) {
    status = Status(StatusCode::kUnavailable, "cannot replace " + path);
  }
  if (!status.ok()) {
    (void)unlink(beside.c_str());
  } else if (!lock.Sync()) {
    status = Status(StatusCode::kUnavailable,
                    path + " has changed, but a power cut may take that back; change it again");
  }
  return status;
}

Result<std::string> CreateToken(const std::string& path, MissingFile missing, Token token) {
  if (Status status = CheckToken(token); !status.ok()) return status;
  Result<std::string> secret = NewSecret();
  if (!secret.ok()) return secret;
  Result<std::string> hash = HashOfSecret(*secret);
  if (!hash.ok()) return hash;
  token.hash = *std::move(hash);
  const Status created = ChangeTokens(path, missing, [&token](std::vector<Token>& tokens) {
    if (Find(tokens, token.name) != tokens.end()) {
      return Status(StatusCode::kFailedPrecondition,
                    "there is a token " + token.name + " already; revoke it first");
    }
    tokens.push_back(token);
    return Status::Ok();
  });
  return created.ok() ? secret : created;
}

Status RevokeToken(const std::string& path, const std::string& name) {
  return ChangeTokens(path, MissingFile::kRefuse, [&name](std::vector<Token>& tokens) {
    const auto found = Find(tokens, name);
    if (found == tokens.end()) {
      return Status(StatusCode::kNotFound, "there is no token " + Shown(name));
    }
    tokens.erase(found);
    return Status::Ok();
  });
}

lab::Json TokensJson(const std::vector<Token>& tokens) {
  Json list = Json::array();
  for (const Token& token : tokens) {
    list.push_back({{"name", token.name},
                    {"role", RoleName(token.role)},
                    {"of", token.of},
                    {"created", manifest::FormatTime(token.created)}});
  }
  return list;
}

Result<std::string> NewSecret() {
  if (sodium_init() < 0) return Status(StatusCode::kInternal, "libsodium cannot be initialised");
  std::array<unsigned char, kSecretBytes> random{};
  randombytes_buf(random.data(), random.size());
  constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  std::string text(sodium_base64_encoded_len(random.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), random.data(), random.size(), kVariant);
  sodium_memzero(random.data(), random.size());
  text.pop_back();  // the zero behind it
  return std::string(kPrefix) + text;
}

Result<std::string> HashOfSecret(std::string_view secret) {
  if (sodium_init() < 0) return Status(StatusCode::kInternal, "libsodium cannot be initialised");
  std::array<unsigned char, crypto_generichash_BYTES> hash{};
  crypto_generichash(hash.data(), hash.size(),
                     reinterpret_cast<const unsigned char*>(secret.data()), secret.size(), nullptr,
                     0);
  std::string text(2 * hash.size() + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
  text.pop_back();
  return text;
}

const Token* FindToken(const std::vector<Token>& tokens, std::string_view secret) {
  const Result<std::string> hash = HashOfSecret(secret);
  if (!hash.ok()) return nullptr;
  const Token* found = nullptr;
  for (const Token& token : tokens) {
    const bool equal = token.hash.size() == hash->size() &&
                       sodium_memcmp(token.hash.data(), hash->data(), hash->size()) == 0;
    found = equal ? &token : found;
  }
  return found;
}

std::variant<const Token*, Response> FindCaller(TokenFile& file, const Head& head) {
  const Result<std::vector<Token>>& tokens = file.Tokens();
  if (!tokens.ok()) {
    return Refuse(Refusal{503, "Unavailable", "the service cannot read its tokens", "", {}});
  }
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view shown = head.Field("authorization");
  const Token* const token =
      shown.starts_with(kScheme) ? FindToken(*tokens, shown.substr(kScheme.size())) : nullptr;
  if (token != nullptr) return token;
  Response response = Refuse(Refusal{401,
                                     "Unauthenticated",
                                     shown.empty() ? "there is no token" : "no such token",
                                     "send the field Authorization: Bearer TOKEN",
                                     {"header", "Authorization"}});
  response.fields.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

const Result<std::vector<Token>>& TokenFile::Tokens() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_look_) return tokens_;
  next_look_ = now + kReload;
  struct stat found {};
  Look look;
  if (stat(path_.c_str(), &found) == 0) {
    look = {static_cast<std::int64_t>(found.st_ino),
            found.st_mtim.tv_sec * 1'000'000'000 + found.st_mtim.tv_nsec, found.st_size};
  }
  if (look == seen_ && look.size >= 0) return tokens_;
  seen_ = look;
  tokens_ = ReadTokens(path_);
  if (!tokens_.ok()) Log(LogLevel::kError, "no token is good: " + tokens_.status().message());
  return tokens_;
}

}  // namespace muster::http
