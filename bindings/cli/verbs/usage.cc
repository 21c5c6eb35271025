// muster usage: which queue or team used how much of what, from a ledger.
#include "bindings/cpp/usage.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "bindings/cli/command.h"
#include "bindings/cli/json.h"
#include "bindings/cli/table.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/play.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/service.h"
#include "bindings/lab/words.h"
#include "bindings/upkeep/export.h"
#include "db/store.h"
#include "engine/base/time_text.h"
#include "muster/account.h"

namespace muster::cli {
namespace {

/// What an hour of a resource is counted in: base units an unit, and what the unit is called.
struct Unit {
  std::int64_t base;
  const char* name;
};

Unit UnitOf(const std::string& resource) {
  if (resource == "cpu") return {1000, "core"};
  const bool bytes =
      resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
  return bytes ? Unit{std::int64_t{1} << 30, "GiB"} : Unit{1, "piece"};
}

std::string Digits(QuotaTime number) {
  std::string digits;
  for (; number > 0; number /= 10) digits += static_cast<char>('0' + static_cast<int>(number % 10));
  std::reverse(digits.begin(), digits.end());
  return digits.empty() ? "0" : digits;
}

/// Whole seconds of base units.
QuotaTime Seconds(QuotaTime time) { return time / kSecond; }

/// Hours of `unit` with three decimals, the last one rounded.
std::string Hours(QuotaTime time, const Unit& unit) {
  const QuotaTime hour = QuotaTime{3600} * unit.base;
  const QuotaTime thousandths = (Seconds(time) * 1000 + hour / 2) / hour;
  std::string decimals = Digits(thousandths % 1000);
  decimals.insert(0, 3 - decimals.size(), '0');
  return Digits(thousandths / 1000) + "." + decimals;
}

std::optional<UsageGroup> GroupOf(const std::string& by) {
  if (by == "queue") return UsageGroup{UsageGroup::By::kQueue, ""};
  if (by == "namespace") return UsageGroup{UsageGroup::By::kNamespace, ""};
  if (by == "user") return UsageGroup{UsageGroup::By::kLabel, kUserLabel};
  if (by.starts_with("label:") && by.size() > 6) {
    return UsageGroup{UsageGroup::By::kLabel, by.substr(6)};
  }
  return std::nullopt;
}

class UsageCommand : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "usage",
        .group = "Look",
        .summary = "what held how much quota for how long, from a ledger",
        .usage = "--db LEDGER [--since TIME] [--until TIME] [--by WHAT] [-o table|json|csv]",
        .about =
            "Adds up, for each queue, namespace, user or label value, what its jobs held of each "
            "flavor and resource between two moments, in hours: of the nominal quota of their "
            "ClusterQueue, and borrowed beyond it. Jobs take the nominal quota in the order in "
            "which they got theirs, so the borrowed part of a queue is what it used beyond its "
            "nominal quota at every moment. A job holds from its reservation until its pods are "
            "gone, and one that still runs until --until. PREEMPTED is the part of both that was "
            "lost because the run ended by preemption.\n"
            "A cpu is counted in core-hours, memory in GiB-hours, all else in hours of a piece. "
            "With -o json and -o csv the numbers are whole seconds of base units: thousandths of "
            "a cpu, bytes, pieces. Works beside the process that writes. db/README.md defines it "
            "to the last second.",
        .examples = {
            {"What was used in March",
             "muster usage --db cluster.ledger --since 2026-03-01 --until 2026-04-01"},
            {"By user, for a spreadsheet",
             "muster usage --db cluster.ledger --since 2026-03-01 --by user -o csv"},
            {"By a label of the jobs", "muster usage --db cluster.ledger --by label:cost-center"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Text("--db", "LEDGER", &db_, "The ledger.");
    flags.Text("--since", "TIME", &since_,
               "From then on, as 2026-03-01T08:00:00Z or 2026-03-01. Default: from the beginning.");
    flags.Text("--until", "TIME", &until_,
               "Until just before then. Default: now, or the ledger's last time if it is later.");
    flags.Text("--by", "WHAT", &by_,
               "queue (the ClusterQueue), namespace, user (the label muster.dev/user) or "
               "label:KEY. Default: queue.");
    flags.Choice("-o,--output", &output_, {"table", "json", "csv"}, "For people or programs.");
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--since", "--until", "--by", "--output"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    std::optional<UsageGroup> group;
    TimeNs since = kNoTime;
    TimeNs until = kNoTime;
    if (const int code = ReadWords(io, &group, &since, &until); code != kDone) return code;
    std::string text;
    const int code = service.Get(
        remote::Target({"v1", "usage"},
                       {{"since", since_}, {"until", until_}, {"by", by_}, {"output", output_}}),
        io, &text);
    io.out << text;
    return code;
  }

  int Run(Io& io) override {
    if (db_.empty()) return io.Fail(kWrongUse, "name the ledger with --db LEDGER");
    std::optional<UsageGroup> group;
    TimeNs since = kNoTime;
    TimeNs until = kNoTime;
    if (const int code = ReadWords(io, &group, &since, &until); code != kDone) return code;
    std::unique_ptr<HistoryReader> moment;
    if (const int code = OpenMoment(db_, io, &moment); code != kDone) return code;
    const Result<LastCommit> last = moment->last();
    if (!last.ok()) return io.Fail(kRefused, last.status().message());
    if (const int code = FindSpan(*moment, *last, since, until, io); code != kDone) return code;
    UsageMeter meter(*group, from_, to_);
    const Status read = moment->ReadEvents(
        [&meter](const CommitRecord& commit) { return meter.Add(commit.at, commit.events); });
    if (!read.ok()) return io.Fail(kRefused, read.message());
    const std::vector<UsageRow> rows = meter.Finish();
    if (meter.unmeasured() > 0) {
      io.Warn(lab::Counted(static_cast<std::size_t>(meter.unmeasured()), "run") +
              " of an older version of the ledger left out: what was charged is not recorded");
    }
    if (output_ == "json") {
      PrintJsonRows(rows, io);
    } else if (output_ == "csv") {
      PrintCsv(rows, io);
    } else {
      PrintTable(rows, io);
    }
    return kDone;
  }

 private:
  /// What the command line means by itself.
  int ReadWords(Io& io, std::optional<UsageGroup>* group, TimeNs* since, TimeNs* until) const {
    *group = GroupOf(by_);
    if (!*group) {
      return io.Fail(kWrongUse,
                     "--by takes queue, namespace, user or label:KEY, not '" + by_ + "'");
    }
    if (const int code = ReadMoment(since_, io, since); code != kDone) return code;
    return ReadMoment(until_, io, until);
  }

  int FindSpan(const HistoryReader& ledger, const LastCommit& last, TimeNs since, TimeNs until,
               Io& io) {
    to_ = until_.empty() ? std::max(*TimeOf(""), last.at) : until;
    from_ = to_;
    if (last.seq > 0) {
      bool whole = false;
      std::optional<TimeNs> begin;
      const Status first = ledger.ReadCommits(1, [&](const CommitRecord& commit) {
        begin = commit.at;
        whole = commit.seq == 1;
        return Status(StatusCode::kFailedPrecondition, "enough");
      });
      if (!begin) return io.Fail(kRefused, first.message());
      from_ = std::min(*begin == kNoTime ? to_ : *begin, to_);
      if (!whole && !since_.empty() && since < from_) {
        return io.Fail(kNo, "what was used before " + FormatTime(from_) +
                                " is not in this ledger any more; write --since " +
                                FormatTime(from_) + " or later, or ask an older backup");
      }
    }
    if (!since_.empty()) from_ = since;
    if (from_ <= to_) return kDone;
    return io.Fail(kWrongUse,
                   "--since " + FormatTime(from_) + " is after --until " + FormatTime(to_));
  }

  std::string Span() const { return FormatTime(from_) + " until " + FormatTime(to_); }
  std::string Header() const {
    std::string header = by_;
    for (char& c : header) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return by_.starts_with("label:") ? by_.substr(6) : header;
  }

  void PrintTable(const std::vector<UsageRow>& rows, Io& io) const {
    if (rows.empty()) {
      io.out << "No quota was held from " << Span() << ".\n";
      return;
    }
    io.out << "Hours from " << Span() << "\n";
    Table table({Header(), "FLAVOR", "RESOURCE", "UNIT", ">NOMINAL", ">BORROWED", ">PREEMPTED"});
    for (const UsageRow& row : rows) {
      const Unit unit = UnitOf(row.resource);
      table.Add({row.group.empty() ? "(none)" : row.group, row.flavor, row.resource, unit.name,
                 Hours(row.nominal, unit), Hours(row.borrowed, unit), Hours(row.preempted, unit)});
    }
    table.Print(io.out, io.paint);
  }

  // Numbers may have more digits than nlohmann's, so they are written here.
  void PrintJsonRows(const std::vector<UsageRow>& rows, Io& io) const {
    const auto text = [](const std::string& s) {
      return Json(s).dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    io.out << "{\n  \"since\": " << text(FormatTime(from_))
           << ",\n  \"until\": " << text(FormatTime(to_)) << ",\n  \"by\": " << text(by_)
           << ",\n  \"rows\": [";
    const char* separator = "\n";
    for (const UsageRow& row : rows) {
      io.out << separator << "    {\"group\": " << text(row.group)
             << ", \"flavor\": " << text(row.flavor) << ", \"resource\": " << text(row.resource)
             << ", \"nominalSeconds\": " << Digits(Seconds(row.nominal))
             << ", \"borrowedSeconds\": " << Digits(Seconds(row.borrowed))
             << ", \"preemptedSeconds\": " << Digits(Seconds(row.preempted)) << "}";
      separator = ",\n";
    }
    io.out << (rows.empty() ? "]\n}\n" : "\n  ]\n}\n");
  }

  void PrintCsv(const std::vector<UsageRow>& rows, Io& io) const {
    io.out << "since,until,group,flavor,resource,nominal_seconds,borrowed_seconds,"
              "preempted_seconds\n";
    for (const UsageRow& row : rows) {
      io.out << FormatTime(from_) << ',' << FormatTime(to_) << ',' << CsvField(row.group) << ','
             << CsvField(row.flavor) << ',' << CsvField(row.resource) << ','
             << Digits(Seconds(row.nominal)) << ',' << Digits(Seconds(row.borrowed)) << ','
             << Digits(Seconds(row.preempted)) << '\n';
    }
    if (rows.empty()) io.Warn("no quota was held from " + Span());
  }

  std::string db_;
  std::string since_;
  std::string until_;
  std::string by_ = "queue";
  std::string output_ = "table";
  TimeNs from_ = kNoTime;
  TimeNs to_ = kNoTime;
};

}  // namespace

std::unique_ptr<Command> MakeUsage() { return std::make_unique<UsageCommand>(); }

}  // namespace muster::cli
