// Follower: tables for people, in SQL, beside a ledger in PostgreSQL.
//
// It reads the history as any reader may, and writes into a schema of its own. Its position stands
// in the same transaction as what it wrote: whenever it ends, the next one goes on there.
// It takes no lease and no lock of the ledger, so a writer never waits for it. What it reads is
// compared with its hashes, and has to follow from what it read before.
#ifndef MUSTER_DB_FOLLOW_FOLLOWER_H_
#define MUSTER_DB_FOLLOW_FOLLOWER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "muster/status.h"
#include "muster/types.h"

namespace muster {

struct Followed {
  std::int64_t commit = 0;  ///< the newest that the tables have
  std::int64_t newest = 0;  ///< that the ledger had when it was looked at
  TimeNs at = kNoTime;      ///< of the newest that was added; kNoTime: none was
  std::int64_t events = 0;  ///< that were added
  bool known = true;        ///< false: the connection was lost, so none of it is known
};

class Follower {
 public:
  /// Makes the tables if they are not there. `schema`: empty for "muster_" and the ledger's name.
  /// kInvalidArgument: no name of a schema, or no place. kNotFound: no such ledger.
  /// kFailedPrecondition: the schema holds something else.
  static Result<std::unique_ptr<Follower>> Open(const std::string& url, const std::string& schema);
  ~Follower();
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  /// Adds what has come since, or the first few thousand commits of it, in one transaction. A lost
  /// connection is tried again for ten seconds. kFailedPrecondition: the ledger has another history
  /// than the tables. kDataLoss: it is damaged. O(what was added).
  Result<Followed> Step();
  const std::string& schema() const;

 private:
  struct State;
  explicit Follower(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace muster

#endif  // MUSTER_DB_FOLLOW_FOLLOWER_H_
