// muster policy check: is a package sound, before anything depends on it?
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bindings/cli/author/packages.h"
#include "bindings/cli/author/spec_depth.h"
#include "bindings/cli/command.h"
#include "bindings/cli/table.h"
#include "bindings/cli/world/report.h"
#include "bindings/luajit/policy_package.h"
#include "engine/base/join.h"
#include "engine/base/time_text.h"

namespace muster::cli {
namespace {

constexpr std::size_t kHashDigits = 12;

class PolicyCheck : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "policy check",
        .group = "Prove",
        .summary = "look for mistakes in a policy package, with line numbers",
        .usage = "PACKAGE... [-v]",
        .about =
            "Reads package folders (policy.lua and what belongs to it), reports every mistake "
            "as file:line:column: what is wrong; what to write instead, and loads it into the "
            "sandbox the way the engine would. Nothing is activated. Exit code 2 when there is a "
            "mistake.",
        .examples = {{"Before it is bound", "muster policy check policies/small-first"},
                     {"What is left to tests", "muster policy check -v policies/small-first"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Rest(&words_);
    flags.Switch("-v,--verbose", &verbose_,
                 "Show which lines no made-up job reaches: only tests can say what they do.");
  }

  int Run(Io& io) override {
    std::vector<std::string> folders;
    if (const int code = FindPackages(words_, "policy check", io, &folders); code != kDone) {
      return code;
    }
    int worst = kDone;
    for (const std::string& folder : folders) worst = std::max(worst, Check(folder, io));
    return worst;
  }

 private:
  int Check(const std::string& folder, Io& io) const {
    luajit::PackageSource source;
    if (const int code = ReadSoundPackage(folder, io, &source); code != kDone) return code;
    const Result<std::shared_ptr<Policy>> policy = luajit::LoadPackage(source);
    if (!policy.ok()) return io.Fail(ExitCodeFor(policy.status()), policy.status().message());
    io.out << io.paint(Tone::kGood, "sound") << ": " << source.folder << '\n';
    Print((*policy)->info(), io);
    if (verbose_) PrintNotTried(source, io.out);
    return kDone;
  }

  /// Its hooks, each with its line and with what makes its answers change by themselves.
  static void Print(const PolicyInfo& info, Io& io) {
    io.out << info.name << '@' << info.hash.substr(0, kHashDigits) << '\n';
    Table table({"HOOK", "AT", "READS", "EVERY"});
    for (const HookInfo& hook : info.hooks) {
      table.Add({std::string(HookName(hook.hook)), hook.place, Join(hook.reads),
                 hook.every > 0 ? FormatDuration(std::llround(hook.every) * kSecond) : ""});
    }
    table.Print(io.out, io.paint, "  ");
  }

  std::vector<std::string> words_;
  bool verbose_ = false;
};

}  // namespace

std::unique_ptr<Command> MakePolicyCheck() { return std::make_unique<PolicyCheck>(); }

}  // namespace muster::cli
