// See all_trees.h.
#include "bindings/trees/all_trees.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "bindings/cpp/open_store.h"
#include "db/postgres/connection.h"
#include "db/postgres/place.h"

namespace muster {

const char* const kForAllTables = R"sql(
CREATE TABLE IF NOT EXISTS muster_for_all (
  number    bigint PRIMARY KEY,  -- 1, 2, 3, ...
  made      timestamptz NOT NULL,
  manifests text        NOT NULL,
  policy    bytea       NOT NULL,  -- of a package: its files; else empty
  hash      text        NOT NULL   -- of the package
);
CREATE TABLE IF NOT EXISTS muster_for_all_taken (
  shard text PRIMARY KEY,
  taken bigint NOT NULL,  -- the newest number that it took or refused
  begun bigint NOT NULL,  -- one behind it that may be taken
  after bigint NOT NULL   -- and, if it is, behind this commit
);
CREATE TABLE IF NOT EXISTS muster_for_all_refused (
  shard  text   NOT NULL,
  number bigint NOT NULL,
  why    text   NOT NULL,
  PRIMARY KEY (shard, number)
);
)sql";

namespace {

constexpr int kMostTries = 100;  ///< of a number that others take, too

constexpr const char* kAdd =
    "INSERT INTO muster_for_all SELECT coalesce(max(number), 0) + 1, now(), $1::text, "
    "$2::bytea, $3::text FROM muster_for_all ON CONFLICT DO NOTHING RETURNING number";
constexpr const char* kNext =
    "SELECT a.number, a.manifests, coalesce(t.begun, 0)::int8, coalesce(t.after, 0)::int8, "
    "a.policy, a.hash FROM muster_for_all a LEFT JOIN muster_for_all_taken t ON t.shard = $1 "
    "WHERE a.number > coalesce(t.taken, 0) ORDER BY a.number LIMIT 1";
constexpr const char* kBegin =
    "INSERT INTO muster_for_all_taken SELECT $1::text, $2::int8 - 1, $2, seq FROM muster_shard "
    "WHERE id = $1 ON CONFLICT (shard) DO UPDATE SET begun = excluded.begun, after = "
    "excluded.after";
constexpr const char* kTaken =
    "UPDATE muster_for_all_taken SET taken = $2, begun = 0 WHERE shard = $1";
constexpr const char* kRefused =
    "INSERT INTO muster_for_all_refused VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
constexpr const char* kAllRefused =
    "SELECT shard, number, why FROM muster_for_all_refused ORDER BY shard, number";

/// Each file as its path, a zero, its size in digits, a zero and its bytes.
std::string Packed(const StoredPolicy& policy) {
  std::string packed;
  for (const StoredPolicy::File& file : policy.files) {
    packed.append(file.path).push_back('\0');
    packed.append(std::to_string(file.bytes.size())).push_back('\0');
    packed.append(file.bytes);
  }
  return packed;
}

/// nullopt: Packed has not made it.
std::optional<StoredPolicy> Unpacked(std::string_view packed, std::string_view hash) {
  StoredPolicy policy;
  policy.hash = hash;
  while (!packed.empty()) {
    std::array<std::string_view, 2> words;
    for (std::string_view& word : words) {
      const std::size_t end = packed.find('\0');
      if (end == std::string_view::npos) return std::nullopt;
      word = packed.substr(0, end);
      packed.remove_prefix(end + 1);
    }
    std::size_t size = 0;
    const auto [end, error] =
        std::from_chars(words[1].data(), words[1].data() + words[1].size(), size);
    if (error != std::errc() || end != words[1].data() + words[1].size() || size > packed.size()) {
      return std::nullopt;
    }
    policy.files.push_back({std::string(words[0]), std::string(packed.substr(0, size))});
    packed.remove_prefix(size);
  }
  return policy;
}

/// Whether a commit behind `after` has this caller.
Result<bool> HasTaken(const std::string& place, std::int64_t after, const std::string& caller) {
  const Result<std::unique_ptr<HistoryReader>> ledger = OpenHistory(place);
  if (!ledger.ok()) return ledger.status();
  bool found = false;
  const Status read = (*ledger)->ReadCommits(after + 1, [&](const CommitRecord& commit) {
    found = found || commit.caller() == caller;
    return Status::Ok();
  });
  if (!read.ok()) return read;
  return found;
}

}  // namespace

Result<std::int64_t> AddForAll(const std::string& place, const ForAll& objects) {
  const Result<PgPlace> at = PlaceFrom(place);
  if (!at.ok()) return at.status();
  Result<PgConnection> connection = PgConnection::Open(at->url);
  if (!connection.ok()) return connection.status();
  if (Status made = connection->RunScript(kForAllTables); !made.ok()) return made;
  const std::string packed = objects.policy ? Packed(*objects.policy) : std::string();
  const std::string hash = objects.policy ? objects.policy->hash : std::string();
  for (int i = 0; i < kMostTries; ++i) {
    const Result<PgRows> added = connection->Run(
        kAdd, {std::string_view(objects.manifests), PgBytes{packed}, std::string_view(hash)});
    if (!added.ok()) return added.status();
    if (!added->empty()) return added->Number(0, 0);
  }
  return Status(StatusCode::kUnavailable, "others give objects to all ledgers all the time");
}

Status TakeAllNew(PgConnection& connection, const std::string& place, const std::string& shard,
                  const TakeForAll& take) {
  const std::string_view name = shard;
  while (true) {
    const Result<PgRows> next = connection.RunOften(kNext, {name});
    if (!next.ok()) return next.status();
    if (next->empty()) return Status::Ok();
    const std::int64_t number = next->Number(0, 0);
    const std::string caller = "all-trees/" + std::to_string(number);
    bool taken = false;
    if (next->Number(0, 2) == number) {
      const Result<bool> found = HasTaken(place, next->Number(0, 3), caller);
      if (!found.ok()) return found.status();
      taken = *found;
    } else {
      const Result<PgRows> begun = connection.Run(kBegin, {name, number});
      if (!begun.ok()) return begun.status();
    }
    if (!taken) {
      ForAll objects{std::string(next->Text(0, 1))};
      if (!next->Text(0, 5).empty()) {
        objects.policy = Unpacked(next->Text(0, 4), next->Text(0, 5));
        if (!objects.policy) return Status(StatusCode::kDataLoss, caller + " is no package");
      }
      const Result<std::string> why = take(caller, objects);
      if (!why.ok()) return why.status();
      if (!why->empty()) {
        const Result<PgRows> refused =
            connection.Run(kRefused, {name, number, std::string_view(*why)});
        if (!refused.ok()) return refused.status();
      }
    }
    const Result<PgRows> noted = connection.Run(kTaken, {name, number});
    if (!noted.ok()) return noted.status();
  }
}

Result<std::map<std::string, std::vector<RefusedForAll>>> ReadRefused(PgConnection& connection) {
  const Result<PgRows> rows = connection.Run(kAllRefused);
  if (!rows.ok()) return rows.status();
  std::map<std::string, std::vector<RefusedForAll>> refused;
  for (int i = 0; i < rows->size(); ++i) {
    refused[std::string(rows->Text(i, 0))].push_back(
        {rows->Number(i, 1), std::string(rows->Text(i, 2))});
  }
  return refused;
}

}  // namespace muster
