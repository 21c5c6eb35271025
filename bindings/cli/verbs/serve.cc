// muster serve: a ledger as a service over HTTP.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/show/served_views.h"
#include "bindings/cli/verbs/serve_shards.h"
#include "bindings/cli/verbs/serve_words.h"
#include "bindings/cli/verbs/version.h"
#include "bindings/cli/world/input.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/neighbours_by.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/open_store.h"
#include "bindings/http/server.h"
#include "bindings/lab/specs.h"
#include "bindings/remote/client.h"
#include "bindings/shards/standby_line.h"
#include "bindings/trees/trees.h"
#include "muster/muster.h"

namespace muster::cli {
namespace {

bool IsPackage(const std::filesystem::path& folder) {
  std::error_code error;
  return std::filesystem::exists(folder / "policy.lua", error);
}

/// Which folder has which package, so that a copy never takes the place of what it was made from.
class PackageOwners {
 public:
  /// kFailedPrecondition where another folder has one of that name. Any thread.
  Status Claim(const std::string& folder) {
    const Result<std::shared_ptr<Policy>> policy = LoadPolicy(folder);
    if (!policy.ok()) return policy.status();
    const std::string name = (*policy)->info().name;
    const std::lock_guard lock(mutex_);
    for (const auto& [other, its] : names_) {
      if (other == folder || its != name || !IsPackage(other)) continue;
      return Status(StatusCode::kFailedPrecondition,
                    folder + ": " + other + " has package " + name +
                        " already; take one of the two away, or give it another name");
    }
    names_[folder] = name;
    return Status::Ok();
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> names_;  ///< of packages, by folder
};

/// The policy packages in `folder`, by name, with how they are watched. Hidden folders are those of
/// programs that have not finished writing.
std::vector<ReloadOptions> PackagesIn(const std::string& folder,
                                      const std::shared_ptr<PackageOwners>& owners) {
  std::vector<ReloadOptions> packages;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename().string().starts_with('.') || !IsPackage(entry->path())) continue;
    ReloadOptions& watched = packages.emplace_back();
    watched.folder = entry->path().string();
    watched.by = "serve --policies";
    watched.tests = [owners](const std::string& package) {
      const Status claimed = owners->Claim(package);
      return claimed.ok() ? lab::RunOwnTests(package) : claimed;
    };
  }
  std::sort(packages.begin(), packages.end(),
            [](const auto& a, const auto& b) { return a.folder < b.folder; });
  return packages;
}

class ServeCommand : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "serve",
        .group = "Serve",
        .summary = "a ledger as a service over HTTP",
        .usage = "--db LEDGER [--standby] [--listen ADDRESS:PORT] [--tokens FILE] [--config FILE]",
        .about =
            "Serves the ledger, created if there is none, until SIGINT or SIGTERM. Gateways in any "
            "language apply objects, submit jobs and report what became of them; every answer is "
            "on disk before it leaves. Cycles run by themselves when something has changed: a "
            "call, a deadline, the window of a policy. GET /openapi.yaml describes every path.\n"
            "No other process may write the ledger meanwhile; those that read it may.\n"
            "With --standby it waits while another process holds the ledger, and takes its place "
            "when that ends or is not heard of: of a database after 3 seconds at most, and "
            "it follows the history meanwhile, so that it begins at once. It does not listen "
            "before, so a proxy in front finds the one that serves by asking for /readyz.\n"
            "With --tokens each caller shows one (Authorization: Bearer TOKEN), and its role says "
            "what it may do and see; muster token create makes them, and what it makes or revokes "
            "counts within a second. Without, every caller may do everything, so only addresses of "
            "this machine are listened on. --token-rate and --token-bytes say how much each token "
            "may ask in a second; a caller that was quiet may ask for two seconds at once, and "
            "more is 429 with Retry-After. With --tls-cert and --tls-key it speaks TLS.\n"
            "With --policies each package in DIR, also one that comes later, is tested, tried and "
            "activated at once, then whenever it is saved; what does not pass is refused and "
            "changes nothing.\n"
            "--advertise is for a database with several ledgers, each a tree of cohorts of its own "
            "with a name behind a # in --db: it says where the others send jobs of the LocalQueues "
            "that are here. What is sent here and belongs there is answered 307, with the URL to "
            "send it to. muster get shards shows all of them.\n"
            "With --shards it serves all ledgers of the database that --db names without a #, each "
            "by a process of its own, and shares them with other instances that do: each takes as "
            "many as the others have, and what one that is gone had. At --listen it sends jobs on "
            "with 307, and tells at /v1/shards which process has which ledger. A ledger begins "
            "with muster apply --db postgresql://.../DATABASE#NAME.\n"
            "With --shards --standby it also follows every ledger that another instance serves, "
            "with an engine kept ready, and takes those of one that is gone in under a second, "
            "however much is live; without, it reads them first. So each such instance takes the "
            "memory of all ledgers, and the time that their writers take: two or three that stand "
            "by are enough, beside others that do not.\n"
            "--config names a file with an option in each line, as `listen = [::]:8484`; `#` "
            "begins a comment. What the command line says goes before it.",
        .examples = {{"A service on this machine", "muster serve --db cluster.ledger"},
                     {"For several teams",
                      "muster serve --db cluster.ledger --tokens tokens.json --listen [::]:8484"},
                     {"A second one, on another machine, that takes over",
                      "muster serve --standby --db postgresql://muster@db/muster"},
                     {"One of several instances that share the ledgers of a database",
                      "muster serve --shards --db postgresql://muster@db/muster --listen "
                      "10.0.0.1:8484 --tokens tokens.json"},
                     {"One that keeps engines ready for what the others serve",
                      "muster serve --shards --standby --db postgresql://muster@db/muster"},
                     {"From a file", "muster serve --config /etc/muster/serve.conf"},
                     {"With policies that take effect when they are saved",
                      "muster serve --db cluster.ledger --policies policies"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    words_.Declare(flags);
    flags.Text("--config", "FILE", &config_, "A file with options in lines.");
    flags.Switch("--standby", &standby_,
                 "Wait for a ledger that another process serves; with --shards, be ready for each "
                 "that another instance serves.");
    flags.Switch("--shards", &shards_,
                 "Serve every ledger of a database, shared with the other instances that do.");
    flags.Switch("--force", &force_, kForceDoc);
  }

  int Run(Io& io) override {
    if (const int code = ReadConfig(io); code != kDone) return code;
    if (words_.db.empty()) return io.Fail(kWrongUse, "serve: name a ledger with --db LEDGER");
    if (words_.tls_cert.empty() != words_.tls_key.empty()) {
      return io.Fail(kWrongUse, "serve: --tls-cert and --tls-key go together");
    }
    http::ServeOptions options;
    if (!words_.listen.empty()) options.listen = words_.listen;
    options.db = words_.db;
    options.tokens = words_.tokens;
    options.tls = {words_.tls_cert, words_.tls_key};
    options.rates = {static_cast<std::size_t>(words_.token_rate.value_or(0)),
                     static_cast<std::size_t>(words_.token_bytes.value_or(0))};
    options.version = VersionJson();
    if (words_.tick) options.tick = std::chrono::milliseconds(*words_.tick);
    if (const int code = WatchPackages(io, &options); code != kDone) return code;
    if (const int code = CheckWords(options, io); code != kDone) return code;
    if (shards_) return ServeShards(words_, standby_, options, io);
    std::unique_ptr<DurableEngine> opened;
    if (standby_) SayWhatIsWaitedFor(io);
    const std::string wait = standby_              ? std::string(kForever)
                             : words_.wait.empty() ? std::string(kDefaultWait)
                                                   : words_.wait;
    // Where an instance of --shards began this process, it says when.
    const std::unique_ptr<ToldTurns> turns = standby_ ? ToldTurns::OfInput() : nullptr;
    const int code = OpenLedger(words_.db, NewLedger::kCreate, WallClock(), force_, wait, io,
                                &opened, "--force", {words_.heads, turns.get()});
    if (code != kDone) return code;
    std::unique_ptr<TreeKeeper> trees;
    if (const int told = Advertise(io, &options, &trees); told != kDone) return told;
    const Status served = http::Serve(*opened, options, ServedViews(), [&](const std::string& url) {
      if (trees) trees->ServedAt(words_.UrlFor(url));
      io.out << "listening on " << url << std::endl;
      if (words_.tokens.empty()) {
        io.Warn("without --tokens every caller on this machine may do everything");
      }
    });
    const Status closed = opened->Close();
    const Status& status = served.ok() ? closed : served;
    return status.ok() ? int{kDone} : io.Fail(ExitCodeFor(status), status.message());
  }

 private:
  /// Wrong use is found before a ledger begins, or is waited for.
  int CheckWords(const http::ServeOptions& options, Io& io) const {
    if (shards_ && (!IsDatabase(words_.db) || words_.db.find('#') != std::string::npos)) {
      return io.Fail(kWrongUse,
                     "serve: --shards is for all ledgers of a database; write --db "
                     "postgresql://USER@HOST/DATABASE, without a # and a name");
    }
    if (shards_ && (force_ || !words_.wait.empty())) {
      return io.Fail(kWrongUse,
                     "serve: --shards waits for each ledger by itself; leave out --force and "
                     "--wait");
    }
    if (!words_.heads.empty() && !IsDatabase(words_.db)) {
      return io.Fail(kWrongUse,
                     "serve: --heads is for a ledger in a database: a file loses nothing "
                     "that it confirmed");
    }
    if (!words_.advertise.empty()) {
      if (!IsDatabase(words_.db)) {
        return io.Fail(kWrongUse,
                       "serve: --advertise is for a ledger in a database: a file has no "
                       "other ledgers beside it");
      }
      const auto url = remote::Client::To(words_.advertise, "");
      if (!url.ok()) return io.Fail(kWrongUse, "serve: --advertise: " + url.status().message());
    }
    const Status address = http::CheckAddress(options.listen, options.tokens.empty());
    if (!address.ok()) return io.Fail(kWrongUse, "serve: " + address.message());
    for (const std::string& file : {options.tokens, options.tls.certificate, options.tls.key}) {
      std::error_code error;
      if (file.empty() || std::filesystem::is_regular_file(file, error)) continue;
      return io.Fail(kWrongUse, "serve: there is no file " + file);
    }
    return kDone;
  }

  void SayWhatIsWaitedFor(Io& io) const {
    io.out << "standing by for ledger " << ShownPlace(words_.db) << std::endl;
    if (!IsDatabase(words_.db)) return;
    const Status there = OpenHistory(words_.db).status();
    if (there.code() != StatusCode::kUnavailable) return;
    io.Warn(there.message() + "; it is tried again for a minute");
  }

  /// What the file says of options that the command line does not have.
  int ReadConfig(Io& io) {
    if (config_.empty()) return kDone;
    std::vector<manifest::Source> sources;
    if (const int code = ReadSources({config_}, io, &sources); code != kDone) return code;
    if (sources.size() != 1) return io.Fail(kWrongUse, "serve: --config takes one file");
    ServeWords file;
    if (const auto wrong = ReadServeConfig(sources.front().text, &file)) {
      return io.Fail(kNo, config_ + ":" + *wrong);
    }
    words_.TakeMissing(file);
    return kDone;
  }

  /// Tells the other ledgers of the database where this one is served.
  int Advertise(Io& io, http::ServeOptions* options, std::unique_ptr<TreeKeeper>* trees) const {
    if (IsDatabase(words_.db)) options->neighbours.shards = ShardsOf(words_.db);
    if (words_.advertise.empty()) return kDone;
    Result<std::unique_ptr<TreeKeeper>> started = TreeKeeper::ForLedger(words_.db);
    if (!started.ok()) return io.Fail(ExitCodeFor(started.status()), started.status().message());
    *trees = *std::move(started);
    options->neighbours = NeighboursBy(**trees, words_.db);
    options->neighbours.take_by = [keeper = trees->get()](const http::Taker& take) {
      if (!take) return keeper->TakeBy({});
      keeper->TakeBy([take](const std::string& caller, const ForAll& objects) {
        return take(caller, objects.manifests, objects.policy);
      });
    };
    options->neighbours.tell = [keeper = trees->get()](std::set<Key> queues) {
      keeper->Tell(std::move(queues));
    };
    return kDone;
  }

  int WatchPackages(Io& io, http::ServeOptions* options) const {
    if (words_.policies.empty()) return kDone;
    const auto owners = std::make_shared<PackageOwners>();
    options->packages = [folder = words_.policies, owners] { return PackagesIn(folder, owners); };
    options->watched = options->packages();
    // In their order, whichever is staged first; what is wrong is said then.
    for (const ReloadOptions& each : options->watched) (void)owners->Claim(each.folder);
    if (options->watched.empty()) {
      return io.Fail(kWrongUse, words_.policies + ": no folder in it has a policy.lua");
    }
    return kDone;
  }

  ServeWords words_;
  std::string config_;
  bool standby_ = false;
  bool shards_ = false;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeServe() { return std::make_unique<ServeCommand>(); }

}  // namespace muster::cli
