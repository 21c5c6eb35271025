// All or nothing: the engine is told of all the workloads in one call.
#include "bindings/cli/verbs/workload_command.h"

#include <set>
#include <utility>

#include "bindings/cli/show/outcomes.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/workload_names.h"

namespace muster::cli {
namespace {

/// What `keys` mean, each once: a job may be named both ways.
std::vector<Key> Resolved(const Engine& engine, const std::vector<Key>& keys) {
  std::vector<Key> resolved;
  std::set<Key> seen;
  for (const Key& key : keys) {
    Key meant = ResolveWorkload(engine, key);
    if (seen.insert(meant).second) resolved.push_back(std::move(meant));
  }
  return resolved;
}

}  // namespace

void WorkloadCommand::Declare(Flags& flags) {
  flags.Rest(&words_);
  flags.Text("-n,--namespace", "NAMESPACE", &ns_, "Namespace of workloads named without one.");
  DeclareMore(flags);
  ledger_.Declare(flags);
  flags.Choice("-o,--output", &output_, {"table", "json"}, "A line per workload, or JSON.");
}

int WorkloadCommand::Run(Io& io) {
  const std::string verb(info().name);
  if (const auto wrong = Wrong()) return io.Fail(kWrongUse, verb + ": " + *wrong);
  if (words_.empty() && !NamesAll()) {
    return io.Fail(kWrongUse, verb + ": name a workload as NAMESPACE/NAME");
  }
  std::vector<Key> keys;
  if (const int code = ParseKeys(words_, ns_, verb, io, &keys); code != kDone) return code;
  std::unique_ptr<DurableEngine> opened;
  TimeNs now = kNoTime;
  if (const int code = OpenLedger(ledger_, io, &opened, &now); code != kDone) return code;
  Engine& engine = opened->engine();
  if (NamesAll()) {
    keys = All(engine);
    if (keys.empty()) io.err << "no workload is meant: nothing was changed\n";
  } else {
    keys = Resolved(engine, keys);
  }
  std::vector<ObjectOutcome> outcomes;
  for (const Key& key : keys) {
    const Result<WorkloadView> workload = engine.GetWorkload(key);
    if (!workload.ok()) {
      return io.Fail(kNo, UnknownWorkload(engine, key.ToString(), "the ledger has none"));
    }
    outcomes.push_back({"Workload", key.ToString(), ResultFor(*workload)});
  }
  if (const Status status = Tell(engine, keys, now); !status.ok()) {
    return io.Fail(ExitCodeFor(status), status.message());
  }
  PrintOutcomes(outcomes, output_ == "json", io);
  return kDone;
}

}  // namespace muster::cli
