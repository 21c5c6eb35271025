// The public Engine: validates, advances the clock, calls the parts, and keeps a broken invariant
// from ever leaving as an exception.
#include "muster/engine.h"

#include <algorithm>
#include <utility>

#include "engine/cycle/applier.h"
#include "engine/cycle/cycle.h"
#include "engine/cycle/deadlines.h"
#include "engine/cycle/engine_run.h"
#include "engine/cycle/invariants.h"
#include "engine/cycle/lifecycle.h"
#include "engine/cycle/look_ahead.h"
#include "engine/cycle/policy_changes.h"
#include "engine/cycle/remover.h"
#include "engine/model/check.h"
#include "engine/model/validate.h"
#include "engine/policy/submit_rule.h"
#include "engine/record/payload.h"
#include "engine/state/records.h"
#include "engine/state/references.h"
#include "engine/state/whole_workload.h"

namespace muster {
namespace {

template <typename Table, typename Name>
std::optional<Object> FoundIn(const Table& table, const Name& name) {
  const auto it = table.find(name);
  return it == table.end() ? std::nullopt : std::optional<Object>(it->second);
}

/// The stored version of `object`, of the kinds that have fields which may not change.
std::optional<Object> StoredVersion(const World& world, const Object& object) {
  const Key key = KeyOf(object);
  switch (KindOf(object)) {
    case ObjectKind::kResourceFlavor:
      return FoundIn(world.catalog.flavors, key.name);
    case ObjectKind::kAdmissionCheck:
      return FoundIn(world.catalog.admission_checks, key.name);
    case ObjectKind::kTopology:
      return FoundIn(world.catalog.topologies, key.name);
    case ObjectKind::kLocalQueue: {
      const auto it = world.local_queue_ids.find(key);
      if (it != world.local_queue_ids.end()) return world.local_queue(it->second).spec;
      return std::nullopt;
    }
    case ObjectKind::kWorkload: {
      const WorkloadRecord* workload = world.FindWorkload(key);
      if (workload != nullptr) return WholeWorkload(*workload);
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

/// What is known of workloads when every one is new, without a mistake and refers to what exists:
/// then there is nothing to be said about them. Else nullopt.
std::optional<std::vector<Understood>> UnderstandAll(World& world,
                                                     std::span<const Workload> workloads) {
  std::vector<KeyView> names;
  std::vector<KeyView> queue_names;
  names.reserve(workloads.size());
  queue_names.reserve(workloads.size());
  for (const Workload& workload : workloads) {
    names.emplace_back(workload.key);
    queue_names.emplace_back(workload.key.ns, workload.queue);
  }
  for (const WorkloadRecord* existing : world.FindWorkloads(names)) {
    if (existing != nullptr) return std::nullopt;
  }
  const std::vector<const LocalQueueState*> queues = world.FindLocalQueues(queue_names);
  std::vector<Problem> problems;
  std::vector<Understood> all;
  all.reserve(workloads.size());
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const Workload& workload = workloads[i];
    if (queues[i] == nullptr || !RefersToQueueAlone(workload)) return std::nullopt;
    Understood& understood = all.emplace_back();
    understood.queue = queues[i];
    const bool valid = world.forms.FindValid(workload, understood.series);
    const KnownValid known = !valid                               ? KnownValid::kNothing
                             : understood.series.get() == nullptr ? KnownValid::kPodSets
                                                                  : KnownValid::kAllButName;
    ValidateWorkload(workload, 0, known, problems);
    if (!problems.empty()) return std::nullopt;
    if (!valid) world.forms.NoteValid(workload, understood.series);
  }
  return all;
}

void CreateNamespace(const World& world, const std::string& ns, Applier& applier) {
  if (ns.empty() || world.catalog.namespaces.contains(ns)) return;
  applier.Apply(Namespace{ns, {{"kubernetes.io/metadata.name", ns}}});
}

}  // namespace

Engine::Engine(Journal* journal) : state_(std::make_unique<State>()) { state_->journal = journal; }
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

std::vector<Problem> Engine::Validate(std::span<const Object> objects,
                                      MissingReference missing) const {
  std::vector<Problem> problems;
  const World& world = state_->world;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    ValidateObject(
        objects[i], i, problems,
        missing == MissingReference::kRefuse ? Strictness::kStrict : Strictness::kLenient);
    if (const auto before = StoredVersion(world, objects[i])) {
      ValidateChange(*before, objects[i], i, problems);
    }
  }
  if (missing == MissingReference::kRefuse) {
    std::vector<Problem> references = MissingReferences(world, objects);
    problems.insert(problems.end(), references.begin(), references.end());
  }
  const std::vector<Problem> bindings = state_->policies.Check(world, objects);
  problems.insert(problems.end(), bindings.begin(), bindings.end());
  std::stable_sort(problems.begin(), problems.end(),
                   [](const Problem& a, const Problem& b) { return a.object < b.object; });
  return problems;
}

Status Engine::Apply(std::span<const Object> objects, TimeNs now, MissingReference missing,
                     std::vector<Applied>* applied, Submission submission) {
  std::vector<Problem> problems = Validate(objects, missing);
  if (!problems.empty()) return Status::Invalid(std::move(problems));
  std::vector<Object> answered;
  std::vector<PolicyFailure> failures;
  if (submission == Submission::kAsk && state_->policies.Defines(Hook::kSubmit)) {
    state_->AdvanceTo(now);
    answered.assign(objects.begin(), objects.end());
    SubmitAnswers answers = AskSubmit(state_->world, state_->policies, answered);
    if (!answers.followed.empty()) {
      problems = TakeBackAnswers(Validate(answered, missing), objects, answered, answers);
    }
    problems.insert(problems.end(), answers.rejections.begin(), answers.rejections.end());
    if (!problems.empty()) return Status::Invalid(std::move(problems));
    failures = std::move(answers.failures);
    objects = answered;
  }
  const bool only_workloads = std::all_of(objects.begin(), objects.end(), [](const Object& o) {
    return KindOf(o) == ObjectKind::kWorkload;
  });
  return Run(only_workloads ? CommandKind::kSubmit : CommandKind::kApply, now, [&](World& world) {
    for (const PolicyFailure& failure : failures) {
      world.changes.Report(EventKind::kPolicyFailed, Key{"policy", failure.policy},
                           [&] { return PolicyFailurePayload(failure); });
    }
    std::vector<Applied> outcomes;
    outcomes.reserve(objects.size());
    Applier applier(world);
    for (const Object& object : objects) {
      if (missing == MissingReference::kRefuse) CreateNamespaceOf(object, applier);
      outcomes.push_back(applier.Apply(object));
    }
    applier.Finish();
    if (!only_workloads) ReconcileLifecycle(world);
    if (applier.changed()) state_->policies.Invalidate(world);
    if (applied != nullptr) *applied = std::move(outcomes);
    return Status::Ok();
  });
}

void Engine::CreateNamespaceOf(const Object& object, Applier& applier) {
  CreateNamespace(state_->world, KeyOf(object).ns, applier);
}

Status Engine::Delete(ObjectKind kind, const Key& key, TimeNs now, bool force) {
  if (kind == ObjectKind::kWorkload) return Cancel(std::span(&key, 1), now);
  const std::string name =
      std::string(KindName(kind)) + " " + (key.ns.empty() ? key.name : key.ToString());
  if (!ObjectExists(state_->world, kind, key)) {
    return Status(StatusCode::kNotFound, "there is no " + name);
  }
  const std::vector<std::string> references = ReferencesTo(state_->world, kind, key);
  if (!references.empty() && !force) {
    const std::string more =
        references.size() == 1 ? "" : " and " + std::to_string(references.size() - 1) + " more";
    return Status(StatusCode::kFailedPrecondition,
                  name + " is used by " + references.front() + more);
  }
  return Run(CommandKind::kDelete, now, [&](World& world) {
    RemoveObject(world, kind, key);
    ReconcileLifecycle(world);
    state_->policies.Invalidate(world);
    return Status::Ok();
  });
}

Status Engine::Submit(std::span<const Workload> workloads, TimeNs now,
                      std::vector<Applied>* applied) {
  auto understood = state_->policies.Defines(Hook::kSubmit)
                        ? std::nullopt
                        : UnderstandAll(state_->world, workloads);
  if (!understood) {
    const std::vector<Object> objects(workloads.begin(), workloads.end());
    return Apply(objects, now, MissingReference::kRefuse, applied);
  }
  // What Apply does with them, without copying them into objects first.
  return Run(CommandKind::kSubmit, now, [&](World& world) {
    std::vector<Applied> outcomes;
    outcomes.reserve(workloads.size());
    Applier applier(world);
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      const std::string& ns = workloads[i].key.ns;
      if (i == 0 || ns != workloads[i - 1].key.ns) CreateNamespace(world, ns, applier);
      outcomes.push_back(applier.Submit(workloads[i], std::move((*understood)[i])));
    }
    applier.Finish();
    if (applied != nullptr) *applied = std::move(outcomes);
    return Status::Ok();
  });
}

Status Engine::Finish(std::span<const Key> workloads, bool failed, TimeNs now) {
  const std::vector<KeyView> names(workloads.begin(), workloads.end());
  const std::vector<WorkloadRecord*> ended = state_->world.FindWorkloads(names);
  for (std::size_t i = 0; i < ended.size(); ++i) {
    if (ended[i] == nullptr) return UnknownWorkload(workloads[i]);
  }
  return Run(CommandKind::kFinish, now, [&](World& world) {
    for (std::size_t i = 0; i < ended.size(); ++i) {
      if (i + kObjectsAhead < ended.size()) SendForHolder(world, *ended[i + kObjectsAhead]);
      if (i + kPartsAhead < ended.size()) SendForParts(world, *ended[i + kPartsAhead]);
      WorkloadRecord* const workload = ended[i];
      if (IsTrue(workload->spec.status, condition::kFinished)) continue;
      FinishWorkload(world, *workload, failed);
    }
    return Status::Ok();
  });
}

Status Engine::Cancel(std::span<const Key> workloads, TimeNs now) {
  for (const Key& key : workloads) {
    if (state_->world.FindWorkload(key) == nullptr) return UnknownWorkload(key);
  }
  return Run(CommandKind::kCancel, now, [&](World& world) {
    for (const Key& key : workloads) {
      if (WorkloadRecord* workload = world.FindWorkload(key)) ForgetWorkload(world, *workload);
    }
    return Status::Ok();
  });
}

Status Engine::Evict(const Key& key, std::string_view reason, TimeNs now) {
  WorkloadRecord* workload = state_->world.FindWorkload(key);
  if (workload == nullptr) return UnknownWorkload(key);
  if (!workload->holds()) {
    return Status(StatusCode::kFailedPrecondition, key.ToString() + " holds no quota");
  }
  return Run(CommandKind::kEvict, now, [&](World& world) {
    OrderEviction(world, *workload, reason, "Evicted by request");
    return Status::Ok();
  });
}

Status Engine::Evicted(std::span<const Key> workloads, TimeNs now, Lifecycle lifecycle) {
  for (const Key& key : workloads) {
    const WorkloadRecord* workload = state_->world.FindWorkload(key);
    if (workload == nullptr) return UnknownWorkload(key);
    if (!workload->evicted) {
      return Status(StatusCode::kFailedPrecondition,
                    "no eviction of " + key.ToString() + " was ordered");
    }
  }
  const CommandKind kind =
      lifecycle == Lifecycle::kRun ? CommandKind::kEvicted : CommandKind::kEvictedAlone;
  return Run(kind, now, [&](World& world) {
    std::vector<Key> sorted(workloads.begin(), workloads.end());
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    for (const Key& key : sorted) CompleteEviction(world, *world.FindWorkload(key));
    WakeForFinished(world);
    if (lifecycle == Lifecycle::kRun) ReconcileLifecycle(world);
    return Status::Ok();
  });
}

std::vector<Key> Engine::Evicting() const {
  std::vector<Key> keys;
  for (const WorkloadId id : UnsettledByName(state_->world)) {
    const WorkloadRecord& workload = state_->world.workload(id);
    if (workload.evicted) keys.push_back(workload.spec.key);
  }
  return keys;
}

Status Engine::Advance(TimeNs now) {
  return Run(CommandKind::kAdvance, now, [](World& world) {
    ExpireDeadlines(world);
    SampleFairUsage(world);
    return Status::Ok();
  });
}

Result<CycleResult> Engine::RunCycle(TimeNs now, CycleTrace* trace) {
  CycleResult result;
  Status status = Run(CommandKind::kCycle, now, [&](World& world) {
    ExpireDeadlines(world);
    FlushWakes(world);
    result = RunSchedulingCycles(world, state_->policies, state_->memory, trace,
                                 state_->shadow ? &*state_->shadow : nullptr);
    for (const PolicyFailure& failure : result.policy_failures) {
      world.changes.Report(EventKind::kPolicyFailed, Key{"policy", failure.policy},
                           [&] { return PolicyFailurePayload(failure); });
    }
    return Status::Ok();
  });
  if (!status.ok()) return status;
  return result;
}

Status Engine::ActivatePolicy(std::shared_ptr<Policy> policy, TimeNs now,
                              const PolicyChange& change) {
  if (Status status = state_->policies.CheckParams(state_->world, *policy); !status.ok()) {
    return status;
  }
  if (Status status = muster::Accounts::Check(state_->policies.AccountRules(policy.get()));
      !status.ok()) {
    return status;
  }
  return Run(CommandKind::kActivatePolicy, now, [&](World& world) {
    world.changes.Report(EventKind::kPolicyActivated, Key{"policy", policy->info().name},
                         [&] { return HashPayload(policy->info().hash, change); });
    state_->policies.Activate(world, std::move(policy));
    world.accounts.Declare(world, state_->policies.AccountRules());
    return Status::Ok();
  });
}

Status Engine::RollBackPolicy(std::string_view package, std::vector<std::shared_ptr<Policy>> before,
                              TimeNs now, const PolicyChange& change) {
  for (const auto& policy : before) {
    const PolicyInfo& info = policy->info();
    if (!state_->policies.generations().HasFailed(info.name, info.hash)) continue;
    return Status(StatusCode::kFailedPrecondition,
                  "policy " + info.name + "@" + info.hash.substr(0, 12) +
                      " was rolled back for failing; activate it to try it again");
  }
  return Run(CommandKind::kRollBackPolicy, now, [&](World& world) {
    std::vector<std::string> hashes;
    for (const auto& policy : before) hashes.push_back(policy->info().hash);
    world.changes.Report(EventKind::kPolicyRolledBack, Key{"policy", std::string(package)},
                         [&] { return GenerationsPayload(hashes, change); });
    state_->policies.generations().Forget(std::string(package));
    state_->policies.Clear();
    for (auto& policy : before) state_->policies.Activate(world, std::move(policy));
    state_->policies.Invalidate(world);
    world.accounts.Declare(world, state_->policies.AccountRules());
    return Status::Ok();
  });
}

Status Engine::NoteStaged(std::string_view package, std::string_view hash, std::string_view refused,
                          const PolicyChange& change, TimeNs now) {
  return Run(CommandKind::kAdvance, now, [&](World& world) {
    SampleFairUsage(world);
    world.changes.Report(EventKind::kPolicyStaged, Key{"policy", std::string(package)},
                         [&] { return StagedPayload(hash, refused, change); });
    return Status::Ok();
  });
}

std::vector<LiveBatch> Engine::LiveBatches(const PolicyInfo& info, std::size_t most) const {
  return ExportBatches(state_->world, info, most);
}

void Engine::ShadowPolicy(std::shared_ptr<Policy> candidate) {
  state_->shadow.reset();
  if (candidate != nullptr) state_->shadow.emplace(std::move(candidate));
}

ShadowReport Engine::Shadow() const {
  return state_->shadow ? state_->shadow->report() : ShadowReport{};
}

std::vector<PolicyInfo> Engine::Policies() const { return state_->policies.Active(); }

Status Engine::CheckInvariants() const {
  try {
    CheckEverything(state_->world);
    return state_->poisoned;
  } catch (const InvariantBroken& broken) {
    return Status(StatusCode::kInternal, broken.what());
  }
}

}  // namespace muster
