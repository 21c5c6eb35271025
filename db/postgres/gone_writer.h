// GoneWriter: whether the writer of a ledger has ended without letting go of it, which its session
// tells before its lease does.
#ifndef MUSTER_DB_POSTGRES_GONE_WRITER_H_
#define MUSTER_DB_POSTGRES_GONE_WRITER_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "db/postgres/connection.h"

namespace muster {

class GoneWriter {
 public:
  /// The session of a writer that has ended; -1 when none is known to. To be asked again and again:
  /// it has to be gone for a while, as one that only lost its connection has another by then.
  std::int64_t Session(PgConnection& connection, const std::string& shard);
  /// What was seen counts no more, and nothing does that is seen within this time.
  void LookAnew(std::chrono::milliseconds after = std::chrono::milliseconds(0));

 private:
  using Clock = std::chrono::steady_clock;
  std::int64_t session_ = -1;  // is gone since `since_`
  Clock::time_point since_;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_GONE_WRITER_H_
