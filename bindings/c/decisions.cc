// Time and decisions: cycles, consumers, cursors, and waiting for what is new. What is handed out
// is on disk, also while a pipeline computes ahead of it.
#include <chrono>

#include "bindings/c/handles.h"
#include "bindings/wire/wire.h"

namespace muster::c {
namespace {

static_assert(MUSTER_START == 1 + static_cast<int>(DecisionKind::kStart));
static_assert(MUSTER_START_AGAIN == 1 + static_cast<int>(DecisionKind::kStartAgain));
static_assert(MUSTER_RESERVE == 1 + static_cast<int>(DecisionKind::kReserve));
static_assert(MUSTER_MAKE_ROOM == 1 + static_cast<int>(DecisionKind::kMakeRoom));
static_assert(MUSTER_EVICT == 1 + static_cast<int>(DecisionKind::kEvict));
static_assert(MUSTER_EXPIRE == 1 + static_cast<int>(DecisionKind::kExpire));
static_assert(MUSTER_REFUSED == 1 + static_cast<int>(DecisionKind::kRefuse));
static_assert(MUSTER_WITHDRAW == 1 + static_cast<int>(DecisionKind::kWithdraw));

/// Flavors of one podset, as the caller reads them.
std::vector<muster_flavor_use> FlavorsOf(const PodSetAssignment& pods) {
  std::vector<muster_flavor_use> flavors;
  flavors.reserve(pods.flavors.size());
  for (const auto& [resource, flavor] : pods.flavors) {
    const auto used = pods.resource_usage.find(resource);
    const Amount amount = used == pods.resource_usage.end() ? 0 : used->second.ToAmount(resource);
    flavors.push_back({sizeof(muster_flavor_use), 0, resource.c_str(), flavor.c_str(), amount});
  }
  return flavors;
}

void ShowAdmission(const Admission& admission, muster_decisions* all, muster_decision* shown) {
  shown->cluster_queue = all->texts.emplace_back(admission.cluster_queue.str()).c_str();
  std::vector<muster_pod_set>& sets = all->pod_sets.emplace_back();
  sets.reserve(admission.pod_sets.size());
  for (const PodSetAssignment& pods : admission.pod_sets) {
    const std::vector<muster_flavor_use>& flavors = all->flavors.emplace_back(FlavorsOf(pods));
    sets.push_back(
        {sizeof(muster_pod_set), pods.count, pods.name.c_str(), flavors.data(), flavors.size()});
  }
  shown->pod_sets = sets.data();
  shown->pod_set_count = sets.size();
}

muster_decision ShownAs(const Decision& decision, muster_decisions* all) {
  muster_decision shown = {};
  shown.size = sizeof(muster_decision);
  shown.kind = 1 + static_cast<std::int32_t>(decision.kind);
  shown.number = decision.number;
  shown.at = decision.at;
  shown.cycle = decision.cycle;
  shown.ns = decision.workload.ns.c_str();
  shown.name = decision.workload.name.c_str();
  shown.uid = decision.uid.c_str();
  shown.reason = decision.reason.c_str();
  shown.by_ns = decision.by.ns.c_str();
  shown.by_name = decision.by.name.c_str();
  shown.cluster_queue = "";
  shown.stop = decision.stop ? 1 : 0;
  shown.run = decision.run;
  if (decision.admission) ShowAdmission(*decision.admission, all, &shown);
  return shown;
}

std::vector<const char*> PointersTo(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  pointers.reserve(texts.size());
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

void ShowTopology(const TopologyAssignment& topology, ShownTopology* to) {
  to->levels = PointersTo(topology.levels);
  to->values.reserve(topology.domains.size());
  for (const TopologyDomain& domain : topology.domains) {
    to->values.push_back(PointersTo(domain.values));
    to->domains.push_back({sizeof(muster_place), domain.count, to->values.back().data()});
  }
  to->shown = {sizeof(muster_topology), 0, to->levels.data(), to->levels.size(), to->domains.data(),
               to->domains.size()};
}

void ShowTopologies(muster_decisions* all) {
  for (std::size_t i = 0; i < all->told.decisions.size(); ++i) {
    const std::optional<Admission>& admission = all->told.decisions[i].admission;
    if (!admission) continue;
    for (std::size_t j = 0; j < admission->pod_sets.size(); ++j) {
      const std::optional<TopologyAssignment>& topology = admission->pod_sets[j].topology;
      if (topology) ShowTopology(*topology, &all->topologies[{i, j}]);
    }
  }
}

std::unique_ptr<muster_decisions> Show(answer::Decisions told) {
  auto all = std::make_unique<muster_decisions>();
  all->told = std::move(told);
  for (const Decision& decision : all->told.decisions) {
    all->shown.push_back(ShownAs(decision, all.get()));
  }
  ShowTopologies(all.get());
  return all;
}

/// Asks again after every call on the engine until there is a decision or the time is over.
template <typename Ask>
muster_code Wait(muster_engine* engine, std::int64_t wait_ms, muster_decisions** decisions,
                 muster_error** error, const Ask& ask) {
  if (decisions != nullptr) *decisions = nullptr;
  return Run(error, [&]() -> Status {
    if (Status wrong = CheckUsable(engine); !wrong.ok()) return wrong;
    if (decisions == nullptr) return Misuse("decisions is NULL; give a place for them");
    constexpr std::int64_t kLongest = std::int64_t{366} * 24 * 3600 * 1000;
    const auto until =
        std::chrono::steady_clock::now() +
        std::chrono::milliseconds(wait_ms < 0 ? kLongest : std::min(wait_ms, kLongest));
    const InCall counted(*engine);
    std::unique_lock<std::mutex> lock(engine->mutex);
    const std::uint64_t wakes = engine->wakes;
    for (;;) {
      Result<answer::Decisions> told = ask(engine->get());
      if (!told.ok()) return told.status();
      const bool over =
          wait_ms == 0 || engine->wakes != wakes || std::chrono::steady_clock::now() >= until;
      if (!told->decisions.empty() || over) {
        Status stored = AwaitStored(*engine, NewestTicket(*engine), &lock);
        if (!stored.ok()) return stored;
        *decisions = Show(*std::move(told)).release();
        return Status::Ok();
      }
      engine->decided.wait_until(lock, until);
    }
  });
}

muster_cursor ShownAs(const answer::Cursor& cursor) {
  return {sizeof(muster_cursor), 0, cursor.acknowledged, cursor.last};
}

Status Show(const Result<answer::Cursor>& told, muster_cursor* cursor) {
  return told.ok() ? Fill(ShownAs(*told), cursor, "muster_cursor") : told.status();
}

/// A struct that could not be filled is found before anything happens.
Status CheckCursor(const muster_cursor* cursor) {
  if (cursor == nullptr) return Status::Ok();
  return CheckSize(cursor, 2 * sizeof(std::uint32_t), "muster_cursor");
}

}  // namespace
}  // namespace muster::c

using muster::Engine;
using muster::Result;
using muster::Status;
using muster::c::Ahead;
using muster::c::AheadUnless;
using muster::c::Change;
using muster::c::TextOf;
using muster::c::TimeOf;
using muster::c::With;

muster_code muster_run_cycle(muster_engine* engine, int64_t now, muster_cycle* cycle,
                             muster_bytes** answer, muster_error** error) {
  if (answer != nullptr) *answer = nullptr;
  muster::c::Clear(cycle);
  const auto run = [&](Engine& e) -> Status {
    if (cycle != nullptr) {
      Status sized = muster::c::CheckSize(cycle, 2 * sizeof(std::uint32_t), "muster_cycle");
      if (!sized.ok()) return sized;
    }
    const Result<muster::CycleResult> ran = e.RunCycle(TimeOf(now));
    if (!ran.ok()) return ran.status();
    const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
    const muster_cycle shown = {sizeof(muster_cycle),
                                ran->at_rest ? 1 : 0,
                                ran->cycle,
                                ran->at,
                                count(ran->admitted),
                                count(ran->preempted),
                                count(ran->evicted),
                                count(ran->policy_failures),
                                count(ran->rolled_back)};
    if (answer != nullptr) muster::c::Give(muster::wire::ToJson(muster::Answer(*ran)), answer);
    return muster::c::Fill(shown, cycle, "muster_cycle");
  };
  return AheadUnless(answer != nullptr, engine, error, run);
}

muster_code muster_advance(muster_engine* engine, int64_t now, muster_error** error) {
  return Ahead(engine, error, [&](Engine& e) { return e.Advance(TimeOf(now)); });
}

muster_code muster_next_deadline(muster_engine* engine, int64_t* at, muster_error** error) {
  if (at != nullptr) *at = muster::kNoTime;
  return With(engine, error, [&](Engine& e) {
    const Result<muster::TimeNs> next = e.NextDeadline();
    if (next.ok() && at != nullptr) *at = *next;
    return next.status();
  });
}

muster_code muster_register_consumer(muster_engine* engine, const char* consumer, int64_t after,
                                     int64_t now, muster_cursor* cursor, muster_error** error) {
  muster::c::Clear(cursor);
  return Change(engine, error, [&](Engine& e) -> Status {
    if (Status sized = muster::c::CheckCursor(cursor); !sized.ok()) return sized;
    const std::optional<std::int64_t> behind =
        after < 0 ? std::nullopt : std::optional<std::int64_t>(after);
    return muster::c::Show(e.RegisterConsumer(TextOf(consumer), TimeOf(now), behind), cursor);
  });
}

muster_code muster_acknowledge(muster_engine* engine, const char* consumer, int64_t upto,
                               int64_t now, muster_cursor* cursor, muster_error** error) {
  muster::c::Clear(cursor);
  return Ahead(engine, error, [&](Engine& e) -> Status {
    if (Status sized = muster::c::CheckCursor(cursor); !sized.ok()) return sized;
    return muster::c::Show(e.Acknowledge(TextOf(consumer), upto, TimeOf(now)), cursor);
  });
}

muster_code muster_remove_consumer(muster_engine* engine, const char* consumer, int64_t now,
                                   muster_error** error) {
  return Change(engine, error,
                [&](Engine& e) { return e.RemoveConsumer(TextOf(consumer), TimeOf(now)); });
}

muster_code muster_decisions_of(muster_engine* engine, const char* consumer, size_t limit,
                                int64_t wait_ms, muster_decisions** decisions,
                                muster_error** error) {
  return muster::c::Wait(engine, wait_ms, decisions, error,
                         [&](const Engine& e) { return e.Decisions(TextOf(consumer), limit); });
}

muster_code muster_decisions_after(muster_engine* engine, int64_t after, size_t limit,
                                   int64_t wait_ms, muster_decisions** decisions,
                                   muster_error** error) {
  return muster::c::Wait(engine, wait_ms, decisions, error,
                         [&](const Engine& e) { return e.Decisions(after, limit); });
}

void muster_wake(muster_engine* engine) {
  if (!muster::c::CheckUsable(engine).ok()) return;
  const muster::c::InCall counted(*engine);
  {
    const std::lock_guard<std::mutex> lock(engine->mutex);
    ++engine->wakes;
  }
  engine->decided.notify_all();
}

size_t muster_decisions_count(const muster_decisions* decisions) {
  return decisions == nullptr ? 0 : decisions->shown.size();
}
const muster_decision* muster_decisions_data(const muster_decisions* decisions) {
  return muster_decisions_count(decisions) == 0 ? nullptr : decisions->shown.data();
}
int64_t muster_decisions_last(const muster_decisions* decisions) {
  return decisions == nullptr ? 0 : decisions->told.last;
}
const muster_topology* muster_decisions_topology(const muster_decisions* decisions, size_t index,
                                                 size_t pod_set) {
  if (decisions == nullptr) return nullptr;
  const auto found = decisions->topologies.find({index, pod_set});
  return found == decisions->topologies.end() ? nullptr : &found->second.shown;
}
muster_code muster_decisions_json(const muster_decisions* decisions, muster_bytes** json,
                                  muster_error** error) {
  if (json != nullptr) *json = nullptr;
  return muster::c::Run(error, [&]() -> Status {
    if (decisions == nullptr) return muster::c::Misuse("decisions is NULL; ask for some first");
    muster::c::Give(muster::wire::ToJson(muster::Answer(decisions->told)), json);
    return Status::Ok();
  });
}
void muster_decisions_free(muster_decisions* decisions) { delete decisions; }
