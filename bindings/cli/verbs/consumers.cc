// muster acknowledge, consumer add and consumer remove: cursors over decisions.
#include <optional>
#include <string>

#include "bindings/cli/command.h"
#include "bindings/cli/verbs/decision_number.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/service.h"
#include "bindings/wire/wire.h"

namespace muster::cli {
namespace {

/// A verb about one consumer of a ledger.
class ConsumerCommand : public Command {
 public:
  void Declare(Flags& flags) override {
    flags.Required("CONSUMER", &consumer_, "Its name.");
    DeclareMore(flags);
    ledger_.Declare(flags);
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A line, or JSON.");
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--after", "--output"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    if (const int code = CheckWords(io); code != kDone) return code;
    std::vector<muster::Answer> answers;
    const int code = service.Do({Said(consumer_)}, io, &answers);
    return code == kDone ? Print(answers.front(), io) : code;
  }

  int Run(Io& io) override {
    if (const int code = CheckWords(io); code != kDone) return code;
    std::unique_ptr<DurableEngine> opened;
    TimeNs now = kNoTime;
    if (const int code = OpenLedger(ledger_, io, &opened, &now); code != kDone) return code;
    const Result<muster::Answer> answer = opened->engine().Do(Said(consumer_), now);
    if (!answer.ok()) return io.Fail(ExitCodeFor(answer.status()), answer.status().message());
    return Print(*answer, io);
  }

 protected:
  virtual void DeclareMore(Flags&) {}
  /// What is wrong with the command line; nullopt when nothing is.
  virtual std::optional<std::string> Wrong() const { return std::nullopt; }
  virtual muster::Command Said(const std::string& consumer) const = 0;

 private:
  int CheckWords(Io& io) const {
    const auto wrong = Wrong();
    return wrong ? io.Fail(kWrongUse, std::string(info().name) + ": " + *wrong) : int{kDone};
  }

  int Print(const muster::Answer& answer, Io& io) const {
    if (output_ == "json") {
      io.out << wire::ToJson(answer) << '\n';
    } else if (const auto* cursor = std::get_if<answer::Cursor>(&answer)) {
      io.out << consumer_ << " has acknowledged " << cursor->acknowledged << " of " << cursor->last
             << '\n';
    } else {
      io.out << consumer_ << " removed\n";
    }
    return kDone;
  }

  std::string consumer_;
  LedgerFlags ledger_;
  std::string output_ = "table";
};

class AcknowledgeCommand : public ConsumerCommand {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "acknowledge",
        .group = "Report",
        .summary = "a consumer has acted on all decisions up to a number",
        .usage = "CONSUMER NUMBER --db LEDGER",
        .about =
            "Moves the cursor of a consumer. It never goes back: a number that was acknowledged "
            "before changes nothing, and one that was not given yet is refused. Decisions that "
            "every consumer has acknowledged are forgotten.",
        .examples = {{"The pods of decision 41 run, and all before it is done",
                      "muster acknowledge gateway 41 --db cluster.ledger"}}};
    return kInfo;
  }

 protected:
  void DeclareMore(Flags& flags) override {
    flags.Required("NUMBER", &upto_, "Of the newest decision that was acted on.");
  }
  std::optional<std::string> Wrong() const override {
    if (DecisionNumber(upto_)) return std::nullopt;
    return "NUMBER is that of a decision, not '" + upto_ + "'";
  }
  muster::Command Said(const std::string& consumer) const override {
    return command::Acknowledge{consumer, DecisionNumber(upto_).value_or(0)};
  }

 private:
  std::string upto_;
};

class ConsumerAddCommand : public ConsumerCommand {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "consumer add",
        .group = "Report",
        .summary = "keep decisions for a consumer from now on",
        .usage = "CONSUMER --db LEDGER [--after NUMBER]",
        .about =
            "From now on every decision gets a number and is kept until this consumer, and every "
            "other, has acknowledged it. Without any consumer nothing is kept. One that is known "
            "is left where it is, so that a gateway may say it at each start.",
        .examples = {{"Before the gateway's first cycle",
                      "muster consumer add gateway --db cluster.ledger"}}};
    return kInfo;
  }

 protected:
  void DeclareMore(Flags& flags) override {
    flags.Text("--after", "NUMBER", &after_,
               "Begin behind this number. Default: behind the newest.");
  }
  std::optional<std::string> Wrong() const override {
    if (after_.empty() || DecisionNumber(after_)) return std::nullopt;
    return "--after takes the number of a decision, not '" + after_ + "'";
  }
  muster::Command Said(const std::string& consumer) const override {
    return command::RegisterConsumer{consumer, DecisionNumber(after_)};
  }

 private:
  std::string after_;
};

class ConsumerRemoveCommand : public ConsumerCommand {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "consumer remove",
        .group = "Report",
        .summary = "keep no decisions for a consumer any more",
        .usage = "CONSUMER --db LEDGER",
        .about =
            "Forgets a consumer and its cursor. Decisions that only it had not acknowledged are "
            "forgotten with it; numbers go on where they were.",
        .examples = {{"A dashboard that is no more",
                      "muster consumer remove dashboard --db cluster.ledger"}}};
    return kInfo;
  }

 protected:
  muster::Command Said(const std::string& consumer) const override {
    return command::RemoveConsumer{consumer};
  }
};

}  // namespace

std::unique_ptr<Command> MakeAcknowledge() { return std::make_unique<AcknowledgeCommand>(); }
std::unique_ptr<Command> MakeConsumerAdd() { return std::make_unique<ConsumerAddCommand>(); }
std::unique_ptr<Command> MakeConsumerRemove() { return std::make_unique<ConsumerRemoveCommand>(); }

}  // namespace muster::cli
