// Opens a ledger in PostgreSQL, commits as long as it may, and begins again when it was taken over.
//
//   fence_child URL NAME LEASE_MS [--without-fence] [--holds] [--ahead] [--halves]
//
// With --ahead it sends commits before those before them are durable, with --halves the changes of
// each group before its links, too.
// Says "open SEQ" when it holds the ledger, and "ack SEQ ID" for each commit that is acknowledged.
// ID is NAME and a number that it uses once. Now and then it gives way by itself; not with --holds.
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "db/postgres/postgres_store.h"
#include "db/store_thread.h"
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

/// Commits until it may not, or gives way.
class Writer {
 public:
  Writer(std::string name, bool holds) : name_(std::move(name)), holds_(holds) {}

  /// `ahead` (> 0) commits at most are not known to be durable.
  void Write(muster::Journal& journal, std::int64_t seq, std::size_t ahead) {
    std::deque<std::pair<muster::Ticket, std::string>> sent;
    bool more = true;
    while (more || !sent.empty()) {
      while (more && sent.size() < ahead) {
        const std::string id =
            name_ + "-" + std::to_string(getpid()) + "-" + std::to_string(++number_);
        const auto ticket = journal.Append(Next(name_, id, ++seq));
        if (!ticket.ok()) return;
        sent.emplace_back(*ticket, "ack " + std::to_string(seq) + " " + id);
        more = holds_ || number_ % 50 != 0;
      }
      if (!journal.Durable(sent.front().first).ok()) return;
      Say(sent.front().second);
      sent.pop_front();
    }
  }

 private:
  const std::string name_;
  const bool holds_;
  std::int64_t number_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 1;
  const std::set<std::string> how(argv + 4, argv + argc);
  Writer writer(argv[2], how.contains("--holds"));
  muster::PostgresTesting testing;
  const bool halves = how.contains("--halves");
  const bool ahead = halves || how.contains("--ahead");
  if (ahead) testing.groups = 4;
  if (halves) testing.ahead_from = 0;
  testing.without_fence = how.contains("--without-fence");
  muster::PostgresOptions options;
  options.engine_version = "test";
  options.lock_wait = std::chrono::seconds(60);
  options.lease = std::chrono::milliseconds(std::stoi(argv[3]));
  options.testing = &testing;
  while (true) {
    const auto opened = muster::PostgresStore::Open(argv[1], options);
    if (!opened.ok()) {
      Say("refused " + opened.status().message());
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      continue;
    }
    muster::PostgresStore& store = **opened;
    const std::int64_t seq = store.last()->seq;
    Say("open " + std::to_string(seq));
    if (ahead) {
      const auto thread = muster::StoreThread::Start(store);
      if (thread.ok()) writer.Write(**thread, seq, 8);
    } else {
      writer.Write(store, seq, 1);
    }
  }
}
