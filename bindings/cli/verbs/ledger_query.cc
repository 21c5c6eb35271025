// muster ledger query: one SELECT on a ledger.
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/json.h"
#include "bindings/cli/progress.h"
#include "bindings/cli/table.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/open_store.h"
#include "bindings/upkeep/migrate.h"
#include "db/sqlite/read_only_ledger.h"

// db has a Cell too: what a query finds in one column of one row.
namespace muster::cli {
namespace {

using Found = muster::Cell;

std::string HexText(const std::string& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    hex += kDigits[static_cast<unsigned char>(c) >> 4];
    hex += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

Json ToJson(const Found& found) {
  if (const auto* number = std::get_if<std::int64_t>(&found)) return *number;
  if (const auto* real = std::get_if<double>(&found)) return *real;
  if (const auto* text = std::get_if<std::string>(&found)) return *text;
  if (const auto* blob = std::get_if<Blob>(&found)) return HexText(blob->bytes);
  return nullptr;
}

std::string ToText(const Found& found) {
  if (const auto* text = std::get_if<std::string>(&found)) return *text;
  if (std::holds_alternative<std::monostate>(found)) return "";
  return ToJson(found).is_string() ? ToJson(found).get<std::string>() : ToJson(found).dump();
}

/// A folder of its own for the time of a query.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "muster-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// `columns` for members of an object: the second "name" is "name:2".
std::vector<std::string> MemberNames(const std::vector<std::string>& columns) {
  const std::set<std::string> all(columns.begin(), columns.end());
  std::set<std::string> used;
  std::vector<std::string> names;
  for (const std::string& column : columns) {
    std::string name = column;
    for (int i = 2; used.contains(name) || (i > 2 && all.contains(name)); ++i) {
      name = column + ":" + std::to_string(i);
    }
    used.insert(name);
    names.push_back(std::move(name));
  }
  return names;
}

class LedgerQuery : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "ledger query",
        .group = "Ledger",
        .summary = "one SELECT on a ledger, also beside the process that writes it",
        .usage = "SQL --db LEDGER [-o table|json]",
        .about =
            "Runs one SELECT, WITH or VALUES in SQLite's SQL. It sees one consistent moment and "
            "cannot change anything. The views `workloads` (what is true now) and `history` (every "
            "event with its commit) are meant for people; db/README.md draws all tables. Payloads "
            "are JSON, which SQLite's functions take apart: json_extract, ->>, json_each. Of "
            "columns "
            "with equal names -o json calls the second NAME:2. Of a ledger in a database it makes "
            "a verified copy in $TMPDIR first, which has the same tables: for many queries make "
            "one yourself, with muster ledger migrate.",
        .examples = {
            {"What waits, and since when",
             "muster ledger query \"SELECT name, created FROM workloads WHERE phase = "
             "'Pending'\" --db cluster.ledger"},
            {"What happened last",
             "muster ledger query 'SELECT * FROM history ORDER BY seq DESC LIMIT 10' --db "
             "cluster.ledger"},
            {"How often each reason evicted",
             "muster ledger query --db L \"SELECT json_extract(payload, '$.reason'), count(*) FROM "
             "event GROUP BY 1\""}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    ledger_.Declare(flags, {"SQL"});
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A table, or a JSON list of rows.");
  }

  int Run(Io& io) override {
    if (const int code = ledger_.Sort(io); code != kDone) return code;
    std::string file = ledger_.db();
    std::optional<TemporaryFolder> folder;
    if (IsDatabase(file)) {
      folder.emplace();
      file = (folder->path() / "copy.ledger").string();
      if (const int code = CopyTo(file, io); code != kDone) return code;
    }
    Result<std::unique_ptr<ReadOnlyLedger>> ledger = ReadOnlyLedger::Open(file);
    if (!ledger.ok()) return FailLedger(ledger.status(), ledger_.db(), io);
    const Result<QueryResult> result = (*ledger)->Query(ledger_.word(0));
    if (!result.ok()) return io.Fail(ExitCodeFor(result.status()), result.status().message());
    if (output_ == "json") {
      PrintRows(*result, io);
    } else {
      PrintTable(*result, io);
    }
    return kDone;
  }

 private:
  int CopyTo(const std::string& file, Io& io) const {
    std::unique_ptr<HistoryReader> moment;
    if (const int code = OpenMoment(ledger_.db(), io, &moment); code != kDone) return code;
    Progress progress(io);
    MigrateOptions options;
    options.progress = [&progress](std::string_view what, std::int64_t done, std::int64_t total) {
      progress.ShowCommits(what, done, total);
    };
    const Result<VerifyReport> copied = CopyIntoFile(*moment, file, options);
    return copied.ok() ? int{kDone} : FailLedger(copied.status(), ledger_.db(), io);
  }

  static void PrintRows(const QueryResult& result, Io& io) {
    const std::vector<std::string> names = MemberNames(result.columns);
    Json rows = Json::array();
    for (const auto& found : result.rows) {
      Json row = Json::object();
      for (std::size_t i = 0; i < found.size(); ++i) row[names[i]] = ToJson(found[i]);
      rows.push_back(std::move(row));
    }
    PrintJson(io.out, rows);
  }

  static void PrintTable(const QueryResult& result, Io& io) {
    Table table(result.columns);
    for (const auto& found : result.rows) {
      std::vector<cli::Cell> row;
      for (const Found& each : found) row.emplace_back(ToText(each));
      table.Add(std::move(row));
    }
    table.Print(io.out, io.paint);
  }

  LedgerOrWords ledger_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeLedgerQuery() { return std::make_unique<LedgerQuery>(); }

}  // namespace muster::cli
