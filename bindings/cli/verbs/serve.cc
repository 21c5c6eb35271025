// muster serve: a ledger as a service over HTTP.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/show/served_views.h"
#include "bindings/cli/verbs/version.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/open_store.h"
#include "bindings/http/server.h"
#include "bindings/lab/specs.h"
#include "muster/muster.h"

namespace muster::cli {
namespace {

/// The policy packages in `folder`, by name.
std::vector<std::string> PackagesIn(const std::string& folder) {
  std::vector<std::string> packages;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (std::filesystem::exists(entry.path() / "policy.lua", error)) {
      packages.push_back(entry.path().string());
    }
  }
  std::sort(packages.begin(), packages.end());
  return packages;
}

class ServeCommand : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "serve",
        .group = "Serve",
        .summary = "a ledger as a service over HTTP",
        .usage =
            "--db LEDGER [--standby] [--listen ADDRESS:PORT] [--tokens FILE] [--policies DIR] ...",
        .about =
            "Serves the ledger, created if there is none, until SIGINT or SIGTERM. Gateways in any "
            "language apply objects, submit jobs and report what became of them; every answer is "
            "on "
            "disk before it leaves. Cycles run by themselves when something has changed: a call, a "
            "deadline, the window of a policy. GET /openapi.yaml describes every path.\n"
            "No other process may write the ledger meanwhile; those that read it may.\n"
            "With --standby it waits while another process holds the ledger, and takes its place "
            "when that ends or is not heard of: of a database after 3 seconds at most, and "
            "it follows the history meanwhile, so that it begins at once. It does not listen "
            "before, so a proxy in front finds the one that serves by asking for /readyz.\n"
            "With --tokens each caller shows one (Authorization: Bearer TOKEN), and its role says "
            "what it may do and see; muster token create makes them, and what it makes or revokes "
            "counts within a second. Without, every caller may do everything, so only addresses of "
            "this machine are listened on. TLS is for a proxy in front.\n"
            "With --policies each package in DIR is tested, tried and activated at once, then "
            "whenever it is saved; what does not pass is refused and changes nothing.",
        .examples = {{"A service on this machine", "muster serve --db cluster.ledger"},
                     {"For several teams",
                      "muster serve --db cluster.ledger --tokens tokens.json --listen [::]:8484"},
                     {"A second one, on another machine, that takes over",
                      "muster serve --standby --db postgresql://muster@db/muster"},
                     {"With policies that take effect when they are saved",
                      "muster serve --db cluster.ledger --policies policies"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Text("--db", "LEDGER", &db_,
               "The ledger: a file that remembers everything, or postgresql://USER@HOST/DATABASE.");
    flags.Text("--listen", "ADDRESS:PORT", &listen_,
               "Where to listen: 127.0.0.1:8484, [::1]:8484. Port 0 takes a free one, which the "
               "first line of output tells. Default: 127.0.0.1:8484.");
    flags.Text("--tokens", "FILE", &tokens_, "The tokens that callers may show.");
    flags.Text("--policies", "DIR", &policies_,
               "A folder of policy packages that are activated when they are saved.");
    flags.Count("--tick", "MS", &tick_,
                "The least time between two cycles, in milliseconds, in which calls gather. "
                "Default: 10.");
    flags.Switch("--standby", &standby_, "Wait for a ledger that another process serves.");
    DeclareWait(flags, &wait_);
    flags.Switch("--force", &force_, kForceDoc);
  }

  int Run(Io& io) override {
    if (db_.empty()) return io.Fail(kWrongUse, "serve: name a ledger with --db LEDGER");
    http::ServeOptions options;
    options.listen = listen_;
    options.db = db_;
    options.tokens = tokens_;
    options.version = VersionJson();
    if (tick_) options.tick = std::chrono::milliseconds(*tick_);
    if (const int code = WatchPackages(io, &options); code != kDone) return code;
    std::unique_ptr<DurableEngine> opened;
    if (standby_) io.out << "standing by for ledger " << ShownPlace(db_) << std::endl;
    const std::string wait = standby_ ? std::string(kForever) : wait_;
    const int code = OpenLedger(db_, NewLedger::kCreate, WallClock(), force_, wait, io, &opened);
    if (code != kDone) return code;
    const Status served = http::Serve(*opened, options, ServedViews(), [&](const std::string& url) {
      io.out << "listening on " << url << std::endl;
      if (tokens_.empty()) {
        io.Warn("without --tokens every caller on this machine may do everything");
      }
    });
    const Status closed = opened->Close();
    const Status& status = served.ok() ? closed : served;
    return status.ok() ? int{kDone} : io.Fail(ExitCodeFor(status), status.message());
  }

 private:
  int WatchPackages(Io& io, http::ServeOptions* options) const {
    if (policies_.empty()) return kDone;
    const std::vector<std::string> packages = PackagesIn(policies_);
    if (packages.empty()) {
      return io.Fail(kWrongUse, policies_ + ": no folder in it has a policy.lua");
    }
    for (const std::string& package : packages) {
      ReloadOptions watched;
      watched.folder = package;
      watched.by = "serve --policies";
      watched.tests = [](const std::string& folder) { return lab::RunOwnTests(folder); };
      options->watched.push_back(std::move(watched));
    }
    return kDone;
  }

  std::string db_;
  std::string listen_ = "127.0.0.1:8484";
  std::string tokens_;
  std::string policies_;
  std::optional<int> tick_;
  std::string wait_ = kDefaultWait;
  bool standby_ = false;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeServe() { return std::make_unique<ServeCommand>(); }

}  // namespace muster::cli
