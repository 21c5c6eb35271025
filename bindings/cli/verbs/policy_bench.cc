// muster policy bench: what a package costs, and how that grows.
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "bindings/cli/author/packages.h"
#include "bindings/cli/command.h"
#include "bindings/cli/json.h"
#include "bindings/cli/table.h"
#include "bindings/cli/world/report.h"
#include "bindings/lab/hook_bench.h"
#include "bindings/luajit/trace_aborts.h"
#include "muster/muster.h"

namespace muster::cli {
namespace {

constexpr double kSteep = 1.7;  // more than rows that no longer fit into the caches explain

std::string Figure(const char* format, double value) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

class PolicyBench : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "policy bench",
        .group = "Prove",
        .summary = "measure what the hooks of a policy package cost",
        .usage = "PACKAGE",
        .about =
            "Asks every hook about 10, 1,000 and 100,000 made-up items and shows nanoseconds and "
            "fuel for each item, and the exponent with which the time grows: 1 is in proportion, "
            "up to 1.5 is memory, 2 is a loop inside a loop. submit and preempt_limits are asked "
            "about one job at a time. An item may use 50 fuel, and a call 200 more. Lines that the "
            "compiler gives up on "
            "run interpreted, some fifty times slower; they are named with what to write instead.",
        .examples = {
            {"Is it fast enough for a long queue?", "muster policy bench policies/small-first"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Required("PACKAGE", &folder_, "The package's folder.");
    flags.Choice("-o,--output", &output_, {"table", "json"}, "How to print. Default: table.");
  }

  int Run(Io& io) override {
    luajit::PackageSource source;
    if (const int code = ReadSoundPackage(folder_, io, &source); code != kDone) return code;
    std::vector<luajit::TraceAbort> aborts;
    Result<std::shared_ptr<Policy>> policy = luajit::LoadWatched(source, &aborts);
    if (!policy.ok()) return io.Fail(ExitCodeFor(policy.status()), policy.status().message());
    const std::vector<lab::HookBench> benches = lab::MeasureHooks(**policy, {10, 1'000, 100'000});
    if (output_ == "json") {
      PrintAsJson(benches, aborts, io);
    } else {
      PrintAsTable(benches, io);
      PrintAborts(source.folder, aborts, io);
    }
    for (const lab::HookBench& bench : benches) {
      if (!bench.error.empty()) return io.Fail(kNo, bench.error);
    }
    return kDone;
  }

 private:
  static void PrintAsTable(const std::vector<lab::HookBench>& benches, Io& io) {
    Table table({"HOOK", ">ITEMS", ">NS EACH", ">FUEL EACH", ">GROWS WITH"});
    for (const lab::HookBench& bench : benches) {
      for (const lab::HookCost& cost : bench.costs) {
        const bool last = bench.costs.size() > 1 && &cost == &bench.costs.back();
        table.Add({bench.hook, std::to_string(cost.items), Figure("%.1f", cost.nanoseconds),
                   Figure("%.2f", cost.fuel),
                   Cell(last ? "n^" + Figure("%.2f", bench.exponent) : "",
                        last && bench.exponent > kSteep ? Tone::kWarning : Tone::kPlain)});
      }
    }
    table.Print(io.out, io.paint);
  }

  static void PrintAborts(const std::string& folder, const std::vector<luajit::TraceAbort>& aborts,
                          Io& io) {
    for (const luajit::TraceAbort& abort : aborts) {
      io.out << folder << "/policy.lua:" << abort.line
             << ": the compiler gave up here: " << abort.reason << "; " << abort.cure << '\n';
    }
  }

  static void PrintAsJson(const std::vector<lab::HookBench>& benches,
                          const std::vector<luajit::TraceAbort>& aborts, Io& io) {
    Json hooks = Json::array(), given_up = Json::array();
    for (const lab::HookBench& bench : benches) {
      Json costs = Json::array();
      for (const lab::HookCost& cost : bench.costs) {
        costs.push_back(
            {{"items", cost.items}, {"nanoseconds", cost.nanoseconds}, {"fuel", cost.fuel}});
      }
      hooks.push_back(
          {{"hook", bench.hook}, {"costs", std::move(costs)}, {"exponent", bench.exponent}});
    }
    for (const luajit::TraceAbort& abort : aborts) {
      given_up.push_back({{"line", abort.line}, {"reason", abort.reason}});
    }
    PrintJson(io.out, {{"hooks", std::move(hooks)}, {"aborts", std::move(given_up)}});
  }

  std::string folder_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakePolicyBench() { return std::make_unique<PolicyBench>(); }

}  // namespace muster::cli
