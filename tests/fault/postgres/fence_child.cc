// Opens a ledger in PostgreSQL, commits as long as it may, and begins again when it was taken over.
//
//   fence_child URL NAME LEASE_MS [--without-fence | --holds]
//
// Says "open SEQ" when it holds the ledger, and "ack SEQ ID" for each commit that is acknowledged.
// ID is NAME and a number that it uses once. Now and then it gives way by itself; not with --holds.
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "db/postgres/postgres_store.h"
#include "tests/testing/doomed_child.h"

using muster::testing::Say;

namespace {

/// One workload a writer, whose row says what it did last.
muster::Commit Next(const std::string& name, const std::string& id, muster::TimeNs at) {
  muster::Commit commit;
  commit.command = muster::CommandKind::kSubmit;
  commit.at = at;
  commit.events = {{muster::EventKind::kSubmitted, "w/" + id, "{}"}};
  commit.rows = {{muster::StateRow::Table::kWorkload, "w/" + name, id}};
  return commit;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 1;
  const std::string name = argv[2];
  muster::PostgresTesting testing;
  const std::string how = argc > 4 ? argv[4] : "";
  testing.without_fence = how == "--without-fence";
  muster::PostgresOptions options;
  options.engine_version = "test";
  options.lock_wait = std::chrono::seconds(60);
  options.lease = std::chrono::milliseconds(std::stoi(argv[3]));
  options.testing = &testing;
  std::int64_t number = 0;
  while (true) {
    const auto opened = muster::PostgresStore::Open(argv[1], options);
    if (!opened.ok()) {
      Say("refused " + opened.status().message());
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      continue;
    }
    muster::PostgresStore& store = **opened;
    std::int64_t seq = store.last()->seq;
    Say("open " + std::to_string(seq));
    while (true) {
      const std::string id = name + "-" + std::to_string(getpid()) + "-" + std::to_string(++number);
      const auto ticket = store.Append(Next(name, id, ++seq));
      if (!ticket.ok() || !store.Durable(*ticket).ok()) break;
      Say("ack " + std::to_string(seq) + " " + id);
      if (number % 50 == 0 && how != "--holds") break;
    }
  }
}
