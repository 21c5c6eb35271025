// muster what-if: what a change would make of the jobs, on copies of the state.
#include "bindings/lab/what_if.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/cli/author/decider.h"
#include "bindings/cli/command.h"
#include "bindings/cli/show/what_if_view.h"
#include "bindings/cli/world/command_text.h"
#include "bindings/cli/world/load.h"
#include "bindings/cli/world/package_folder.h"
#include "bindings/cli/world/play.h"
#include "bindings/cli/world/policy_words.h"
#include "bindings/cli/world/quota_change.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/service.h"
#include "bindings/cli/world/workload_names.h"
#include "bindings/lab/activate.h"
#include "bindings/lab/door.h"
#include "bindings/lab/near_names.h"
#include "bindings/lab/read.h"
#include "bindings/manifest/slices.h"
#include "muster/muster.h"

namespace muster::cli {
namespace {

constexpr const char* kNotAsked = "nothing was asked";

class WhatIfCommand : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "what-if",
        .group = "Look",
        .summary = "what a change would do to the jobs: a job, a quota, a priority, a policy",
        .usage =
            "-f FILE... | --db LEDGER [--with FILE...] [--quota Q/FLAVOR/RESOURCE=N] ... "
            "[-o table|json]",
        .about =
            "Asks what would start, leave, start elsewhere, stay, restart or wait with a change "
            "and does not without it. The state is a ledger's, which is only read, or that of "
            "manifests as in `muster explain`. On one copy of it the change is made, then cycles "
            "run until idle on this copy and on one without, with the pods of evicted jobs gone at "
            "once. The answer is what really making the change at this time comes to.\n"
            "A change is any of the options below together, made in the order in which they stand "
            "here: jobs and objects of manifests, quotas, queues that are drained, priorities, "
            "jobs that end or are withdrawn, commands as `muster do` reads them, a policy. A name "
            "that is not there, or a change that the engine refuses, is an error. The copies of "
            "100,000 jobs take about a second. A service answers the same with --server, but for "
            "--activate.",
        .examples = {
            {"Would it start now, and which jobs would have to leave?",
             "muster what-if --with job.yaml --db cluster.ledger"},
            {"Two more GPUs for a team",
             "muster what-if --quota team-a-cq/gpu-flavor/nvidia.com/gpu=+2 -f cluster/ -f "
             "jobs.yaml"},
            {"Were it urgent, and that one over",
             "muster what-if --priority team-a/job-train=1000 --finish team-b/job-eval --db "
             "cluster.ledger"},
            {"Under another policy",
             "muster what-if --activate policies/small-first --db "
             "cluster.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    input_.Declare(flags);
    flags.List("--with", "FILE...", &with_.files,
               "Manifests that are applied; a Job among them is submitted.");
    flags.List(
        "--quota", "QUEUE/FLAVOR/RESOURCE=N...", &quotas_,
        "Another nominalQuota of a ClusterQueue; =+N and =-N are more and less than it has.");
    flags.List("--drain", "QUEUE...", &drained_,
               "ClusterQueues that are stopped and drained (stopPolicy HoldAndDrain).");
    flags.List("--priority", "NAMESPACE/WORKLOAD=N...", &priorities_, "Another priority of a job.");
    flags.List("--finish", "NAMESPACE/WORKLOAD...", &finished_, "Jobs that have ended.");
    flags.List("--cancel", "NAMESPACE/WORKLOAD...", &cancelled_, "Jobs that are withdrawn.");
    flags.Text("-n,--namespace", "NAMESPACE", &ns_, "Namespace of jobs named without one.");
    flags.Text("--commands", "FILE", &commands_,
               "Commands as JSON, as `muster do` reads them; `-` is standard input.");
    flags.Text("--activate", "PACKAGE", &activated_,
               "A policy that decides: a folder, native, or NAME@HASH of the ledger.");
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A table for people, or JSON.");
    play_.Declare(flags);
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--with",      "--quota",    "--drain",
                                                         "--priority",  "--finish",   "--cancel",
                                                         "--namespace", "--commands", "--output"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    int code = NeedChange(io);
    std::vector<muster::Command> commands;
    if (code == kDone) code = ReadChange(nullptr, &service, io);
    if (code == kDone) code = ToCommands(service, io, &commands);
    if (code != kDone) return code;
    std::string text;
    code =
        service.Ask(remote::Target({"v1", "what-if"}, {{"output", output_}}), commands, io, &text);
    io.out << text;
    return code;
  }

  int Run(Io& io) override {
    if (const int code = NeedChange(io); code != kDone) return code;
    Loaded state;
    World world;
    int code = Settle(input_, play_, io, &world, &state);
    if (code == kDone) code = ReadChange(&world.engine, nullptr, io);
    if (code != kDone) return code;
    int refused = kDone;
    const Result<lab::Courses> courses =
        lab::AskWhatIf(world.engine, world.now, [&](Engine& engine) {
          refused = Make(engine, world.now, io);
          return refused == kDone ? Status::Ok() : Status(StatusCode::kInvalidArgument, kNotAsked);
        });
    if (refused != kDone) return refused;
    if (!courses.ok()) {
      return io.Fail(ExitCodeFor(courses.status()), courses.status().message());
    }
    WarnOfCourses(courses->without, courses->with, io);
    const lab::WhatIf what_if = Compare(courses->without, courses->with);
    if (output_ == "json") {
      PrintJson(io.out, WhatIfAnswerJson(what_if));
    } else {
      PrintWhatIf(what_if, /*quiet=*/false, io);
    }
    return kDone;
  }

 private:
  int NeedChange(Io& io) const {
    if (!with_.files.empty() || !quotas_.empty() || !drained_.empty() || !priorities_.empty() ||
        !finished_.empty() || !cancelled_.empty() || !commands_.empty() || !activated_.empty()) {
      return kDone;
    }
    return io.Fail(kWrongUse,
                   "what-if: say what changes: --with, --quota, --drain, --priority, --finish, "
                   "--cancel, --commands or --activate");
  }

  /// The change as commands, with what a service has of its queues and jobs.
  int ToCommands(const Service& service, Io& io, std::vector<muster::Command>* commands) const {
    if (!with_.files.empty()) {
      commands->push_back(command::Apply{with_loaded_.manifests.objects});
      for (const WorkloadUpdate& update : with_loaded_.manifests.updates) {
        commands->push_back(update);
      }
    }
    int code = QueuesToCommands(service, io, commands);
    for (const std::string& word : priorities_) {
      WorkloadUpdate update;
      std::string name;
      if (code == kDone) code = ReadPriority(word, io, &name, &update);
      std::vector<Key> key;
      if (code == kDone) code = KeysOf({name}, service, io, &key);
      if (code != kDone) return code;
      update.workload = key.front();
      commands->push_back(std::move(update));
    }
    std::vector<Key> finished;
    std::vector<Key> cancelled;
    if (code == kDone) code = KeysOf(finished_, service, io, &finished);
    if (code == kDone) code = KeysOf(cancelled_, service, io, &cancelled);
    if (code != kDone) return code;
    if (!finished.empty()) commands->push_back(command::Finish{finished});
    if (!cancelled.empty()) commands->push_back(command::Cancel{cancelled});
    commands->insert(commands->end(), text_.commands().begin(), text_.commands().end());
    return kDone;
  }

  int QueuesToCommands(const Service& service, Io& io,
                       std::vector<muster::Command>* commands) const {
    const TimeNs now = WallClock();
    Engine queues;  // those that change, as they are by then
    const auto fetch = [&](const std::string& name) {
      for (const Object& object : lab::Read(queues.Objects(ObjectKind::kClusterQueue))) {
        if (std::get<ClusterQueue>(object).name == name) return int{kDone};
      }
      Object queue;
      const int code = service.FindQueue({"", name}, io, &queue);
      if (code != kDone) return code;
      return Told(queues.Apply(std::span(&queue, 1), now, MissingReference::kAccept), io);
    };
    const auto change = [&](const Object& object) {
      commands->push_back(command::Apply{{object}});
      return Told(queues.Apply(std::span(&object, 1), now, MissingReference::kAccept), io);
    };
    int code = kDone;
    for (std::size_t i = 0; i < quotas_.size() && code == kDone; ++i) {
      const Status word = WithQuota(Engine(), quotas_[i]).status();
      if (word.code() == StatusCode::kInvalidArgument) return FailQuota(word, io);
      code = fetch(quotas_[i].substr(0, quotas_[i].find('/')));
      if (code != kDone) break;
      Result<ClusterQueue> queue = WithQuota(queues, quotas_[i]);
      code = queue.ok() ? change(*std::move(queue)) : FailQuota(queue.status(), io);
    }
    for (std::size_t i = 0; i < drained_.size() && code == kDone; ++i) {
      code = fetch(drained_[i]);
      if (code == kDone) code = change(*Drained(queues, drained_[i]));
    }
    return code;
  }

  /// What is read of files, before anything is copied.
  /// Without an engine a service has what the files refer to, and looks.
  int ReadChange(const Engine* engine, const Service* service, Io& io) {
    int code = kDone;
    if (!with_.files.empty()) {
      with_.allow_unlabeled = input_.allow_unlabeled;
      with_.ignore_kinds = input_.ignore_kinds;
      code = engine == nullptr
                 ? ParseFiles(*service, io)
                 : Load(with_, lab::References::kMustExist, kNotAsked, io, &with_loaded_, *engine);
      if (code == kDone && with_loaded_.manifests.scenario) {
        code = io.Fail(kWrongUse, "--with takes no Scenario: a change is made at one time");
      }
    }
    if (code == kDone && !commands_.empty()) {
      code = text_.Read(commands_, "what-if: --commands", kNotAsked, io);
    }
    if (code == kDone && !activated_.empty()) {
      code = ReadDecider(activated_, play_.db, io, &decider_);
    }
    return code;
  }

  int ParseFiles(const Service& service, Io& io) {
    int code = ReadSources(with_.files, io, &with_loaded_.sources);
    if (code != kDone) return code;
    with_loaded_.manifests =
        manifest::Parse(with_loaded_.sources, with_.ParseOptions(lab::References::kMustBeStored));
    Engine known;
    code = LearnJobs(service, io, &known);
    if (code != kDone) return code;
    manifest::Settle(known, &with_loaded_.manifests);
    WarnOfUnread(with_, with_loaded_, io);
    return Report(with_loaded_.manifests.diagnostics, with_loaded_.sources, kNotAsked, io);
  }

  /// What the service has of the jobs in the files and of queues for them, which it would be asked
  /// for as they are submitted.
  int LearnJobs(const Service& service, Io& io, Engine* known) const {
    std::vector<Object> objects;
    for (const Key& key : manifest::QueuesAskedBySettle(with_loaded_.manifests)) {
      std::vector<Object> queues;
      const int code = service.List("localqueues", {{"namespace", key.ns}}, io, &queues);
      if (code != kDone) return code;
      std::copy_if(queues.begin(), queues.end(), std::back_inserter(objects),
                   [&key](const Object& each) { return KeyOf(each) == key; });
    }
    for (const Key& key : manifest::AskedBySettle(with_loaded_.manifests)) {
      std::optional<Workload> found;
      if (const int code = service.FindNamed(key, io, &found); code != kDone) return code;
      if (!found) continue;
      WorkloadView view;
      view.spec = *found;
      std::vector<WorkloadView> slices = {view};
      if (manifest::IsElastic(view)) {
        const int code = service.FindSlices(key, /*whole_job=*/true, io, &slices);
        if (code != kDone) return code;
      }
      objects.emplace_back(*std::move(found));
      for (WorkloadView& each : slices) {
        if (each.spec.key != key) objects.emplace_back(std::move(each.spec));
      }
    }
    return Told(known->Apply(objects, WallClock(), MissingReference::kAccept), io);
  }

  /// Makes the change. Prints what is wrong and returns an exit code.
  int Make(Engine& engine, TimeNs now, Io& io) const {
    int code = ApplyObjects(engine, now, io);
    if (code == kDone) code = ChangeQueues(engine, now, io);
    if (code == kDone) code = ChangeJobs(engine, now, io);
    if (code == kDone) code = CarryOut(engine, now, io);
    if (code != kDone || activated_.empty()) return code;
    return Told(PutToWork(decider_, now, engine), io);
  }

  int ApplyObjects(Engine& engine, TimeNs now, Io& io) const {
    if (with_.files.empty()) return kDone;
    std::vector<PolicyFailure> failures;
    Status status = engine.Apply(with_loaded_.manifests.objects, now, MissingReference::kRefuse,
                                 nullptr, Submission::kAsk, &failures);
    if (status.ok()) status = manifest::Follow(&engine, with_loaded_.manifests, now);
    WarnOfSubmit(failures, "", io);
    if (status.ok() || status.problems().empty()) return Told(status, io);
    return Report(manifest::Locate(with_loaded_.manifests, status.problems()), with_loaded_.sources,
                  kNotAsked, io);
  }

  /// The queue of that name when it is drained; nullopt: there is none.
  static std::optional<Object> Drained(const Engine& engine, const std::string& name) {
    for (Object& object : lab::Read(engine.Objects(ObjectKind::kClusterQueue))) {
      auto& queue = std::get<ClusterQueue>(object);
      if (queue.name != name) continue;
      queue.stop_policy = StopPolicy::kHoldAndDrain;
      return std::move(object);
    }
    return std::nullopt;
  }

  static int FailQuota(const Status& status, Io& io) {
    const bool wrong = status.code() == StatusCode::kInvalidArgument;
    return io.Fail(wrong ? kWrongUse : kNo, "--quota " + status.message());
  }

  int ChangeQueues(Engine& engine, TimeNs now, Io& io) const {
    for (const std::string& word : quotas_) {
      Result<ClusterQueue> queue = WithQuota(engine, word);
      if (!queue.ok()) return FailQuota(queue.status(), io);
      const Object object = *std::move(queue);
      if (int code = Told(engine.Apply(std::span(&object, 1), now), io); code != kDone) return code;
    }
    for (const std::string& name : drained_) {
      const std::optional<Object> found = Drained(engine, name);
      if (!found) return io.Fail(kNo, "--drain: there is no ClusterQueue " + name);
      if (int code = Told(engine.Apply(std::span(&*found, 1), now), io); code != kDone) return code;
    }
    return kDone;
  }

  /// NAMESPACE/WORKLOAD=N.
  static int ReadPriority(const std::string& word, Io& io, std::string* name,
                          WorkloadUpdate* update) {
    const std::size_t equals = word.rfind('=');
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    std::int32_t number = 0;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
    if (value.empty() || read.ec != std::errc() || read.ptr != value.data() + value.size()) {
      return io.Fail(kWrongUse,
                     "--priority takes NAMESPACE/WORKLOAD=N, such as "
                     "team-a/job-train=1000, not '" +
                         word + "'");
    }
    *name = word.substr(0, equals);
    update->priority = number;
    return kDone;
  }

  int ChangeJobs(Engine& engine, TimeNs now, Io& io) const {
    for (const std::string& word : priorities_) {
      WorkloadUpdate update;
      std::string name;
      std::vector<Key> key;
      if (int code = ReadPriority(word, io, &name, &update); code != kDone) return code;
      if (int code = Keys({name}, engine, io, &key); code != kDone) return code;
      update.workload = key.front();
      if (int code = Told(engine.Update(update, now), io); code != kDone) return code;
    }
    std::vector<Key> finished;
    std::vector<Key> cancelled;
    int code = Keys(finished_, engine, io, &finished);
    if (code == kDone) code = Keys(cancelled_, engine, io, &cancelled);
    if (code == kDone && !finished.empty()) code = Told(engine.Finish(finished, false, now), io);
    if (code == kDone && !cancelled.empty()) code = Told(engine.Cancel(cancelled, now), io);
    return code;
  }

  /// Workloads that the engine has.
  int Keys(const std::vector<std::string>& words, const Engine& engine, Io& io,
           std::vector<Key>* keys) const {
    if (words.empty()) return kDone;
    if (int code = ParseKeys(words, ns_, "what-if", io, keys); code != kDone) return code;
    for (Key& key : *keys) {
      key = ResolveWorkload(engine, key);
      if (engine.GetWorkload(key).ok()) continue;
      return io.Fail(kNo, lab::UnknownWorkload(engine, key, "there is none at all"));
    }
    return kDone;
  }

  /// The same that a service has.
  int KeysOf(const std::vector<std::string>& words, const Service& service, Io& io,
             std::vector<Key>* keys) const {
    if (words.empty()) return kDone;
    if (int code = ParseKeys(words, ns_, "what-if", io, keys); code != kDone) return code;
    for (Key& key : *keys) {
      WorkloadView workload;
      if (int code = service.FindWorkload(key, io, &workload); code != kDone) return code;
      key = workload.spec.key;
    }
    return kDone;
  }

  int CarryOut(Engine& engine, TimeNs now, Io& io) const {
    const std::vector<muster::Command>& commands = text_.commands();
    for (std::size_t i = 0; i < commands.size(); ++i) {
      Status status = lab::CheckAtDoor(engine, commands[i]);
      if (status.ok()) status = engine.Do(commands[i], now).status();
      if (!status.ok()) return text_.Refuse(i, status, text_.Name(i) + " was refused", io);
    }
    return kDone;
  }

  static int Told(const Status& status, Io& io) {
    return status.ok() ? int{kDone} : io.Fail(ExitCodeFor(status), status.message());
  }

  InputFlags input_;
  InputFlags with_;
  Loaded with_loaded_;
  std::vector<std::string> quotas_;
  std::vector<std::string> drained_;
  std::vector<std::string> priorities_;
  std::vector<std::string> finished_;
  std::vector<std::string> cancelled_;
  std::string ns_;
  std::string commands_;
  CommandText text_;
  std::string activated_;
  lab::Decider decider_;
  std::string output_ = "table";
  PlayFlags play_;
};

}  // namespace

std::unique_ptr<Command> MakeWhatIf() { return std::make_unique<WhatIfCommand>(); }

}  // namespace muster::cli
