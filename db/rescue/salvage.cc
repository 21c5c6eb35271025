// See salvage.h. A statement that met damage is reset and used again: the next row may be whole.
#include "db/rescue/salvage.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include "db/sqlite/base.h"
#include "db/sqlite/lock_file.h"
#include "db/sqlite/migrate.h"
#include "db/sqlite/reader.h"
#include "db/sqlite/statements.h"
#include "engine/model/names.h"

namespace muster {
namespace {

constexpr std::size_t kFileHeader = 100;
constexpr std::int64_t kPageSize = 4096;

/// The version that the header says, or the newest where that cannot be.
std::int64_t VersionIn(std::string_view header) {
  std::int64_t version = 0;
  for (const char c : header.substr(60, 4)) version = version << 8 | static_cast<unsigned char>(c);
  return version >= 1 && version <= NewestVersion() ? version : NewestVersion();
}

/// `found` with those bytes that are the same in every ledger, or follow from its size. SQLite's
/// file format: https://www.sqlite.org/fileformat2.html#the_database_header
std::string HeaderFor(const std::string& found, std::int64_t bytes) {
  std::string header = found;
  const auto put = [&header](std::size_t at, std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) {
      header[at + static_cast<std::size_t>(i)] =
          static_cast<char>(value >> 8 * (size - 1 - i) & 0xff);
    }
  };
  header.replace(0, 16, std::string("SQLite format 3\0", 16));
  put(16, kPageSize, 2);
  put(18, 0x0202'0040'2020, 6);  // WAL, no bytes reserved, the fractions that must be
  put(24, 1, 4);
  put(28, static_cast<std::uint64_t>(bytes / kPageSize), 4);
  put(32, 0, 8);  // free pages: none is needed
  put(44, 4, 4);
  put(52, 0, 4);
  put(56, 1, 4);
  put(60, static_cast<std::uint64_t>(VersionIn(found)), 4);
  put(64, 0, 4);
  put(68, static_cast<std::uint64_t>(kApplicationId), 4);
  put(92, 1, 4);  // the size above counts
  return header;
}

Status CopyFile(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, error);
  if (!error) return Status::Ok();
  return {StatusCode::kUnavailable, "cannot copy " + from + " to " + to + ": " + error.message()};
}

Status MendHeader(const std::string& work) {
  std::fstream file(work, std::ios::binary | std::ios::in | std::ios::out);
  std::string found(kFileHeader, '\0');
  if (!file.read(found.data(), static_cast<std::streamsize>(found.size()))) {
    return {StatusCode::kDataLoss, work + " is shorter than the first page of a ledger"};
  }
  std::error_code error;
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(work, error));
  const std::string header = HeaderFor(found, bytes);
  file.seekp(0);
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  file.flush();
  if (file && !error) return Status::Ok();
  return {StatusCode::kUnavailable, "cannot write " + work};
}

std::optional<Statement> Prepare(const Connection& connection, const std::string& sql) {
  Result<Statement> prepared = Statement::Prepare(connection, sql);
  if (!prepared.ok()) return std::nullopt;
  return std::move(*prepared);
}

/// The number that `sql` finds; nullopt: none, or damage.
std::optional<std::int64_t> NumberOf(const Connection& connection, const std::string& sql) {
  std::optional<Statement> select = Prepare(connection, sql);
  if (!select) return std::nullopt;
  const Result<bool> row = select->Step();
  if (!row.ok() || !*row) return std::nullopt;
  return select->Number(0);
}

}  // namespace

struct Salvage::Statements {
  std::optional<Statement> commit;
  std::optional<Statement> events;
  std::optional<Statement> uses;
};

Result<std::unique_ptr<Salvage>> Salvage::Open(const std::string& path, const std::string& work,
                                               const SalvageProgress& progress) {
  if (Status status = PrepareHashing(); !status.ok()) return status;
  if (LockFile::IsHeld(path + ".lock")) {
    return Status(StatusCode::kUnavailable,
                  "ledger " + path +
                      " is held by a process; what is being written cannot be "
                      "recovered");
  }
  if (Status status = CopyFile(path, work); !status.ok()) return status;
  std::error_code error;
  const auto log = std::filesystem::file_size(path + "-wal", error);
  if (!error && log > 0) {
    if (Status status = CopyFile(path + "-wal", work + "-wal"); !status.ok()) return status;
  }
  for (const bool mended : {false, true}) {
    if (mended) {
      if (Status status = MendHeader(work); !status.ok()) return status;
    }
    Result<Connection> opened = Connection::Open(work, Connection::Mode::kReadWrite, "");
    if (!opened.ok()) continue;
    const Result<std::int64_t> version = opened->Number("PRAGMA user_version");
    const Result<std::int64_t> id = opened->Number("PRAGMA application_id");
    const bool known = version.ok() && *version >= 1 && *version <= NewestVersion() && id.ok() &&
                       *id == kApplicationId;
    const bool tables =
        NumberOf(*opened, "SELECT count(*) FROM sqlite_schema WHERE name = 'commit_log'") == 1;
    if (!known || !tables) continue;
    std::unique_ptr<Salvage> salvage(new Salvage(std::move(*opened)));
    salvage->FindCommits(progress);
    return salvage;
  }
  return Status(StatusCode::kDataLoss,
                "ledger " + path +
                    " is no ledger, or damaged where it lists its tables, so nothing "
                    "can be read; go back to a backup");
}

Salvage::Salvage(Connection connection) : connection_(std::move(connection)) {
  const Result<std::int64_t> version = connection_.Number("PRAGMA user_version");
  const bool has_input = version.ok() && *version >= kCommandVersion;
  statements_ = std::make_unique<Statements>();
  statements_->commit = Prepare(
      connection_,
      std::string("SELECT time, cycle, command, engine_version, first_event, events, state_digest, "
                  "prev_hash, hash, ") +
          (has_input ? "input, input IS NULL" : "NULL, 1") + " FROM commit_log WHERE seq = ?");
  statements_->events =
      Prepare(connection_,
              "SELECT kind, subject, payload, policy_hash FROM event WHERE seq >= "
              "? AND seq < ? AND commit_seq = ? ORDER BY seq");
  statements_->uses = Prepare(connection_,
                              "SELECT hash, calls, fuel FROM policy_use WHERE commit_seq = ? ORDER "
                              "BY position");
  const Result<HistoryBase> base = ReadBase(connection_);
  if (base.ok()) base_ = *base;
}

Salvage::~Salvage() = default;

void Salvage::FindCommits(const SalvageProgress& progress) {
  // More in a row than one damaged page can hide; a number further off is damage itself.
  constexpr std::int64_t kGap = 200'000;
  const std::int64_t oldest =
      base_ ? base_->first : NumberOf(connection_, "SELECT min(seq) FROM commit_log").value_or(1);
  oldest_ = std::max<std::int64_t>(oldest, 1);
  std::int64_t last = 0;
  for (const char* sql :
       {"SELECT max(seq) FROM commit_log", "SELECT commit_seq FROM event ORDER BY seq DESC LIMIT 1",
        "SELECT max(commit_seq) FROM policy_use"}) {
    last = std::max(last, NumberOf(connection_, sql).value_or(0));
  }
  std::int64_t missing = 0;
  for (std::int64_t seq = oldest_; missing <= kGap && (last == 0 || seq <= last); ++seq) {
    ++missing;
    if (const std::optional<StoredCommit> commit = ReadCommit(seq)) {
      missing = 0;
      good_.push_back({seq, commit->prev, commit->hash, commit->state_digest});
    }
    if (progress) progress(seq, last);
  }
  newest_ = good_.empty() ? 0 : good_.back().seq;
  if (last > newest_ && last - newest_ <= kGap) newest_ = last;
}

std::optional<StoredCommit> Salvage::ReadCommit(std::int64_t seq) const {
  const Statements& s = *statements_;
  if (!s.commit || !s.events || !s.uses) return std::nullopt;
  Statement& head = *statements_->commit;
  head.Reset();
  head.Bind(seq);
  const Result<bool> row = head.Step();
  if (!row.ok() || !*row) {
    head.Reset();
    return std::nullopt;
  }
  StoredCommit commit;
  CommitRecord& record = commit.record;
  record.seq = seq;
  record.at = head.Time(0);
  record.cycle = head.Number(1);
  record.command = head.Text(2);
  record.engine_version = head.Text(3);
  record.first_event = head.Number(4);
  const std::int64_t events = head.Number(5);
  commit.state_digest = static_cast<std::uint64_t>(head.Number(6));
  const std::string prev(head.Text(7));
  const std::string hash(head.Text(8));
  if (head.Number(10) == 0) record.input = head.Text(9);
  head.Reset();
  bool whole = events >= 0 && record.first_event > 0;
  Statement& found = *statements_->events;
  found.Bind(record.first_event);
  found.Bind(whole ? record.first_event + events : 0);
  found.Bind(seq);
  Result<bool> more = found.Step();
  for (; more.ok() && *more && whole; more = found.Step()) {
    const std::optional<EventKind> kind = EnumFromName<EventKind>(found.Text(0));
    whole = kind.has_value();
    record.events.push_back({kind.value_or(EventKind::kSubmitted), std::string(found.Text(1)),
                             std::string(found.Text(2)), std::string(found.Text(3))});
  }
  whole = whole && more.ok() && static_cast<std::int64_t>(record.events.size()) == events;
  found.Reset();
  Statement& uses = *statements_->uses;
  uses.Bind(seq);
  more = uses.Step();
  for (; more.ok() && *more; more = uses.Step()) {
    record.policies.push_back({std::string(uses.Text(0)), uses.Number(1), uses.Number(2)});
  }
  whole = whole && more.ok();
  uses.Reset();
  if (!whole || !ChainLinks().Check(record, commit.state_digest, prev, hash).empty()) {
    return std::nullopt;
  }
  commit.prev = *HashFrom(prev);
  commit.hash = *HashFrom(hash);
  return commit;
}

Result<std::vector<StateRow>> Salvage::Rows(std::uint64_t state_digest) const {
  std::vector<StateRow> rows;
  const Status status = ReadState(connection_, "", state_digest, [&rows](const StateRow& row) {
    rows.push_back(row);
    return Status::Ok();
  });
  if (!status.ok()) return status;
  return rows;
}

Result<std::vector<StateRow>> Salvage::BaseRows() const {
  std::vector<StateRow> rows;
  const Status status = ReadBaseRows(connection_, [&rows](const StateRow& row) {
    rows.push_back(row);
    return Status::Ok();
  });
  if (!status.ok()) return status;
  return rows;
}

std::vector<CarriedEvent> Salvage::Carried() const {
  std::vector<CarriedEvent> events;
  (void)ReadCarried(connection_, [&events](const CarriedEvent& event) {
    events.push_back(event);
    return Status::Ok();
  });
  return events;
}

// From both ends, for what lies behind a damaged page.
std::vector<std::string> Salvage::PolicyHashes() const {
  std::set<std::string> hashes;
  for (const char* order : {"", " DESC"}) {
    std::optional<Statement> select =
        Prepare(connection_, std::string("SELECT hash FROM policy ORDER BY hash") + order);
    if (!select) continue;
    Result<bool> row = select->Step();
    for (; row.ok() && *row; row = select->Step()) hashes.emplace(select->Text(0));
  }
  return {hashes.begin(), hashes.end()};
}

Result<StoredPolicy> Salvage::LoadPolicy(std::string_view hash) const {
  return ReadPolicy(connection_, hash);
}

}  // namespace muster
