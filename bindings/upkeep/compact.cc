// The state after the oldest commit that stays comes from a replay: it is told by what is dropped.
#include "bindings/upkeep/compact.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "bindings/cpp/replay.h"
#include "bindings/cpp/stored_policies.h"
#include "db/sqlite/ledger.h"
#include "engine/base/caught.h"

namespace muster {
namespace {

class Compactor {
 public:
  Compactor(Ledger& ledger, const CompactOptions& options) : ledger_(ledger), options_(options) {}

  Result<Compacted> Run() {
    Compacted compacted;
    Result<HistoryBase> base = ledger_.base();
    if (!base.ok()) return base.status();
    compacted.base = *base;
    if (Status status = CheckWhole(); !status.ok()) return status;
    const Result<std::int64_t> first = FindFirst();
    if (!first.ok()) return first.status();
    if (*first > base->first) {
      compacted.dropped = *first - base->first;
      if (Status status = Drop(*first); !status.ok()) return status;
    }
    if (base = ledger_.base(); !base.ok()) return base.status();
    compacted.base = *base;
    const Status counted = ledger_.ReadCarried([&compacted](const CarriedEvent&) {
      ++compacted.carried;
      return Status::Ok();
    });
    if (!counted.ok()) return counted;
    return compacted;
  }

 private:
  void Show(std::string_view what, std::int64_t done) const {
    if (options_.progress) options_.progress(what, done, last_.seq);
  }

  Status CheckWhole() {
    const Result<LastCommit> last = ledger_.last();
    if (!last.ok()) return last.status();
    last_ = *last;
    Show("verifying", 0);
    VerifyOptions verify;
    verify.policy_hash = HashOf;
    const Result<VerifyReport> report = ledger_.Verify(verify);
    if (!report.ok()) return report.status();
    if (report->sound()) return Status::Ok();
    return {StatusCode::kDataLoss,
            "the ledger is damaged, so nothing is dropped from it: " + report->findings.front()};
  }

  /// The newest commit that is too old, but not after the newest cycle, whose number is read from
  /// its commit.
  Result<std::int64_t> FindFirst() const {
    if (last_.at == kNoTime) return 0;
    std::int64_t too_old = 0;
    std::int64_t newest_cycle = last_.seq;
    const Status status = ledger_.ReadCommits(1, [&](const CommitRecord& commit) {
      if (commit.at < last_.at - options_.keep) too_old = commit.seq;
      if (commit.cycle > 0) newest_cycle = commit.seq;
      return Status::Ok();
    });
    if (!status.ok()) return status;
    return std::min(too_old, newest_cycle);
  }

  Status Drop(std::int64_t first) const {
    const FindPolicy find = [this](std::string_view hash) { return ledger_.LoadPolicy(hash); };
    Replayer replayer([&find](std::string_view hash) { return LoadPolicyByHash(find, hash); },
                      Replayer::Rows::kKeep);
    const Result<std::int64_t> begin = replayer.Begin(ledger_);
    if (!begin.ok()) return begin.status();
    bool over = false;
    const Status status = ledger_.ReadCommits(*begin, [&](const CommitRecord& commit) {
      over = commit.seq > first;
      if (over) return Status(StatusCode::kFailedPrecondition, "enough");
      Show("repeating", commit.seq);
      return replayer.Redo(commit);
    });
    if (!status.ok() && !over) {
      return {status.code(),
              "the history cannot be repeated, so nothing is dropped from it: " + status.message()};
    }
    Show("dropping", first);
    std::vector<StateRow> rows = replayer.StateRows();
    std::set<std::string, std::less<>> there;
    for (const StateRow& row : rows) {
      const bool named =
          row.table == StateRow::Table::kWorkload || row.table == StateRow::Table::kObject;
      if (named) there.insert(row.key);
    }
    const auto carry = [&there](const Event& event) {
      const bool policy = event.kind == EventKind::kPolicyStaged ||
                          event.kind == EventKind::kPolicyActivated ||
                          event.kind == EventKind::kPolicyRolledBack;
      return policy || there.contains(event.subject);
    };
    return ledger_.Compact({first, std::move(rows), carry});
  }

  Ledger& ledger_;
  const CompactOptions& options_;
  LastCommit last_;
};

}  // namespace

Result<Compacted> CompactLedger(const std::string& path, const CompactOptions& options) {
  return Guarded([&]() -> Result<Compacted> {
    LedgerOptions ledger_options;
    ledger_options.engine_version = MUSTER_VERSION;
    ledger_options.lock_wait = options.lock_wait;
    const Result<std::unique_ptr<Ledger>> ledger =
        Ledger::Open(path, OpenMode::kExisting, std::move(ledger_options));
    if (!ledger.ok()) return ledger.status();
    Result<Compacted> compacted = Compactor(**ledger, options).Run();
    const Status closed = (*ledger)->Close();
    return compacted.ok() && !closed.ok() ? closed : compacted;
  });
}

}  // namespace muster
