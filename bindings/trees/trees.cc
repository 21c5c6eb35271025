// Two tables beside those of the ledgers, written by each service about its own ledger alone.
#include "bindings/trees/trees.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "db/postgres/connection.h"
#include "db/postgres/place.h"
#include "engine/base/caught.h"
#include "muster/log.h"

namespace muster {
namespace {

constexpr std::chrono::seconds kBetweenLooks{1};
/// A queue that another ledger has still told of is told again, until that one gives it up.
constexpr int kLooksBetweenTellings = 10;

constexpr const char* kTables = R"sql(
CREATE TABLE IF NOT EXISTS muster_tree (
  shard text PRIMARY KEY,
  url   text NOT NULL  -- where its service answers
);
CREATE TABLE IF NOT EXISTS muster_tree_queue (
  namespace text NOT NULL,
  name      text NOT NULL,
  shard     text NOT NULL,  -- the ledger that has this LocalQueue
  PRIMARY KEY (namespace, name)
);
)sql";

// $1: shard, $2: url, $3: its LocalQueues as JSON, [["namespace", "name"], ...].
constexpr const char* kTell =
    "WITH mine AS (SELECT q->>0 AS namespace, q->>1 AS name FROM "
    "json_array_elements($3::text::json) q), "
    "told AS (INSERT INTO muster_tree VALUES ($1, $2) ON CONFLICT (shard) DO UPDATE SET url = "
    "excluded.url), "
    "gone AS (DELETE FROM muster_tree_queue q WHERE shard = $1 AND NOT EXISTS (SELECT FROM mine "
    "WHERE mine.namespace = q.namespace AND mine.name = q.name)) "
    "INSERT INTO muster_tree_queue SELECT namespace, name, $1 FROM mine ON CONFLICT DO NOTHING";

constexpr const char* kOthers =
    "SELECT q.namespace, q.name, t.url, q.shard FROM muster_tree_queue q JOIN muster_tree t USING "
    "(shard) "
    "JOIN muster_shard s ON s.id = q.shard WHERE q.shard <> $1 AND s.lease_until > now() AND "
    "s.holder <> ''";

constexpr const char* kTrees =
    "SELECT s.id, s.seq, s.epoch, s.holder, (s.lease_until > now() AND s.holder <> '' AND "
    "(s.session = 0 OR EXISTS (SELECT FROM "
    "pg_stat_activity a WHERE a.pid = s.session)))::int::int8, "
    "coalesce(t.url, ''), (SELECT count(*) FROM muster_tree_queue q WHERE q.shard = s.id), "
    "coalesce(a.taken, 0)::int8 FROM muster_shard s LEFT JOIN muster_tree t ON t.shard = s.id "
    "LEFT JOIN muster_for_all_taken a ON a.shard = s.id ORDER BY s.id COLLATE \"C\"";

/// Of a database whose services have told nothing.
constexpr const char* kUntold =
    "SELECT s.id, s.seq, s.epoch, s.holder, (s.lease_until > now() AND s.holder <> '')::int::int8, "
    "''::text, 0::int8, 0::int8 FROM muster_shard s ORDER BY s.id COLLATE \"C\"";

constexpr const char* kStandbys =
    "SELECT n.ledger, i.url FROM muster_instance i, unnest(string_to_array(i.ready, ' ')) AS "
    "n(ledger) WHERE i.seen > now() - interval '3 seconds' AND EXISTS (SELECT FROM "
    "pg_stat_activity a WHERE a.pid = i.session) ORDER BY 1, 2";

/// Names of Kubernetes need no escapes.
std::string AsJson(const std::set<Key>& queues) {
  std::string json = "[";
  for (const Key& queue : queues) {
    if (json.size() > 1) json += ",";
    json.append("[\"").append(queue.ns).append("\",\"").append(queue.name).append("\"]");
  }
  return json + "]";
}

Result<PgPlace> DatabaseAt(const std::string& place) {
  if (IsPostgres(place)) return PlaceFrom(place);
  return Status(StatusCode::kInvalidArgument,
                place + " is one ledger in a file; name a database, postgresql://...");
}

/// Adds to each which instances could take it at once.
Status AddStandbys(PgConnection& connection, std::vector<Tree>* trees) {
  const Result<PgRows> rows = connection.Run(kStandbys);
  if (rows.status().code() == StatusCode::kNotFound) return Status::Ok();  // no instance ever was
  if (!rows.ok()) return rows.status();
  for (int i = 0; i < rows->size(); ++i) {
    const auto found = std::find_if(trees->begin(), trees->end(), [&](const Tree& tree) {
      return tree.name == rows->Text(i, 0);
    });
    if (found != trees->end()) found->standbys.emplace_back(rows->Text(i, 1));
  }
  return Status::Ok();
}

/// None where no ledger is there.
Result<std::vector<Tree>> ReadTrees(PgConnection& connection) {
  Result<PgRows> rows = connection.Run(kTrees);
  std::map<std::string, std::vector<RefusedForAll>> refused;
  if (rows.status().code() == StatusCode::kNotFound) {
    rows = connection.Run(kUntold);
  } else if (rows.ok()) {
    auto read = ReadRefused(connection);
    if (!read.ok()) return read.status();
    refused = *std::move(read);
  }
  std::vector<Tree> trees;
  if (rows.status().code() == StatusCode::kNotFound) return trees;
  if (!rows.ok()) return rows.status();
  for (int i = 0; i < rows->size(); ++i) {
    trees.push_back({std::string(rows->Text(i, 0)), rows->Number(i, 1), rows->Number(i, 2),
                     std::string(rows->Text(i, 3)), rows->Number(i, 4) != 0,
                     std::string(rows->Text(i, 5)), rows->Number(i, 6), rows->Number(i, 7),
                     std::move(refused[std::string(rows->Text(i, 0))])});
  }
  if (Status added = AddStandbys(connection, &trees); !added.ok()) return added;
  return trees;
}

}  // namespace

Result<std::vector<Tree>> ReadTrees(const std::string& place) {
  const Result<PgPlace> at = DatabaseAt(place);
  if (!at.ok()) return at.status();
  Result<PgConnection> connection = PgConnection::Open(at->url);
  if (!connection.ok()) return connection.status();
  Result<std::vector<Tree>> trees = ReadTrees(*connection);
  if (trees.ok() && trees->empty()) {
    return Status(StatusCode::kNotFound, "no ledger is in " + at->shown);
  }
  return trees;
}

struct TreeKeeper::State {
  PgPlace place;
  std::string ledger;  ///< as it was named
  std::string shard;   ///< that is not another's; empty: none
  mutable std::mutex mutex;
  std::condition_variable changed;
  bool stopping = false;
  std::string url;                      ///< empty: not served yet
  std::optional<std::set<Key>> queues;  ///< nullopt: not known yet, so nothing is told
  bool told = true;                     ///< of `queues` the database knows
  bool look_now = false;
  std::map<Key, Other> others;  ///< by LocalQueue
  std::mutex taking;            ///< held while `take` runs
  TakeForAll take;
  std::thread thread;

  void Run();
  Status Look(std::optional<PgConnection>* connection, const std::string& my_url,
              const std::optional<std::string>& mine);
};

Result<std::unique_ptr<TreeKeeper>> TreeKeeper::ForLedger(const std::string& place) {
  return Start(place, true);
}

Result<std::unique_ptr<TreeKeeper>> TreeKeeper::ForAll(const std::string& place) {
  return Start(place, false);
}

Result<std::unique_ptr<TreeKeeper>> TreeKeeper::Start(const std::string& place, bool has_ledger) {
  Result<PgPlace> at = DatabaseAt(place);
  if (!at.ok()) return at.status();
  auto state = std::make_unique<State>();
  state->place = *std::move(at);
  state->ledger = place;
  if (has_ledger) state->shard = state->place.shard;
  std::unique_ptr<TreeKeeper> keeper(new TreeKeeper(std::move(state)));
  try {
    keeper->state_->thread = std::thread([runs = keeper->state_.get()] { runs->Run(); });
  } catch (const std::system_error& error) {
    return Status(StatusCode::kUnavailable,
                  std::string("no thread to look for other ledgers: ") + error.what());
  }
  return keeper;
}

TreeKeeper::TreeKeeper(std::unique_ptr<State> state) : state_(std::move(state)) {}

TreeKeeper::~TreeKeeper() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->changed.notify_one();
  if (state_->thread.joinable()) state_->thread.join();
}

void TreeKeeper::ServedAt(const std::string& url) {
  const std::lock_guard lock(state_->mutex);
  state_->url = url;
  state_->told = false;
  state_->changed.notify_one();
}

void TreeKeeper::Tell(std::set<Key> queues) {
  const std::lock_guard lock(state_->mutex);
  if (state_->queues == queues) return;
  state_->queues = std::move(queues);
  state_->told = false;
  state_->changed.notify_one();
}

std::optional<std::string> TreeKeeper::UrlOf(const Key& queue) const {
  const std::lock_guard lock(state_->mutex);
  if (state_->queues && state_->queues->contains(queue)) return std::nullopt;
  const auto found = state_->others.find(queue);
  if (found == state_->others.end()) return std::nullopt;
  return found->second.url;
}

std::vector<TreeKeeper::Other> TreeKeeper::InNamespace(const std::string& ns) const {
  std::map<std::string, std::string> urls;
  const std::lock_guard lock(state_->mutex);
  for (auto each = state_->others.lower_bound({ns, ""});
       each != state_->others.end() && each->first.ns == ns; ++each) {
    urls.emplace(each->second.name, each->second.url);
  }
  std::vector<Other> found;
  for (const auto& [name, url] : urls) found.push_back({name, url});
  return found;
}

void TreeKeeper::LookNow() {
  const std::lock_guard lock(state_->mutex);
  state_->look_now = true;
  state_->changed.notify_one();
}

void TreeKeeper::TakeBy(TakeForAll take) {
  const std::lock_guard lock(state_->taking);
  state_->take = std::move(take);
}

const std::string& TreeKeeper::name() const { return state_->shard; }

void TreeKeeper::State::Run() {
  std::optional<PgConnection> connection;
  std::string said;  // of failures, the last one on the log
  std::unique_lock lock(mutex);
  for (int looks = 0; !stopping; ++looks) {
    const bool tells = queues && !url.empty() && (!told || looks % kLooksBetweenTellings == 0);
    std::optional<std::string> mine;
    if (tells) mine = AsJson(*queues);
    told = told || tells;
    const std::string my_url = url;
    look_now = false;
    lock.unlock();
    const Status done = Guarded([&] { return Look(&connection, my_url, mine); });
    lock.lock();
    if (!done.ok()) {
      if (done.message() != said) {
        said = done.message();
        Log(LogLevel::kWarning,
            "this ledger is not known to others of its database, nor they to it: " + said +
                "; it is tried again");
      }
      connection.reset();
      told = told && !tells;
    }
    changed.wait_for(lock, kBetweenLooks, [&] {
      return stopping || (done.ok() && (look_now || (!told && queues && !url.empty())));
    });
  }
}

Status TreeKeeper::State::Look(std::optional<PgConnection>* connection, const std::string& my_url,
                               const std::optional<std::string>& mine) {
  if (!*connection) {
    Result<PgConnection> opened = PgConnection::Open(place.url);
    if (!opened.ok()) return opened.status();
    *connection = std::move(*opened);
    if (Status made = (*connection)->RunScript(kTables); !made.ok()) return made;
    if (Status made = (*connection)->RunScript(kForAllTables); !made.ok()) return made;
  }
  if (mine) {
    const Result<PgRows> said = (*connection)
                                    ->Run(kTell, {std::string_view(shard), std::string_view(my_url),
                                                  std::string_view(*mine)});
    if (!said.ok()) return said.status();
  }
  const Result<PgRows> rows = (*connection)->Run(kOthers, {std::string_view(shard)});
  if (!rows.ok()) return rows.status();
  std::map<Key, Other> read;
  for (int i = 0; i < rows->size(); ++i) {
    read.emplace(Key{std::string(rows->Text(i, 0)), std::string(rows->Text(i, 1))},
                 Other{std::string(rows->Text(i, 3)), std::string(rows->Text(i, 2))});
  }
  {
    const std::lock_guard lock(mutex);
    others = std::move(read);
  }
  const std::lock_guard lock(taking);
  return take ? TakeAllNew(**connection, ledger, shard, take) : Status::Ok();
}

}  // namespace muster
