// Plays a Scenario step by step on a virtual clock that only its `advance` steps move.
//
// The engine behind the reference may be replaced between two steps (tests reopen ledgers there),
// so nothing read from it is kept from one step to the next.
#include "bindings/cpp/scenario_runner.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace muster {
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
Status Refused(const std::string& message, const Status& status) {
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

class Player {
 public:
  Player(Engine& engine, const Manifests& manifests, TimeNs now, bool trace_last,
         const CycleSink& sink)
      : engine_(engine), manifests_(manifests), clock_(now), sink_(sink) {
    if (manifests.scenario && manifests.scenario->now != kNoTime) {
      clock_ = manifests.scenario->now;
    }
    if (trace_last) traced_cycle_ = TotalCycles();
  }

  Status CreateObjects();
  Status Play(const Step& step, std::size_t index);
  Status RunCycles(int count, std::size_t step);
  ScenarioOutcome Take() { return std::move(outcome_); }

 private:
  std::size_t TotalCycles() const;
  Status Create(const std::vector<std::size_t>& origin);
  Status Submit(const Step& step);
  Status Finish(const Step& step);
  Status CompleteEvictions();
  Status ApplyObjects(const Step& step);
  Status Apply(std::span<const Object> objects, MissingReference missing);
  Status Report(const Step& step);
  Status UpdateWorkload(const Step& step, std::size_t object);

  Engine& engine_;
  const Manifests& manifests_;
  TimeNs clock_;
  const CycleSink& sink_;
  std::size_t cycles_run_ = 0;
  std::optional<std::size_t> traced_cycle_;     ///< count of the cycle whose trace is kept
  std::map<Key, std::size_t> held_back_;        ///< workloads that a `submit` step brings
  std::vector<PolicyFailure> submit_failures_;  ///< for the next cycle to tell
  ScenarioOutcome outcome_;
};

std::size_t Player::TotalCycles() const {
  if (!manifests_.scenario) return 1;
  std::size_t total = 0;
  for (const Step& step : manifests_.scenario->steps) {
    total += static_cast<std::size_t>(step.cycles);
  }
  return total;
}

Status Player::CreateObjects() {
  if (manifests_.scenario) {
    for (const Step& step : manifests_.scenario->steps) {
      for (const Key& key : step.submit) held_back_.emplace(key, manifests_.objects.size());
    }
  }
  const std::vector<Object> namespaces = ImpliedNamespaces(manifests_.objects);
  if (const Status status = engine_.Apply(namespaces, clock_); !status.ok()) return status;
  std::vector<std::size_t> queues;
  std::vector<std::size_t> workloads;
  for (std::size_t i = 0; i < manifests_.objects.size(); ++i) {
    const Object& object = manifests_.objects[i];
    if (!std::holds_alternative<Workload>(object)) {
      queues.push_back(i);
    } else if (const auto held = held_back_.find(KeyOf(object)); held != held_back_.end()) {
      held->second = i;
    } else {
      workloads.push_back(i);
    }
  }
  if (!manifests_.scenario) {  // all in one call, and the lifecycle controller with it
    std::vector<std::size_t> all;
    std::merge(queues.begin(), queues.end(), workloads.begin(), workloads.end(),
               std::back_inserter(all));
    return Create(all);
  }
  // A scenario's first change of an object is the first that its workloads' controller sees.
  const Status status = Create(queues);
  return status.ok() ? Create(workloads) : status;
}

/// Those of the manifests' objects.
Status Player::Create(const std::vector<std::size_t>& origin) {
  std::vector<Object> objects;
  for (const std::size_t index : origin) objects.push_back(manifests_.objects[index]);
  const Status status = Apply(objects, MissingReference::kAsKueue);
  if (status.problems().empty()) return status;
  std::vector<Problem> problems = status.problems();
  for (Problem& problem : problems) problem.object = origin[problem.object];
  return Status::Invalid(std::move(problems));
}

Status Player::Play(const Step& step, std::size_t index) {
  if (step.cycles > 0) return RunCycles(step.cycles, index);
  if (step.advance >= 0) {
    clock_ += step.advance;
    return engine_.Advance(clock_);
  }
  if (!step.submit.empty()) return Submit(step);
  if (!step.finish.empty()) return Finish(step);
  if (step.evicted) return CompleteEvictions();
  if (!step.apply.empty()) return ApplyObjects(step);
  return Report(step);
}

Status Player::Report(const Step& step) {
  if (!step.cancel.empty()) return engine_.Cancel(step.cancel, clock_);
  if (!step.ready.empty()) return engine_.Ready(step.ready, clock_);
  if (!step.not_ready.empty()) return engine_.Ready(step.not_ready, clock_, false);
  if (step.check) return engine_.UpdateCheck(*step.check, clock_).status();
  if (step.update) return engine_.Update(*step.update, clock_);
  if (step.evict) return engine_.Evict(step.evict->workload, step.evict->reason, clock_);
  if (step.remove) return engine_.Delete(step.remove->kind, step.remove->key, clock_, true);
  return Status::Ok();
}

Status Player::RunCycles(int count, std::size_t step) {
  for (int i = 0; i < count; ++i) {
    const bool trace = traced_cycle_ == ++cycles_run_;
    Result<CycleOutcome> cycle =
        RunOneCycle(engine_, clock_, trace ? &outcome_.last_trace : nullptr);
    if (!cycle.ok()) return cycle.status();
    cycle->step = step;
    cycle->submit_failures = std::exchange(submit_failures_, {});
    if (manifests_.scenario && manifests_.scenario->steps[step].expects_workloads) {
      Result<std::vector<WorkloadView>> workloads = engine_.Workloads();
      if (!workloads.ok()) return workloads.status();
      cycle->workloads = std::move(*workloads);
    }
    if (!sink_) {
      outcome_.cycles.push_back(std::move(*cycle));
    } else if (Status taken = sink_(std::move(*cycle)); !taken.ok()) {
      return taken;
    }
  }
  return Status::Ok();
}

Status Player::Submit(const Step& step) {
  std::vector<Object> workloads;
  for (const Key& key : step.submit) {
    const std::size_t index = held_back_.at(key);
    if (index == manifests_.objects.size()) {
      return Status(StatusCode::kNotFound, "submit names " + key.ToString() +
                                               ", which no document of this call describes");
    }
    workloads.push_back(manifests_.objects[index]);
  }
  return Apply(workloads, MissingReference::kAsKueue);
}

Status Player::Finish(const Step& step) {
  std::vector<Key> holders;
  for (const Key& key : step.finish) {
    const Result<WorkloadView> view = engine_.GetWorkload(key);
    if (!view.ok()) return view.status();
    const std::vector<Condition>& conditions = view->spec.status.conditions;
    const bool holds = std::any_of(conditions.begin(), conditions.end(), [](const Condition& c) {
      return c.type == "QuotaReserved" && c.status;
    });
    if (holds) holders.push_back(key);
  }
  return engine_.Finish(holders, /*failed=*/false, clock_);
}

Status Player::CompleteEvictions() {
  const std::vector<Step>& steps = manifests_.scenario->steps;
  const bool changes_objects = std::any_of(steps.begin(), steps.end(), [](const Step& step) {
    return !step.apply.empty() || step.check || step.update || step.evict || step.remove;
  });
  const Result<std::vector<Key>> evicting = engine_.Evicting();
  if (!evicting.ok()) return evicting.status();
  return engine_.Evicted(*evicting, clock_, changes_objects ? Lifecycle::kRun : Lifecycle::kSkip);
}

Status Player::Apply(std::span<const Object> objects, MissingReference missing) {
  std::vector<PolicyFailure> failures;
  Status status = engine_.Apply(objects, clock_, missing, nullptr, Submission::kAsk, &failures);
  submit_failures_.insert(submit_failures_.end(), std::make_move_iterator(failures.begin()),
                          std::make_move_iterator(failures.end()));
  return status;
}

Status Player::ApplyObjects(const Step& step) {
  // Kueue's own cases bend some rules; one that needs what is refused asks for all of them.
  const auto missing =
      step.refused.empty() ? MissingReference::kAsKueue : MissingReference::kRefuse;
  for (const std::size_t index : step.apply) {
    const Object& object = manifests_.step_objects[index];
    const Status status =
        std::holds_alternative<Workload>(object) && std::get<Workload>(object).pod_sets.empty()
            ? UpdateWorkload(step, index)
            : Apply(std::span(&object, 1), missing);
    if (!status.ok()) return status;
  }
  return Status::Ok();
}

Status Player::UpdateWorkload(const Step& step, std::size_t object) {
  const Workload& workload = std::get<Workload>(manifests_.step_objects[object]);
  WorkloadUpdate update;
  update.workload = workload.key;
  update.priority = workload.priority;
  if (std::find(step.sets_active.begin(), step.sets_active.end(), object) !=
      step.sets_active.end()) {
    update.active = workload.active;
  }
  if (!workload.status.reclaimable_pods.empty()) {
    update.reclaimable_pods = workload.status.reclaimable_pods;
  }
  return engine_.Update(update, clock_);
}

}  // namespace

CycleSink KeepIn(std::vector<CycleOutcome>* cycles) {
  return [cycles](CycleOutcome cycle) {
    cycles->push_back(std::move(cycle));
    return Status::Ok();
  };
}

Result<CycleOutcome> RunOneCycle(Engine& engine, TimeNs now, CycleTrace* trace) {
  Result<CycleResult> result = engine.RunCycle(now, trace);
  if (!result.ok()) return result.status();
  CycleOutcome outcome;
  outcome.result = std::move(*result);
  Result<std::vector<PendingWorkload>> pending = engine.Pending();
  if (!pending.ok()) return pending.status();
  outcome.pending = std::move(*pending);
  return outcome;
}

Result<ScenarioOutcome> RunScenario(Engine& engine, const Manifests& manifests, TimeNs now,
                                    bool trace_last,
                                    const std::function<Status(Engine&)>& between_steps,
                                    const CycleSink& sink) {
  Player player(engine, manifests, now, trace_last, sink);
  if (const Status status = player.CreateObjects(); !status.ok()) return status;
  if (!manifests.scenario) {
    if (const Status status = player.RunCycles(1, 0); !status.ok()) return status;
    return player.Take();
  }
  const std::vector<Step>& steps = manifests.scenario->steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Status status = player.Play(steps[i], i);
    if (!steps[i].refused.empty()) status = Refused(steps[i].refused, status);
    if (status.ok() && between_steps) status = between_steps(engine);
    if (!status.ok()) return At(steps[i].place, status);
  }
  return player.Take();
}

}  // namespace muster
