// muster do: commands as data, each in a call of its own.
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/world/input.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/stored_policies.h"
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
            "have not, and the message has its place in the list, counted from 0.",
        .examples = {{"A list from a program", "gateway | muster do -f - --db cluster.ledger"},
                     {"What a command may look like", "muster do --schema"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Text("-f,--file", "FILE", &file_, "Commands as JSON; `-` is standard input.");
    flags.Switch("--schema", &schema_, "Print the JSON Schema of commands and answers.");
    ledger_.Declare(flags);
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
    const bool may_begin = !commands.empty() && KindOf(commands[0]) == CommandKind::kApply;
    const int code = OpenLedger(ledger_.db, may_begin ? NewLedger::kCreate : NewLedger::kRefuse,
                                now, ledger_.force, ledger_.wait, io, &opened);
    if (code != kDone) return code;
    return CarryOut(commands, *opened, now, io);
  }

 private:
  int Read(Io& io, std::vector<muster::Command>* commands) const {
    const Result<std::string> text = ReadText(file_, io.in);
    if (!text.ok()) return io.Fail(ExitCodeFor(text.status()), text.status().message());
    std::vector<wire::Mistake> mistakes;
    Result<std::vector<muster::Command>> read = wire::CommandsFromJson(*text, &mistakes);
    if (read.ok()) {
      *commands = *std::move(read);
      return kDone;
    }
    const manifest::Source source = {file_ == "-" ? "stdin" : file_, *text};
    std::vector<manifest::Diagnostic> diagnostics;
    for (const wire::Mistake& mistake : mistakes) {
      const std::string path = mistake.path.empty() ? "" : mistake.path + ": ";
      diagnostics.push_back({manifest::Severity::kError,
                             {source.name, mistake.line, mistake.column},
                             path + mistake.what,
                             mistake.cure});
    }
    return Report(std::move(diagnostics), std::span(&source, 1), "nothing was done", io);
  }

  static int CarryOut(const std::vector<muster::Command>& commands, DurableEngine& opened,
                      TimeNs now, Io& io) {
    Engine& engine = opened.engine();
    Status status = engine.SetPolicyLoader([&](std::string_view hash) {
      const auto find = [&](std::string_view h) { return opened.ledger().LoadPolicy(h); };
      if (find(hash).status().code() != StatusCode::kNotFound) return LoadPolicyByHash(find, hash);
      return Result<std::shared_ptr<Policy>>(Status(
          StatusCode::kNotFound, "the ledger has no policy package of the hash " + Shown(hash, 64) +
                                     "; muster policy activate stores one"));
    });
    for (std::size_t i = 0; i < commands.size() && status.ok(); ++i) {
      const Result<Answer> answer = engine.Do(commands[i], now);
      if (answer.ok()) {
        io.out << wire::ToJson(*answer) << std::endl;
        continue;
      }
      status = answer.status();
      for (const Problem& problem : status.problems()) {
        io.err << "  object " << problem.object << ": " << problem.field << ": " << problem.what
               << (problem.cure.empty() ? "" : "; ") << problem.cure << '\n';
      }
      return io.Fail(ExitCodeFor(status), Refusal(commands, i) + status.message());
    }
    return status.ok() ? int{kDone} : io.Fail(ExitCodeFor(status), status.message());
  }

  /// "command [2] (finish) of 5 was refused, those before it have happened: "
  static std::string Refusal(const std::vector<muster::Command>& commands, std::size_t index) {
    const std::string name(EnumName(KindOf(commands[index])));
    if (commands.size() == 1) return "command " + name + " was refused: ";
    return "command [" + std::to_string(index) + "] (" + name + ") was refused, " +
           (index == 0 ? "and none has happened: " : "those before it have happened: ");
  }

  std::string file_;
  bool schema_ = false;
  LedgerFlags ledger_;
};

}  // namespace

std::unique_ptr<Command> MakeDo() { return std::make_unique<Do>(); }

}  // namespace muster::cli
