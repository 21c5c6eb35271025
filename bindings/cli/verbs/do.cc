// muster do: commands as data, each in a call of its own.
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/world/command_text.h"
#include "bindings/cli/world/input.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/service.h"
#include "bindings/cpp/stored_policies.h"
#include "bindings/lab/door.h"
#include "bindings/lab/read.h"
#include "bindings/wire/wire.h"
#include "db/store.h"

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
    if (sources.size() != 1) return io.Fail(kWrongUse, "do: -f takes one file");
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
    // Before the ledger is locked: others need it while input is typed.
    if (const int code = text_.Read(file_, "do: -f", "nothing was done", io); code != kDone) {
      return code;
    }
    const std::vector<muster::Command>& commands = text_.commands();
    std::unique_ptr<DurableEngine> opened;
    if (const int code = ReadTime(ledger_.now, io, &now); code != kDone) return code;
    const auto* const first =
        commands.empty() ? nullptr : std::get_if<command::Apply>(commands.data());
    if (first != nullptr && !IsThere(ledger_.db)) {
      const std::vector<Problem> problems =
          lab::Read(Engine().Validate(first->objects, first->missing));
      // Before the ledger begins, so that a refusal leaves none.
      if (!problems.empty()) return text_.Refuse(0, Status::Invalid(problems), Refusal(0), io);
    }
    const int code =
        OpenLedger(ledger_.db, first != nullptr ? NewLedger::kCreate : NewLedger::kRefuse, now,
                   ledger_.force, ledger_.wait, io, &opened);
    if (code != kDone) return code;
    return CarryOut(*opened, now, io);
  }

 private:
  int CarryOut(DurableEngine& opened, TimeNs now, Io& io) const {
    const std::vector<muster::Command>& commands = text_.commands();
    Engine& engine = opened.engine();
    Status status = engine.SetPolicyLoader([&](std::string_view hash) {
      const auto find = [&](std::string_view h) { return opened.ledger().LoadPolicy(h); };
      return LoadNamedPolicy(find, hash, "; muster policy activate stores one");
    });
    for (std::size_t i = 0; i < commands.size() && status.ok(); ++i) {
      if (const Status may = lab::CheckAtDoor(engine, commands[i]); !may.ok()) {
        return text_.Refuse(i, may, Refusal(i), io);
      }
      const Result<muster::Answer> answer = engine.Do(commands[i], now);
      if (!answer.ok()) return text_.Refuse(i, answer.status(), Refusal(i), io);
      io.out << wire::ToJson(*answer) << std::endl;
    }
    return status.ok() ? int{kDone} : io.Fail(ExitCodeFor(status), status.message());
  }

  /// "command [2] (finish) in line 7 was refused, those before it have happened"
  std::string Refusal(std::size_t index) const {
    const std::string refused = text_.Name(index) + " was refused";
    if (text_.commands().size() == 1) return refused;
    return refused + ", " +
           (index == 0 ? "and none has happened" : "those before it have happened");
  }

  std::string file_;
  CommandText text_;  ///< what was read of it
  bool schema_ = false;
  LedgerFlags ledger_;
};

}  // namespace

std::unique_ptr<Command> MakeDo() { return std::make_unique<Do>(); }

}  // namespace muster::cli
