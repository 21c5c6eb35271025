// muster policy check: is a package sound, before anything depends on it?
#include <string>
#include <vector>

#include "bindings/cli/author/packages.h"
#include "bindings/cli/command.h"
#include "bindings/cli/show/get_objects_view.h"
#include "bindings/cli/world/report.h"
#include "bindings/luajit/policy_package.h"

namespace muster::cli {
namespace {

class PolicyCheck : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "policy check",
        .group = "Prove",
        .summary = "look for mistakes in a policy package, with line numbers",
        .usage = "PACKAGE",
        .about =
            "Reads a package folder (policy.lua and what belongs to it), reports every mistake "
            "as file:line:column: what is wrong; what to write instead, and loads it into the "
            "sandbox the way the engine would. Nothing is activated. Exit code 2 when there is a "
            "mistake.",
        .examples = {{"Before anybody binds it", "muster policy check policies/small-first"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Required("PACKAGE", &folder_, "The package's folder.");
  }

  int Run(Io& io) override {
    luajit::PackageSource source;
    if (const int code = ReadSoundPackage(folder_, io, &source); code != kDone) return code;
    const Result<std::shared_ptr<Policy>> policy = luajit::LoadPackage(source);
    if (!policy.ok()) return io.Fail(ExitCodeFor(policy.status()), policy.status().message());
    io.out << io.paint(Tone::kGood, "sound") << ": " << source.folder << '\n';
    PrintPolicies({(*policy)->info()}, /*wide=*/true, io);
    return kDone;
  }

 private:
  std::string folder_;
};

}  // namespace

std::unique_ptr<Command> MakePolicyCheck() { return std::make_unique<PolicyCheck>(); }

}  // namespace muster::cli
