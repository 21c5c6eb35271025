// The teller keeps the objects as its own steps left them, so that a change is a change of what is
// there and every step is one that the engine accepts.
#include "tests/property/random_story.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "tests/property/random_change.h"
#include "tests/property/random_tree.h"

namespace muster::testing {
namespace {

void LimitTime(Choices& choices, Workload& job) {
  if (choices.OneIn(12)) job.max_execution_seconds = choices.Pick<std::int32_t>({60, 400, 1500});
}

// What is there from the start beyond a random world: a second LocalQueue for each ClusterQueue,
// usage history, backoffs that run, limits of time, priority classes, Muster's own switch.
void Furnish(Choices& choices, World& world) {
  World more = {WorkloadPriorityClass{.name = "some", .value = 1, .description = ""}};
  const bool fair = choices.OneIn(3);
  for (Object& object : world) {
    if (auto* queue = std::get_if<ClusterQueue>(&object)) {
      if (fair && !choices.OneIn(4)) queue->admission_mode = AdmissionMode::kUsageBased;
      LocalQueue second;
      second.key = {kNamespace, queue->name + "-b"};
      second.cluster_queue = queue->name;
      if (fair && choices.OneIn(3)) second.fair_weight = choices.Pick<double>({0, 0.5, 2});
      if (fair && choices.OneIn(3)) {
        second.history.emplace().consumed[kGpu] = DrawAmount(choices, kGpu, 3);
      }
      more.emplace_back(second);
    }
    if (auto* workload = std::get_if<Workload>(&object)) {
      LimitTime(choices, *workload);
      if (choices.OneIn(3)) workload->queue = workload->queue + "-b";
      if (choices.OneIn(6)) {
        workload->priority_source = PriorityClassSource::kWorkloadPriorityClass;
        workload->priority_class = "some";
        workload->priority = 1;
      }
      const bool holds = workload->status.admission.has_value();
      if (!holds && choices.OneIn(12)) {
        workload->status.requeue_state = {1, kNow + choices.Below(3) * 60 * kSecond};
      }
    }
  }
  Configuration config;
  const bool timed = choices.OneIn(5);
  if (timed) {
    auto& ready = config.wait_for_pods_ready.emplace();
    ready.timeout = choices.Pick<DurationNs>({60, 300, 900}) * kSecond;
    if (choices.Flip()) ready.recovery_timeout = 60 * kSecond;
    ready.backoff_base_seconds = choices.Pick<std::int32_t>({0, 30, 60});
    ready.backoff_max_seconds = 200;
    if (choices.Flip()) ready.backoff_limit_count = choices.Below(3);
  }
  if (fair) {
    auto& sharing = config.admission_fair_sharing.emplace();
    sharing.usage_half_life = choices.Pick<DurationNs>({0, 60, 600}) * kSecond;
    sharing.usage_sampling_interval = choices.Pick<DurationNs>({1, 60, 300}) * kSecond;
    if (choices.Flip()) sharing.resource_weights[kCpu] = choices.Pick<double>({0, 0.5, 3});
  }
  if (fair || timed) more.emplace_back(config);
  if (choices.OneIn(6)) {
    EngineConfiguration switches;
    switches.sticky_cure = true;
    more.emplace_back(switches);
  }
  world.insert(world.begin(), more.begin(), more.end());
}

// Takes a flavor out of the world; nullopt: all stay. Until it comes, queues that name it are
// inactive.
std::optional<Object> HoldBackFlavor(Choices& choices, World& world) {
  const auto flavor = std::find_if(world.begin(), world.end(), [](const Object& object) {
    return KindOf(object) == ObjectKind::kResourceFlavor;
  });
  if (!choices.OneIn(8)) return std::nullopt;
  const Object held_back = *flavor;
  world.erase(flavor);
  return held_back;
}

class Narrator {
 public:
  Narrator(Choices& choices, World world, std::optional<Object> held_back)
      : choices_(choices), world_(std::move(world)), held_back_(std::move(held_back)) {
    for (const Object& object : world_) {
      if (const auto* workload = std::get_if<Workload>(&object)) jobs_.push_back(*workload);
      if (const auto* queue = std::get_if<ClusterQueue>(&object)) queues_.push_back(queue->name);
    }
    numbered_ = static_cast<int>(jobs_.size());
  }

  std::vector<oracle::Step> Narrate(bool changes) {
    std::vector<oracle::Step> steps;
    for (int count = choices_.Between(10, 30); count > 0; --count) {
      const int what = choices_.Below(changes ? 14 : 10);
      if (what < 4) steps.emplace_back(oracle::Cycle{});
      if (what == 4) steps.emplace_back(oracle::CompleteEvictions{});
      if (what == 5) steps.emplace_back(oracle::Pass{choices_.Between(1, 400) * kSecond});
      if (what == 6 || what == 7) steps.emplace_back(SubmitSome());
      if (what == 8) steps.emplace_back(oracle::Finish{{choices_.Pick(jobs_).key}});
      if (what == 9) steps.push_back(CancelOrReportOne());
      if (what == 10 || what == 11) steps.emplace_back(ApplySomething());
      if (what >= 12) steps.emplace_back(UpdateOne());
    }
    return steps;
  }

 private:
  oracle::Submit SubmitSome() {
    oracle::Submit submit;
    for (int count = choices_.Between(1, 3); count > 0; --count) {
      const std::string& name = choices_.Pick(queues_);
      const auto queue = std::find_if(world_.begin(), world_.end(), [&](const Object& object) {
        return KindOf(object) == ObjectKind::kClusterQueue && KeyOf(object).name == name;
      });
      Workload job = DrawWorkload(choices_, std::get<ClusterQueue>(*queue), numbered_++);
      LimitTime(choices_, job);
      if (choices_.OneIn(10)) job.active = false;
      if (choices_.OneIn(3)) job.queue = job.queue + "-b";
      if (!withdrawn_.empty() && choices_.Flip()) {  // a withdrawn one comes back, not the same
        job.key = withdrawn_.back();
        withdrawn_.pop_back();
      }
      if (choices_.OneIn(4)) {  // one like another
        const Workload& like = choices_.Pick(jobs_);
        job.queue = like.queue;
        job.priority = like.priority;
        job.pod_sets = like.pod_sets;
      }
      jobs_.push_back(job);
      submit.workloads.push_back(job);
    }
    return submit;
  }

  oracle::Step CancelOrReportOne() {
    if (choices_.OneIn(3) && jobs_.size() > 1) return CancelOne();
    return oracle::Ready{choices_.Pick(jobs_).key, !choices_.OneIn(3)};
  }

  oracle::Cancel CancelOne() {
    const Key key = choices_.Pick(jobs_).key;
    std::erase_if(jobs_, [&](const Workload& job) { return job.key == key; });
    withdrawn_.push_back(key);
    return {key};
  }

  oracle::Apply ApplySomething() {
    if (!held_back_ || !choices_.OneIn(3)) return {ChangeSomething(choices_, world_)};
    world_.push_back(*held_back_);
    return {*std::exchange(held_back_, std::nullopt)};
  }

  WorkloadUpdate UpdateOne() {
    Workload& job = jobs_[static_cast<std::size_t>(choices_.Below(static_cast<int>(jobs_.size())))];
    WorkloadUpdate update;
    update.workload = job.key;
    const int what = choices_.Below(4);
    if (what == 0) update.priority = choices_.Between(-1, 2);
    if (what == 1) update.active = job.active = !job.active;
    if (what == 2) update.active = job.active = true;
    if (what == 3) {  // more than before: pods that are done stay done
      auto& done = job.status.reclaimable_pods;
      const PodSet& pod_set = job.pod_sets.front();
      if (done.empty()) done.push_back({pod_set.name, 0});
      done[0].count = choices_.Between(done[0].count, pod_set.count);
      update.reclaimable_pods = done;
    }
    return update;
  }

  Choices& choices_;
  World world_;
  std::optional<Object> held_back_;
  std::vector<Workload> jobs_;  ///< that were not withdrawn
  std::vector<Key> withdrawn_;
  std::vector<std::string> queues_;
  int numbered_ = 0;
};

}  // namespace

Story MakeRandomStory(Choices& choices) {
  Story story;
  story.world = MakeRandomWorld(choices);
  Furnish(choices, story.world);
  const bool changes = choices.Flip();
  std::optional<Object> held_back;
  if (changes) held_back = HoldBackFlavor(choices, story.world);
  story.steps = Narrator(choices, story.world, held_back).Narrate(changes);
  return story;
}

}  // namespace muster::testing
