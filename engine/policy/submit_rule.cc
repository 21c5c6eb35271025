// The workload is looked at as it would be stored, in a record of its own that nothing else sees.
#include "engine/policy/submit_rule.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "engine/policy/policy_answers.h"
#include "engine/state/records.h"
#include "engine/state/whole_workload.h"

namespace muster {
namespace {

void TakeOver(SubmitAnswer answer, Workload& workload) {
  if (answer.priority) workload.priority = static_cast<std::int32_t>(std::lround(*answer.priority));
  if (answer.queue) workload.queue = *answer.queue;
  for (auto& [name, value] : answer.labels) workload.labels[name] = std::move(value);
}

Problem Rejection(const Policy& policy, std::size_t object, const Key& job,
                  const std::string& why) {
  return {object, "metadata.name",
          "rejected " + job.ToString() + ": " + why + " (policy " + policy.info().name + ")", ""};
}

/// What a failure means for the job.
void Fail(const Policy& policy, std::size_t object, const Key& job, PolicyFailure failure,
          SubmitAnswers& answers) {
  if (policy.info().reject_on_error) {
    answers.rejections.push_back(Rejection(policy, object, job, failure.message));
  }
  failure.workload = job;
  answers.failures.push_back(std::move(failure));
}

void AskOne(World& world, const PolicyTable& table, std::size_t object, Workload& workload,
            SubmitAnswers& answers) {
  WorkloadRecord record;
  KeepWorkload(workload, record);
  ResolvePriority(world, record);
  ResolveQueues(world, record);
  if (!record.queue.valid()) return;
  const ClusterQueueState& queue = world.queue(record.queue);
  Policy* policy = table.PolicyFor(world, queue, Hook::kSubmit);
  if (policy == nullptr) return;
  if (record.created() == kNoTime) record.key.created = world.now;
  ResolveRequests(world, record);
  ResolveKey(world, record);
  PolicyBatch batch(world, table.columns(), policy->info(), Hook::kSubmit, world.cycle + 1);
  batch.SetQueue(queue);
  batch.SetSubject(record);
  SubmitAnswer answer;
  const HookOutcome outcome = AskSubmitHook(*policy, batch.Get(), &answer);
  answers.asked.emplace_back(policy, outcome.fuel);
  if (!outcome.ok) {
    return Fail(*policy, object, workload.key,
                {policy->info().name, "submit", queue.name(), outcome.message, outcome.fuel},
                answers);
  }
  if (answer.rejected) {
    answers.rejections.push_back(Rejection(*policy, object, workload.key, *answer.rejected));
    return;
  }
  TakeOver(std::move(answer), workload);
  answers.followed.push_back({object, policy, queue.name(), outcome.fuel});
}

}  // namespace

SubmitAnswers AskSubmit(World& world, const PolicyTable& table, std::vector<Object>& objects) {
  SubmitAnswers answers;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    auto* workload = std::get_if<Workload>(&objects[i]);
    if (workload == nullptr || workload->status.admission) continue;
    AskOne(world, table, i, *workload, answers);
  }
  return answers;
}

std::vector<Problem> TakeBackAnswers(const std::vector<Problem>& problems,
                                     std::span<const Object> before, std::vector<Object>& objects,
                                     SubmitAnswers& answers) {
  std::vector<Problem> others;
  std::set<std::size_t> taken_back;
  for (const Problem& problem : problems) {
    if (taken_back.contains(problem.object)) continue;
    const auto cause = std::find_if(answers.followed.begin(), answers.followed.end(),
                                    [&](const auto& one) { return one.object == problem.object; });
    if (cause == answers.followed.end()) {
      others.push_back(problem);
      continue;
    }
    objects[problem.object] = before[problem.object];
    Fail(*cause->policy, problem.object, KeyOf(objects[problem.object]),
         {cause->policy->info().name, "submit", cause->cluster_queue,
          "submit returned what no job can have: " + problem.field + ": " + problem.what,
          cause->fuel},
         answers);
    taken_back.insert(problem.object);
  }
  return others;
}

}  // namespace muster
