// muster stop: queues admit nothing new. muster resume: they do again.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/kinds.h"
#include "bindings/cli/show/outcomes.h"
#include "bindings/cli/verbs/object_name.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/service.h"
#include "bindings/cli/world/workload_names.h"
#include "bindings/lab/read.h"
#include "bindings/lab/words.h"
#include "bindings/stop/queue_stop.h"

namespace muster::cli {
namespace {

/// Whether `workload` left because one of `stopped` was stopped.
bool LeftBy(const std::vector<Key>& stopped, const WorkloadView& workload, std::string_view why) {
  Key by{"", lab::ClusterQueueOf(workload)};
  if (why == "LocalQueueStopped") by = {workload.spec.key.ns, workload.spec.queue.str()};
  return why.ends_with("QueueStopped") &&
         std::find(stopped.begin(), stopped.end(), by) != stopped.end();
}

/// What stop and resume have in common: they write the stop policy of queues.
class QueueCommand : public Command {
 public:
  void Declare(Flags& flags) override {
    flags.Rest(&words_);
    flags.Text("-n,--namespace", "NAMESPACE", &ns_,
               "The queues are LocalQueues of this namespace.");
    DeclareMore(flags);
    ledger_.Declare(flags);
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A line per queue, or JSON.");
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--namespace", "--drain", "--output"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    std::vector<Key> keys;
    if (const int code = ReadKeys(io, &keys); code != kDone) return code;
    std::vector<Key> before;
    int code = service.Evicting(io, &before);
    if (code != kDone) return code;
    Json answer;
    code = service.PostJson("/v1/stop-policy", stop::ToJson({keys, Policy()}), io, &answer);
    if (code != kDone) return code;
    const Json told = answer.value("queues", Json::array());
    if (told.size() != keys.size()) {
      return io.Fail(kRefused, "the service does not say what became of the queues");
    }
    stop::QueuesStopped stopped;
    for (const Json& each : told) {
      const bool same = each.value("result", "") == "unchanged";
      stopped.applied.push_back(same ? Applied::kUnchanged : Applied::kChanged);
    }
    std::vector<Key> leaving;
    service.FindLeaving(
        before,
        [&](const WorkloadView& workload, std::string_view why) {
          return LeftBy(keys, workload, why);
        },
        io, &leaving);
    std::vector<ObjectOutcome> outcomes = Outcomes(keys, stopped.applied);
    AddEvictions({}, leaving, &outcomes);
    PrintOutcomes(outcomes, output_ == "json", io, leaving.size());
    for (const Json& each : answer.value("unreached", Json::array())) {
      io.Warn(each.value("message", ""));
    }
    return kDone;
  }

  int Run(Io& io) override {
    std::vector<Key> keys;
    if (const int code = ReadKeys(io, &keys); code != kDone) return code;
    std::unique_ptr<DurableEngine> opened;
    TimeNs now = kNoTime;
    if (const int code = OpenLedger(ledger_, io, &opened, &now); code != kDone) return code;
    Engine& engine = opened->engine();
    const std::vector<Key> before = lab::Read(engine.Evicting());
    const Result<stop::QueuesStopped> stopped = stop::SetStopPolicy(engine, keys, Policy(), now);
    if (!stopped.ok()) return io.Fail(ExitCodeFor(stopped.status()), stopped.status().message());
    std::vector<ObjectOutcome> outcomes = Outcomes(keys, stopped->applied);
    const std::size_t leaving = AddEvictions(before, lab::Read(engine.Evicting()), &outcomes);
    PrintOutcomes(outcomes, output_ == "json", io, leaving);
    for (const stop::Unreached& each : stopped->unreached) io.Warn(stop::UnreachedText(each));
    return kDone;
  }

 protected:
  virtual void DeclareMore(Flags&) {}
  virtual StopPolicy Policy() const = 0;
  virtual std::string Outcome() const = 0;

 private:
  std::vector<ObjectOutcome> Outcomes(const std::vector<Key>& keys,
                                      const std::vector<Applied>& applied) const {
    std::vector<ObjectOutcome> outcomes;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const bool local = !keys[i].ns.empty();
      outcomes.push_back({local ? "LocalQueue" : "ClusterQueue",
                          local ? keys[i].ToString() : keys[i].name,
                          applied[i] == Applied::kUnchanged ? "unchanged" : Outcome()});
    }
    return outcomes;
  }

  /// A kind may stand before the names, as kueuectl has it.
  int ReadKeys(Io& io, std::vector<Key>* keys) {
    const std::string verb(info().name);
    std::optional<Kind> kind;
    if (words_.size() > 1) kind = FindKind(words_.front());
    if (kind && *kind != Kind::kClusterQueue && *kind != Kind::kLocalQueue) {
      return io.Fail(kWrongUse, verb + ": a " + std::string(Singular(*kind)) +
                                    " is no queue; for a workload: muster update --active false");
    }
    if (kind) words_.erase(words_.begin());
    if (words_.empty()) {
      return io.Fail(kWrongUse, verb + ": name a ClusterQueue, or a LocalQueue as NAMESPACE/NAME");
    }
    std::vector<std::string> names;
    if (const int code = ReadWords(words_, verb, "queue", io, &names); code != kDone) return code;
    for (const std::string& word : names) {
      Key key;
      const bool cluster_queue = kind == Kind::kClusterQueue;
      const int named = ReadName(word, ns_, !cluster_queue, "clusterqueue", verb, io, &key);
      if (named != kDone) return named;
      if (key.name.empty()) return io.Fail(kWrongUse, verb + ": '' is no name of a queue");
      if (kind == Kind::kLocalQueue && key.ns.empty()) {
        return io.Fail(kWrongUse, verb + ": '" + word + "' has no namespace; write NAMESPACE/" +
                                      word + " or add -n NAMESPACE");
      }
      if (std::find(keys->begin(), keys->end(), key) == keys->end()) keys->push_back(key);
    }
    return kDone;
  }

  std::vector<std::string> words_;
  std::string ns_;
  LedgerFlags ledger_;
  std::string output_ = "table";
};

class Stop : public QueueCommand {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "stop",
        .group = "Report",
        .summary = "queues admit nothing new; with --drain what runs there leaves too",
        .usage = "QUEUE... --db LEDGER [--drain]",
        .about =
            "Stops ClusterQueues, or LocalQueues named as NAMESPACE/NAME: all of them or, if one "
            "is unknown, none. Nothing new is admitted; what has quota and is not admitted yet "
            "gives it back, and what runs goes on. With --drain that is evicted too; every job "
            "that has to leave is listed, and `muster evicted` says when its pods are gone. "
            "`muster resume` undoes it. It is the queue's stopPolicy: Hold or HoldAndDrain. `-` "
            "reads names from standard input.",
        .examples = {
            {"Nothing new in a team's queue", "muster stop team-a --db cluster.ledger"},
            {"Empty a queue before maintenance", "muster stop team-a --drain --db cluster.ledger"},
            {"Only one LocalQueue", "muster stop research/batch --db cluster.ledger"}}};
    return kInfo;
  }

 protected:
  void DeclareMore(Flags& flags) override {
    flags.Switch("--drain", &drain_, "Evict what runs there too.");
  }
  StopPolicy Policy() const override {
    return drain_ ? StopPolicy::kHoldAndDrain : StopPolicy::kHold;
  }
  std::string Outcome() const override { return drain_ ? "stopped and drained" : "stopped"; }

 private:
  bool drain_ = false;
};

class Resume : public QueueCommand {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "resume",
        .group = "Report",
        .summary = "stopped queues admit again",
        .usage = "QUEUE... --db LEDGER",
        .about =
            "Undoes `muster stop`: ClusterQueues, or LocalQueues named as NAMESPACE/NAME, admit "
            "again. What was told to leave before leaves all the same. `-` reads names from "
            "standard input.",
        .examples = {{"After maintenance", "muster resume team-a --db cluster.ledger"}}};
    return kInfo;
  }

 protected:
  StopPolicy Policy() const override { return StopPolicy::kNone; }
  std::string Outcome() const override { return "resumed"; }
};

}  // namespace

std::unique_ptr<Command> MakeStop() { return std::make_unique<Stop>(); }
std::unique_ptr<Command> MakeResume() { return std::make_unique<Resume>(); }

}  // namespace muster::cli
