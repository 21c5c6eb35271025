// muster get: what there is, after everything that could start has started.
#include "bindings/cli/command.h"
#include "bindings/cli/kinds.h"
#include "bindings/cli/show/get_items.h"
#include "bindings/cli/show/get_view.h"
#include "bindings/cli/world/play.h"
#include "bindings/cli/yaml_text.h"

namespace muster::cli {
namespace {

class Get : public Command {
 public:
  const CommandInfo& info() const override {
    static const std::string kAbout =
        "Loads the manifests into an engine in memory, plays their Scenario, or without one runs "
        "cycles until idle, and then shows what there is. An eviction stays open unless "
        "--complete-evictions is given. With --db it shows a ledger as it is, also beside the "
        "process that writes it.\nKinds: " +
        ListKinds() + ".";
    static const CommandInfo kInfo = {
        .name = "get",
        .group = "Look",
        .summary = "list queues, cohorts, workloads, flavors, policies, ...",
        .usage = "KIND [NAME] -f FILE... | --db LEDGER [-n NAMESPACE] [-o table|wide|json|yaml]",
        .about = kAbout,
        .examples = {{"Quota and pending jobs of every queue",
                      "muster get clusterqueues -f queues.yaml -f jobs.yaml"},
                     {"Jobs of a team, with who may reclaim what they borrow",
                      "muster get workloads -n team-a -o wide -f queues.yaml -f jobs.yaml"},
                     {"One object as it stands, status included",
                      "muster get lq research -o yaml -f queues.yaml"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Required("KIND", &kind_, "What to list: " + ListKinds() + ".");
    flags.Optional("NAME", &filter_.name, "Only the one of this name, or NAMESPACE/NAME.");
    input_.Declare(flags);
    flags.Text("-n,--namespace", "NAMESPACE", &filter_.ns, "Only this namespace. Default: all.");
    flags.Choice("-o,--output", &output_, {"table", "wide", "json", "yaml"},
                 "A table, one with more columns, or the objects with their status.");
    play_.Declare(flags);
  }

  int Run(Io& io) override {
    const std::optional<Kind> kind = FindKind(kind_);
    if (!kind) return io.Fail(kWrongUse, UnknownKind(kind_));
    if (const std::size_t slash = filter_.name.find('/'); slash != std::string::npos) {
      filter_.ns = filter_.name.substr(0, slash);
      filter_.name.erase(0, slash + 1);
    }
    Loaded loaded;
    World world;
    const int code = Settle(input_, play_, io, &world, &loaded);
    if (code != kDone) return code;
    filter_ = MeantBy(world.engine, *kind, filter_);
    if (output_ == "json" || output_ == "yaml")
      return Print(Items(world.engine, *kind, filter_), io);
    const std::size_t count = PrintKind(world.engine, *kind, filter_, output_ == "wide", io);
    return count > 0 ? kDone : Nothing(*kind, io);
  }

 private:
  int Print(const std::vector<Json>& items, Io& io) const {
    const bool one = !filter_.name.empty() && items.size() == 1;
    if (items.empty() && !filter_.name.empty()) return Nothing(*FindKind(kind_), io);
    if (output_ == "yaml") {
      for (std::size_t i = 0; i < items.size(); ++i) {
        io.out << (i > 0 ? "---\n" : "") << BlockYaml(items[i]);
      }
    } else if (one) {
      PrintJson(io.out, items.front());
    } else {
      PrintJson(io.out, {{"apiVersion", "v1"}, {"kind", "List"}, {"items", items}});
    }
    return kDone;
  }

  /// An empty list is an answer, a missing name is a no.
  int Nothing(Kind kind, Io& io) const {
    const std::string where = filter_.ns.empty() ? "" : " in namespace " + filter_.ns;
    const std::string noun(Singular(kind));
    if (!filter_.name.empty()) {
      return io.Fail(kNo, "there is no " + noun + " '" + filter_.name + "'" + where);
    }
    io.err << "no " << noun << where << '\n';
    return kDone;
  }

  std::string kind_;
  Filter filter_;
  InputFlags input_;
  PlayFlags play_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeGet() { return std::make_unique<Get>(); }

}  // namespace muster::cli
