// GroupsInFlight: groups of commits that were sent to the database, and what came of them.
//
// A group is one statement: it moves the ledger's row on, if epoch and end are still the writer's
// own, and adds the group. So when one is not stored, no later one is. What a lost connection
// leaves unknown is looked for: a first part of the groups is there, and the rest is sent again.
//
// The changes of a large group may go ahead, so that the server compresses and writes them while
// the group's hashes are made. They are the first half of its transaction. That half looks at no
// row of another and locks none: a writer that is stopped in the middle makes none wait. The second
// half fails the whole unless the ledger's row is as it must be.
#ifndef MUSTER_DB_POSTGRES_GROUPS_IN_FLIGHT_H_
#define MUSTER_DB_POSTGRES_GROUPS_IN_FLIGHT_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "db/hash_chain.h"
#include "db/postgres/connection.h"
#include "db/postgres/place.h"
#include "muster/journal.h"
#include "muster/status.h"

namespace muster {

struct PgGroup {
  using Clock = std::chrono::steady_clock;
  Clock::time_point begun;  ///< when it began to be made
  Clock::time_point sent;
  Ticket ticket = 0;        ///< of its newest commit
  std::int64_t before = 0;  ///< the newest commit before it
  std::int64_t last = 0;    ///< its newest commit
  ChainHash hash{};         ///< of that one
  std::string body;         ///< the group, or its links where it has changes
  std::string changes;      ///< those that go ahead
  bool ahead = false;       ///< they were sent, on this connection
};

/// The writer, and where it writes.
struct PgWriter {
  PgPlace place;
  std::int64_t epoch = 0;
  std::chrono::milliseconds lease{0};
  std::chrono::milliseconds reconnect{0};  ///< how long a broken connection is tried again
  bool without_fence = false;              ///< see PostgresTesting
};

class GroupsInFlight {
 public:
  /// Sets `superseded` once another is seen to have the ledger. Both must outlive it.
  GroupsInFlight(PgWriter writer, PgConnection* connection, std::atomic<bool>* superseded)
      : writer_(std::move(writer)), connection_(*connection), superseded_(*superseded) {
    GreetServer();
  }

  /// Whether it is of use to send the changes of the next group ahead. Behind another group the
  /// server would not begin with them, and the writer would wait for room in the socket.
  bool takes_ahead() const { return sent_.empty() && !refuses_ahead_; }
  /// Sends the changes of a group that Send will be given next.
  Status SendAhead(PgGroup* group);
  /// A lost connection is no failure: Await finds out.
  Status Send(PgGroup group);
  /// The oldest one once it is durable; nullopt when the eventfd `wake` was written to before.
  /// kUnavailable: it and those after it are not stored, or it is not known. Not empty.
  Result<std::optional<PgGroup>> Await(int wake);
  bool empty() const { return sent_.empty(); }
  /// How many keep the server busy: one that it works at, and those that are made and travel in
  /// that time. More would only make groups smaller, each of which costs a flush.
  std::size_t useful() const;

 private:
  /// The statement of a group, and that of its links when its changes went ahead.
  const char* Whole() const;
  const char* Links() const;
  Status Transmit(const PgGroup& group);
  /// Finds out which of them are stored, and sends the others again.
  Status SendAgain();
  /// Prepares a new connection for groups and measures it.
  void GreetServer();
  /// Learns from the oldest, which was answered now.
  void Measure();
  /// How many of them are in the history. kUnavailable: none will be by this writer.
  Result<std::size_t> LookForThem();

  const PgWriter writer_;
  PgConnection& connection_;
  std::atomic<bool>& superseded_;
  std::deque<PgGroup> sent_;    ///< oldest first
  std::size_t found_ = 0;       ///< of these so many are known to be stored
  bool refuses_ahead_ = false;  ///< the server refused halves on this connection

  // Moving averages, in seconds.
  double trip_ = 0;    ///< there and back, when nothing is done there
  double made_ = 0;    ///< from the first commit of a group until it was sent
  double served_ = 0;  ///< at the server
  PgGroup::Clock::time_point answered_;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_GROUPS_IN_FLIGHT_H_
