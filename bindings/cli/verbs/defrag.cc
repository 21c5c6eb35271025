// muster defrag: a plan of moves that makes place for a larger gang, and what it costs.
#include "bindings/defrag/defrag.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/show/defrag_view.h"
#include "bindings/cli/world/load.h"
#include "bindings/cli/world/play.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/service.h"

namespace muster::cli {
namespace {

class DefragCommand : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "defrag",
        .group = "Look",
        .summary = "which jobs would have to move for a larger gang to have a place; a plan only",
        .usage = "-f FILE... | --db LEDGER [--topology T] [--level L] [--nodes N] [-o table|json]",
        .about =
            "The largest gang of whole nodes that has a place is the most nodes of one domain that "
            "no workload is on. This looks for jobs that could start again elsewhere so that it "
            "grows: the nodes of one domain are cordoned, the jobs evicted, and the engine places "
            "them by its own rules. It prints the plan with the largest gang and, among these, the "
            "least lost work: the time since each job's start or last checkpoint, times the nodes "
            "that it fills. With --nodes it is the cheapest plan that has a place for so many.\n"
            "The plan was carried out on a copy of the state: every job that held quota holds it "
            "again in the end, and no other had to leave. Nothing is changed; the commands that "
            "would do it are printed. Of few jobs every set is thought of, for each domain "
            "that is emptied; of many, those that emptying host after host comes to.",
        .examples = {{"What would make place for more?", "muster defrag --db cluster.ledger"},
                     {"The cheapest place for 16 nodes of a rack",
                      "muster defrag --level rack --nodes 16 --db cluster.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    input_.Declare(flags);
    flags.Text("--topology", "TOPOLOGY", &asked_.topology, "Which. Default: the only one.");
    flags.Text("--level", "LEVEL", &asked_.level,
               "A label of its levels above the lowest. Default: the lowest of these.");
    flags.Count("--nodes", "N", &nodes_,
                "How many whole nodes are wanted. Default: as many as can be.");
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A table for people, or JSON.");
    play_.Declare(flags);
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--topology", "--level", "--nodes",
                                                         "--output"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    std::string text;
    const int code = service.Get(
        remote::Target({"v1", "defrag"}, {{"topology", asked_.topology},
                                          {"level", asked_.level},
                                          {"nodes", nodes_ ? std::to_string(*nodes_) : ""},
                                          {"output", output_}}),
        io, &text);
    io.out << text;
    return code;
  }

  int Run(Io& io) override {
    Loaded state;
    World world;
    if (const int code = Settle(input_, play_, io, &world, &state); code != kDone) return code;
    asked_.nodes = nodes_.value_or(0);
    const Result<defrag::Plan> plan = defrag::PlanMoves(world.engine, world.now, asked_);
    if (!plan.ok()) {
      const bool wrong_use = plan.status().code() == StatusCode::kInvalidArgument;
      return io.Fail(wrong_use ? kWrongUse : ExitCodeFor(plan.status()), plan.status().message());
    }
    if (output_ == "json") {
      PrintJson(io.out, PlanJson(*plan));
    } else {
      PrintPlan(*plan, asked_.nodes, io);
    }
    return kDone;
  }

 private:
  InputFlags input_;
  PlayFlags play_;
  defrag::Asked asked_;
  std::optional<int> nodes_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeDefrag() { return std::make_unique<DefragCommand>(); }

}  // namespace muster::cli
