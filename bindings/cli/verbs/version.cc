// muster version: what exactly is running.
#include "bindings/cli/verbs/version.h"

#include <string>
#include <string_view>

#include "bindings/cli/build_info.h"
#include "bindings/cli/command.h"
#include "bindings/cli/fields.h"
#include "bindings/luajit/policy_package.h"

namespace muster::cli {
namespace {

constexpr std::string_view kCompiler =
#if defined(__clang__)
    "clang " __clang_version__;
#else
    "gcc " __VERSION__;
#endif

class Version : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "version",
        .group = "About",
        .summary = "which muster this is, and what it was built with",
        .usage = "[-o table|json]",
        .about =
            "Prints the version, the commit it was built from, the compiler and the "
            "libraries inside: what a bug report needs.",
        .examples = {{"For a bug report", "muster version"},
                     {"For a program", "muster version -o json"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A line each, or JSON.");
  }

  int Run(Io& io) override {
    const Json info = VersionJson();
    if (output_ == "json") {
      PrintJson(io.out, info);
      return kDone;
    }
    Fields fields;
    for (const auto& [name, value] : info.items()) fields.Add(name, value.get<std::string>());
    fields.Print(io.out);
    return kDone;
  }

 private:
  std::string output_ = "table";
};

}  // namespace

Json VersionJson() {
  return {{"muster", kVersion},
          {"commit", Commit()},
          {"compiler", kCompiler},
          {"luajit", luajit::RuntimeVersion()},
          {"yamlcpp", kYamlCppVersion}};
}

std::unique_ptr<Command> MakeVersion() { return std::make_unique<Version>(); }

}  // namespace muster::cli
