// muster do: commands as data, each in a call of its own.
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/world/input.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/service.h"
#include "bindings/cpp/stored_policies.h"
#include "bindings/lab/door.h"
#include "bindings/lab/read.h"
#include "bindings/wire/wire.h"
#include "db/store.h"
#include "engine/base/shown.h"
#include "engine/model/names.h"

namespace muster::cli {
namespace {

class Do : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "do",
        .group = "Report",
        .summary = "carry out commands that a program wrote as JSON",
        .usage = "-f FILE --db LEDGER | --schema",
        .about =
            "Carries out one command, or a list of at most 10,000, in order, and prints the answer "
            "to each in a line of JSON. docs/wire.md has every command with its fields. One "
            "mistake anywhere in the text and nothing is done. Where the first is an apply, a "
            "ledger that is not there begins.\n"
            "Each command is a call of its own, all or nothing, and on disk before its answer is "
            "printed. Where the ledger refuses one, those before it have happened, those behind it "
            "have not, and the message has its line and its place in the list, counted from 0.",
        .examples = {{"A list from a program", "gateway | muster do -f - --db cluster.ledger"},
                     {"What a command may look like", "muster do --schema"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Text("-f,--file", "FILE", &file_, "Commands as JSON; `-` is standard input.");
    flags.Switch("--schema", &schema_, "Print the JSON Schema of commands and answers.");
    ledger_.Declare(flags);
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--file"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    if (file_.empty()) return io.Fail(kWrongUse, "do: name commands with -f FILE");
    std::vector<manifest::Source> sources;
    if (const int code = ReadSources({file_}, io, &sources); code != kDone) return code;
    return service.Do(sources.front().text, io);
  }

  int Run(Io& io) override {
    if (schema_ != file_.empty()) {
      return io.Fail(kWrongUse, "do: name one of -f FILE and --schema");
    }
    if (schema_) {
      io.out << wire::Schema();
      return kDone;
    }
    TimeNs now = kNoTime;
    if (const int code = ReadLedgerFlags(ledger_, io, &now); code != kDone) return code;
    std::vector<muster::Command> commands;
    // Before the ledger is locked: others need it while input is typed.
    if (const int code = Read(io, &commands); code != kDone) return code;
    std::unique_ptr<DurableEngine> opened;
    if (const int code = ReadTime(ledger_.now, io, &now); code != kDone) return code;
    const auto* const first =
        commands.empty() ? nullptr : std::get_if<command::Apply>(commands.data());
    if (first != nullptr && !IsThere(ledger_.db)) {
      const std::vector<Problem> problems =
          lab::Read(Engine().Validate(first->objects, first->missing));
      // Before the ledger begins, so that a refusal leaves none.
      if (!problems.empty()) return Refuse(commands, 0, Status::Invalid(problems), io);
    }
    const int code =
        OpenLedger(ledger_.db, first != nullptr ? NewLedger::kCreate : NewLedger::kRefuse, now,
                   ledger_.force, ledger_.wait, io, &opened);
    if (code != kDone) return code;
    return CarryOut(commands, *opened, now, io);
  }

 private:
  int Read(Io& io, std::vector<muster::Command>* commands) {
    std::vector<manifest::Source> sources;
    if (const int code = ReadSources({file_}, io, &sources); code != kDone) return code;
    if (sources.size() != 1) return io.Fail(kWrongUse, "do: -f takes one file");
    source_ = std::move(sources.front());
    std::vector<wire::Mistake> mistakes;
    Result<std::vector<muster::Command>> read = wire::CommandsFromJson(source_.text, &mistakes);
    if (read.ok()) {
      *commands = *std::move(read);
      return kDone;
    }
    const bool more = read.status().message().ends_with(wire::kManyMore);
    return ReportAll(mistakes, more ? "there are more; nothing was done" : "nothing was done", io);
  }

  int ReportAll(const std::vector<wire::Mistake>& mistakes, const std::string& consequence,
                Io& io) const {
    std::vector<manifest::Diagnostic> diagnostics;
    for (const wire::Mistake& mistake : mistakes) {
      const std::string path = mistake.path.empty() ? "" : mistake.path + ": ";
      diagnostics.push_back({manifest::Severity::kError,
                             {source_.name, mistake.line, mistake.column},
                             path + mistake.what,
                             mistake.cure});
    }
    return Report(std::move(diagnostics), std::span(&source_, 1), consequence, io);
  }

  int CarryOut(const std::vector<muster::Command>& commands, DurableEngine& opened, TimeNs now,
               Io& io) const {
    Engine& engine = opened.engine();
    Status status = engine.SetPolicyLoader([&](std::string_view hash) {
      const auto find = [&](std::string_view h) { return opened.ledger().LoadPolicy(h); };
      if (find(hash).status().code() != StatusCode::kNotFound) return LoadPolicyByHash(find, hash);
      return Result<std::shared_ptr<Policy>>(Status(
          StatusCode::kNotFound, "the ledger has no policy package of the hash " + Shown(hash, 64) +
                                     "; muster policy activate stores one"));
    });
    for (std::size_t i = 0; i < commands.size() && status.ok(); ++i) {
      if (const Status may = lab::CheckAtDoor(engine, commands[i]); !may.ok()) {
        return Refuse(commands, i, may, io);
      }
      const Result<muster::Answer> answer = engine.Do(commands[i], now);
      if (!answer.ok()) return Refuse(commands, i, answer.status(), io);
      io.out << wire::ToJson(*answer) << std::endl;
    }
    return status.ok() ? int{kDone} : io.Fail(ExitCodeFor(status), status.message());
  }

  /// Says what is wrong with the command, each problem with its place in the text.
  int Refuse(const std::vector<muster::Command>& commands, std::size_t index, const Status& status,
             Io& io) const {
    const std::string refusal = Refusal(commands, index);
    if (status.problems().empty()) {
      return io.Fail(ExitCodeFor(status), refusal + ": " + status.message());
    }
    std::vector<wire::Mistake> mistakes;
    for (const Problem& problem : status.problems()) {
      if (mistakes.size() == wire::kMaxMistakes) break;
      mistakes.push_back(wire::Locate(source_.text, index, &problem));
    }
    const bool more = mistakes.size() < status.problems().size();
    return ReportAll(mistakes, (more ? "there are more; " : "") + refusal, io);
  }

  /// "command [2] (finish) in line 7 was refused, those before it have happened"
  std::string Refusal(const std::vector<muster::Command>& commands, std::size_t index) const {
    const std::string name(EnumName(KindOf(commands[index])));
    if (commands.size() == 1) return "command " + name + " was refused";
    return "command [" + std::to_string(index) + "] (" + name + ") in line " +
           std::to_string(wire::Locate(source_.text, index).line) + " was refused, " +
           (index == 0 ? "and none has happened" : "those before it have happened");
  }

  std::string file_;
  manifest::Source source_;  ///< what was read of it
  bool schema_ = false;
  LedgerFlags ledger_;
};

}  // namespace

std::unique_ptr<Command> MakeDo() { return std::make_unique<Do>(); }

}  // namespace muster::cli
