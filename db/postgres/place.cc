#include "db/postgres/place.h"

#include "db/postgres/postgres_store.h"

namespace muster {

bool IsPostgres(std::string_view place) {
  return place.starts_with("postgres://") || place.starts_with("postgresql://");
}

PgPlace PlaceFrom(const std::string& url) {
  PgPlace place{url, "main", url};
  const std::size_t mark = url.rfind('#');
  if (mark != url.npos) {
    place.url = url.substr(0, mark);
    if (mark + 1 < url.size()) place.shard = url.substr(mark + 1);
  }
  // user:password@host becomes user@host.
  const std::size_t user = place.shown.find("://") + 3;
  const std::size_t at = place.shown.find('@', user);
  const std::size_t colon = place.shown.find(':', user);
  if (at != place.shown.npos && colon < at) place.shown.erase(colon, at - colon);
  // A password may also be a parameter; what follows the host is not needed to know the ledger.
  const std::size_t question = place.shown.find('?');
  if (question != place.shown.npos) place.shown.erase(question);
  if (place.shown.find('#') == place.shown.npos && place.shard != "main") {
    place.shown += '#' + place.shard;
  }
  return place;
}

}  // namespace muster
