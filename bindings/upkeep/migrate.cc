// The target is asked first: when it cannot be had, the ledger need not be read.
#include "bindings/upkeep/migrate.h"

#include <memory>
#include <utility>
#include <vector>

#include "bindings/cpp/open_store.h"
#include "bindings/cpp/stored_policies.h"
#include "db/postgres/builder.h"
#include "db/rescue/rebuild.h"
#include "engine/base/caught.h"
#include "muster/durable_engine.h"

namespace muster {
namespace {

void Show(const MigrateOptions& options, std::string_view what, std::int64_t done,
          std::int64_t total) {
  if (options.progress) options.progress(what, done, total);
}

/// Packages that commits name have to be there too.
VerifyOptions EveryCheck() {
  VerifyOptions verify;
  verify.policy_hash = HashOf;
  return verify;
}

Result<std::unique_ptr<HistoryBuilder>> BeginAt(const std::string& to, const std::string& like) {
  if (IsDatabase(to)) {
    Result<std::unique_ptr<PgBuilder>> builder = PgBuilder::Begin(to);
    if (!builder.ok()) return builder.status();
    return std::unique_ptr<HistoryBuilder>(*std::move(builder));
  }
  Result<std::unique_ptr<Rebuild>> builder = Rebuild::Begin(to, like, MUSTER_VERSION);
  if (!builder.ok()) return builder.status();
  return std::unique_ptr<HistoryBuilder>(*std::move(builder));
}

Status AddAll(const StoredHistory& from, const MigrateOptions& options, std::int64_t newest,
              HistoryBuilder& to) {
  Status status = from.ReadChain(1, [&](const StoredCommit& commit) {
    Show(options, "copying", commit.record.seq, newest);
    return to.AddCommit(commit);
  });
  if (!status.ok()) return status;
  const Result<std::vector<std::string>> hashes = from.PolicyHashes();
  if (!hashes.ok()) return hashes.status();
  for (const std::string& hash : *hashes) {
    const Result<StoredPolicy> policy = from.LoadPolicy(hash);
    if (!policy.ok()) return policy.status();
    if (status = to.AddPolicy(*policy); !status.ok()) return status;
  }
  std::vector<StateRow> rows;
  const StateVisitor keep = [&rows](const StateRow& row) {
    rows.push_back(row);
    return Status::Ok();
  };
  if (status = from.LoadWhole(keep); !status.ok()) return status;
  if (status = to.SetState(rows); !status.ok()) return status;
  const Result<HistoryBase> base = from.base();
  if (!base.ok() || *base == HistoryBase()) return base.status();
  rows.clear();
  if (status = from.LoadBase(keep); !status.ok()) return status;
  std::vector<CarriedEvent> carried;
  status = from.ReadCarried([&carried](const CarriedEvent& event) {
    carried.push_back(event);
    return Status::Ok();
  });
  return status.ok() ? to.SetBase(*base, rows, carried) : status;
}

/// `verified` is what Verify found of `from`.
Result<VerifyReport> Copy(const StoredHistory& from, const MigrateOptions& options,
                          const VerifyReport& verified, HistoryBuilder& to) {
  const Result<LastCommit> last = from.last();
  if (!last.ok()) return last.status();
  if (Status status = AddAll(from, options, last->seq, to); !status.ok()) return status;
  Show(options, "verifying the new ledger", last->seq, last->seq);
  return to.Finish(EveryCheck(), [&verified](const VerifyReport& report) {
    if (!report.sound()) {
      return Status(StatusCode::kInternal,
                    "what was copied does not fit together: " + report.findings.front());
    }
    const bool same = report.commits == verified.commits && report.events == verified.events &&
                      report.rows == verified.rows;
    return same ? Status::Ok()
                : Status(StatusCode::kInternal, "the copy has not as much as the ledger");
  });
}

Result<VerifyReport> VerifyWhole(const StoredHistory& from) {
  Result<VerifyReport> report = from.Verify(EveryCheck());
  if (!report.ok() || report->sound()) return report;
  return Status(StatusCode::kDataLoss,
                "the ledger is damaged, so it is not copied: " + report->findings.front());
}

Result<Migrated> Migrate(const std::string& from, const std::string& to,
                         const MigrateOptions& options) {
  if (!IsDatabase(from) && !IsDatabase(to)) {
    return Status(StatusCode::kInvalidArgument,
                  "both are files; muster ledger backup copies one into the other");
  }
  DurableOptions existing;
  existing.create = false;
  existing.lock_wait = options.lock_wait;
  const Result<std::unique_ptr<Store>> source = OpenStore(from, existing);
  if (!source.ok()) return source.status();
  Result<std::unique_ptr<HistoryBuilder>> target = BeginAt(to, from);
  if (!target.ok()) return target.status();
  Migrated migrated;
  const Result<LastCommit> last = (*source)->last();
  if (!last.ok()) return last.status();
  migrated.last = *last;
  Show(options, "verifying", 0, last->seq);
  const Result<VerifyReport> verified = VerifyWhole(**source);
  if (!verified.ok()) return verified.status();
  Result<Engine> before = ReadLedger(**source);
  if (!before.ok()) return before.status();
  const Result<VerifyReport> report = Copy(**source, options, *verified, **target);
  if (!report.ok()) return report.status();
  migrated.report = *report;
  target->reset();
  const Result<Engine> after = ReadLedger(to);
  if (!after.ok()) return after.status();
  const Result<std::string> was = before->StateHash();
  const Result<std::string> is = after->StateHash();
  if (!was.ok() || !is.ok() || *was != *is) {
    return Status(StatusCode::kInternal,
                  ShownPlace(to) + " was made, but an engine comes to another state with it");
  }
  migrated.state_hash = *is;
  if (Status closed = (*source)->Close(); !closed.ok()) return closed;
  return migrated;
}

}  // namespace

Result<Migrated> MigrateLedger(const std::string& from, const std::string& to,
                               const MigrateOptions& options) {
  return Guarded([&] { return Migrate(from, to, options); });
}

Result<VerifyReport> CopyIntoFile(const StoredHistory& from, const std::string& to,
                                  const MigrateOptions& options) {
  return Guarded([&]() -> Result<VerifyReport> {
    const Result<VerifyReport> verified = VerifyWhole(from);
    if (!verified.ok()) return verified.status();
    const Result<std::unique_ptr<HistoryBuilder>> target = BeginAt(to, "");
    if (!target.ok()) return target.status();
    return Copy(from, options, *verified, **target);
  });
}

}  // namespace muster
