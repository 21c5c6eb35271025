#include "db/postgres/lease_keeper.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

#include "engine/base/caught.h"

namespace muster {
namespace {

constexpr std::chrono::milliseconds kBetweenRetries{50};

// A writer that stands still between the halves of a group (GroupsInFlight) keeps a transaction
// open, and so the server every version of each ledger's row since: all commits would take longer
// and longer. It finds out when it goes on. $1: how long is too long, in milliseconds.
constexpr const char* kEndStalled =
    "SELECT pg_terminate_backend(pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE "
    "l.locktype = 'relation' AND l.relation = 'muster_body'::regclass AND l.database = (SELECT oid "
    "FROM pg_database WHERE datname = current_database()) AND l.mode = 'RowExclusiveLock' AND "
    "a.wait_event = 'ClientRead' AND a.usename = current_user AND a.xact_start < now() - $1 * "
    "interval '1 millisecond'";
constexpr int kStalledLeases = 3;

}  // namespace

std::string NameOfHolder(int process) {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return "process " + std::to_string(process) + " on " + host;
}

struct LeaseKeeper::State {
  PgPlace place;
  std::int64_t epoch;
  std::chrono::milliseconds lease;
  std::mutex mutex;
  std::condition_variable changed;
  bool stopping = false;
  std::atomic<bool>* lost;
  std::thread thread;

  std::chrono::steady_clock::time_point looked;  // for writers that stand still

  void Run();
  void EndStalled(PgConnection& connection);
  Status Renew(std::optional<PgConnection>* connection) const;
};

Result<std::unique_ptr<LeaseKeeper>> LeaseKeeper::Start(const PgPlace& place, std::int64_t epoch,
                                                        std::chrono::milliseconds lease,
                                                        std::atomic<bool>* lost) {
  auto state = std::make_unique<State>();
  state->place = place;
  state->epoch = epoch;
  state->lease = lease;
  state->lost = lost;
  std::unique_ptr<LeaseKeeper> keeper(new LeaseKeeper(std::move(state)));
  try {
    keeper->state_->thread = std::thread([runs = keeper->state_.get()] { runs->Run(); });
  } catch (const std::system_error& error) {
    return Status(StatusCode::kUnavailable,
                  std::string("no thread for the lease: ") + error.what());
  }
  return keeper;
}

LeaseKeeper::LeaseKeeper(std::unique_ptr<State> state) : state_(std::move(state)) {}

LeaseKeeper::~LeaseKeeper() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->changed.notify_one();
  if (state_->thread.joinable()) state_->thread.join();
}

void LeaseKeeper::State::Run() {
  std::optional<PgConnection> connection;
  std::unique_lock lock(mutex);
  while (!stopping) {
    lock.unlock();
    const Status renewed = Guarded([&] { return Renew(&connection); });
    if (!renewed.ok()) connection.reset();
    if (connection) EndStalled(*connection);
    lock.lock();
    if (*lost || renewed.code() == StatusCode::kFailedPrecondition) return;
    const auto pause = renewed.ok() ? lease / 3 : std::min(lease / 3, kBetweenRetries);
    changed.wait_for(lock, pause, [this] { return stopping; });
  }
}

// That it may not is no failure of the lease.
void LeaseKeeper::State::EndStalled(PgConnection& connection) {
  const auto now = std::chrono::steady_clock::now();
  if (now - looked < kStalledLeases * lease) return;
  looked = now;
  (void)Guarded([&] {
    return connection.Run(kEndStalled, {std::int64_t{kStalledLeases * lease.count()}}).status();
  });
}

/// kFailedPrecondition: it cannot be renewed, or another has it.
Status LeaseKeeper::State::Renew(std::optional<PgConnection>* connection) const {
  if (!*connection) {
    Result<PgConnection> opened = PgConnection::Open(place.url);
    if (!opened.ok()) return opened.status();
    *connection = std::move(*opened);
  }
  const Result<PgRows> renewed =
      (*connection)
          ->Run(
              "UPDATE muster_shard SET lease_until = now() + $3 * interval '1 millisecond', "
              "session = pg_backend_pid() WHERE id = $1 AND epoch = $2",
              {std::string_view(place.shard), epoch, std::int64_t{lease.count()}});
  if (!renewed.ok()) return renewed.status();
  if (renewed->affected() == 1) return Status::Ok();
  *lost = true;
  return {StatusCode::kFailedPrecondition, "the lease is another's"};
}

}  // namespace muster
