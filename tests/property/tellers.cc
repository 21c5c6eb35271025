// The two that tell a story, and what they show of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "tests/property/judge.h"
#include "tests/property/story.h"

namespace muster::testing {
namespace {

std::string Show(const Admission& admission) {
  std::ostringstream text;
  text << admission.cluster_queue;
  for (const PodSetAssignment& pod_set : admission.pod_sets) {
    text << " " << pod_set.name << "(" << pod_set.count << ")";
    for (const auto& [resource, flavor] : pod_set.flavors) {
      const auto usage = pod_set.resource_usage.find(resource);
      const bool known = usage != pod_set.resource_usage.end();
      text << " " << resource << " " << (known ? usage->second.ToString() : "?") << " of "
           << flavor;
    }
  }
  return text.str();
}

// One line a workload: where it is, why, and what it holds.
std::string Show(const Key& key, const std::string& place, std::int64_t priority,
                 PendingReason reason, const std::optional<Admission>& admission) {
  return key.ToString() + " " + place + " priority " + std::to_string(priority) +
         (reason == PendingReason::kNone ? "" : " ") + std::string(ReasonName(reason)) +
         (admission ? " in " + Show(*admission) : "");
}

std::string ShowUsage(const std::string& node, const std::string& flavor,
                      const std::string& resource, Amount usage) {
  return node + " uses " + std::to_string(usage) + " of " + resource + " in " + flavor;
}

std::string ShowShare(const Key& queue, double usage) {
  std::ostringstream text;
  text.precision(17);
  text << "LocalQueue " << queue.ToString() << " used " << usage;
  return text.str();
}

Picture Show(const oracle::Decisions& decisions) {
  Picture picture;
  for (const auto& [key, admission] : decisions.admitted) {
    picture.push_back("admitted " + key.ToString() + " to " + Show(admission));
  }
  for (const auto& [key, why] : decisions.preempted) {
    picture.push_back("preempted " + key.ToString() + " for " + why.second.ToString() + ": " +
                      std::string(ReasonName(why.first)));
  }
  return picture;
}

std::string PlaceOf(const WorkloadView& view, bool queued) {
  if (view.phase == WorkloadPhase::kFinished) return "finished";
  if (queued) return view.parked ? "parked" : "waits";
  return view.spec.status.admission ? "holds" : "away";
}

Picture Sorted(Picture picture) {
  std::sort(picture.begin(), picture.end());
  return picture;
}

}  // namespace

EngineTeller::EngineTeller(const Story& story, std::shared_ptr<Policy> policy, Journal* journal)
    : engine_(journal), now_(story.now) {
  const Status status = engine_.Apply(story.world, now_, MissingReference::kAccept);
  EXPECT_TRUE(status.ok()) << status.message() << "\n" << ToCase(story);
  if (policy == nullptr) return;
  const Status active = engine_.ActivatePolicy(std::move(policy), now_);
  EXPECT_TRUE(active.ok()) << active.message();
}

Status EngineTeller::Do(const oracle::Step& step) {
  cycle_.reset();
  if (const auto* submit = std::get_if<oracle::Submit>(&step)) {
    const World workloads(submit->workloads.begin(), submit->workloads.end());
    return engine_.Apply(workloads, now_, MissingReference::kAccept);
  }
  if (std::holds_alternative<oracle::Cycle>(step)) {
    CycleTrace trace;
    Result<CycleResult> cycle = engine_.RunCycle(now_, traced_ ? &trace : nullptr);
    if (cycle.ok()) cycle_ = std::move(*cycle);
    return cycle.ok() ? Status::Ok() : cycle.status();
  }
  if (const auto* pass = std::get_if<oracle::Pass>(&step)) {
    return engine_.Advance(now_ += pass->time);
  }
  if (const auto* finish = std::get_if<oracle::Finish>(&step)) {
    std::vector<Key> holders;
    for (const Key& key : finish->workloads) {
      const Result<WorkloadView> view = engine_.GetWorkload(key);
      if (view.ok() && view->spec.status.admission) holders.push_back(key);
    }
    return engine_.Finish(holders, /*failed=*/false, now_);
  }
  if (const auto* cancel = std::get_if<oracle::Cancel>(&step)) {
    return engine_.Cancel(std::vector<Key>{cancel->workload}, now_);
  }
  if (const auto* ready = std::get_if<oracle::Ready>(&step)) {
    const Result<WorkloadView> view = engine_.GetWorkload(ready->workload);
    if (!view.ok() || view->phase != WorkloadPhase::kAdmitted) return Status::Ok();
    return engine_.Ready(std::vector<Key>{ready->workload}, now_, ready->ready);
  }
  if (std::holds_alternative<oracle::CompleteEvictions>(step)) {
    return engine_.Evicted(*engine_.Evicting(), now_);
  }
  if (const auto* apply = std::get_if<oracle::Apply>(&step)) {
    return engine_.Apply(std::span(&apply->object, 1), now_, MissingReference::kAccept);
  }
  return engine_.Update(std::get<WorkloadUpdate>(step), now_);
}

Picture EngineTeller::Tell(const oracle::Step& step) {
  const Status status = Do(step);
  if (!status.ok()) return {"error: " + status.message()};
  const Status invariants = engine_.CheckInvariants();
  if (!invariants.ok()) return {"invariant: " + invariants.message()};
  return Show();
}

Picture EngineTeller::Show() const {
  oracle::Decisions decisions;
  if (cycle_) {
    for (const AdmittedWorkload& a : cycle_->admitted) decisions.admitted[a.workload] = a.admission;
    for (const PreemptedWorkload& p : cycle_->preempted) {
      decisions.preempted[p.workload] = {p.reason, p.by};
    }
  }
  Picture picture = testing::Show(decisions);
  std::set<Key> queued;
  for (const PendingWorkload& pending : *engine_.Pending()) queued.insert(pending.workload);
  const std::vector<Key> leaving = *engine_.Evicting();
  for (const WorkloadView& view : *engine_.Workloads()) {
    const bool is_queued = queued.contains(view.spec.key);
    const bool evicting = std::count(leaving.begin(), leaving.end(), view.spec.key) > 0;
    const bool holds = view.phase != WorkloadPhase::kFinished;
    picture.push_back(testing::Show(view.spec.key,
                                    PlaceOf(view, is_queued) + (evicting ? ", evicting" : ""),
                                    view.priority, is_queued ? view.reason : PendingReason::kNone,
                                    holds ? view.spec.status.admission : std::nullopt));
  }
  const auto show_quotas = [&](const std::string& node, const std::vector<QuotaView>& quotas) {
    for (const QuotaView& q : quotas) {
      if (q.taken != 0) picture.push_back(ShowUsage(node, q.flavor, q.resource, q.taken));
    }
  };
  for (const CohortView& view : *engine_.Cohorts()) {
    show_quotas("cohort/" + view.spec.name, view.quotas);
  }
  for (const ClusterQueueView& view : *engine_.ClusterQueues()) {
    show_quotas("queue/" + view.spec.name, view.quotas);
  }
  for (const LocalQueueView& view : *engine_.LocalQueues()) {
    if (view.fair_sharing_usage != 0) {
      picture.push_back(ShowShare(view.spec.key, view.fair_sharing_usage));
    }
  }
  return Sorted(picture);
}

OracleTeller::OracleTeller(const Story& story)
    : history_(story.world, story.now, /*controller=*/true) {}

Picture OracleTeller::Tell(const oracle::Step& step) {
  Picture picture = Show(history_.Do(step));
  for (const auto& [key, member] : history_.members()) {
    const bool queued = member.place != oracle::Place::kNone;
    const Workload& workload = member.workload;
    std::string place = member.place == oracle::Place::kHeap ? "waits" : "parked";
    if (!queued) place = workload.status.admission ? "holds" : "away";
    if (oracle::IsTrue(workload, "Finished")) place = "finished";
    picture.push_back(
        Show(key, place + (member.evicting ? ", evicting" : ""), workload.priority.value_or(0),
             queued ? member.reason : PendingReason::kNone, workload.status.admission));
  }
  const oracle::Snapshot world = history_.Look();
  std::set<oracle::Fr> frs;
  for (const auto& [name, node] : world.tree.nodes) {
    for (const auto& [fr, limits] : node.limits) frs.insert(fr);
    for (const auto& [fr, usage] : node.usage) frs.insert(fr);
  }
  for (const auto& [name, node] : world.tree.nodes) {
    for (const oracle::Fr& fr : frs) {
      const bool shown = !node.is_queue || node.limits.contains(fr);
      const Amount usage = world.tree.Usage(name, fr);
      if (shown && usage != 0) picture.push_back(ShowUsage(name, fr.first, fr.second, usage));
    }
  }
  for (const auto& [queue, usage] : history_.FairUsageValues()) {
    if (usage != 0) picture.push_back(ShowShare(queue, usage));
  }
  return Sorted(picture);
}

}  // namespace muster::testing
