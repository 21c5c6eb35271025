#include "bindings/shards/tree_share.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <tuple>
#include <utility>

#include "db/postgres/connection.h"
#include "db/postgres/place.h"
#include "engine/base/caught.h"
#include "engine/base/join.h"

namespace muster {
namespace {

constexpr const char* kInstances = R"sql(
CREATE TABLE IF NOT EXISTS muster_instance (
  name    text PRIMARY KEY,
  url     text        NOT NULL,
  serves  bigint      NOT NULL,  -- ledgers
  seen    timestamptz NOT NULL,
  session bigint      NOT NULL DEFAULT 0,  -- by which it said so: a backend
  ready   text                   -- ledgers that it could take at once; NULL: it stands by for none
);
-- A table of before standbys lacks the last two. Looked for first: to alter one locks it.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'muster_instance'::regclass
                 AND attname = 'ready') THEN
    ALTER TABLE muster_instance ADD COLUMN IF NOT EXISTS session bigint NOT NULL DEFAULT 0,
                                ADD COLUMN IF NOT EXISTS ready text;
  END IF;
END $$;
)sql";

/// One that has not said for so long that it lives counts as gone.
constexpr const char* kSay =
    "WITH old AS (DELETE FROM muster_instance WHERE seen < now() - interval '1 minute') "
    "INSERT INTO muster_instance VALUES ($1, $2, $3, now(), pg_backend_pid(), CASE WHEN $4 <> 0 "
    "THEN $5 END) ON CONFLICT (name) DO UPDATE SET url = excluded.url, serves = excluded.serves, "
    "seen = excluded.seen, session = excluded.session, ready = excluded.ready";
/// Ledgers, then instances.
constexpr const char* kLook =
    "SELECT 0::int8, s.id, s.seq, (s.lease_until > now() AND s.holder <> '' AND (s.session = 0 OR "
    "EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = s.session)))::int::int8, s.holder, "
    "coalesce(t.url, '') FROM muster_shard s LEFT JOIN muster_tree t ON t.shard = s.id UNION ALL "
    "SELECT 1, i.name, i.serves, (i.ready IS NOT NULL)::int, coalesce(i.ready, ''), '' FROM "
    "muster_instance i WHERE i.seen > now() - interval '3 seconds' AND EXISTS (SELECT FROM "
    "pg_stat_activity a WHERE a.pid = i.session)";
constexpr const char* kLeave = "DELETE FROM muster_instance WHERE name = $1";

std::set<std::string> NamesIn(std::string_view text) {
  std::set<std::string> names;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    names.emplace(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return names;
}

/// Of kLook.
void AddRow(const PgRows& rows, int i, Census* census) {
  const std::string name(rows.Text(i, 1));
  const bool is = rows.Number(i, 3) != 0;
  const std::string_view words = rows.Text(i, 4);
  if (rows.Number(i, 0) == 0) {
    census->ledgers.push_back(
        {name, rows.Number(i, 2), is, std::string(words), std::string(rows.Text(i, 5))});
  } else {
    census->instances.push_back({name, rows.Number(i, 2), is, NamesIn(words)});
  }
}

}  // namespace

ShareMove NextMove(const ShareView& view, std::size_t turn) {
  const auto mine = static_cast<std::int64_t>(view.mine.size());
  const auto least = std::min_element(view.others.begin(), view.others.end());
  const bool alone = least == view.others.end();
  if (!view.free.empty() && (alone || mine <= *least)) {
    return {view.free[turn % view.free.size()], std::nullopt};
  }
  if (!view.neglected.empty()) {
    return {view.neglected[turn % view.neglected.size()], std::nullopt};
  }
  // One that is free goes to an instance with fewer, which may be enough.
  if (view.free.empty() && !alone && mine >= *least + 2) return {std::nullopt, view.mine.back()};
  return {};
}

std::vector<std::string> DealtTo(const std::string& self, const std::vector<std::string>& free,
                                 std::vector<Instance> instances) {
  std::vector<std::string> dealt;
  for (const std::string& ledger : free) {
    Instance* taker = nullptr;
    for (Instance& each : instances) {
      if (!each.ready.contains(ledger)) continue;
      if (taker == nullptr ||
          std::tie(each.serves, each.name) < std::tie(taker->serves, taker->name)) {
        taker = &each;
      }
    }
    if (taker == nullptr) continue;
    ++taker->serves;
    if (taker->name == self) dealt.push_back(ledger);
  }
  return dealt;
}

std::optional<std::string> OneToGive(const std::string& self, const std::vector<std::string>& mine,
                                     const std::vector<Instance>& instances) {
  std::optional<std::int64_t> least;
  for (const Instance& each : instances) {
    if (each.name != self) least = std::min(least.value_or(each.serves), each.serves);
  }
  for (const Instance& each : instances) {
    if (each.name == self || each.serves != least) continue;
    const auto found = std::find_if(mine.rbegin(), mine.rend(), [&each](const std::string& ledger) {
      return !each.stands_by || each.ready.contains(ledger);
    });
    if (found != mine.rend()) return *found;
  }
  return std::nullopt;
}

struct TreeShare::State {
  PgPlace place;
  std::string name;
  std::optional<PgConnection> connection;

  Status Connect();
  /// Calls it with a connection, which it loses where that fails.
  Status Ask(const std::function<Status(PgConnection& connection)>& call);
};

Result<std::unique_ptr<TreeShare>> TreeShare::Open(const std::string& place,
                                                   const std::string& name) {
  Result<PgPlace> at = PlaceFrom(place);
  if (!at.ok()) return at.status();
  auto state = std::make_unique<State>();
  state->place = *std::move(at);
  state->name = name;
  if (Status status = state->Connect(); !status.ok()) return status;
  return std::unique_ptr<TreeShare>(new TreeShare(std::move(state)));
}

TreeShare::TreeShare(std::unique_ptr<State> state) : state_(std::move(state)) {}

TreeShare::~TreeShare() {
  if (!state_->connection) return;
  (void)Guarded([this] {
    return state_->connection->Run(kLeave, {std::string_view(state_->name)}).status();
  });
}

Status TreeShare::State::Connect() {
  Result<PgConnection> opened = PgConnection::Open(place.url);
  if (!opened.ok()) return opened.status();
  connection = std::move(*opened);
  return connection->RunScript(kInstances);
}

Status TreeShare::State::Ask(const std::function<Status(PgConnection& connection)>& call) {
  Status done = connection ? Status::Ok() : Connect();
  if (done.ok()) done = call(*connection);
  if (!done.ok()) connection.reset();
  return done;
}

Status TreeShare::Say(const std::string& url, std::size_t serves,
                      const std::optional<std::set<std::string>>& ready) {
  std::string names;
  if (ready) names = Join(*ready, " ");
  return state_->Ask([&](PgConnection& connection) {
    return connection
        .RunOften(kSay, {std::string_view(state_->name), std::string_view(url),
                         static_cast<std::int64_t>(serves), std::int64_t{ready ? 1 : 0},
                         std::string_view(names)})
        .status();
  });
}

Result<Census> TreeShare::Look() {
  Census census;
  const Status looked = state_->Ask([&census](PgConnection& connection) {
    const Result<PgRows> rows = connection.RunOften(kLook, {});
    // No ledger was there yet, or no process that tells where it serves one.
    if (rows.status().code() == StatusCode::kNotFound) return Status::Ok();
    if (!rows.ok()) return rows.status();
    for (int i = 0; i < rows->size(); ++i) AddRow(*rows, i, &census);
    return Status::Ok();
  });
  if (!looked.ok()) return looked;
  std::sort(census.ledgers.begin(), census.ledgers.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return census;
}

}  // namespace muster
