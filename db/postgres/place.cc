// libpq's own messages quote what they could not read, which may be a part of a password. So what
// it cannot read is found here, and told without quoting.
#include "db/postgres/place.h"

#include <algorithm>

#include "db/postgres/connection.h"

namespace muster {
namespace {

constexpr std::size_t kLongestName = 63;

/// `url` without user's password and without parameters, of which one may be a password.
std::string WithoutSecrets(std::string url) {
  if (const std::size_t question = url.find('?'); question != url.npos) url.erase(question);
  const std::size_t user = url.find("://") + 3;
  const std::size_t at = url.rfind('@');
  const std::size_t colon = url.find(':', user);
  if (at != url.npos && colon < at) url.erase(colon, at - colon);
  return url;
}

/// libpq takes a ? before an @ as part of user or password; here it begins the parameters.
bool HasMarkInCredentials(std::string_view url) {
  url.remove_prefix(url.find("://") + 3);
  url = url.substr(0, url.find('/'));
  const std::size_t at = url.rfind('@');
  return at != url.npos && url.find('?') < at;
}

}  // namespace

bool IsPgName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_' || c == '.';
         });
}

bool IsPostgres(std::string_view place) {
  return place.starts_with("postgres://") || place.starts_with("postgresql://");
}

Result<PgPlace> PlaceFrom(const std::string& url) {
  PgPlace place{url, "main", ""};
  const std::size_t mark = url.rfind('#');
  if (mark != url.npos) {
    place.url = url.substr(0, mark);
    place.shard = url.substr(mark + 1);
  }
  if (!IsPgName(place.shard)) {
    return Status(StatusCode::kInvalidArgument,
                  "after the # of a database's URL comes the name of a ledger: up to " +
                      std::to_string(kLongestName) +
                      " letters, digits and -_. ; write a # of a password as %23");
  }
  if (HasMarkInCredentials(place.url) || !PgConnection::CanRead(place.url)) {
    return Status(StatusCode::kInvalidArgument,
                  "the URL of the database cannot be read; write "
                  "postgresql://USER@HOST:PORT/DATABASE#LEDGER, with other characters of user and "
                  "password as %XX");
  }
  place.shown = WithoutSecrets(place.url);
  if (place.shard != "main") place.shown += '#' + place.shard;
  return place;
}

}  // namespace muster
