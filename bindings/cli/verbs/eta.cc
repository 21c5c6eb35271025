// muster eta: when pending workloads of a ledger will start.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/show/eta_view.h"
#include "bindings/cli/world/examined_past.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/workload_names.h"
#include "bindings/eta/examine.h"

namespace muster::cli {
namespace {

class EtaCommand : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "eta",
        .group = "Look",
        .summary = "when pending jobs will start, and how far that can be trusted",
        .usage = "[NAMESPACE/WORKLOAD...] --db LEDGER [-o table|json]",
        .about =
            "Runs the present of a ledger forward many times, on the engine itself and under the "
            "policies in force, and says when each pending job starts: P50, the moment that half "
            "of the futures have it started by, P90, and the intervals that hold the middle half "
            "and nine of ten. Without a name it does so for all that wait. Nothing is written.\n"
            "How long a job runs is drawn from those that ended: of the same queue, user, name up "
            "to its number, size, declared time and priority, or of as many of these as enough "
            "jobs share. What runs already is compared with those that ran longer. A job declares "
            "its time with maximumExecutionTimeSeconds, which also ends it, or with seconds in the "
            "label muster.dev/requested. Jobs that come meanwhile are those of days of the "
            "past.\n"
            "It assumes that pods leave at once, that admission checks are ready at once, and that "
            "queues stay as they are.\n"
            "First it asks the same about jobs of the past that had to wait, with what was known "
            "then, and puts the waits right by what came of them. --questions says about how many; "
            "muster eta calibration says more of it.",
        .examples = {{"When will it start?", "muster eta team-a/job-train --db cluster.ledger"},
                     {"All that wait, for a program", "muster eta --db cluster.ledger -o json"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Rest(&words_);
    flags.Text("--db", "LEDGER", &db_, "The ledger that is asked.");
    flags.Text("-n,--namespace", "NAMESPACE", &ns_, "Namespace of a workload named without one.");
    flags.Text("--now", "TIME", &now_,
               "What time it is, in RFC 3339. Default: the wall clock. The ledger's last time "
               "counts when it is later.");
    flags.Count("--futures", "N", &futures_, "How often the present is run forward. Default: 39.");
    flags.Text("--questions", "N", &questions_,
               "About so many jobs of the past are asked about first; 0: none. Default: 40.");
    flags.Switch("--no-arrivals", &no_arrivals_, "No other job comes meanwhile.");
    flags.Choice("-o,--output", &output_, {"table", "json"}, "Tables for people, or JSON.");
  }

  int Run(Io& io) override {
    if (db_.empty()) return io.Fail(kWrongUse, "eta: name a ledger with --db");
    std::vector<Key> named;
    int code = words_.empty() ? static_cast<int>(kDone) : ParseKeys(words_, ns_, "eta", io, &named);
    TimeNs now = kNoTime;
    if (code == kDone) code = ReadTime(now_, io, &now);
    std::size_t questions = 0;
    if (code == kDone) code = ReadQuestions(questions_, io, &questions);
    std::unique_ptr<HistoryReader> ledger;
    if (code == kDone) code = OpenMoment(db_, io, &ledger);
    if (code != kDone) return code;
    eta::EstimateOptions options;
    if (futures_) options.futures = static_cast<std::size_t>(*futures_);
    options.arrivals = !no_arrivals_;
    std::unique_ptr<eta::Examiner> examiner;
    code = ExaminePast(*ledger, db_, questions, options, io, &examiner);
    if (code != kDone) return code;
    const Result<LastCommit> last = ledger->last();
    if (!last.ok()) return FailLedger(last.status(), db_, io);
    now = std::max(now, last->at);
    std::vector<Key> asked;
    code = WhoIsAsked(examiner->engine(), named, io, &asked);
    if (code != kDone) return code;
    return Answer(*examiner, now, asked, options, io);
  }

 private:
  static int WhoIsAsked(const Engine& engine, const std::vector<Key>& named, Io& io,
                        std::vector<Key>* asked) {
    for (const Key& name : named) {
      const Key key = ResolveWorkload(engine, name);
      const Result<WorkloadView> view = engine.GetWorkload(key);
      if (view.status().code() == StatusCode::kNotFound) {
        return io.Fail(kNo, UnknownWorkload(engine, name.ToString(), "there is none at all"));
      }
      if (!view.ok()) return io.Fail(ExitCodeFor(view.status()), view.status().message());
      if (std::find(asked->begin(), asked->end(), key) == asked->end()) asked->push_back(key);
    }
    if (!named.empty()) return kDone;
    const Result<std::vector<WorkloadView>> all = engine.Workloads();
    if (!all.ok()) return io.Fail(ExitCodeFor(all.status()), all.status().message());
    for (const WorkloadView& view : *all) {
      if (view.phase == WorkloadPhase::kPending) asked->push_back(view.spec.key);
    }
    return kDone;
  }

  int Answer(const eta::Examiner& examiner, TimeNs now, const std::vector<Key>& asked,
             const eta::EstimateOptions& options, Io& io) const {
    ExpectedStarts starts;
    starts.now = now;
    starts.horizon = options.horizon;
    starts.futures = options.futures;
    starts.runs_learnt = examiner.record().runs().learnt();
    if (!asked.empty()) {
      Result<std::vector<eta::Outlook>> outlooks = examiner.Ask(now, asked, options);
      if (!outlooks.ok())
        return io.Fail(ExitCodeFor(outlooks.status()), outlooks.status().message());
      starts.outlooks = *std::move(outlooks);
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
    if (output_ == "json") {
      PrintJson(io.out, ExpectedStartsJson(starts));
    } else {
      PrintExpectedStarts(starts, io);
    }
    return kDone;
  }

  std::vector<std::string> words_;
  std::string db_, ns_, now_, questions_ = "40", output_ = "table";
  std::optional<int> futures_;
  bool no_arrivals_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeEta() { return std::make_unique<EtaCommand>(); }

}  // namespace muster::cli
