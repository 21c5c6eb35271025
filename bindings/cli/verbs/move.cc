// muster move: a ClusterQueue with its LocalQueues and what waits in them goes to another ledger.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/json.h"
#include "bindings/cli/world/queue_move.h"
#include "bindings/cli/world/read_shards.h"
#include "bindings/cli/world/service.h"
#include "engine/base/join.h"

namespace muster::cli {
namespace {

class Move : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "move",
        .group = "Report",
        .summary = "a queue with what waits in it goes to another ledger of the database",
        .usage = "QUEUE --to LEDGER|URL [--cohort NAME] [--drain] --server URL",
        .about =
            "Moves a ClusterQueue, its LocalQueues and their jobs from the ledger that has it to "
            "another, with their names, times of creation, priorities and counts of evictions. "
            "The queue is stopped where it is; what holds quota may end or, with --drain, is "
            "evicted, and this waits until nothing does. A job can start in the new ledger only "
            "once the old one has neither job nor queue any more, and its quota counts there from "
            "then on. The queue then has the stopPolicy that it had before.\n"
            "Killed at any point, it goes on when the same words are run again. Until the last "
            "step the LocalQueues there have the label muster.dev/moving-stop-policy.\n"
            "It is refused, and changes nothing, where the other ledger lacks a flavor, a check, a "
            "priority class or the cohort, or has a queue of that name. Workloads that have ended "
            "stay in the history of the old ledger. So do bindings of policies, accounts, and what "
            "a LocalQueue uses from the first step on, which fair sharing there does not know. "
            "Resume it, report what becomes of its jobs and cancel them before or after, not "
            "meanwhile.\n"
            "--to names a ledger of muster get shards, and --server any service of the database; "
            "or --server is the service that has the queue and --to the URL of the other one. Both "
            "are shown the token, which is an admin's.",
        .examples = {
            {"To another tree of cohorts, when what runs has ended",
             "muster move team-a --to biology --cohort labs --server "
             "http://10.0.0.1:8484"},
            {"At once", "muster move team-a --to biology --drain --server http://10.0.0.1:8484"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Required("QUEUE", &asked_.queue, "The ClusterQueue.");
    flags.Text(
        "--to", "LEDGER", &to_,
        "Where it goes: the name of a ledger of the same database, or the URL of a service.");
    flags.Text("--cohort", "NAME", &cohort_, "The cohort that it has there. Default: as here.");
    flags.Switch("--drain", &asked_.drain,
                 "Evict what holds quota instead of waiting for its end.");
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A sentence, or JSON.");
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--to", "--cohort", "--drain", "--output"};
    return &kFlags;
  }

  int Run(Io& io) override {
    return io.Fail(kWrongUse, "move: ask a service of the database with --server URL");
  }

  int Ask(const Service& service, Io& io) override {
    if (to_.empty()) return io.Fail(kWrongUse, "move: name where it goes with --to LEDGER");
    if (!cohort_.empty()) asked_.cohort = cohort_;
    std::string from = service.url();
    std::string to = to_;
    if (to_.find("://") == std::string::npos) {
      if (const int code = FindBoth(service, io, &from, &to); code != kDone) return code;
    }
    if (from == to) {
      return io.Fail(kWrongUse, "move: " + to_ + " is where " + asked_.queue + " is already");
    }
    const Result<Service> source = service.Only(from);
    if (!source.ok()) return io.Fail(kWrongUse, "move: " + source.status().message());
    const Result<Service> destination = service.Only(to);
    if (!destination.ok())
      return io.Fail(kWrongUse, "move: --to: " + destination.status().message());
    QueueMoved moved;
    const int code = QueueMove(*source, *destination, asked_).Run(io, &moved);
    if (code == kDone) Print(moved, to, io);
    return code;
  }

 private:
  /// URLs of the ledger that has the queue and of the one that `to_` names. Where none but that has
  /// it, both are the same place, and what is left is to be done there.
  int FindBoth(const Service& service, Io& io, std::string* from, std::string* to) const {
    std::vector<Tree> trees;
    if (const int code = ReadShards(service, io, &trees); code != kDone) return code;
    to->clear();
    std::vector<std::string> have;
    for (const Tree& tree : trees) {
      if (tree.name == to_) *to = tree.held ? tree.url : "";
      if (!tree.held || tree.url.empty()) continue;
      const Result<Service> there = service.Only(tree.url);
      if (!there.ok()) return io.Fail(kRefused, there.status().message());
      std::string body;
      bool found = false;
      const std::string target = remote::Target({"v1", "clusterqueues", asked_.queue});
      if (const int code = there->Find(target, io, &body, &found); code != kDone) return code;
      if (!found || tree.name == to_) continue;
      have.push_back(tree.name);
      *from = tree.url;
    }
    if (to->empty()) {
      return io.Fail(kNo, "no service serves ledger " + to_ + "; muster get shards lists them");
    }
    if (have.size() > 1) {
      return io.Fail(kNo, Join(have, " and ") + " have a ClusterQueue " + asked_.queue +
                              "; ask the service of one with --server URL --to URL");
    }
    if (have.empty()) *from = AnyBut(trees, *to);
    return kDone;
  }

  /// Of a queue that no other ledger has any more, any of them says so.
  static std::string AnyBut(const std::vector<Tree>& trees, const std::string& to) {
    const auto other = std::find_if(trees.begin(), trees.end(), [&to](const Tree& tree) {
      return tree.held && !tree.url.empty() && tree.url != to;
    });
    return other == trees.end() ? to : other->url;
  }

  void Print(const QueueMoved& moved, const std::string& to, Io& io) const {
    if (output_ == "json") {
      Json queues = Json::array();
      for (const Key& key : moved.queues) queues.push_back(key.ToString());
      PrintJson(io.out, {{"clusterQueue", asked_.queue},
                         {"to", to},
                         {"result", moved.was_there ? "unchanged" : "moved"},
                         {"localQueues", queues},
                         {"workloads", moved.workloads}});
      return;
    }
    if (moved.was_there) {
      io.out << "ClusterQueue " << asked_.queue << " is at " << to << " already\n";
      return;
    }
    for (const Key& key : moved.queues) io.out << "LocalQueue " << key.ToString() << " moved\n";
    io.out << "ClusterQueue " << asked_.queue << " moved to " << to << " with " << moved.workloads
           << (moved.workloads == 1 ? " job\n" : " jobs\n");
  }

  QueueMoveAsked asked_;
  std::string to_;
  std::string cohort_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeMove() { return std::make_unique<Move>(); }

}  // namespace muster::cli
