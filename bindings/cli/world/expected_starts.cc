// See expected_starts.h.
#include "bindings/cli/world/expected_starts.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "bindings/cli/world/examined_past.h"
#include "bindings/cli/world/workload_names.h"
#include "bindings/eta/examine.h"
#include "bindings/lab/near_names.h"
#include "muster/durable_engine.h"

namespace muster::cli {
namespace {

/// Those that are named, each once; where none is, all that wait.
Result<std::vector<Key>> AskedAbout(const Engine& engine, const std::vector<Key>& named) {
  std::vector<Key> asked;
  for (const Key& name : named) {
    const Key key = ResolveWorkload(engine, name);
    const Result<WorkloadView> view = engine.GetWorkload(key);
    if (view.status().code() == StatusCode::kNotFound) {
      return Status(StatusCode::kNotFound,
                    lab::UnknownWorkload(engine, name, "there is none at all"));
    }
    if (!view.ok()) return view.status();
    if (std::find(asked.begin(), asked.end(), key) == asked.end()) asked.push_back(key);
  }
  if (!named.empty()) return asked;
  const Result<std::vector<WorkloadView>> all = engine.Workloads();
  if (!all.ok()) return all.status();
  for (const WorkloadView& view : *all) {
    // What leaves queues again, unless it was stopped; what is reserved waits for its checks.
    const bool waits = view.phase == WorkloadPhase::kPending ||
                       view.phase == WorkloadPhase::kReserved ||
                       (view.phase == WorkloadPhase::kEvicting && view.spec.active);
    if (waits) asked.push_back(view.spec.key);
  }
  return asked;
}

}  // namespace

Result<ExpectedStarts> ExpectStarts(const StoredHistory& ledger, const StartsAsked& asked) {
  Result<std::vector<Key>> about = std::vector<Key>();
  if (!asked.workloads.empty()) {  // before the past is gone through, which takes long
    const Result<Engine> present = ReadLedger(ledger);
    if (!present.ok()) return present.status();
    about = AskedAbout(*present, asked.workloads);
    if (!about.ok()) return about.status();
  }
  const Result<std::unique_ptr<eta::Examiner>> examined =
      ExaminedPast(ledger, asked.questions, asked.estimate);
  if (!examined.ok()) return examined.status();
  const eta::Examiner& examiner = **examined;
  const Result<LastCommit> last = ledger.last();
  if (!last.ok()) return last.status();
  if (asked.workloads.empty()) about = AskedAbout(examiner.engine(), {});
  if (!about.ok()) return about.status();
  ExpectedStarts starts;
  starts.now = std::max(asked.now, last->at);
  starts.horizon = asked.estimate.horizon;
  starts.futures_asked = asked.estimate.futures;
  starts.runs_learnt = examiner.record().runs().learnt();
  if (!about->empty()) {
    Result<std::vector<eta::Outlook>> outlooks = examiner.Ask(starts.now, *about, asked.estimate);
    if (!outlooks.ok()) return outlooks.status();
    starts.outlooks = *std::move(outlooks);
  }
  if (starts.outlooks.empty()) starts.futures = starts.futures_asked;
  for (const eta::Outlook& each : starts.outlooks) {
    starts.futures = std::max(starts.futures, each.futures);
  }
  const std::vector<eta::Question> past = examiner.Questions();
  starts.past = eta::ScoreOf(eta::Mended(past, past.empty() ? kNoTime : past.front().at));
  const eta::Trust trust = eta::TrustIn(past);
  starts.mended = trust.Speaks();
  for (eta::Outlook& each : starts.outlooks) {
    const eta::Waits mended = trust.Mend(each.waits);
    for (std::size_t level = 0; level < mended.size(); ++level) {
      // Of what lies beyond the horizon it is not known how far.
      if (each.waits[level] < starts.horizon) each.waits[level] = mended[level];
    }
  }
  return starts;
}

}  // namespace muster::cli
