#include "bindings/trees/tree_share.h"

#include <algorithm>
#include <utility>

#include "db/postgres/connection.h"
#include "db/postgres/place.h"
#include "engine/base/caught.h"

namespace muster {
namespace {

constexpr const char* kInstances = R"sql(
CREATE TABLE IF NOT EXISTS muster_instance (
  name   text PRIMARY KEY,
  url    text        NOT NULL,
  serves bigint      NOT NULL,  -- ledgers
  seen   timestamptz NOT NULL
);
)sql";

/// One that has not said for so long that it lives counts as gone.
constexpr const char* kSay =
    "WITH old AS (DELETE FROM muster_instance WHERE seen < now() - interval '1 minute') "
    "INSERT INTO muster_instance VALUES ($1, $2, $3, now()) ON CONFLICT (name) DO UPDATE SET url = "
    "excluded.url, serves = excluded.serves, seen = excluded.seen";
constexpr const char* kOtherInstances =
    "SELECT serves FROM muster_instance WHERE name <> $1 AND seen > now() - interval '3 seconds'";
constexpr const char* kLeave = "DELETE FROM muster_instance WHERE name = $1";

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

struct TreeShare::State {
  PgPlace place;
  std::string name;
  std::optional<PgConnection> connection;

  Status Connect();
  Result<Census> Say(const std::string& url, std::int64_t serves);
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

Result<Census> TreeShare::Say(const std::string& url, std::size_t serves) {
  Result<Census> said = state_->Say(url, static_cast<std::int64_t>(serves));
  if (!said.ok()) state_->connection.reset();
  return said;
}

Result<Census> TreeShare::State::Say(const std::string& url, std::int64_t serves) {
  if (!connection) {
    if (Status status = Connect(); !status.ok()) return status;
  }
  const Result<PgRows> done =
      connection->Run(kSay, {std::string_view(name), std::string_view(url), serves});
  if (!done.ok()) return done.status();
  const Result<PgRows> rows = connection->Run(kOtherInstances, {std::string_view(name)});
  if (!rows.ok()) return rows.status();
  Census census;
  for (int i = 0; i < rows->size(); ++i) census.others.push_back(rows->Number(i, 0));
  Result<std::vector<Tree>> trees = ReadTrees(*connection);
  if (!trees.ok()) return trees.status();
  census.trees = *std::move(trees);
  return census;
}

}  // namespace muster
