// See usage.h. Only what changes is settled: when a holder ends, its share of the nominal quota
// goes to the earliest of those that borrow, and the others stay as they are.
#include "bindings/cpp/usage.h"

#include <algorithm>

#include "bindings/cpp/replay_input.h"
#include "engine/codec/codec.h"
#include "engine/codec/json_reader.h"

namespace muster {
namespace {

Status Unreadable(const Event& event) {
  return {StatusCode::kDataLoss, "event " + std::string(EventName(event.kind)) + " of " +
                                     event.subject + " cannot be read"};
}

bool IsTrueIn(const std::vector<Condition>& conditions, std::string_view type) {
  return std::any_of(conditions.begin(), conditions.end(), [type](const Condition& condition) {
    return condition.type == type && condition.status;
  });
}

std::string AfterSlash(const std::string& text) { return text.substr(text.find('/') + 1); }

}  // namespace

UsageMeter::UsageMeter(UsageGroup group, TimeNs since, TimeNs until)
    : group_(std::move(group)), since_(since), until_(until) {}

Status UsageMeter::Add(TimeNs at, std::span<const Event> events) {
  now_ = std::max(now_, at);
  for (const Event& event : events) {
    Status status;
    const auto job = jobs_.find(event.subject);
    switch (event.kind) {
      case EventKind::kObjectApplied:
        if (event.subject.starts_with("ClusterQueue/")) status = QueueApplied(event);
        break;
      case EventKind::kObjectDeleted:
        if (event.subject.starts_with("ClusterQueue/")) QueueDeleted(AfterSlash(event.subject));
        break;
      case EventKind::kSubmitted:
        status = Submitted(event);
        break;
      case EventKind::kQuotaReserved:
        status = Reserved(event);
        break;
      case EventKind::kUpdated:
        status = Updated(event);
        break;
      case EventKind::kDeactivated:
        if (job == jobs_.end()) break;
        job->second.active = false;
        Sync(job->second);
        break;
      case EventKind::kPreempted:
        if (job != jobs_.end()) job->second.preempted = true;
        break;
      case EventKind::kQuotaReleased:
        if (job != jobs_.end()) EndRun(job->second, job->second.preempted);
        break;
      case EventKind::kFinished:
      case EventKind::kCancelled:
      case EventKind::kForgotten:
        if (job == jobs_.end()) break;
        EndRun(job->second, false);
        jobs_.erase(job);
        break;
      default:
        break;
    }
    if (!status.ok()) return status;
  }
  return Status::Ok();
}

std::vector<UsageRow> UsageMeter::Finish() {
  now_ = std::max(now_, until_);
  for (auto& [name, queue] : queues_) {
    for (auto& [what, pool] : queue.pools) {
      for (auto& [order, piece] : pool.pieces) Settle(piece);
    }
  }
  std::vector<UsageRow> rows;
  for (const auto& [key, row] : rows_) {
    if (row.nominal != 0 || row.borrowed != 0) rows.push_back(row);
  }
  return rows;
}

Status UsageMeter::Submitted(const Event& event) {
  Result<Object> object = FromCanonicalJson(ObjectKind::kWorkload, event.payload);
  if (!object.ok()) return Unreadable(event);
  const auto& workload = std::get<Workload>(*object);
  Job& job = jobs_[event.subject];
  job.labels = workload.labels;
  job.active = workload.active && !IsTrueIn(workload.status.conditions, "Finished");
  job.counts.clear();
  for (const PodSet& pods : workload.pod_sets) job.counts[pods.name] = pods.count;
  job.reclaimable.clear();
  for (const ReclaimablePods& pods : workload.status.reclaimable_pods) {
    job.reclaimable[pods.pod_set] = pods.count;
  }
  const auto& admission = workload.status.admission;
  const bool reserved = admission && IsTrueIn(workload.status.conditions, "QuotaReserved");
  if (reserved) {
    job.assigned.clear();
    for (const PodSetAssignment& pods : admission->pod_sets) {
      Assigned& assigned = job.assigned.emplace_back();
      assigned.pod_set = pods.name;
      assigned.count = pods.count;
      for (const auto& [resource, flavor] : pods.flavors) {
        const auto usage = pods.resource_usage.find(resource);
        assigned.charged[{flavor, resource}] =
            usage == pods.resource_usage.end() ? 0 : usage->second.ToAmount(resource);
      }
    }
    if (!job.reserved) {
      job.cluster_queue = std::string(admission->cluster_queue);
      BeginRun(job, workload.key);
    }
  }
  Sync(job);
  return Status::Ok();
}

Status UsageMeter::Reserved(const Event& event) {
  Job& job = jobs_[event.subject];
  EndRun(job, false);
  JsonReader json(event.payload);
  job.assigned.clear();
  bool measured = true;
  json.BeginObject();
  if (json.TakeMember("clusterQueue")) job.cluster_queue = json.String();
  if (!json.TakeMember("podSets")) return Unreadable(event);
  json.BeginArray();
  while (json.NextElement()) {
    Assigned& assigned = job.assigned.emplace_back();
    std::map<std::string, std::string> flavors;
    std::string resource;
    json.BeginObject();
    if (json.TakeMember("name")) assigned.pod_set = json.String();
    if (json.TakeMember("count")) assigned.count = static_cast<std::int32_t>(json.Int());
    if (json.TakeMember("flavors")) {
      json.BeginObject();
      while (json.NextMember(&resource)) flavors[resource] = json.String();
      json.EndObject();
    }
    if (json.TakeMember("charged")) {
      json.BeginObject();
      while (json.NextMember(&resource)) {
        assigned.charged[{flavors[resource], resource}] = json.Int();
      }
      json.EndObject();
    } else {
      measured = false;
    }
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  if (!json.ok()) return Unreadable(event);
  if (!measured) ++unmeasured_;
  const std::size_t slash = event.subject.find('/');
  BeginRun(job, {event.subject.substr(0, slash), event.subject.substr(slash + 1)});
  Sync(job);
  return Status::Ok();
}

Status UsageMeter::Updated(const Event& event) {
  const std::optional<WorkloadUpdate> update = UpdateOf(std::span(&event, 1));
  if (!update) return Unreadable(event);
  Job& job = jobs_[event.subject];
  if (update->active) job.active = *update->active;
  for (const PodSetCount& pods : *update->counts) job.counts[pods.pod_set] = pods.count;
  job.reclaimable.clear();
  for (const ReclaimablePods& pods : *update->reclaimable_pods) {
    job.reclaimable[pods.pod_set] = pods.count;
  }
  Sync(job);
  return Status::Ok();
}

Status UsageMeter::QueueApplied(const Event& event) {
  Result<Object> object = FromCanonicalJson(ObjectKind::kClusterQueue, event.payload);
  if (!object.ok()) return Unreadable(event);
  const auto& spec = std::get<ClusterQueue>(*object);
  Queue& queue = queues_[spec.name];
  const bool came = !queue.exists;
  queue.exists = true;
  for (auto& [what, pool] : queue.pools) pool.quota = 0;
  for (const ResourceGroup& group : spec.resource_groups) {
    for (const FlavorQuotas& flavor : group.flavors) {
      for (const ResourceQuota& quota : flavor.resources) {
        queue.pools[{flavor.name, quota.name}].quota = quota.nominal.ToAmount(quota.name);
      }
    }
  }
  for (auto& [what, pool] : queue.pools) Refill(pool);
  if (!came) return Status::Ok();
  for (auto& [key, job] : jobs_) {
    if (job.cluster_queue == spec.name) Sync(job);
  }
  return Status::Ok();
}

void UsageMeter::QueueDeleted(const std::string& name) {
  queues_[name].exists = false;
  for (auto& [key, job] : jobs_) {
    if (job.cluster_queue == name) Sync(job);
  }
}

void UsageMeter::BeginRun(Job& job, const Key& key) {
  job.reserved = true;
  job.order = ++reservations_;
  switch (group_.by) {
    case UsageGroup::By::kQueue:
      job.group = job.cluster_queue;
      break;
    case UsageGroup::By::kNamespace:
      job.group = key.ns;
      break;
    case UsageGroup::By::kLabel: {
      const auto label = job.labels.find(group_.label);
      job.group = label == job.labels.end() ? std::string() : std::string(label->second);
      break;
    }
  }
}

void UsageMeter::EndRun(Job& job, bool lost) {
  job.reserved = false;
  Sync(job);
  for (const auto& [what, time] : job.run) {
    if (lost) rows_[{job.group, what.first, what.second}].preempted += time;
  }
  job.run.clear();
  job.preempted = false;
}

UsageMeter::Charges UsageMeter::ChargesOf(const Job& job) const {
  Charges charges;
  const auto queue = queues_.find(job.cluster_queue);
  if (!job.reserved || !job.active || queue == queues_.end() || !queue->second.exists) {
    return charges;
  }
  for (const Assigned& assigned : job.assigned) {
    std::int32_t remaining = assigned.count;
    if (const auto count = job.counts.find(assigned.pod_set); count != job.counts.end()) {
      const auto reclaimed = job.reclaimable.find(assigned.pod_set);
      const std::int32_t gone = reclaimed == job.reclaimable.end() ? 0 : reclaimed->second;
      remaining = std::min(remaining, count->second - std::min(count->second, gone));
    }
    for (const auto& [what, amount] : assigned.charged) {
      const bool whole = remaining == assigned.count;
      const std::int64_t pods = std::max(assigned.count, 1);
      charges[what] += whole ? amount : amount / pods * remaining;
    }
  }
  return charges;
}

void UsageMeter::Sync(Job& job) {
  const Charges charges = ChargesOf(job);
  if (charges == job.held) return;
  for (const auto& [what, amount] : job.held) Give(job, what);
  for (const auto& [what, amount] : charges) Take(job, what, amount);
  job.held = charges;
}

void UsageMeter::Take(Job& job, const FlavorResource& what, Amount amount) {
  Pool& pool = queues_[job.cluster_queue].pools[what];
  UsageRow& row = rows_[{job.group, what.first, what.second}];
  row.group = job.group;
  row.flavor = what.first;
  row.resource = what.second;
  const bool last = pool.pieces.empty() || pool.pieces.rbegin()->first < job.order;
  pool.pieces[job.order] = {&row, &job.run[what], amount, 0, now_};
  if (last) {
    const Amount left = std::max<Amount>(pool.quota - pool.given, 0);
    SetNominal(pool, job.order, std::min(amount, left));
  } else {
    Refill(pool);
  }
}

void UsageMeter::Give(Job& job, const FlavorResource& what) {
  Pool& pool = queues_[job.cluster_queue].pools[what];
  const auto gone = pool.pieces.find(job.order);
  Settle(gone->second);
  pool.given -= gone->second.nominal;
  pool.borrowing.erase(job.order);
  pool.pieces.erase(gone);
  while (pool.given < pool.quota && !pool.borrowing.empty()) {
    const std::uint64_t first = *pool.borrowing.begin();
    const Piece& piece = pool.pieces[first];
    SetNominal(pool, first,
               piece.nominal + std::min(piece.amount - piece.nominal, pool.quota - pool.given));
  }
}

void UsageMeter::Refill(Pool& pool) {
  Amount left = pool.quota;
  for (const auto& [order, piece] : pool.pieces) {
    const Amount nominal = std::min(piece.amount, left);
    left -= nominal;
    SetNominal(pool, order, nominal);
  }
}

void UsageMeter::SetNominal(Pool& pool, std::uint64_t order, Amount nominal) {
  Piece& piece = pool.pieces[order];
  if (nominal != piece.nominal) Settle(piece);
  pool.given += nominal - piece.nominal;
  piece.nominal = nominal;
  if (nominal < piece.amount) {
    pool.borrowing.insert(order);
  } else {
    pool.borrowing.erase(order);
  }
}

void UsageMeter::Settle(Piece& piece) {
  const TimeNs from = std::max(piece.since, since_);
  const TimeNs to = std::min(now_, until_);
  piece.since = now_;
  if (from >= to) return;
  const QuotaTime time = to - from;
  piece.row->nominal += piece.nominal * time;
  piece.row->borrowed += (piece.amount - piece.nominal) * time;
  *piece.run += piece.amount * time;
}

}  // namespace muster
