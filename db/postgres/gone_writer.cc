// See gone_writer.h.
#include "db/postgres/gone_writer.h"

#include <algorithm>
#include <string_view>

namespace muster {
namespace {

constexpr const char* kGoneSession =
    "SELECT session FROM muster_shard WHERE id = $1 AND session <> 0 AND NOT EXISTS (SELECT 1 FROM "
    "pg_stat_activity WHERE pid = session)";

/// How long a writer's session has to be gone before its lease counts no more.
constexpr std::chrono::milliseconds kGrace{300};

}  // namespace

std::int64_t GoneWriter::Session(PgConnection& connection, const std::string& shard) {
  const Clock::time_point now = Clock::now();
  const Result<PgRows> gone = connection.Run(kGoneSession, {std::string_view(shard)});
  const std::int64_t session = gone.ok() && !gone->empty() ? gone->Number(0, 0) : -1;
  if (session != session_) {
    session_ = session;
    since_ = std::max(since_, now);
  }
  return session >= 0 && now >= since_ + kGrace ? session : -1;
}

void GoneWriter::LookAnew(std::chrono::milliseconds after) {
  session_ = -1;
  since_ = Clock::now() + after;
}

}  // namespace muster
