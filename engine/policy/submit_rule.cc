// The workload is looked at as it would be stored, in a record of its own that nobody else sees.
#include "engine/policy/submit_rule.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "engine/state/records.h"

namespace muster {
namespace {

void TakeOver(SubmitAnswer answer, Workload& workload) {
  if (answer.priority) workload.priority = static_cast<std::int32_t>(std::lround(*answer.priority));
  if (answer.queue) workload.queue = std::move(*answer.queue);
  for (auto& [name, value] : answer.labels) workload.labels[name] = std::move(value);
}

/// What to tell the submitter when the job is not taken; nullopt: it is.
std::optional<std::string> AskOne(World& world, PolicyTable& table, Workload& workload,
                                  std::vector<PolicyFailure>& failures) {
  WorkloadRecord record;
  record.spec = workload;
  ResolvePriority(world, record.spec);
  ResolveQueues(world, record);
  if (!record.queue.valid()) return std::nullopt;
  const ClusterQueueState& queue = world.queue(record.queue);
  Policy* policy = table.PolicyFor(world, queue, Hook::kSubmit);
  if (policy == nullptr) return std::nullopt;
  if (record.spec.created == kNoTime) record.spec.created = world.now;
  ResolveRequests(world, record);
  ResolveKey(world, record);
  PolicyBatch batch(world, table.columns(), policy->info(), Hook::kSubmit, world.cycle + 1);
  batch.SetQueue(queue);
  batch.SetSubject(record);
  SubmitAnswer answer;
  const HookOutcome outcome = policy->Submit(batch.Get(), &answer);
  table.Count(*policy, outcome);
  if (!outcome.ok) {
    failures.push_back(
        {policy->info().name, "submit", queue.name(), outcome.message, outcome.fuel});
    if (policy->info().reject_on_error) return outcome.message;
    return std::nullopt;
  }
  if (answer.rejected) return answer.rejected;
  TakeOver(std::move(answer), workload);
  return std::nullopt;
}

}  // namespace

void AskSubmit(World& world, PolicyTable& table, std::vector<Object>& objects,
               std::vector<Problem>& problems, std::vector<PolicyFailure>& failures) {
  for (std::size_t i = 0; i < objects.size(); ++i) {
    auto* workload = std::get_if<Workload>(&objects[i]);
    if (workload == nullptr || workload->status.admission) continue;
    if (const auto refused = AskOne(world, table, *workload, failures)) {
      problems.push_back({i, "metadata.name", "rejected: " + *refused, ""});
    }
  }
}

}  // namespace muster
