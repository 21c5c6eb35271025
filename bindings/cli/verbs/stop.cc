// muster stop: queues admit nothing new. muster resume: they do again.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/kinds.h"
#include "bindings/cli/show/outcomes.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/near_names.h"
#include "bindings/cli/world/read.h"
#include "bindings/cli/world/report.h"

namespace muster::cli {
namespace {

/// "NAMESPACE/NAME" is a LocalQueue, "NAME" a ClusterQueue.
Key KeyIn(const std::string& word) {
  const std::size_t slash = word.find('/');
  return slash == std::string::npos ? Key{"", word}
                                    : Key{word.substr(0, slash), word.substr(slash + 1)};
}

/// The stored queue of that name with another stop policy; nullopt when there is none.
std::optional<Object> WithPolicy(const Engine& engine, const Key& key, StopPolicy policy) {
  if (key.ns.empty()) {
    for (ClusterQueueView& queue : Read(engine.ClusterQueues())) {
      if (queue.spec.name != key.name) continue;
      queue.spec.stop_policy = policy;
      return std::move(queue.spec);
    }
    return std::nullopt;
  }
  for (LocalQueueView& queue : Read(engine.LocalQueues(key.ns))) {
    if (queue.spec.key != key) continue;
    queue.spec.stop_policy = policy;
    return std::move(queue.spec);
  }
  return std::nullopt;
}

std::string UnknownQueue(const Engine& engine, const Key& key) {
  const ObjectKind kind = key.ns.empty() ? ObjectKind::kClusterQueue : ObjectKind::kLocalQueue;
  const std::string what = "there is no " + std::string(KindName(kind)) + " " +
                           (key.ns.empty() ? key.name : key.ToString());
  std::vector<Problem> problems = {{0, "", what, "", true}};
  ProposeNames({}, engine, &problems);
  if (problems[0].cure.empty()) {
    problems[0].cure = "muster get " + std::string(key.ns.empty() ? "cq" : "lq") + " lists them";
  }
  const std::string& cure = problems[0].cure;
  return what + "; " + cure.substr(0, cure.find(", or apply"));
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

  int Run(Io& io) override {
    std::vector<Key> keys;
    if (const int code = ReadKeys(io, &keys); code != kDone) return code;
    std::unique_ptr<DurableEngine> opened;
    TimeNs now = kNoTime;
    if (const int code = OpenLedger(ledger_, io, &opened, &now); code != kDone) return code;
    Engine& engine = opened->engine();
    std::vector<Object> queues;
    for (const Key& key : keys) {
      std::optional<Object> queue = WithPolicy(engine, key, Policy());
      if (!queue) return io.Fail(kNo, UnknownQueue(engine, key));
      queues.push_back(std::move(*queue));
    }
    const std::vector<Key> before = Read(engine.Evicting());
    std::vector<Applied> applied;
    // The queues are the ledger's own: what they refer to is not what is asked about.
    const Status status = engine.Apply(queues, now, MissingReference::kAsKueue, &applied);
    if (!status.ok()) return io.Fail(ExitCodeFor(status), status.message());
    std::vector<ObjectOutcome> outcomes;
    for (std::size_t i = 0; i < queues.size(); ++i) {
      outcomes.push_back({std::string(KindName(KindOf(queues[i]))),
                          keys[i].ns.empty() ? keys[i].name : keys[i].ToString(),
                          applied[i] == Applied::kUnchanged ? "unchanged" : Outcome()});
    }
    const std::size_t leaving = AddEvictions(before, engine, &outcomes);
    PrintOutcomes(outcomes, output_ == "json", io, leaving);
    return kDone;
  }

 protected:
  virtual void DeclareMore(Flags&) {}
  virtual StopPolicy Policy() const = 0;
  virtual std::string Outcome() const = 0;

 private:
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
    for (const std::string& word : words_) {
      Key key = KeyIn(word);
      if (key.ns.empty() && kind != Kind::kClusterQueue) key.ns = ns_;
      if (kind == Kind::kLocalQueue && key.ns.empty()) {
        return io.Fail(kWrongUse, verb + ": '" + word + "' has no namespace; write NAMESPACE/" +
                                      word + " or add -n NAMESPACE");
      }
      if (key.name.empty() || (kind == Kind::kClusterQueue && !key.ns.empty())) {
        return io.Fail(kWrongUse, verb + ": '" + word + "' is no name of a queue");
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
            "`muster resume` undoes it. It is the queue's stopPolicy: Hold or HoldAndDrain.",
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
            "again. What was told to leave before leaves all the same.",
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
