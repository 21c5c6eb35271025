// What a row or an object looks like is compared as text, so whatever shows is a change.
#include "bindings/cli/verbs/watch.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/cli/interrupted.h"
#include "bindings/cli/show/get_view.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/open_store.h"
#include "bindings/lab/read.h"
#include "db/store.h"
#include "muster/muster.h"

namespace muster::cli {
namespace {

constexpr std::chrono::milliseconds kLedgerLook{500};

/// One thing of a list as it looks.
struct Seen {
  std::string key;        ///< what tells it from the others
  std::string text;       ///< what is compared: the row's cells, or the object in JSON
  std::vector<Cell> row;  ///< of a table
};

/// How many cells at the beginning of a row tell it from the others.
std::size_t KeyCells(Kind kind, std::size_t cells) {
  if (kind == Kind::kWorkload || kind == Kind::kLocalQueue) return 2;
  if (kind == Kind::kAccount) return 4;
  return kind == Kind::kPriorityClass ? cells : 1;
}

std::vector<Seen> RowsOf(const Table& table, Kind kind) {
  std::vector<Seen> rows;
  for (const std::vector<Cell>& row : table.rows()) {
    Seen& seen = rows.emplace_back();
    seen.row = row;
    for (std::size_t i = 0; i < row.size(); ++i) {
      seen.text += row[i].text + '\n';
      if (i < KeyCells(kind, row.size())) seen.key += row[i].text + '\n';
    }
  }
  return rows;
}

std::vector<Seen> ObjectsOf(const std::vector<Json>& items) {
  std::vector<Seen> objects;
  for (const Json& item : items) {
    Seen& seen = objects.emplace_back();
    seen.text = item.dump(-1, ' ', false, Json::error_handler_t::replace);
    const Json metadata = item.value("metadata", item);
    for (const char* part : {"namespace", "name", "by", "key", "of", "over"}) {
      seen.key += metadata.value(part, "") + '\n';
    }
    seen.key += item.value("kind", "");
  }
  return objects;
}

class Watcher {
 public:
  Watcher(const Watched& watched, Io& io) : watched_(watched), io_(io) {}

  void Look(const Engine& engine) {
    const bool json = watched_.output == "json";
    const bool wide = watched_.output == "wide";
    std::vector<Seen> now;
    Table changes(std::vector<std::string>{});
    if (json) {
      now = ObjectsOf(Items(engine, watched_.kind, watched_.filter));
    } else {
      const Table table = KindTable(engine, watched_.kind, watched_.filter, wide);
      now = RowsOf(table, watched_.kind);
      changes = table.WithColumnBefore("EVENT");
    }
    std::map<std::string, Seen> gone = std::move(seen_);
    seen_.clear();
    for (const Seen& each : now) {
      const auto before = gone.find(each.key);
      const bool added = before == gone.end();
      if (added || before->second.text != each.text) {
        Tell(added ? "ADDED" : "MODIFIED", each, &changes);
      }
      if (!added) gone.erase(before);
      seen_[each.key] = each;
    }
    for (const auto& [key, each] : gone) Tell("DELETED", each, &changes);
    if (!changes.empty()) changes.PrintMore(io_.out, io_.paint, &widths_);
    io_.out.flush();
  }

 private:
  void Tell(std::string_view event, const Seen& seen, Table* changes) {
    if (watched_.output == "json") {
      io_.out << "{\"type\":\"" << event << "\",\"object\":" << seen.text << "}\n";
      return;
    }
    std::vector<Cell> row = {Cell(std::string(event))};
    row.insert(row.end(), seen.row.begin(), seen.row.end());
    changes->Add(std::move(row));
  }

  const Watched& watched_;
  Io& io_;
  std::map<std::string, Seen> seen_;
  std::vector<std::size_t> widths_;
};

}  // namespace

int Watch(const Engine& first, const Watched& watched, Io& io) {
  const Interrupted interrupted;
  Watcher watcher(watched, io);
  watcher.Look(first);
  std::unique_ptr<HistoryReader> ledger;
  bool failed = false;
  std::optional<std::int64_t> seen;  // the first look may have been before the newest commit
  while (io.out && !interrupted.Within(kLedgerLook)) {
    if (!ledger) {
      Result<std::unique_ptr<HistoryReader>> opened = OpenHistory(watched.db);
      if (!opened.ok()) return FailLedger(opened.status(), watched.db, io);
      ledger = std::move(*opened);
    }
    const Result<LastCommit> last = ledger->last();
    if (last.ok() && seen == last->seq) continue;
    if (!last.ok()) {  // a closed ledger that is written again is opened anew, once
      if (std::exchange(failed, true)) return FailLedger(last.status(), watched.db, io);
      ledger.reset();
      continue;
    }
    failed = false;
    Engine engine;
    if (const int code = ReadState(watched.db, io, &engine); code != kDone) return code;
    const Status due = engine.Advance(WallClock());  // as the first look was
    if (!due.ok()) return io.Fail(ExitCodeFor(due), due.message());
    seen = last->seq;
    watcher.Look(engine);
  }
  return kDone;
}

}  // namespace muster::cli
