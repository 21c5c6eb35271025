// Commits made-up cycles to a ledger as fast as it can and says which are acknowledged, until it is
// killed. Commit N always has the same content, so the test knows what must be there.
//
//   ledger_kill_child LEDGER [--stop-at POINT] [--after COMMITS] [--ack-early]
//
// Says "open", then "ack N" for each commit, and "stopped" when it waits at POINT (see
// db/sqlite/testing.h) for its end. --ack-early says "ack N" before Durable: what a broken ledger
// would do.
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "db/sqlite/ledger.h"
#include "db/sqlite/testing.h"
#include "tests/fault/ledger/kill_history.h"
#include "tests/testing/doomed_child.h"
#include "tests/testing/ledger_world.h"

using muster::testing::Say;

int main(int argc, char** argv) {
  const muster::testing::DoomedArguments arguments(argc, argv);
  int stored = 0;
  muster::LedgerTesting testing;
  testing.checkpoint_pages = 50;
  testing.at_point = [&](std::string_view point) {
    if (point != arguments.stop_at || stored < arguments.after) return;
    Say("stopped");
    while (true) pause();
  };
  auto opened = muster::Ledger::Open(arguments.ledger, muster::OpenMode::kCreate,
                                     {"test", muster::Durability::kFull, {}, &testing});
  if (!opened.ok()) {
    Say(opened.status().message());
    return 1;
  }
  muster::Ledger& ledger = **opened;
  Say("open");
  muster::testing::LedgerWorld world;
  std::int64_t number = 0;
  while (number < ledger.last()->seq) muster::testing::NextOfKillHistory(&world, ++number);
  while (true) {
    const auto ticket = ledger.Append(muster::testing::NextOfKillHistory(&world, ++number));
    const std::string acknowledgement = "ack " + std::to_string(number);
    if (arguments.ack_early) Say(acknowledgement);
    if (!ticket.ok() || !ledger.Durable(*ticket).ok()) return 2;
    if (!arguments.ack_early) Say(acknowledgement);
    ++stored;
  }
}
