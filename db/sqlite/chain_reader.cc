// Three tables are read in step: event and policy_use are ordered by commit.
#include "db/sqlite/chain_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "db/chain_links.h"
#include "db/sqlite/base.h"
#include "db/sqlite/migrate.h"
#include "db/sqlite/reader.h"
#include "db/sqlite/statements.h"
#include "engine/model/names.h"

namespace muster {
namespace {

/// Commits in order, with their events and policies.
class ChainReader {
 public:
  static Result<ChainReader> Open(const Connection& connection, std::int64_t first) {
    const Result<std::int64_t> version = connection.Number("PRAGMA user_version");
    if (!version.ok()) return version.status();
    const std::string input = *version >= kCommandVersion ? "input, input IS NULL" : "NULL, 1";
    Result<Statement> commits = Statement::Prepare(
        connection,
        "SELECT seq, time, cycle, engine_version, first_event, events, state_digest, prev_hash, "
        "hash, command, " +
            input + " FROM commit_log WHERE seq >= ? ORDER BY seq");
    if (!commits.ok()) return commits.status();
    Result<Statement> events = Statement::Prepare(
        connection,
        "SELECT seq, commit_seq, kind, subject, policy_hash, payload, policy_hash = '' FROM event "
        "WHERE seq >= coalesce((SELECT min(first_event) FROM commit_log WHERE seq = ?1), 0) ORDER "
        "BY seq");
    if (!events.ok()) return events.status();
    Result<Statement> uses = Statement::Prepare(
        connection,
        "SELECT commit_seq, hash, calls, fuel, position FROM policy_use WHERE commit_seq >= ? "
        "ORDER BY commit_seq, position");
    if (!uses.ok()) return uses.status();
    ChainReader reader(std::move(*commits), std::move(*events), std::move(*uses));
    for (Statement* s : {&reader.commits_, &reader.events_, &reader.uses_}) s->Bind(first);
    if (Status status = reader.Advance(&reader.events_, &reader.more_events_); !status.ok()) {
      return status;
    }
    if (Status status = reader.Advance(&reader.uses_, &reader.more_uses_); !status.ok()) {
      return status;
    }
    return reader;
  }

  /// False at the end. `what` gets the reason why commit number `expected` is wrong, if it is.
  Result<bool> Next(std::int64_t expected, StoredCommit* stored, std::string* what) {
    Result<bool> found = commits_.Step();
    if (!found.ok()) return found;
    if (!*found) {
      if (more_events_ || more_uses_) *what = "events follow that belong to no commit";
      return false;
    }
    std::optional<std::string> input;
    if (commits_.Number(11) == 0) input = commits_.Text(10);
    CommitRecord* const commit = &stored->record;
    *commit = {commits_.Number(0),
               std::string(commits_.Text(9)),
               std::move(input),
               commits_.Time(1),
               commits_.Number(2),
               std::string(commits_.Text(3)),
               commits_.Number(4),
               {},
               {}};
    stored->state_digest = static_cast<std::uint64_t>(commits_.Number(6));
    if (Status status = TakeEvents(commit, what); !status.ok()) return status;
    if (Status status = TakeUses(commit, what); !status.ok()) return status;
    if (commit->seq != expected) *what = "it is missing";
    if (what->empty()) {
      *what = links_.Check(*commit, stored->state_digest, commits_.Text(7), commits_.Text(8));
    }
    // Where one has another length, Check has said so.
    stored->prev = HashFrom(commits_.Text(7)).value_or(kFirstPrevHash);
    stored->hash = HashFrom(commits_.Text(8)).value_or(kFirstPrevHash);
    return true;
  }

 private:
  ChainReader(Statement commits, Statement events, Statement uses)
      : commits_(std::move(commits)), events_(std::move(events)), uses_(std::move(uses)) {}

  static Status Advance(Statement* statement, bool* more) {
    Result<bool> row = statement->Step();
    if (!row.ok()) return row.status();
    *more = *row;
    return Status::Ok();
  }

  Status TakeEvents(CommitRecord* commit, std::string* what) {
    const std::int64_t count = commits_.Number(5);
    std::int64_t expected = commit->first_event;
    while (more_events_ && events_.Number(1) == commit->seq) {
      const std::optional<EventKind> kind = EnumFromName<EventKind>(events_.Text(2));
      if (!kind) *what = "event " + std::to_string(events_.Number(0)) + " is of no known kind";
      if (events_.Number(6) != 0) {  // hashes like none
        *what = "event " + std::to_string(events_.Number(0)) + " has an empty policy_hash";
      }
      if (events_.Number(0) != expected++) *what = "its events are not where they should be";
      commit->events.push_back({kind.value_or(EventKind::kSubmitted), std::string(events_.Text(3)),
                                std::string(events_.Text(5)), std::string(events_.Text(4))});
      if (Status status = Advance(&events_, &more_events_); !status.ok()) return status;
    }
    if (expected - commit->first_event != count) *what = "events are missing or too many";
    return Status::Ok();
  }

  Status TakeUses(CommitRecord* commit, std::string* what) {
    while (more_uses_ && uses_.Number(0) == commit->seq) {
      if (uses_.Number(4) != static_cast<std::int64_t>(commit->policies.size())) {
        *what = "its policies are not where they should be";
      }
      commit->policies.push_back({std::string(uses_.Text(1)), uses_.Number(2), uses_.Number(3)});
      if (Status status = Advance(&uses_, &more_uses_); !status.ok()) return status;
    }
    return Status::Ok();
  }

  Statement commits_;
  Statement events_;
  Statement uses_;
  bool more_events_ = false;
  bool more_uses_ = false;
  ChainLinks links_;
};

}  // namespace

Result<ChainTail> ReadTail(const Connection& connection) {
  Result<Statement> select = Statement::Prepare(
      connection,
      "SELECT seq, time, first_event + events, state_digest, hash, coalesce((SELECT cycle FROM "
      "commit_log WHERE cycle > 0 ORDER BY seq DESC LIMIT 1), 0) FROM commit_log ORDER BY seq DESC "
      "LIMIT 1");
  if (!select.ok()) return select.status();
  Result<bool> row = select->Step();
  if (!row.ok()) return row.status();
  ChainTail tail;
  if (!*row) return tail;
  const std::optional<ChainHash> hash = HashFrom(select->Text(4));
  if (!hash) return Damaged(connection, "the hash of the newest commit is unreadable");
  tail.last = {select->Number(0), select->Time(1), select->Number(5)};
  tail.next_event = select->Number(2);
  tail.state_digest = static_cast<std::uint64_t>(select->Number(3));
  tail.hash = *hash;
  return tail;
}

Status WalkChain(const Connection& connection, std::int64_t first, const ChainVisitor& visitor,
                 std::int64_t* broken) {
  const Result<HistoryBase> base = ReadBase(connection);
  if (!base.ok()) return base.status();
  first = std::max(first, base->first);
  std::int64_t expected = first;
  const auto fail = [&](Status status) {
    if (broken != nullptr && status.code() == StatusCode::kDataLoss) *broken = expected;
    return status;
  };
  const Result<std::int64_t> newest =
      connection.Number("SELECT coalesce(max(seq), 0) FROM commit_log");
  if (!newest.ok()) return fail(newest.status());
  if (*newest > 0 && first > *newest) return Status::Ok();
  Result<ChainReader> reader = ChainReader::Open(connection, first);
  if (!reader.ok()) return fail(reader.status());
  while (true) {
    StoredCommit commit;
    std::string what;
    const Result<bool> more = reader->Next(expected, &commit, &what);
    if (!more.ok()) return fail(more.status());
    if (!what.empty()) {
      return fail(Damaged(connection, "commit " + std::to_string(expected) + ": " + what));
    }
    if (!*more) return Status::Ok();
    if (visitor) {
      if (Status status = visitor(commit); !status.ok()) return status;
    }
    ++expected;
  }
}

}  // namespace muster
