// muster import kueue: the state of a live Kueue cluster, as kubectl prints it, in a new ledger.
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/json.h"
#include "bindings/cli/world/input.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/convert/kueue_dump.h"
#include "bindings/cpp/open_store.h"
#include "bindings/lab/diagnose.h"
#include "bindings/lab/read.h"
#include "engine/model/kinds.h"

namespace muster::cli {
namespace {

/// Where what the workloads come to is not what the cluster itself said was reserved.
struct Difference {
  std::string queue;
  std::string flavor;
  std::string resource;
  Amount here = 0;
  Amount there = 0;
};

std::vector<Difference> Compare(const Engine& engine, const convert::Reservations& reserved) {
  std::vector<Difference> out;
  for (const ClusterQueueView& queue : lab::Read(engine.ClusterQueues())) {
    for (const QuotaView& quota : queue.quotas) {
      const auto there = reserved.find({queue.spec.name, quota.flavor, quota.resource});
      if (there == reserved.end()) continue;
      const Amount amount = there->second.ToAmount(quota.resource);
      if (amount == quota.usage) continue;
      out.push_back({queue.spec.name, quota.flavor, quota.resource, quota.usage, amount});
    }
  }
  return out;
}

/// Namespaces that have workloads and are not among the objects: none of their jobs can start.
std::set<std::string> MissingNamespaces(const std::vector<Object>& objects) {
  std::set<std::string> missing;
  for (const Object& object : objects) {
    if (KindOf(object) == ObjectKind::kWorkload) missing.insert(KeyOf(object).ns);
  }
  for (const Object& object : objects) {
    if (KindOf(object) == ObjectKind::kNamespace) missing.erase(KeyOf(object).name);
  }
  return missing;
}

struct Phases {
  std::size_t holding = 0;
  std::size_t waiting = 0;
  std::size_t inactive = 0;
  std::size_t ended = 0;
};

Phases CountPhases(const Engine& engine) {
  Phases out;
  for (const WorkloadView& view : lab::Read(engine.Workloads())) {
    switch (view.phase) {
      case WorkloadPhase::kPending:
        ++out.waiting;
        break;
      case WorkloadPhase::kReserved:
      case WorkloadPhase::kAdmitted:
      case WorkloadPhase::kEvicting:
        ++out.holding;
        break;
      case WorkloadPhase::kInactive:
        ++out.inactive;
        break;
      case WorkloadPhase::kFinished:
        ++out.ended;
        break;
    }
  }
  return out;
}

class ImportKueue : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "import kueue",
        .group = "Begin",
        .summary = "begin a ledger with the state of a live Kueue cluster",
        .usage = "-f FILE|FOLDER|- --db LEDGER [-o table|json]",
        .about =
            "Reads what `kubectl get ... -o yaml` printed of a cluster that runs Kueue: queues, "
            "cohorts, flavors, classes, checks, topologies, nodes, its Configuration in the "
            "ConfigMap, and Workloads with their status. Workloads that hold quota hold it here, "
            "on the flavors that Kueue gave them; those that wait queue in their order. It says "
            "what was left out, and where the workloads come to another amount than the cluster "
            "says is reserved. Jobs and pods are left out: each has its Workload. An object that "
            "is not understood is an error, and nothing is imported. docs/from-kueue.md goes "
            "through it.",
        .examples = {{"A cluster that kubectl has printed",
                      "muster import kueue -f dump.yaml -f configuration.yaml --db new.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    input_.Declare(flags);
    flags.Rest(&input_.files);
    ledger_.Declare(flags);
    flags.Choice("-o,--output", &output_, {"table", "json"}, "Lines to read, or JSON.");
  }

  int Run(Io& io) override {
    TimeNs now = kNoTime;
    if (const int code = ReadLedgerFlags(ledger_, io, &now); code != kDone) return code;
    if (IsThere(ledger_.db)) {
      return io.Fail(kNo, ShownPlace(ledger_.db) + " is there already; import into a new ledger");
    }
    std::vector<manifest::Source> sources;
    if (const int code = ReadSources(input_.files, io, &sources); code != kDone) return code;
    convert::KueueDump dump = convert::ReadDump(sources);
    for (manifest::Source& each : dump.configurations) sources.push_back(std::move(each));
    manifest::ParseOptions options = input_.ParseOptions(lab::References::kAsKueue);
    options.ignore_kinds.insert(dump.kinds.begin(), dump.kinds.end());
    const manifest::Manifests read = manifest::Parse(sources, options);
    if (const int code = Report(lab::Diagnose(read, lab::References::kAsKueue), sources,
                                "nothing was imported", io);
        code != kDone) {
      return code;
    }
    if (read.objects.empty()) return io.Fail(kNo, "there is no object of Kueue in what was read");
    std::unique_ptr<DurableEngine> opened;
    if (const int code = OpenLedger(ledger_.db, NewLedger::kCreate, now, ledger_.force,
                                    ledger_.wait, io, &opened);
        code != kDone) {
      return code;
    }
    Engine& engine = opened->engine();
    const Status status = engine.Apply(read.objects, now, MissingReference::kAsKueue);
    if (!status.ok()) {
      return io.Fail(ExitCodeFor(status), status.message() + "; nothing was imported");
    }
    Print(engine, read.objects, dump, io);
    return kDone;
  }

 private:
  void Print(const Engine& engine, const std::vector<Object>& objects,
             const convert::KueueDump& dump, Io& io) const {
    std::map<ObjectKind, std::size_t> kinds;
    for (const Object& object : objects) ++kinds[KindOf(object)];
    const Phases phases = CountPhases(engine);
    const std::vector<Difference> differences = Compare(engine, dump.reserved);
    const std::set<std::string> missing = MissingNamespaces(objects);
    if (output_ == "json") {
      Json json = {{"understood", Json::object()}, {"leftOut", Json(dump.left_out)}};
      for (const auto& [kind, count] : kinds) json["understood"][KindName(kind)] = count;
      json["workloads"] = {{"holding", phases.holding},
                           {"waiting", phases.waiting},
                           {"inactive", phases.inactive},
                           {"ended", phases.ended}};
      json["missingNamespaces"] = Json(missing);
      json["differences"] = Json::array();
      for (const Difference& each : differences) {
        json["differences"].push_back({{"clusterQueue", each.queue},
                                       {"flavor", each.flavor},
                                       {"resource", each.resource},
                                       {"here", each.here},
                                       {"kueue", each.there}});
      }
      PrintJson(io.out, json);
      return;
    }
    io.out << "understood:";
    for (const auto& [kind, count] : kinds) io.out << ' ' << KindName(kind) << ' ' << count;
    io.out << "\nworkloads: " << phases.holding << " hold quota, " << phases.waiting << " wait, "
           << phases.inactive << " are inactive, " << phases.ended << " have ended\n";
    if (!dump.left_out.empty()) {
      io.out << "left out:";
      for (const auto& [kind, count] : dump.left_out) io.out << ' ' << kind << ' ' << count;
      io.out << '\n';
    }
    for (const std::string& ns : missing) {
      io.out << "missing: Namespace " << ns
             << " is not in the dump, and none of its jobs starts before "
             << "it is applied\n";
    }
    for (const Difference& each : differences) {
      io.out << "differs: ClusterQueue " << each.queue << " has "
             << FormatAmount(each.resource, each.here) << ' ' << each.resource << " of "
             << each.flavor << " in use, and Kueue says " << FormatAmount(each.resource, each.there)
             << '\n';
    }
    if (!dump.reserved.empty() && differences.empty()) {
      io.out << "what is in use in each ClusterQueue is what Kueue says\n";
    }
    io.out << ShownPlace(ledger_.db) << " holds it now\n";
  }

  InputFlags input_;
  LedgerFlags ledger_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeImportKueue() { return std::make_unique<ImportKueue>(); }

}  // namespace muster::cli
