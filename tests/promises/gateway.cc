#include "tests/promises/gateway.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/testing/builders.h"

namespace muster::testing {
namespace {

constexpr char kGpu[] = "nvidia.com/gpu";

std::string QueueName(int i) { return "q" + std::to_string(i); }

Workload ToWorkload(const PromisedJob& job) {
  Workload workload =
      MakeWorkload(job.name, job.queue, {{kGpu, Quantity::Units(job.gpus)}}, job.priority);
  workload.created = job.created;
  for (const auto& [name, value] : job.labels) workload.labels[name] = value;
  return workload;
}

}  // namespace

const std::string& PromisedJob::Label(std::string_view label) const {
  static const std::string kNone;
  const auto found = labels.find(label);
  return found == labels.end() ? kNone : found->second;
}

Result<Ticket> PromisedGateway::DyingJournal::Append(Commit commit) {
  if (!dies) return MemoryJournal::Append(std::move(commit));
  dies = false;
  return Status(StatusCode::kUnavailable, "killed in the middle of a commit");
}

PromisedGateway::PromisedGateway(const PromisedWorld& world, std::shared_ptr<Policy> policy,
                                 Choices& choices)
    : world_(world),
      policy_(std::move(policy)),
      choices_(choices),
      heads_(choices_.OneIn(3) ? 3 : 1),
      engine_(&journal_),
      now_(kNoon + choices_.Below(7 * 24) * 3600 * kSecond) {
  Open();
}

void PromisedGateway::Open() {
  PreemptionRules rules;
  if (world_.preemption) {
    rules.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    rules.reclaim_within_cohort = PreemptionPolicy::kAny;
  }
  EngineConfiguration configuration;
  configuration.heads_per_cycle = heads_;
  std::vector<Object> objects = {MakeNamespace(), configuration};
  ResourceGroup group;
  group.covered_resources = {kGpu};
  for (const std::string& flavor : world_.flavors) {
    objects.emplace_back(MakeFlavor(flavor));
    ResourceQuota quota;
    quota.name = kGpu;
    quota.nominal = Quantity::Units(world_.gpus);
    group.flavors.push_back({flavor, {quota}});
  }
  for (int i = 0; i < world_.queues; ++i) {
    const std::string cohort = world_.queues > 1 ? "all" : "";
    ClusterQueue queue = MakeQueue(QueueName(i), cohort, {}, rules);
    queue.resource_groups = {group};
    objects.emplace_back(std::move(queue));
    objects.emplace_back(MakeLocalQueue(QueueName(i)));
  }
  const Status applied = engine_.Apply(objects, now_);
  ASSERT_TRUE(applied.ok()) << applied.message();
  const Status activated = engine_.ActivatePolicy(policy_, now_);
  ASSERT_TRUE(activated.ok()) << activated.message();
}

void PromisedGateway::Reopen() {
  ASSERT_TRUE(journal_.Reopen(engine_, choices_.OneIn(2)).ok());
  ASSERT_TRUE(engine_.AttachPolicy(policy_).ok());
}

void PromisedGateway::SubmitBurst() {
  std::vector<Workload> workloads;
  for (int left = 1 + choices_.Below(6); left > 0; --left) {
    PromisedJob job;
    job.name = "j" + std::to_string(submitted_++);
    job.queue = QueueName(choices_.Below(world_.queues));
    job.gpus =
        world_
            .sizes[static_cast<std::size_t>(choices_.Below(static_cast<int>(world_.sizes.size())))];
    job.priority = choices_.Below(world_.priorities);
    job.created = now_;
    job.labels = world_.labels(choices_);
    const std::vector<Workload> one = {ToWorkload(job)};
    if (!engine_.Submit(one, now_).ok()) continue;
    events_.push_back({now_, job.Label("muster.dev/user")});
    jobs_[job.name] = std::move(job);
  }
}

void PromisedGateway::Cycle(const Check& check) {
  journal_.dies = choices_.OneIn(12);
  const Result<CycleResult> result = engine_.RunCycle(now_);
  if (!result.ok()) {  // nothing was decided
    Reopen();
    return;
  }
  journal_.dies = false;
  ASSERT_TRUE(result->policy_failures.empty()) << result->policy_failures.front().message;
  const Jobs before = jobs_;
  for (const PreemptedWorkload& preempted : result->preempted) {
    jobs_.at(preempted.workload.name).evicting = true;
  }
  for (const AdmittedWorkload& admitted : result->admitted) {
    PromisedJob& job = jobs_.at(admitted.workload.name);
    job.running = true;
    job.flavor = admitted.admission.pod_sets.front().flavors.at(kGpu);
    job.started = job.saved = now_;
  }
  Write(*result);
  check(before, *result);
}

void PromisedGateway::Write(const CycleResult& result) {
  story_ += "after " + std::to_string((now_ - kNoon) / (60 * kSecond)) + " minutes, cycle " +
            std::to_string(result.cycle) + ":";
  for (const PreemptedWorkload& each : result.preempted) {
    story_ += " " + each.workload.name + " leaves for " + each.by.name + ";";
  }
  for (const AdmittedWorkload& each : result.admitted) {
    const PromisedJob& job = jobs_.at(each.workload.name);
    story_ += " " + job.name + " starts on " + job.flavor + ";";
  }
  story_ += " waiting:";
  for (const WorkloadView& each : *engine_.Workloads()) {
    if (each.charged) continue;
    story_ += " " + each.spec.key.name + " " + std::to_string(each.priority) +
              (each.parked ? " parked" : "");
    for (const auto& [name, value] : each.spec.labels) story_ += " " + value;
    story_ += ",";
  }
  story_ += "\n";
}

PromisedJob* PromisedGateway::Draw(bool running) {
  std::vector<PromisedJob*> some;
  for (auto& [name, job] : jobs_) {
    if (job.running == running && !job.evicting) some.push_back(&job);
  }
  if (some.empty()) return nullptr;
  return some[static_cast<std::size_t>(choices_.Below(static_cast<int>(some.size())))];
}

void PromisedGateway::ReportEvicted() {
  std::vector<Key> gone;
  for (auto& [name, job] : jobs_) {
    if (!job.evicting || choices_.OneIn(3)) continue;
    gone.push_back(DefaultKey(name));
    job.running = job.evicting = false;
  }
  ASSERT_TRUE(engine_.Evicted(gone, now_).ok());
}

void PromisedGateway::End() {
  const PromisedJob* job = Draw(choices_.OneIn(2));
  if (job == nullptr) return;
  const bool cancelled = choices_.OneIn(2);
  if (!cancelled && !job->running) return;
  const std::vector<Key> keys = {DefaultKey(job->name)};
  const Status ended =
      cancelled ? engine_.Cancel(keys, now_) : engine_.Finish(keys, /*failed=*/false, now_);
  ASSERT_TRUE(ended.ok()) << ended.message();
  if (cancelled) events_.push_back({now_, job->Label("muster.dev/user"), true});
  jobs_.erase(std::string(job->name));
}

void PromisedGateway::Save() {
  PromisedJob* job = Draw(true);
  if (job == nullptr) return;
  WorkloadUpdate update;
  update.workload = DefaultKey(job->name);
  update.checkpointed = job->saved = now_;
  const Status saved = engine_.Update(update, now_);
  ASSERT_TRUE(saved.ok()) << saved.message();
}

// What the engine says runs is what runs here.
void PromisedGateway::CheckBooks() {
  std::size_t charged = 0;
  for (const WorkloadView& each : *engine_.Workloads()) {
    if (!each.charged) continue;
    ++charged;
    ASSERT_TRUE(jobs_.at(each.spec.key.name).running) << each.spec.key.name;
  }
  const auto running =
      std::ranges::count_if(jobs_, [](const auto& job) { return job.second.running; });
  ASSERT_EQ(charged, static_cast<std::size_t>(running));
}

void PromisedGateway::Tell(int steps, const Check& check) {
  for (int step = 0; step < steps && !::testing::Test::HasFailure(); ++step) {
    now_ += choices_.Below(world_.ticks) * world_.tick;
    const int what = choices_.Below(8);
    if (what == 0) SubmitBurst();
    if (what == 1) End();
    if (what == 2) ReportEvicted();
    if (what == 3) Save();
    if (what == 4) Reopen();
    if (what >= 5) Cycle(check);
    CheckBooks();
  }
}

}  // namespace muster::testing
