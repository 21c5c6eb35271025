// See scenario.h. Only the steps move the clock.
#include "bindings/lab/scenario/scenario.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/manifest/groups_by_pod.h"

namespace muster::lab {
namespace {

using manifest::Manifests;
using manifest::Step;

/// `status` as a mistake at `place`, with all its problems in one text.
Status At(const manifest::Place& place, const Status& status) {
  std::string what = status.message();
  if (!status.problems().empty()) what.clear();
  for (const Problem& problem : status.problems()) {
    if (!what.empty()) what += "; ";
    what += problem.field + ": " + problem.what;
    if (!problem.cure.empty()) what += " (" + problem.cure + ")";
  }
  return Status(status.code(),
                manifest::Diagnostic{manifest::Severity::kError, place, what, {}}.ToString());
}

/// What became of a step that must be refused with `message`.
Status RefusalOf(const std::string& message, const Status& status) {
  if (status.ok()) return Status(StatusCode::kFailedPrecondition, "the step was not refused");
  const std::string said = At({}, status).message();
  if (said.find(message) != std::string::npos) return Status::Ok();
  return Status(StatusCode::kFailedPrecondition,
                "the step was refused, but not with '" + message + "': " + said);
}

/// The namespaces that `objects` live in and none of them describes, labelled with their own name,
/// as Kubernetes labels every namespace.
std::vector<Object> ImpliedNamespaces(const std::vector<Object>& objects) {
  std::set<std::string> used;
  std::set<std::string> described;
  for (const Object& object : objects) {
    const Key key = KeyOf(object);
    if (std::holds_alternative<Namespace>(object)) described.insert(key.name);
    if (!key.ns.empty()) used.insert(key.ns);
  }
  std::vector<Object> implied;
  for (const std::string& name : used) {
    if (described.contains(name)) continue;
    implied.emplace_back(Namespace{name, {{"kubernetes.io/metadata.name", name}}});
  }
  return implied;
}

/// Those of the manifests' objects.
Status Create(const Manifests& manifests, const std::vector<std::size_t>& origin, Player& player) {
  std::vector<Object> objects;
  for (const std::size_t index : origin) objects.push_back(manifests.objects[index]);
  const Status status = player.Apply(objects, MissingReference::kAsKueue);
  if (status.problems().empty()) return status;
  std::vector<Problem> problems = status.problems();
  for (Problem& problem : problems) problem.object = origin[problem.object];
  return Status::Invalid(std::move(problems));
}

/// Those of `keys` that hold quota.
Result<std::vector<Key>> HoldersAmong(const std::vector<Key>& keys, const Engine& engine) {
  std::vector<Key> holders;
  for (const Key& key : keys) {
    const Result<WorkloadView> view = engine.GetWorkload(key);
    if (!view.ok()) return view.status();
    const std::vector<Condition>& conditions = view->spec.status.conditions;
    const bool holds = std::any_of(conditions.begin(), conditions.end(), [](const Condition& c) {
      return c.type == "QuotaReserved" && c.status;
    });
    if (holds) holders.push_back(key);
  }
  return holders;
}

/// Whether the workload waits for answers: it has not ended, is active and not on its way out.
bool MayAnswer(const Key& key, const Engine& engine) {
  const Result<WorkloadView> view = engine.GetWorkload(key);
  if (!view.ok()) return true;  // its answer says why
  const WorkloadPhase phase = view->phase;
  return phase != WorkloadPhase::kFinished && phase != WorkloadPhase::kInactive &&
         phase != WorkloadPhase::kEvicting;
}

/// Gives a command of a step, which may speak of what there is by now: see manifest::Step.
/// `refused`: the step is to be refused, and nothing is left alone.
Status Give(const Command& command, Player& player, bool refused) {
  if (const auto* finish = std::get_if<command::Finish>(&command)) {
    Result<std::vector<Key>> holders = HoldersAmong(finish->workloads, player.engine());
    return holders.ok() ? player.Do(command::Finish{*std::move(holders), finish->failed})
                        : holders.status();
  }
  if (std::holds_alternative<command::Evicted>(command)) {
    Result<std::vector<Key>> evicting = player.engine().Evicting();
    return evicting.ok() ? player.Do(command::Evicted{*std::move(evicting)}) : evicting.status();
  }
  const auto* answer = std::get_if<command::AnswerCheck>(&command);
  if (answer != nullptr && !refused && !MayAnswer(answer->workload, player.engine())) {
    return Status::Ok();
  }
  return player.Do(command);
}

/// Applies jobs as `muster apply` does.
Status GiveJobs(command::Apply apply, const manifest::OpenJobs& jobs, Player& player,
                manifest::GroupsByPod* groups) {
  std::vector<WorkloadUpdate> updates;
  Status status = manifest::SettleStep(player.engine(), jobs, groups, &apply, &updates);
  groups->Note(apply.objects);
  if (status.ok()) status = player.Do(std::move(apply));
  for (const WorkloadUpdate& update : updates) {
    if (status.ok()) status = player.Do(command::Update{update});
  }
  return status;
}

Status PlayStep(const Step& step, Player& player, manifest::GroupsByPod* groups) {
  constexpr TimeNs kLast = std::numeric_limits<TimeNs>::max();
  if (player.now() > kLast - step.after) {
    return Status(StatusCode::kInvalidArgument,
                  "the clock cannot go beyond " + manifest::FormatTime(kLast));
  }
  player.Pass(step.after);
  for (int i = 0; i < step.times; ++i) {
    for (std::size_t at = 0; at < step.commands.size(); ++at) {
      const auto jobs = step.jobs.find(at);
      Status status =
          jobs == step.jobs.end()
              ? Give(step.commands[at], player, !step.refused.empty())
              : GiveJobs(std::get<command::Apply>(step.commands[at]), jobs->second, player, groups);
      if (!status.ok()) return status;
    }
  }
  return Status::Ok();
}

}  // namespace

TimeNs BeginOf(const Manifests& manifests, TimeNs otherwise) {
  const bool says = manifests.scenario && manifests.scenario->now != kNoTime;
  return says ? manifests.scenario->now : otherwise;
}

Status CreateObjects(const Manifests& manifests, Player& player) {
  const std::vector<Object> namespaces = ImpliedNamespaces(manifests.objects);
  if (Status status = player.Apply(namespaces, MissingReference::kRefuse); !status.ok()) {
    return status;
  }
  std::vector<std::size_t> queues;
  std::vector<std::size_t> workloads;
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const Object& object = manifests.objects[i];
    if (!std::holds_alternative<Workload>(object)) {
      queues.push_back(i);
    } else if (!manifests.scenario || !manifests.scenario->arrivals.contains(KeyOf(object))) {
      workloads.push_back(i);
    }
  }
  if (!manifests.scenario) {  // all in one call, and the lifecycle controller with it
    std::vector<std::size_t> all;
    std::merge(queues.begin(), queues.end(), workloads.begin(), workloads.end(),
               std::back_inserter(all));
    return Create(manifests, all, player);
  }
  // A scenario's first change of an object is the first that its workloads' controller sees.
  const Status status = Create(manifests, queues, player);
  return status.ok() ? Create(manifests, workloads, player) : status;
}

Status PlaySteps(const manifest::Scenario& scenario, Player& player,
                 const std::function<Status(Engine&)>& between_steps) {
  manifest::GroupsByPod groups;
  for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
    const Step& step = scenario.steps[i];
    player.BeginStep(i, step.expects_workloads ? Detail::kWorkloads : Detail::kPending);
    Status status = PlayStep(step, player, &groups);
    if (!step.refused.empty()) status = RefusalOf(step.refused, status);
    if (status.ok() && between_steps) status = between_steps(player.engine());
    if (!status.ok()) return At(step.place, status);
  }
  return Status::Ok();
}

Result<ScenarioOutcome> RunScenario(Engine& engine, const Manifests& manifests, TimeNs now,
                                    bool trace_last,
                                    const std::function<Status(Engine&)>& between_steps) {
  ScenarioOutcome outcome;
  Player player(engine, BeginOf(manifests, now), KeepIn(&outcome.cycles));
  Status status = CreateObjects(manifests, player);
  if (trace_last) player.TraceInto(&outcome.last_trace);
  if (status.ok()) {
    status = manifests.scenario ? PlaySteps(*manifests.scenario, player, between_steps)
                                : player.Do(command::Cycle{});
  }
  if (!status.ok()) return status;
  return outcome;
}

}  // namespace muster::lab
