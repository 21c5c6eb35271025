// muster get: what there is, after everything that could start has started.
#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/kinds.h"
#include "bindings/cli/show/get_items.h"
#include "bindings/cli/show/get_print.h"
#include "bindings/cli/show/shards.h"
#include "bindings/cli/verbs/object_name.h"
#include "bindings/cli/verbs/watch.h"
#include "bindings/cli/world/play.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/service.h"
#include "bindings/cpp/open_store.h"
#include "bindings/manifest/closest.h"
#include "engine/base/join.h"

namespace muster::cli {
namespace {

/// "Pending" and "QuotaReserved", as tables call states, are "pending" and "reserved" here.
std::string StateWord(std::string_view state) {
  const std::string word = Lower(state);
  return word == "quotareserved" ? "reserved" : word;
}

class Get : public Command {
 public:
  const CommandInfo& info() const override {
    static const std::string kAbout =
        "Loads the manifests into an engine in memory, plays their Scenario, or without one runs "
        "cycles until idle, and then shows what there is. An eviction stays open unless "
        "--complete-evictions is given. With --db it shows a ledger as it is, also beside the "
        "process that writes it, and with -w goes on to show every row that changes until it is "
        "interrupted.\nOf workloads GPU counts devices of resources whose name ends in /gpu; "
        "BORROWED is what a job holds above the nominal quota of its queue, which goes to the jobs "
        "that came first.\nKinds: " +
        ListKinds() +
        "; and shards: the ledgers of the database that --db names, which process serves each, and "
        "where.";
    static const CommandInfo kInfo = {
        .name = "get",
        .group = "Look",
        .summary = "list queues, cohorts, workloads, flavors, policies, ...",
        .usage =
            "KIND [NAME] -f FILE... | --db LEDGER [-w] [-n NAMESPACE] [-o table|wide|json|yaml] "
            "...",
        .about = kAbout,
        .examples = {{"Quota and pending jobs of every queue",
                      "muster get clusterqueues -f queues.yaml -f jobs.yaml"},
                     {"Jobs of a team, and which queues may reclaim what they borrow",
                      "muster get workloads -n team-a -o wide -f queues.yaml -f jobs.yaml"},
                     {"What waits, the most urgent first",
                      "muster get wl --state pending --sort priority --db cluster.ledger"},
                     {"What happens to a team's jobs, as it happens",
                      "muster get wl -n team-a -w --db cluster.ledger"},
                     {"Which ledgers a database has, and where they are served",
                      "muster get shards --db postgresql://muster@db/muster"},
                     {"One object as it stands, status included",
                      "muster get lq research -o yaml -f queues.yaml"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Required("KIND", &kind_, "What to list: " + ListKinds() + ".");
    flags.Optional("NAME", &filter_.name, "Only the one of this name, or NAMESPACE/NAME.");
    input_.Declare(flags);
    flags.Text("-n,--namespace", "NAMESPACE", &filter_.ns, "Only this namespace. Default: all.");
    flags.CommaList("--state", "STATE,...", &filter_.states,
                    "Only workloads in one of these states: " + Join(kWorkloadStates) +
                        ". What is parked is pending, too.");
    flags.Choice("--sort", &filter_.sort, kSorts,
                 "The order of workloads: by name, the oldest, the most urgent or the one with the "
                 "most GPUs first, ... Default: name.");
    flags.Switch("-w,--watch", &watch_, "With --db: go on to show what changes.");
    flags.Choice("-o,--output", &output_, kGetOutputs,
                 "A table, one with more columns, or the objects with their status.");
    play_.Declare(flags);
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--namespace", "--state", "--sort",
                                                         "--output"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    if (IsShards()) {
      return io.Fail(kWrongUse,
                     "get: shards are of a database; name it with --db postgresql://...");
    }
    std::optional<Kind> kind;
    if (const int code = ReadWords(io, &kind); code != kDone) return code;
    const auto kinds = AllKinds();
    const auto path = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const auto& each) { return each.first == *kind; });
    const bool sorted = filter_.sort != "name";
    const std::string target =
        remote::Target({"v1", std::string(path->second)}, {{"output", output_},
                                                           {"namespace", filter_.ns},
                                                           {"name", filter_.name},
                                                           {"state", Join(filter_.states, ",")},
                                                           {"sort", sorted ? filter_.sort : ""}});
    std::string text;
    const int code = service.Get(target, io, &text);
    return code == kDone ? Say(*kind, text, io) : code;
  }

  int Run(Io& io) override {
    if (IsShards()) return GetShards(io);
    std::optional<Kind> kind;
    if (const int code = ReadWords(io, &kind); code != kDone) return code;
    Loaded loaded;
    World world;
    const int code = Settle(input_, play_, io, &world, &loaded);
    if (code != kDone) return code;
    if (watch_) {
      filter_ = MeantBy(world.engine, *kind, filter_);
      return Watch(world.engine, {play_.db, *kind, filter_, output_}, io);
    }
    std::ostringstream out;
    const Status found = PrintKind(world.engine, *kind, filter_, output_, out, io.paint);
    return found.ok() ? Say(*kind, out.str(), io) : io.Fail(kNo, found.message());
  }

 private:
  bool IsShards() const { return Lower(kind_) == "shards" || Lower(kind_) == "shard"; }

  /// They are not of one ledger, so no engine is asked.
  int GetShards(Io& io) const {
    if (!IsDatabase(play_.db)) {
      return io.Fail(kWrongUse,
                     "get: shards are of a database; name it with --db postgresql://...");
    }
    if (output_ == "yaml" || watch_) {
      return io.Fail(kWrongUse, "get: shards come as a table or, with -o json, as JSON, once");
    }
    const bool narrowed = !filter_.ns.empty() || !filter_.states.empty() || filter_.sort != "name";
    if (narrowed || !input_.files.empty() || !play_.now.empty()) {
      return io.Fail(kWrongUse, "get: shards take NAME, --db and -o, and nothing else");
    }
    Result<std::vector<Tree>> trees = ReadTrees(play_.db);
    if (!trees.ok()) return io.Fail(ExitCodeFor(trees.status()), trees.status().message());
    std::erase_if(*trees, [this](const Tree& tree) {
      return !filter_.name.empty() && tree.name != filter_.name;
    });
    if (trees->empty()) return io.Fail(kNo, "there is no ledger " + filter_.name + " in it");
    if (output_ == "json") {
      PrintJson(io.out, ShardsJson(*trees));
    } else {
      ShardsTable(*trees).Print(io.out, io.paint);
    }
    return kDone;
  }

  /// What the command line means by itself.
  int ReadWords(Io& io, std::optional<Kind>* kind) {
    *kind = FindKind(kind_);
    if (!*kind) return io.Fail(kWrongUse, UnknownKind(kind_));
    if (const int code = ReadName(**kind, "get", io, &filter_); code != kDone) return code;
    for (std::string& state : filter_.states) state = StateWord(state);
    if (const auto wrong = Wrong(**kind)) return io.Fail(kWrongUse, "get: " + *wrong);
    return kDone;
  }

  /// An empty list is an answer, a missing name is a no.
  int Say(Kind kind, const std::string& text, Io& io) const {
    if (text.empty() && output_ != "yaml") io.err << NothingOf(kind, filter_) << '\n';
    io.out << text;
    return kDone;
  }

  /// What is wrong with options that go together; nullopt when nothing is.
  std::optional<std::string> Wrong(Kind kind) const {
    const bool workloads = kind == Kind::kWorkload;
    for (const std::string& state : filter_.states) {
      if (std::find(kWorkloadStates.begin(), kWorkloadStates.end(), state) != kWorkloadStates.end())
        continue;
      const std::vector<std::string_view> states(kWorkloadStates.begin(), kWorkloadStates.end());
      return "--state does not take '" + state + "'; " + manifest::ProposeName(state, states);
    }
    if (!workloads && !filter_.states.empty()) return "--state is about workloads";
    if (!workloads && filter_.sort != "name") return "--sort is about workloads";
    if (watch_ && play_.db.empty()) return "-w needs --db LEDGER: nothing else changes by itself";
    if (watch_ && !play_.now.empty()) return "-w goes by what is written; leave out --now";
    if (watch_ && output_ == "yaml") return "-w prints a table, or with -o json a line per change";
    return std::nullopt;
  }

  std::string kind_;
  bool watch_ = false;
  Filter filter_;
  InputFlags input_;
  PlayFlags play_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeGet() { return std::make_unique<Get>(); }

}  // namespace muster::cli
