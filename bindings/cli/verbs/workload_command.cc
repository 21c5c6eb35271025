// All or nothing: the engine is told of all the workloads in one call.
#include "bindings/cli/verbs/workload_command.h"

#include <charconv>
#include <set>
#include <utility>

#include "bindings/cli/show/outcomes.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/service.h"
#include "bindings/cli/world/workload_names.h"
#include "bindings/lab/near_names.h"
#include "bindings/lab/read.h"
#include "bindings/manifest/slices.h"

namespace muster::cli {
namespace {

/// What `keys` mean, each once: a job may be named both ways.
std::vector<Key> Resolved(const Engine& engine, const std::vector<Key>& keys, bool whole_jobs) {
  std::vector<Key> resolved;
  std::set<Key> seen;
  for (const Key& key : keys) {
    const Key job = ResolveWorkload(engine, key);
    std::vector<WorkloadView> meant =
        manifest::SlicesMeant(manifest::SlicesOf(engine, job), whole_jobs);
    if (meant.empty()) meant.emplace_back().spec.key = job;
    for (const WorkloadView& each : meant) {
      if (seen.insert(each.spec.key).second) resolved.push_back(each.spec.key);
    }
  }
  return resolved;
}

}  // namespace

std::optional<std::string> ReadRun(std::string_view word, std::int64_t* run) {
  if (word.empty()) return std::nullopt;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), *run);
  if (read.ec == std::errc() && read.ptr == word.data() + word.size() && *run > 0) {
    return std::nullopt;
  }
  return ": --run takes the number of a run as decisions have it, from 1, not '" +
         std::string(word) + "'";
}

void WorkloadCommand::Declare(Flags& flags) {
  flags.Rest(&words_);
  flags.Text("-n,--namespace", "NAMESPACE", &ns_, "Namespace of workloads named without one.");
  flags.Text("--uid", "UID", &uid_,
             "Which job of that name is meant: refused where another has the name by now.");
  flags.Text("--run", "N", &run_word_, kRunHelp);
  DeclareMore(flags);
  ledger_.Declare(flags);
  flags.Choice("-o,--output", &output_, {"table", "json"}, "A line per workload, or JSON.");
}

int WorkloadCommand::CheckWords(Io& io) {
  const std::string verb(info().name);
  if (const auto wrong = Wrong()) return io.Fail(kWrongUse, verb + ": " + *wrong);
  if (!uid_.empty() && words_.size() != 1) {
    return io.Fail(kWrongUse, verb + ": --uid goes with one workload");
  }
  if (const auto wrong = ReadRun(run_word_, &run_)) return io.Fail(kWrongUse, verb + *wrong);
  if (run_ != 0 && words_.size() != 1) {
    return io.Fail(kWrongUse, verb + ": --run goes with one workload");
  }
  if (!words_.empty() || NamesAll()) return kDone;
  return io.Fail(kWrongUse, verb + ": name a workload as NAMESPACE/NAME");
}

const std::vector<std::string_view>* WorkloadCommand::ServiceFlags() const {
  // Those of DeclareMore are about the workloads, so a service is told of them.
  static const std::vector<std::string_view> kFlags = {
      "--namespace",  "--output",       "--all",    "--lost",        "--failed",
      "--reason",     "--priority",     "--active", "--reclaimable", "--count",
      "--open-gates", "--checkpointed", "--uid",    "--run"};
  return &kFlags;
}

int WorkloadCommand::Ask(const Service& service, Io& io) {
  if (const int code = CheckWords(io); code != kDone) return code;
  std::vector<Key> named;
  if (const int code = ParseKeys(words_, ns_, info().name, io, &named); code != kDone) return code;
  if (NamesAll()) {
    if (const int code = service.Evicting(io, &named); code != kDone) return code;
    if (named.empty()) io.err << "no workload is meant: nothing was changed\n";
  }
  std::vector<Key> keys;
  std::set<Key> seen;
  std::vector<ObjectOutcome> outcomes;
  for (const Key& each : named) {
    std::vector<WorkloadView> meant;
    if (const int code = service.FindSlices(each, TakesWholeJobs(), io, &meant); code != kDone) {
      return code;
    }
    for (const WorkloadView& workload : meant) {
      const Key& key = workload.spec.key;
      if (!seen.insert(key).second) continue;
      if (const Status may = MaySay(workload); !may.ok()) return io.Fail(kNo, may.message());
      outcomes.push_back({"Workload", key.ToString(), ResultFor(workload)});
      keys.push_back(key);
    }
  }
  std::vector<Key> before;
  std::vector<Key> leaving;
  std::vector<muster::Answer> answers;
  Service::IsTheirs is_theirs;
  int code = kDone;
  if (MayEvict()) {
    is_theirs = [&seen](const WorkloadView& workload, std::string_view why) {
      return seen.contains(workload.spec.key) && why == "Deactivated";
    };
    code = service.Evicting(io, &before);
  }
  if (code == kDone && !keys.empty()) {
    code = service.DoEvicting(Said(keys), before, is_theirs, io, &answers, &leaving);
  }
  if (code != kDone) return code;
  AddEvictions({}, leaving, &outcomes);
  PrintOutcomes(outcomes, output_ == "json", io, leaving.size());
  return kDone;
}

int WorkloadCommand::Run(Io& io) {
  if (const int code = CheckWords(io); code != kDone) return code;
  std::vector<Key> keys;
  if (const int code = ParseKeys(words_, ns_, info().name, io, &keys); code != kDone) return code;
  std::unique_ptr<DurableEngine> opened;
  TimeNs now = kNoTime;
  if (const int code = OpenLedger(ledger_, io, &opened, &now); code != kDone) return code;
  Engine& engine = opened->engine();
  if (NamesAll()) {
    keys = All(engine);
    if (keys.empty()) io.err << "no workload is meant: nothing was changed\n";
  } else {
    keys = Resolved(engine, keys, TakesWholeJobs());
  }
  std::vector<ObjectOutcome> outcomes;
  const std::vector<Key> before = lab::Read(engine.Evicting());
  for (const Key& key : keys) {
    const Result<WorkloadView> workload = engine.GetWorkload(key);
    if (!workload.ok()) {
      return io.Fail(kNo, lab::UnknownWorkload(engine, key, "the ledger has none"));
    }
    outcomes.push_back({"Workload", key.ToString(), ResultFor(*workload)});
  }
  if (const Status status = Tell(engine, keys, now); !status.ok()) {
    return io.Fail(ExitCodeFor(status), status.message());
  }
  const std::size_t leaving =
      MayEvict() ? AddEvictions(before, lab::Read(engine.Evicting()), &outcomes) : 0;
  PrintOutcomes(outcomes, output_ == "json", io, leaving);
  return kDone;
}

}  // namespace muster::cli
