// muster policy list: which generations a ledger has seen, and which decide now.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/json.h"
#include "bindings/cli/table.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/service.h"
#include "bindings/cpp/policy_history.h"
#include "bindings/lab/read.h"
#include "bindings/luajit/parser.h"
#include "bindings/luajit/sandbox_options.h"
#include "bindings/manifest/manifest.h"
#include "db/store.h"

namespace muster::cli {
namespace {

class PolicyList : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "policy list",
        .group = "Policies",
        .summary = "activated generations, and which of them decide now",
        .usage = "--db LEDGER [-o table|json]",
        .about =
            "Lists the activations that were not rolled back, newest first, with the hooks that "
            "decide somewhere. `not asked` are packages that are loaded and have no say, "
            "`replaced` are generations before. Below stands what a hook may use before it fails "
            "and the built-in rule "
            "decides. Works beside the process that writes the ledger.",
        .examples = {{"What decides?", "muster policy list --db cluster.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Text("--db", "LEDGER", &db_, "The ledger.");
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A table, or JSON.");
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--output"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    std::string text;
    const int code =
        service.Get(remote::Target({"v1", "policy-list"}, {{"output", output_}}), io, &text);
    if (code == kDone && text.empty()) io.err << kNone;
    io.out << text;
    return code;
  }

  int Run(Io& io) override {
    if (db_.empty()) return io.Fail(kWrongUse, "name the ledger with --db LEDGER");
    Engine engine;
    std::unique_ptr<HistoryReader> moment;
    int code = OpenMoment(db_, io, &moment);
    if (code == kDone) code = ReadState(*moment, db_, io, &engine);
    if (code != kDone) return code;
    PolicyHistory history;
    const Status status =
        moment->ReadEvents([&history](const CommitRecord& commit) { return history.Add(commit); });
    if (!status.ok()) return FailLedger(status, db_, io);
    Print(history.steps(), engine, io);
    return kDone;
  }

 private:
  void Print(const std::vector<PolicyStep>& steps, const Engine& engine, Io& io) const {
    const std::vector<PolicyInfo> active = lab::Read(engine.Policies());
    Table table({"NAME", "HASH", "STATE", "DECIDES", "ACTIVATED"});
    Json list = Json::array();
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      const bool newest = std::none_of(steps.rbegin(), step, [&](const PolicyStep& later) {
        return later.package == step->package;
      });
      const bool works =
          newest && std::any_of(active.begin(), active.end(),
                                [&](const PolicyInfo& info) { return info.hash == step->hash; });
      std::string hooks;
      if (works) {
        for (const Hook hook : lab::Read(engine.DecidingHooks(step->package))) {
          hooks += (hooks.empty() ? "" : ",") + std::string(HookName(hook));
        }
      }
      const bool asked = !hooks.empty();
      const std::string at = manifest::FormatTime(step->at);
      list.push_back({{"name", step->package},
                      {"hash", step->hash},
                      {"active", asked},
                      {"decides", hooks},
                      {"activated", at},
                      {"limits", LimitsJson()}});
      table.Add({step->package, step->hash.substr(0, 12),
                 cli::Cell(asked   ? "active"
                           : works ? "not asked"
                                   : "replaced"),
                 hooks, at});
    }
    if (output_ == "json") {
      PrintJson(io.out, list);
    } else if (table.empty()) {
      io.err << kNone;
    } else {
      table.Print(io.out, io.paint);
      PrintLimits(io.out);
    }
  }

  static Json LimitsJson() {
    const luajit::Limits limits;
    return {{"memoryBytes", limits.memory},
            {"callMemoryBytes", limits.call_memory},
            {"valueBytes", limits.block},
            {"fuelPerCall", limits.call_fuel},
            {"fuelPerItem", limits.item_fuel},
            {"fuelOfOneItem", limits.one_item_fuel},
            {"secondsPerCycle", limits.seconds},
            {"nesting", luajit::Parser::kMaxLevels},
            {"outputBytes", 0}};
  }

  static void PrintLimits(std::ostream& out) {
    const luajit::Limits limits;
    out << "\nLimits of each: memory " << (limits.memory >> 20) << " MB for its file and "
        << (limits.call_memory >> 20) << " MB for a call, " << (limits.block >> 20)
        << " MB in one value of its file; fuel " << limits.call_fuel << " a call and "
        << limits.item_fuel << " an item, at most " << limits.one_item_fuel
        << " for one;\nnesting of " << luajit::Parser::kMaxLevels
        << ", recursion by fuel and the stack; no output, no log but an error of 500 bytes.\n";
  }

  static constexpr const char* kNone = "no policy was activated; the built-in rules decide\n";

  std::string db_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakePolicyList() { return std::make_unique<PolicyList>(); }

}  // namespace muster::cli
