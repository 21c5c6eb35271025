// See recorded_diff.h. Until nothing changes, because a policy that is activated wakes jobs that
// were parked, and those that still do not fit take a cycle to say so.
#include "bindings/lab/recorded_diff.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "bindings/cpp/replay.h"
#include "bindings/cpp/stored_policies.h"
#include "bindings/lab/player.h"
#include "bindings/lab/words.h"
#include "db/store.h"

namespace muster::lab {
namespace {

constexpr std::size_t kMostCycles = 1'000;

struct RecordedFate {
  std::string cluster_queue;
  std::string text;
  std::string place;  ///< of one that starts
};
using RecordedFates = std::map<std::string, RecordedFate>;

/// One side of the comparison, with what it has come to so far.
class Side {
 public:
  Side(const Decider& decider, std::size_t index, RecordedDiff* diff)
      : decider_(decider), index_(index), diff_(*diff) {}

  Result<RecordedFates> Decide(Engine engine, TimeNs at) {
    if (const Status status = PutToWork(decider_, at, engine); !status.ok()) return status;
    RecordedFates fates;
    const CycleSink note = [&](const CycleOutcome& cycle) {
      Note(engine, cycle.result, &fates);
      return Status::Ok();
    };
    Player player(engine, at, note, Detail::kDecisions);
    const Result<bool> at_rest = player.RunUntilIdle(kMostCycles, Evictions::kStayOpen);
    if (!at_rest.ok()) return at_rest.status();
    return fates;
  }

 private:
  void Note(const Engine& engine, const CycleResult& cycle, RecordedFates* fates) {
    for (const AdmittedWorkload& each : cycle.admitted) {
      (*fates)[each.workload.ToString()] = {each.admission.cluster_queue, "starts",
                                            Assigned(each.admission)};
      ++diff_.starts[index_];
    }
    for (const PreemptedWorkload& each : cycle.preempted) {
      const Result<WorkloadView> view = engine.GetWorkload(each.workload);
      (*fates)[each.workload.ToString()] = {view.ok() ? view->cluster_queue : "",
                                            "preempted for " + each.by.ToString(), ""};
      ++diff_.preemptions[index_];
    }
    if (cycle.policy_failures.empty()) return;
    ++diff_.failures[index_];
    diff_.last_failure[index_] = cycle.policy_failures.back().message;
  }

  const Decider& decider_;
  std::size_t index_;
  RecordedDiff& diff_;
};

class TurnComparison {
 public:
  explicit TurnComparison(const std::array<Decider, 2>& deciders)
      : sides_{Side(deciders[0], 0, &diff_), Side(deciders[1], 1, &diff_)} {}

  Status CompareAt(const Replayer& replayer, std::int64_t cycle, TimeNs at) {
    const Result<std::vector<PendingWorkload>> pending = replayer.engine().Pending();
    if (!pending.ok() || pending->empty()) return pending.status();
    std::array<RecordedFates, 2> fates;
    for (const std::size_t i : {0U, 1U}) {
      Result<Engine> copy = replayer.engine().Fork();
      if (!copy.ok()) return copy.status();
      Result<RecordedFates> decided = sides_[i].Decide(std::move(*copy), at);
      if (!decided.ok()) return decided.status();
      fates[i] = std::move(*decided);
    }
    ++diff_.turns;
    if (Differ(fates, cycle, at)) ++diff_.different_turns;
    return Status::Ok();
  }

  RecordedDiff Finish() {
    for (auto& [workload, difference] : by_workload_) {
      diff_.differences.push_back(std::move(difference));
    }
    std::stable_sort(diff_.differences.begin(), diff_.differences.end(),
                     [](const auto& a, const auto& b) { return a.cycle < b.cycle; });
    return std::move(diff_);
  }

 private:
  bool Differ(const std::array<RecordedFates, 2>& fates, std::int64_t cycle, TimeNs at) {
    std::set<std::string> workloads;
    for (const RecordedFates& side : fates) {
      for (const auto& [workload, fate] : side) workloads.insert(workload);
    }
    bool any = false;
    for (const std::string& workload : workloads) {
      const auto a = fates[0].find(workload), b = fates[1].find(workload);
      const bool in_a = a != fates[0].end(), in_b = b != fates[1].end();
      const bool same_text = in_a && in_b && a->second.text == b->second.text;
      if (same_text && a->second.place == b->second.place) continue;
      any = true;
      RecordedDifference& difference = by_workload_[workload];
      if (difference.times++ > 0) continue;
      // What is evicted by one side only runs on under the other.
      const RecordedFate& known = in_a ? a->second : b->second;
      const std::string otherwise = known.place.empty() ? "runs on" : "waits";
      const auto words = [&](bool in, const RecordedFate& fate) {
        return !in ? otherwise : same_text ? fate.text + ": " + fate.place : fate.text;
      };
      difference.workload = workload;
      difference.cluster_queue = known.cluster_queue;
      difference.cycle = cycle;
      difference.at = at;
      difference.fates = {words(in_a, in_a ? a->second : known),
                          words(in_b, in_b ? b->second : known)};
    }
    return any;
  }

  RecordedDiff diff_;
  std::array<Side, 2> sides_;
  std::map<std::string, RecordedDifference> by_workload_;
};

}  // namespace

Result<RecordedDiff> DiffRecorded(const StoredHistory& ledger,
                                  const std::array<Decider, 2>& deciders) {
  std::map<std::string, std::shared_ptr<Policy>, std::less<>> loaded;
  Replayer replayer([&](std::string_view hash) -> Result<std::shared_ptr<Policy>> {
    if (const auto known = loaded.find(hash); known != loaded.end()) return known->second;
    const auto find = [&ledger](std::string_view wanted) { return ledger.LoadPolicy(wanted); };
    Result<std::shared_ptr<Policy>> policy = LoadPolicyByHash(find, hash);
    if (policy.ok()) loaded.emplace(hash, *policy);
    return policy;
  });
  const Result<std::int64_t> first = replayer.Begin(ledger);
  if (!first.ok()) return first.status();
  TurnComparison comparison(deciders);
  bool in_turn = false;
  const Status status = ledger.ReadCommits(*first, [&](const CommitRecord& commit) {
    const bool is_cycle = commit.command == CommandName(CommandKind::kCycle);
    if (is_cycle && !in_turn) {
      const Status compared = comparison.CompareAt(replayer, commit.cycle, commit.at);
      if (!compared.ok()) return compared;
    }
    in_turn = is_cycle;
    return replayer.Redo(commit);
  });
  if (!status.ok()) return status;
  return comparison.Finish();
}

}  // namespace muster::lab
