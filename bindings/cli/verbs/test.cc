// muster test: scenario files as tests.
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/show/test_report.h"
#include "bindings/cli/world/input.h"
#include "bindings/cli/world/package_folder.h"
#include "bindings/cli/world/report.h"
#include "bindings/lab/scenario/expect_update.h"
#include "bindings/lab/scenario/scenario_test.h"

namespace muster::cli {
namespace {

class Test : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "test",
        .group = "Prove",
        .summary = "play scenario files and compare each cycle with what it expects",
        .usage = "-f FOLDER|FILE... [-o pretty|tap|junit|json] [--update]",
        .about =
            "Every file is a test of its own: manifests and one `kind: Scenario` whose cycles "
            "carry `expect`, a part of what `schedule -o json` would print for the last cycle of "
            "that step. Maps match as subsets, null asserts that a key is absent, {} that a map "
            "is empty, lists match in full. Folders are searched through and through. Exit code "
            "2 when a test fails or none ran.",
        .examples = {{"All scenarios of a repository", "muster test -f tests/scenarios"},
                     {"Write what happened into the expectations that fail, then look at the diff",
                      "muster test -f tests/scenarios/gang.yaml --update"},
                     {"For a CI system", "muster test -f tests/scenarios -o junit > result.xml"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.List("-f,--filename", "FOLDER|FILE...", &paths_, "Scenario files, or folders of them.");
    flags.Rest(&paths_);
    flags.List("--policy", "FOLDER...", &policies_, "Policy packages to activate in every test.");
    flags.Switch("--update", &update_,
                 "Rewrite the expectations that fail with what happened; the rest of each file "
                 "stays as it is, byte for byte.");
    flags.Choice("-o,--output", &output_, {"pretty", "tap", "junit", "json"},
                 "How to report. Default: pretty.");
  }

  int Run(Io& io) override {
    std::vector<std::string> files;
    if (const int code = ListFiles(io, &files); code != kDone) return code;
    if (const int code = NeedPackages(policies_, io); code != kDone) return code;
    std::vector<lab::TestResult> results;
    for (const std::string& file : files) {
      Result<std::string> text = ReadText(file, io.in);
      if (!text.ok()) return io.Fail(kRefused, text.status().message());
      results.push_back(lab::RunScenarioTest({file, *text}, policies_));
      if (!update_ || results.back().verdict != lab::Verdict::kFailed) continue;
      if (const int code = Update(file, *text, io, &results.back()); code != kDone) return code;
    }
    Print(results, io);
    return ExitCodeOf(results, io);
  }

 private:
  int ListFiles(Io& io, std::vector<std::string>* files) const {
    if (paths_.empty()) return io.Fail(kWrongUse, "test: name scenario files with -f");
    for (const std::string& path : paths_) {
      const Result<std::vector<std::string>> found = ListManifests(path, Folders::kRecursive);
      if (!found.ok()) {
        const bool missing = found.status().code() == StatusCode::kNotFound;
        return io.Fail(missing ? kWrongUse : kRefused, found.status().message());
      }
      files->insert(files->end(), found->begin(), found->end());
    }
    return kDone;
  }

  /// Writes the new text only when it does pass, so that no file is ever left in a worse state.
  int Update(const std::string& file, const std::string& text, Io& io,
             lab::TestResult* result) const {
    const std::string updated = lab::UpdateExpectations(text, result->checks);
    lab::TestResult after = lab::RunScenarioTest({file, updated}, policies_);
    if (file == "-" || after.verdict != lab::Verdict::kPassed) {
      io.Warn(file + ": cannot update this `expect`; rewrite it by hand");
      return kDone;
    }
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    if (!(out << updated).flush()) return io.Fail(kRefused, "cannot write " + file);
    io.err << file << ": updated\n";
    *result = std::move(after);
    return kDone;
  }

  void Print(const std::vector<lab::TestResult>& results, Io& io) const {
    if (output_ == "tap") {
      PrintTap(results, io.out);
    } else if (output_ == "junit") {
      PrintJUnit(results, io.out);
    } else if (output_ == "json") {
      PrintTestJson(results, io.out);
    } else {
      PrintPretty(results, io);
    }
  }

  static int ExitCodeOf(const std::vector<lab::TestResult>& results, Io& io) {
    bool ran = false;
    for (const lab::TestResult& result : results) {
      using lab::Verdict;
      if (result.verdict == Verdict::kFailed || result.verdict == Verdict::kBroken) return kNo;
      ran = ran || result.verdict == Verdict::kPassed;
    }
    return ran ? kDone : io.Fail(kNo, "no test ran; a test is a Scenario with an `expect`");
  }

  std::vector<std::string> paths_;
  std::vector<std::string> policies_;
  bool update_ = false;
  std::string output_ = "pretty";
};

}  // namespace

std::unique_ptr<Command> MakeTest() { return std::make_unique<Test>(); }

}  // namespace muster::cli
