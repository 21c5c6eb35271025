// muster policy test: the specs of a package, in the real sandbox and on the real engine.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bindings/cli/author/packages.h"
#include "bindings/cli/author/spec_depth.h"
#include "bindings/cli/author/spec_report.h"
#include "bindings/cli/command.h"
#include "bindings/cli/world/report.h"
#include "bindings/lab/spec_world.h"
#include "bindings/lab/specs.h"
#include "bindings/luajit/coverage.h"
#include "bindings/luajit/spec_runner.h"

namespace muster::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto kPoll = std::chrono::milliseconds(5);
constexpr double kMutantSeconds = 10;  // for those that only say how good the tests are

class PolicyTest : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "policy test",
        .group = "Prove",
        .summary = "run the specs of policy packages in the sandbox and on the engine",
        .usage = "PACKAGE... [--filter TEXT] [--coverage] [--mutate] [--watch]",
        .about =
            "Runs every *_spec.lua of the package (or of all packages in a folder): busted's "
            "describe, it and assert, fx.workload and fx.cluster for jobs and clusters, prop and "
            "laws for properties. Hooks run in the sandbox with fuel as in the engine; time stands "
            "still unless the spec moves it. The system's busted runs the same files, see "
            "policies/README.md. Exit code 2 when a test fails, none ran, or less than the "
            "threshold is covered.",
        .examples = {
            {"After every change", "muster policy test policies/small-first"},
            {"While writing: again after every save",
             "muster policy test policies/small-first --watch"},
            {"Does it test everything?",
             "muster policy test policies/small-first --coverage --threshold 100 --mutate"},
            {"For a CI system", "muster policy test policies -o junit > result.xml"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Rest(&words_);
    flags.Text("--filter", "TEXT", &options_.filter, "Only tests whose name holds this text.");
    flags.Text("--tags", "TAG,...", &options_.tags, "Only tests with all of these #tags.");
    flags.Count("--seed", "N", &seed_, "Start of the random values of properties. Default: 1.");
    flags.Switch("--update", &options_.update, "Write goldens instead of comparing them.");
    flags.Switch("--coverage", &coverage_,
                 "Show lines and branches that no test reaches, and how many small mistakes the "
                 "tests notice.");
    flags.Count("--threshold", "PERCENT", &threshold_, "Least coverage that is good enough.");
    flags.Switch("--mutate", &mutate_,
                 "Put small mistakes into the policy one by one and show those that no test "
                 "notices.");
    flags.Switch("--watch", &watch_, "Run again after every change, until interrupted.");
    flags.Switch("-v,--verbose", &verbose_, "Show every test with its time and fuel.");
    flags.Choice("-o,--output", &output_, {"pretty", "tap", "junit", "json"},
                 "How to report. Default: pretty.");
  }

  int Run(Io& io) override {
    options_.seed = seed_.value_or(1);
    std::vector<std::string> folders;
    if (const int code = FindPackages(words_, "policy test", io, &folders); code != kDone) {
      return code;
    }
    if (watch_) return Watch(folders, io);
    return RunAll(folders, io);
  }

 private:
  int RunAll(const std::vector<std::string>& folders, Io& io) {
    std::vector<luajit::SpecCase> cases;
    int worst = kDone;
    for (const std::string& folder : folders) {
      luajit::PackageSource source;
      const int code = ReadSoundPackage(folder, io, &source);
      worst = std::max(worst, code == kDone ? RunPackage(source, io, &cases) : code);
    }
    if (output_ != "pretty") {
      PrintSpecs(cases, output_, verbose_, io);
    } else if (folders.size() > 1) {
      io.out << "all: " << lab::SpecTotals(cases) << '\n';
    }
    const std::string doubt = lab::WhyNothingIsShown(cases);
    if (worst != kDone || doubt.empty()) return worst;
    const bool chosen = !options_.filter.empty() || !options_.tags.empty();
    return io.Fail(kNo, doubt + (chosen ? ", and --filter and --tags must let it through" : ""));
  }

  int RunPackage(const luajit::PackageSource& source, Io& io,
                 std::vector<luajit::SpecCase>* cases) {
    std::vector<std::uint64_t> counts;
    lab::EngineWorld world;
    luajit::SpecOptions options = options_;
    options.world = &world;
    if (coverage_ || threshold_) options.counts = &counts;
    const luajit::SpecRun run = luajit::RunSpecs(source, options);
    cases->insert(cases->end(), run.cases.begin(), run.cases.end());
    if (output_ == "pretty") {
      io.out << io.paint(Tone::kStrong, source.folder) << '\n';
      PrintSpecs(run.cases, output_, verbose_, io);
    }
    int code = run.failed ? kNo : kDone;
    if (options.update) code = std::max(code, WriteGoldens(source, run, io));
    std::ostream& said = output_ == "pretty" ? io.out : io.err;
    if (options.counts != nullptr) code = std::max(code, Cover(source, counts, said, io));
    if (const std::string why = WhyNoMutants(run); mutate_ && !why.empty()) {
      said << "mutants: not tried; " << why << '\n';
    } else if (mutate_) {
      constexpr double kAsLongAsItTakes = std::numeric_limits<double>::infinity();
      const lab::MutantRun mutants = lab::TryMutants(source, options, kAsLongAsItTakes);
      PrintMutants(source, mutants.survivors, mutants.tried, said);
      if (!mutants.survivors.empty()) code = std::max<int>(code, kNo);
    } else if (coverage_ && WhyNoMutants(run).empty()) {
      const lab::MutantRun mutants = lab::TryMutants(source, options, kMutantSeconds);
      PrintNoticed(mutants.tried - mutants.survivors.size(), mutants.tried, mutants.all, said);
    }
    return code;
  }

  /// Why nothing would be learnt from mutants; empty: something would.
  std::string WhyNoMutants(const luajit::SpecRun& run) const {
    if (run.failed) return "a test fails without them, too";
    if (options_.update) return "goldens are being written; run it again without --update";
    const bool ran = std::any_of(
        run.cases.begin(), run.cases.end(),
        [](const luajit::SpecCase& each) { return each.verdict == luajit::SpecVerdict::kPassed; });
    return ran ? "" : "no test ran that could notice one";
  }

  int Cover(const luajit::PackageSource& source, const std::vector<std::uint64_t>& counts,
            std::ostream& said, Io& io) const {
    const luajit::Coverage coverage = luajit::MeasureCoverage(lab::PolicyText(source), counts);
    PrintCoverage(source, coverage, said);
    if (coverage.Percent() >= threshold_.value_or(0)) return kDone;
    return io.Fail(kNo, source.folder + ": " + std::to_string(coverage.Percent()) +
                            " % is less than the threshold of " + std::to_string(*threshold_) +
                            " %");
  }

  static int WriteGoldens(const luajit::PackageSource& source, const luajit::SpecRun& run, Io& io) {
    for (const auto& [path, text] : run.goldens) {
      const fs::path file = fs::path(source.folder) / path;
      std::error_code error;
      fs::create_directories(file.parent_path(), error);
      std::ofstream out(file, std::ios::binary | std::ios::trunc);
      if (!(out << text).flush()) return io.Fail(kRefused, "cannot write " + file.string());
      io.err << file.string() << ": updated\n";
    }
    return kDone;
  }

  /// Reads the folders again and again: a save is seen within a few polls, whatever the editor
  /// does. What differs from one poll to the next, or is empty, is still being written.
  int Watch(const std::vector<std::string>& folders, Io& io) {
    std::string shown, before;
    while (io.out.good()) {
      std::string now = FingerprintOf(folders);
      if (!now.empty() && now != shown && now == before) {
        if (!shown.empty()) io.out << '\n';
        RunAll(folders, io);
        io.out.flush();
        shown = now;
      }
      before = std::move(now);
      std::this_thread::sleep_for(kPoll);
    }
    return kDone;
  }

  static std::string FingerprintOf(const std::vector<std::string>& folders) {
    std::string text;
    for (const std::string& folder : folders) {
      const Result<luajit::PackageSource> source = luajit::ReadPackage(folder);
      if (source.ok() && lab::PolicyText(*source).empty()) return "";
      text += source.ok() ? source->Hash() : source.status().message();
    }
    return text;
  }

  std::vector<std::string> words_;
  luajit::SpecOptions options_;
  std::optional<int> seed_;
  std::optional<int> threshold_;
  bool coverage_ = false;
  bool mutate_ = false;
  bool watch_ = false;
  bool verbose_ = false;
  std::string output_ = "pretty";
};

}  // namespace

std::unique_ptr<Command> MakePolicyTest() { return std::make_unique<PolicyTest>(); }

}  // namespace muster::cli
