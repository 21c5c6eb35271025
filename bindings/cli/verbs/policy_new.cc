// muster policy new: a package to begin with, which already works.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include "bindings/cli/command.h"
#include "bindings/luajit/embedded.h"

namespace muster::cli {
namespace {

namespace fs = std::filesystem;

/// What stands for the package's name in the templates.
constexpr std::string_view kPlaceholder = "my-policy";

std::string Renamed(std::string_view text, const std::string& name) {
  std::string result(text);
  for (std::size_t at = result.find(kPlaceholder); at != std::string::npos;
       at = result.find(kPlaceholder, at + name.size())) {
    result.replace(at, kPlaceholder.size(), name);
  }
  return result;
}

bool IsPackageName(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= 63 && letter(name[0]) && name != "native" &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || c == '-'; });
}

std::vector<std::string> Kinds() {
  std::set<std::string> kinds;
  for (const luajit::EmbeddedFile& file : luajit::TemplateFiles()) {
    kinds.emplace(file.name.substr(0, file.name.find('/')));
  }
  return {kinds.begin(), kinds.end()};
}

class PolicyNew : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "policy new",
        .group = "Prove",
        .summary = "write a policy package that works, with its spec and its page",
        .usage = "NAME [--kind order|share|victims|...] [--in FOLDER]",
        .about =
            "Writes policies/NAME with policy.lua, policy_spec.lua and README.md, to be changed "
            "until it says what your team prefers. It passes `policy check` and `policy test` as "
            "it is.\n"
            "The kind is the question it answers: order (what is next in a queue), cycle (which "
            "queue decides first), share (what is served next in fair sharing), flavors (which "
            "flavor is tried first), domains (which rack or host is taken first), victims (what "
            "a preemption evicts), limits (how much one job may evict), boost (what is added to "
            "a priority), submit (what may come in, and as what), hold (what has to wait, and "
            "why).",
        .examples = {
            {"What is next in a queue?", "muster policy new short-first"},
            {"What does a preemption evict?", "muster policy new spare-long-runs --kind victims"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Required("NAME", &name_, "Name of the package: lower-case letters, digits and -.");
    flags.Choice("--kind", &kind_, Kinds(), "The question it answers. Default: order.");
    flags.Text("--in", "FOLDER", &folder_, "Where packages are kept. Default: policies.");
  }

  int Run(Io& io) override {
    if (!IsPackageName(name_)) {
      return io.Fail(kWrongUse, "'" + name_ +
                                    "' is no package name; use lower-case letters, digits and -, "
                                    "such as short-first; native is the engine's own order");
    }
    const fs::path package = fs::path(folder_) / name_;
    std::error_code error;
    if (fs::exists(package, error)) {
      return io.Fail(kNo, package.string() + " exists; choose another name, or remove it");
    }
    fs::create_directories(package, error);
    if (error) return io.Fail(kRefused, package.string() + ": " + error.message());
    for (const luajit::EmbeddedFile& file : luajit::TemplateFiles()) {
      if (!file.name.starts_with(kind_ + "/")) continue;
      const fs::path path = package / file.name.substr(kind_.size() + 1);
      std::ofstream out(path, std::ios::binary);
      if (!(out << Renamed(file.text, name_)).flush()) {
        return io.Fail(kRefused, "cannot write " + path.string());
      }
      io.out << "wrote " << path.string() << '\n';
    }
    io.out << "\nNext:\n  muster policy test " << package.string()
           << "          it passes; change it until it says what you want\n  muster policy test "
           << package.string() << " --watch  the same after every save\n";
    return kDone;
  }

 private:
  std::string name_;
  std::string kind_ = "order";
  std::string folder_ = "policies";
};

}  // namespace

std::unique_ptr<Command> MakePolicyNew() { return std::make_unique<PolicyNew>(); }

}  // namespace muster::cli
