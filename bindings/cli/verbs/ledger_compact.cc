// muster ledger compact: drops the oldest part of a history.
#include <charconv>
#include <optional>
#include <string>

#include "bindings/cli/command.h"
#include "bindings/cli/progress.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/lab/words.h"
#include "bindings/manifest/manifest.h"
#include "bindings/upkeep/compact.h"

namespace muster::cli {
namespace {

/// "90d", or a duration as manifests have it.
std::optional<DurationNs> AgeFrom(const std::string& text) {
  if (!text.ends_with('d')) return manifest::ParseDuration(text);
  std::int64_t days = 0;
  const char* const end = text.data() + text.size() - 1;
  const auto [read, error] = std::from_chars(text.data(), end, days);
  constexpr std::int64_t kMostDays = 36'500;
  if (read != end || error != std::errc() || days < 0 || days > kMostDays) return std::nullopt;
  return days * 24 * 3600 * kSecond;
}

class LedgerCompact : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "ledger compact",
        .group = "Ledger",
        .summary = "drops what is older than a ledger has to remember",
        .usage = "--keep AGE --db LEDGER [--wait SECONDS]",
        .about =
            "Drops the commits that are more than AGE older than the newest one, all but the last "
            "of them. That one names the hash of the one before it, so a backup of what was "
            "dropped can be proved to be the right one. The state after it is stored: a replay "
            "begins there. So are the earlier events about workloads and objects that were still "
            "there, and about policies: describe and policy list say what they said before, and "
            "usage counts from what is kept on. Policies are kept for ever. The ledger is verified "
            "first, and what is damaged is left alone. "
            "What is dropped is gone: back the ledger up before. It needs memory as much as is "
            "left, and no other process may hold the ledger.",
        .examples = {{"Remember a year, once a month",
                      "muster ledger backup \"archive/$(date +%F).ledger\" --db cluster.ledger &&\n"
                      "muster ledger compact --keep 365d --db cluster.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    ledger_.Declare(flags, {});
    flags.Text("--keep", "AGE", &keep_, "How much of the past to keep: 365d, 36h.");
    DeclareWait(flags, &wait_);
  }

  int Run(Io& io) override {
    int code = ledger_.Sort(io);
    if (code == kDone) {
      code = NeedFile(ledger_.db(), "ledger compact",
                      "muster ledger migrate URL FILE, compact the file, and migrate it to another "
                      "name behind #",
                      io);
    }
    if (code != kDone) return code;
    if (keep_.empty()) return io.Fail(kWrongUse, "say how much of the past to keep: --keep 365d");
    const std::optional<DurationNs> keep = AgeFrom(keep_);
    if (!keep) {
      return io.Fail(kWrongUse, "--keep takes an age as 365d, 36h or 90m, not '" + keep_ + "'");
    }
    CompactOptions options;
    options.keep = *keep;
    std::chrono::seconds wait{0};
    if (code = ReadWait(wait_, io, &wait); code != kDone) return code;
    options.lock_wait = wait;
    Progress progress(io);
    options.progress = [&progress](std::string_view what, std::int64_t done, std::int64_t total) {
      progress.ShowCommits(what, done, total);
    };
    const Result<Compacted> compacted = CompactLedger(ledger_.db(), options);
    if (!compacted.ok()) return FailLedger(compacted.status(), ledger_.db(), io);
    if (compacted->dropped == 0) {
      io.out << "unchanged: no commit before commit " << compacted->base.first
             << " or before the age\n";
      return kDone;
    }
    io.out << io.paint(Tone::kGood, "compacted") << ": "
           << lab::Counted(static_cast<std::size_t>(compacted->dropped), "commit")
           << " dropped; the history begins with commit " << compacted->base.first
           << " and carries " << lab::Counted(static_cast<std::size_t>(compacted->carried), "event")
           << " from before\n";
    return kDone;
  }

 private:
  LedgerOrWords ledger_;
  std::string keep_;
  std::string wait_ = kDefaultWait;
};

}  // namespace

std::unique_ptr<Command> MakeLedgerCompact() { return std::make_unique<LedgerCompact>(); }

}  // namespace muster::cli
