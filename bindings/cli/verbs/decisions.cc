// muster decisions: what a consumer has not acknowledged yet.
#include <string>

#include "bindings/cli/command.h"
#include "bindings/cli/show/get_consumers.h"
#include "bindings/cli/verbs/decision_number.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/service.h"
#include "bindings/wire/wire.h"

namespace muster::cli {
namespace {

class DecisionsCommand : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "decisions",
        .group = "Report",
        .summary = "what has been decided and is not acknowledged yet",
        .usage = "CONSUMER | --after NUMBER --db LEDGER [--limit N] [-o table|json]",
        .about =
            "Shows decisions in the order of their numbers, behind the cursor of a consumer or "
            "behind a number. They come again until `muster acknowledge` has moved the cursor, so "
            "a gateway that dies between reading and acting misses none; one that has acted "
            "already knows by the number. Reading changes nothing and goes on beside the process "
            "that writes. -o json prints one answer of docs/wire.md.",
        .examples = {{"What the gateway has still to do",
                      "muster decisions gateway --db cluster.ledger -o json"},
                     {"All that is kept behind number 41",
                      "muster decisions --after 41 --db cluster.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Optional("CONSUMER", &consumer_, "Behind the cursor of this consumer.");
    flags.Text("--after", "NUMBER", &after_, "Behind this number.");
    flags.Count("--limit", "N", &limit_, "At most this many. Default: 1000.");
    flags.Text("--db", "LEDGER", &db_, "The ledger; also beside the process that writes it.");
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A line per decision, or JSON.");
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--after", "--limit", "--output"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    if (const int code = ReadWords(io); code != kDone) return code;
    const std::string target = remote::Target(
        {"v1", "decisions"},
        {{"consumer", consumer_}, {"after", after_}, {"limit", std::to_string(Most())}});
    std::string text;
    if (const int code = service.Get(target, io, &text); code != kDone) return code;
    const Result<muster::Answer> answer = wire::AnswerFromJson(text);
    const auto* const decisions = answer.ok() ? std::get_if<answer::Decisions>(&*answer) : nullptr;
    if (decisions == nullptr) return io.Fail(kRefused, "the service tells no decisions: " + text);
    return Print(*decisions, io);
  }

  int Run(Io& io) override {
    if (db_.empty()) return io.Fail(kWrongUse, "decisions: name a ledger with --db LEDGER");
    if (const int code = ReadWords(io); code != kDone) return code;
    const auto after = DecisionNumber(after_);
    Engine engine;
    if (const int code = ReadState(db_, io, &engine); code != kDone) return code;
    const Result<answer::Decisions> decisions =
        after ? engine.Decisions(*after, Most()) : engine.Decisions(consumer_, Most());
    if (!decisions.ok()) {
      return io.Fail(ExitCodeFor(decisions.status()), decisions.status().message());
    }
    return Print(*decisions, io);
  }

 private:
  static constexpr int kDefaultLimit = 1000;

  std::size_t Most() const { return static_cast<std::size_t>(limit_.value_or(kDefaultLimit)); }

  int ReadWords(Io& io) const {
    if (consumer_.empty() == after_.empty()) {
      return io.Fail(kWrongUse, "decisions: name one of CONSUMER and --after NUMBER");
    }
    if (after_.empty() || DecisionNumber(after_)) return kDone;
    return io.Fail(kWrongUse, "decisions: --after takes a whole number, not '" + after_ + "'");
  }

  int Print(const answer::Decisions& decisions, Io& io) const {
    if (output_ == "json") {
      io.out << wire::ToJson(muster::Answer(decisions)) << '\n';
    } else if (decisions.decisions.empty()) {
      io.err << "no decision is newer\n";
    } else {
      DecisionsTable(decisions.decisions).Print(io.out, io.paint);
    }
    return kDone;
  }

  std::string consumer_;
  std::string after_;
  std::optional<int> limit_;
  std::string db_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeDecisions() { return std::make_unique<DecisionsCommand>(); }

}  // namespace muster::cli
