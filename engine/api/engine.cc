// What the calls of the engine do: validate, then change the world in Run. calls.cc lets them in.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/api/doubts.h"
#include "engine/api/engine_run.h"
#include "engine/api/meant_job.h"
#include "engine/base/check.h"
#include "engine/base/sort_once.h"
#include "engine/base/time_text.h"
#include "engine/command/applier.h"
#include "engine/command/elastic_objects.h"
#include "engine/command/remover.h"
#include "engine/cycle/cycle.h"
#include "engine/cycle/invariants.h"
#include "engine/kin/variants.h"
#include "engine/life/deadlines.h"
#include "engine/life/lifecycle.h"
#include "engine/model/elastic.h"
#include "engine/model/kinds.h"
#include "engine/model/limits.h"
#include "engine/policy/submit_rule.h"
#include "engine/record/payload.h"
#include "engine/state/catalog_tables.h"
#include "engine/state/cohort_cycles.h"
#include "engine/state/look_ahead.h"
#include "engine/state/records.h"
#include "engine/state/references.h"
#include "engine/state/whole_workload.h"
#include "engine/validity/unread_fields.h"
#include "engine/validity/validate.h"

namespace muster {
namespace {

/// The stored version of `object`, of the kinds that have fields which may not change.
std::optional<Object> StoredVersion(const World& world, const Object& object) {
  if (!RowOf(KindOf(object)).has_fixed) return std::nullopt;
  const Key key = KeyOf(object);
  if (KindOf(object) != ObjectKind::kWorkload) return FindObject(world, KindOf(object), key);
  const WorkloadRecord* workload = world.FindWorkload(key);
  return workload == nullptr ? std::nullopt : std::optional<Object>(WholeWorkload(*workload));
}

/// What is known of workloads when every one is new, without a mistake and refers to what exists:
/// then there is nothing to be said about them. Else nullopt.
std::optional<std::vector<Understood>> UnderstandAll(World& world,
                                                     std::span<const Workload> workloads,
                                                     Submission submission) {
  std::vector<KeyView> names;
  std::vector<KeyView> queue_names;
  names.reserve(workloads.size());
  queue_names.reserve(workloads.size());
  for (const Workload& workload : workloads) {
    if (world.any_slices && workload.annotations.contains(kElasticJobAnnotation)) {
      return std::nullopt;
    }
    names.emplace_back(workload.key);
    queue_names.emplace_back(workload.key.ns, workload.queue);
  }
  for (const WorkloadRecord* existing : world.FindWorkloads(names)) {
    if (existing != nullptr) return std::nullopt;
  }
  if (submission == Submission::kAsk && MayShareUids(world, workloads)) return std::nullopt;
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
    if (submission == Submission::kAsk) ValidateGiven(workload, 0, problems);
    if (!problems.empty()) return std::nullopt;
    if (!valid) world.forms.NoteValid(workload, understood.series);
  }
  return all;
}

/// Whether so many more workloads can be kept at one time.
Status HasRoom(const World& world, std::size_t count) {
  if (count <= kMaxWorkloads - world.workload_index.size()) return Status::Ok();
  return Status(StatusCode::kFailedPrecondition,
                std::to_string(count) + " more workloads would exceed the " +
                    std::to_string(kMaxWorkloads) +
                    " that one engine keeps at a time; cancel those that have finished first");
}

/// Places of workloads that exist and that stand again behind: of each only the last counts, so
/// that what is recorded, which is the outcome, can be repeated.
std::set<std::size_t> Superseded(const World& world, std::span<const Object> objects) {
  std::map<Key, std::size_t> last;
  std::set<std::size_t> superseded;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto* workload = std::get_if<Workload>(&objects[i]);
    if (workload == nullptr || world.FindWorkload(workload->key) == nullptr) continue;
    const auto [place, is_new] = last.try_emplace(workload->key, i);
    if (!is_new) superseded.insert(std::exchange(place->second, i));
  }
  return superseded;
}

bool CreateNamespace(const World& world, const std::string& ns, Applier& applier) {
  if (ns.empty() || world.catalog.namespaces.contains(ns)) return false;
  applier.Apply(Namespace{ns, {{"kubernetes.io/metadata.name", ns}}});
  return true;
}

/// How long a time may jump, as messages have it.
std::string JumpText(DurationNs longest) {
  constexpr DurationNs kDay = 24 * 3600 * kSecond;
  if (longest % kDay != 0 || longest < 2 * kDay) return FormatDuration(longest);
  const DurationNs days = longest / kDay;
  const std::string text = std::to_string(days) + " days";
  return days == 365 || days == 366 ? "a year (" + text + ")" : text;
}

}  // namespace

std::vector<Problem> Engine::State::Validate(std::span<const Object> objects,
                                             MissingReference missing,
                                             Submission submission) const {
  const std::optional<std::vector<Object>> slices = AsSlices(world, objects);
  if (slices) objects = *slices;
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    ValidateObject(
        objects[i], i, problems,
        missing == MissingReference::kRefuse ? Strictness::kStrict : Strictness::kLenient);
    if (missing != MissingReference::kAsKueue) FindUnread(objects[i], i, problems);
    const auto* const workload = std::get_if<Workload>(&objects[i]);
    if (workload != nullptr && submission == Submission::kAsk &&
        missing != MissingReference::kAsKueue) {
      ValidateGiven(*workload, i, problems);
    }
    if (auto before = StoredVersion(world, objects[i])) {
      before = ToCompareWith(world, std::move(*before), objects[i]);
      ValidateChange(*before, objects[i], i, problems);
    }
    if (missing == MissingReference::kRefuse) {
      const std::optional<Object> holder = HolderToCompareWith(world, objects[i]);
      if (holder) ValidateChange(*holder, objects[i], i, problems);
    }
  }
  if (missing == MissingReference::kRefuse) {
    std::vector<Problem> references = MissingReferences(world, objects);
    problems.insert(problems.end(), references.begin(), references.end());
  }
  if (submission == Submission::kAsk && missing != MissingReference::kAsKueue) {
    RefuseSharedUids(world, objects, problems);
  }
  const std::vector<Problem> too_much = HoldingTooMuch(world, objects);
  problems.insert(problems.end(), too_much.begin(), too_much.end());
  if (missing != MissingReference::kAsKueue) {
    const std::vector<Problem> cycles = CohortCycles(world, objects);
    problems.insert(problems.end(), cycles.begin(), cycles.end());
  }
  const std::vector<Problem> bindings = policies.Check(
      world, objects,
      missing == MissingReference::kRefuse ? Strictness::kStrict : Strictness::kLenient);
  problems.insert(problems.end(), bindings.begin(), bindings.end());
  std::stable_sort(problems.begin(), problems.end(),
                   [](const Problem& a, const Problem& b) { return a.object < b.object; });
  return problems;
}

Status Engine::State::Apply(std::span<const Object> objects, TimeNs now, MissingReference missing,
                            std::vector<Applied>* applied, Submission submission,
                            std::vector<PolicyFailure>* failures, std::vector<Warning>* warnings) {
  const std::span<const Object> given = objects;
  const std::optional<std::vector<Object>> slices = AsSlices(world, objects);
  if (slices) objects = *slices;
  std::vector<Problem> problems = Validate(objects, missing, submission);
  if (!problems.empty()) return Status::Invalid(std::move(problems));
  std::vector<Object> answered;
  SubmitAnswers answers;
  if (submission == Submission::kAsk && policies.Defines(Hook::kSubmit)) {
    touched = true;
    answered.assign(objects.begin(), objects.end());
    // It is only a question: when the call is refused, no time has passed.
    const TimeNs before = world.now;
    AdvanceTo(now);
    answers = AskSubmit(world, policies, answered);
    world.now = before;
    if (!answers.followed.empty()) {
      problems = TakeBackAnswers(Validate(answered, missing), objects, answered, answers);
    }
    problems.insert(problems.end(), answers.rejections.begin(), answers.rejections.end());
    if (!problems.empty()) return Status::Invalid(std::move(problems));
    objects = answered;
  }
  if (Status room = HasRoom(world, objects.size()); !room.ok()) return room;
  const bool only_workloads = std::all_of(objects.begin(), objects.end(), [](const Object& o) {
    return KindOf(o) == ObjectKind::kWorkload;
  });
  const auto change = [&] {
    for (const auto& [policy, fuel] : answers.asked) policies.Count(*policy, 1, fuel);
    for (const PolicyFailure& failure : answers.failures) {
      world.changes.Report(EventKind::kPolicyFailed, Key{"policy", failure.policy},
                           [&] { return PolicyFailurePayload(failure); });
    }
    std::vector<Applied> outcomes(objects.size(), Applied::kUnchanged);
    Doubts doubts(submission == Submission::kAsk ? warnings : nullptr, world.now);
    std::set<std::string> created;  // namespaces, by what lies in them
    const std::set<std::size_t> superseded = Superseded(world, objects);
    Applier applier(world);
    // Workloads last, as in the record: what they refer to is there, wherever it stands.
    for (const bool workloads : {false, true}) {
      for (std::size_t i = 0; i < objects.size(); ++i) {
        if ((KindOf(objects[i]) == ObjectKind::kWorkload) != workloads) continue;
        if (superseded.contains(i)) continue;
        if (missing == MissingReference::kRefuse) {
          const std::string ns = KeyOf(objects[i]).ns;
          if (CreateNamespace(world, ns, applier)) created.insert(ns);
        }
        outcomes[i] = applier.Apply(objects[i]);
        if (workloads) {
          const Workload& workload = std::get<Workload>(objects[i]);
          if (outcomes[i] == Applied::kCreated) doubts.Comes(workload, i);
          if (outcomes[i] == Applied::kChanged) {
            doubts.Changed(*world.FindWorkload(workload.key), i);
          }
        }
        const auto* const ns = std::get_if<Namespace>(&objects[i]);
        if (ns != nullptr && created.contains(ns->name)) outcomes[i] = Applied::kCreated;
        // A slice more is a change of its job.
        if (slices && outcomes[i] == Applied::kCreated && KeyOf(objects[i]) != KeyOf(given[i])) {
          outcomes[i] = Applied::kChanged;
        }
      }
    }
    applier.Finish();
    if (!only_workloads) {
      ReconcileLifecycle(world);
      LookAtAllJobs(world);
    }
    applier.RefreshPolicies(policies);
    if (applied != nullptr) *applied = std::move(outcomes);
    if (failures != nullptr) *failures = std::move(answers.failures);
    return Status::Ok();
  };
  if (!only_workloads || missing != MissingReference::kRefuse) {
    return Run(view::Apply{objects, missing, Submission::kTaken}, now, change);
  }
  std::vector<Workload> workloads;  // only to be recorded
  if (journal != nullptr) {
    for (const Object& object : objects) workloads.push_back(std::get<Workload>(object));
  }
  return Run(view::Submit{workloads, Submission::kTaken}, now, change);
}

Status Engine::State::Delete(ObjectKind kind, const Key& key, TimeNs now, bool force) {
  if (kind == ObjectKind::kWorkload) return Cancel(std::span(&key, 1), now, {});
  const std::string name =
      std::string(KindName(kind)) + " " + (key.ns.empty() ? key.name : key.ToString());
  if (!HasNamespace(kind) && !key.ns.empty()) {
    return Status(StatusCode::kInvalidArgument, "a " + std::string(KindName(kind)) +
                                                    " has no namespace; write " + key.name +
                                                    ", not " + key.ToString());
  }
  if (!ObjectExists(world, kind, key)) {
    const bool lacks = HasNamespace(kind) && key.ns.empty();
    return Status(StatusCode::kNotFound,
                  "there is no " + name +
                      (lacks ? " without a namespace; name it as NAMESPACE/" + key.name : ""));
  }
  const std::vector<std::string> references = ReferencesTo(world, kind, key);
  if (!references.empty() && !force) {
    const std::string more =
        references.size() == 1 ? "" : " and " + std::to_string(references.size() - 1) + " more";
    return Status(StatusCode::kFailedPrecondition,
                  name + (kind == ObjectKind::kNamespace ? " holds " : " is used by ") +
                      references.front() + more);
  }
  return Run(command::Delete{kind, key, force}, now, [&] {
    LookAtAllJobs(world);
    RemoveObject(world, kind, key);
    ReconcileLifecycle(world);
    policies.Invalidate(world);
    return Status::Ok();
  });
}

Status Engine::State::Submit(std::span<const Workload> workloads, TimeNs now,
                             std::vector<Applied>* applied, Submission submission,
                             std::vector<PolicyFailure>* failures, std::vector<Warning>* warnings) {
  const bool asks = submission == Submission::kAsk && policies.Defines(Hook::kSubmit);
  auto understood = asks ? std::nullopt : UnderstandAll(world, workloads, submission);
  if (!understood) {
    const std::vector<Object> objects(workloads.begin(), workloads.end());
    return Apply(objects, now, MissingReference::kRefuse, applied, submission, failures, warnings);
  }
  if (Status room = HasRoom(world, workloads.size()); !room.ok()) return room;
  // What Apply does with them, without copying them into objects first.
  return Run(view::Submit{workloads, Submission::kTaken}, now, [&] {
    std::vector<Applied> outcomes;
    outcomes.reserve(workloads.size());
    Applier applier(world);
    Doubts doubts(submission == Submission::kAsk ? warnings : nullptr, world.now);
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      doubts.Comes(workloads[i], i);
      const std::string& ns = workloads[i].key.ns;
      if (i == 0 || ns != workloads[i - 1].key.ns) CreateNamespace(world, ns, applier);
      outcomes.push_back(applier.Submit(workloads[i], std::move((*understood)[i])));
    }
    applier.Finish();
    if (applied != nullptr) *applied = std::move(outcomes);
    return Status::Ok();
  });
}

Status Engine::State::Finish(std::span<const Key> workloads, bool failed, TimeNs now,
                             MeantJobs meant, const std::string& reason,
                             const std::string& message) {
  if (Status fit = FitTogether(workloads, meant); !fit.ok()) return fit;
  if (!failed && !(reason.empty() && message.empty())) {
    return Status(StatusCode::kInvalidArgument,
                  "a reason and a message are of jobs that failed; say failed, too");
  }
  const std::vector<KeyView> names(workloads.begin(), workloads.end());
  const std::vector<WorkloadRecord*> ended = world.FindWorkloads(names);
  for (std::size_t i = 0; i < ended.size(); ++i) {
    if (ended[i] == nullptr) return UnknownWorkload(workloads[i]);
    const Status is_meant = IsMeant(*ended[i], meant.uid(i), meant.run(i));
    if (!is_meant.ok()) return is_meant;
    if (Status told = MayBeTold(world, *ended[i]); !told.ok()) return told;
  }
  return Run(view::Finish{workloads, failed, meant.uids, meant.runs, reason, message}, now, [&] {
    const Text why(reason);
    const Text says(message);
    for (std::size_t i = 0; i < ended.size(); ++i) {
      if (i + kObjectsAhead < ended.size()) SendForHolder(world, *ended[i + kObjectsAhead]);
      if (i + kPartsAhead < ended.size()) SendForParts(world, *ended[i + kPartsAhead]);
      WorkloadRecord* const workload = ended[i];
      if (IsTrue(workload->spec.status, condition::kFinished)) continue;
      FinishWorkload(world, *workload, failed, why, says);
    }
    return Status::Ok();
  });
}

Status Engine::State::Cancel(std::span<const Key> workloads, TimeNs now, MeantJobs meant) {
  if (Status fit = FitTogether(workloads, meant); !fit.ok()) return fit;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const WorkloadRecord* const workload = world.FindWorkload(workloads[i]);
    if (workload == nullptr) return UnknownWorkload(workloads[i]);
    const Status is_meant = IsMeant(*workload, meant.uid(i), meant.run(i));
    if (!is_meant.ok()) return is_meant;
    if (Status told = MayBeTold(world, *workload); !told.ok()) return told;
  }
  return Run(view::Cancel{workloads, meant.uids, meant.runs}, now, [&] {
    for (const Key& key : workloads) {
      WorkloadRecord* const workload = world.FindWorkload(key);
      if (workload != nullptr) ForgetWorkload(world, *workload, forgotten::kByRequest);
    }
    return Status::Ok();
  });
}

Status Engine::State::Evict(const Key& key, std::string_view reason, TimeNs now,
                            std::string_view uid, std::int64_t run) {
  WorkloadRecord* workload = world.FindWorkload(key);
  if (workload == nullptr) return UnknownWorkload(key);
  if (Status meant = IsMeant(*workload, uid, run); !meant.ok()) return meant;
  if (!RunnerOf(world, *workload).holds()) {
    return Status(StatusCode::kFailedPrecondition, key.ToString() + " holds no quota");
  }
  return Run(command::Evict{key, std::string(reason), std::string(uid), run}, now, [&] {
    OrderEviction(world, *workload, reason, "Evicted by request");
    return Status::Ok();
  });
}

Status Engine::State::Evicted(std::span<const Key> workloads, TimeNs now, MeantJobs meant) {
  if (Status fit = FitTogether(workloads, meant); !fit.ok()) return fit;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const Key& key = workloads[i];
    const WorkloadRecord* workload = world.FindWorkload(key);
    if (workload == nullptr) return UnknownWorkload(key);
    const Status is_meant = IsMeant(*workload, meant.uid(i), meant.run(i));
    if (!is_meant.ok()) return is_meant;
    if (Status told = MayBeTold(world, *workload); !told.ok()) return told;
    if (!workload->evicted) {
      return Status(StatusCode::kFailedPrecondition,
                    "no eviction of " + key.ToString() + " was ordered");
    }
  }
  return Run(view::Evicted{workloads, meant.uids, meant.runs}, now, [&] {
    std::vector<Key> sorted(workloads.begin(), workloads.end());
    SortOnce(sorted);
    for (const Key& key : sorted) CompleteEviction(world, *world.FindWorkload(key));
    WakeForFinished(world);
    ReconcileLifecycle(world);
    return Status::Ok();
  });
}

std::vector<Key> Engine::State::Evicting() const {
  std::vector<Key> keys;
  for (const WorkloadId id : UnsettledByName(world)) {
    const WorkloadRecord& workload = world.workload(id);
    if (workload.evicted && !workload.of_job) keys.push_back(workload.spec.key);
  }
  return keys;
}

Status Engine::State::CheckTime(TimeNs now) const {
  if (!JumpsTooFar(now)) return Status::Ok();
  const bool began = world.now != kNoTime;
  return {StatusCode::kInvalidArgument,
          FormatTime(now) + " is more than " + JumpText(longest_jump) + " after " +
              FormatTime(began ? world.now : first_time) +
              (began ? ", the last time here" : ", the time now") +
              "; time never goes back, so whatever comes later would be at that time too"};
}

Status Engine::State::Advance(TimeNs now) {
  return Run(command::Advance{}, now, [&] {
    ExpireDeadlines(world);
    SampleFairUsage(world);
    return Status::Ok();
  });
}

bool Engine::State::AtRest(TimeNs now) const {
  const bool no_time_passes = world.now != kNoTime && now <= world.now;
  return no_time_passes && !world.hand_over.IsFull() && NothingToLookAt(world, policies);
}

Result<CycleResult> Engine::State::RunCycle(TimeNs now, CycleTrace* trace) {
  Result<CycleResult> answer{CycleResult()};
  CycleResult& result = *answer;
  if (trace == nullptr && AtRest(now)) {
    result.cycle = world.cycle;
    result.at = world.now;
    result.at_rest = true;
    return answer;
  }
  Status status = Run(command::Cycle{}, now, [&] {
    ExpireDeadlines(world);
    FlushWakes(world);
    {
      const PolicyCycle asking(policies);
      result = RunSchedulingCycles(world, policies, memory, trace, shadow ? &*shadow : nullptr);
    }
    TellOfJobs(world, result);
    result.evicted = std::exchange(world.timed_out, {});
    for (const PolicyFailure& failure : result.policy_failures) {
      world.changes.Report(EventKind::kPolicyFailed, Key{"policy", failure.policy},
                           [&] { return PolicyFailurePayload(failure); });
    }
    return Status::Ok();
  });
  if (!status.ok()) answer = std::move(status);
  return answer;
}

void Engine::State::CheckInvariants() const { CheckEverything(world); }

}  // namespace muster
