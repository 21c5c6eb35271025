// muster eta calibration: how often expected starts held, in a ledger's past or in a log of jobs.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/author/decider.h"
#include "bindings/cli/command.h"
#include "bindings/cli/show/eta_view.h"
#include "bindings/cli/world/examined_past.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/load.h"
#include "bindings/cli/world/log_of_jobs.h"
#include "bindings/cli/world/report.h"
#include "bindings/eta/examine.h"
#include "bindings/simulate/simulate.h"

namespace muster::cli {
namespace {

/// Hands what an engine does to an examiner.
class Examination final : public Journal {
 public:
  explicit Examination(eta::Examiner& examiner) : examiner_(examiner) {}
  Result<Ticket> Append(Commit commit) override {
    if (Status status = examiner_.Take(commit); !status.ok()) return status;
    return ++taken_;
  }
  Status Durable(Ticket) override { return Status::Ok(); }

 private:
  eta::Examiner& examiner_;
  Ticket taken_ = 0;
};

class EtaCalibration : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "eta calibration",
        .group = "Prove",
        .summary = "how often expected starts held, in a past that is known",
        .usage = "--db LEDGER | -f CLUSTER... --jobs TRACE [options]",
        .about =
            "Goes through the past of a ledger, or plays a log of jobs on the queues of the "
            "manifests, and asks on the way when jobs that had to wait would start, with nothing "
            "but what was known by then. Then it compares with when they started. The answers to "
            "the earlier half of the questions put the waits of the later half right, and figures "
            "are of the later half.\n"
            "IN 50% and IN 90% are the parts of starts within the intervals; an honest estimate "
            "has 50 and 90 there. BEFORE P50 and P90 are the parts that started by those moments. "
            "WIDTH is the median width of an interval: of two honest estimates the narrower is "
            "better. LATE is the median of how much later than P50 jobs started. The naive "
            "estimate is the quantiles of the waits of the last week in the same queue.",
        .examples = {{"How often did it hold here?", "muster eta calibration --db cluster.ledger"},
                     {"On a log",
                      "muster eta calibration -f cluster.yaml --jobs SP2.swf.gz --questions "
                      "1000"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Text("--db", "LEDGER", &db_, "The ledger whose past is asked.");
    input_.Declare(flags);
    log_.Declare(flags);
    flags.Text("--policy", "FOLDER", &policy_,
               "With a log: the policy package that decides. Default: native.");
    flags.Text("--questions", "N", &questions_,
               "Ask about so many jobs that had to wait, evenly chosen. Default: 400.");
    flags.Count("--futures", "N", &futures_, "How often each is run forward. Default: 39.");
    flags.Switch("--no-arrivals", &no_arrivals_, "In the futures no other job comes meanwhile.");
    flags.Choice("-o,--output", &output_, {"table", "json", "csv"},
                 "The figures as a table or JSON, or each question as CSV.");
  }

  int Run(Io& io) override {
    if (db_.empty() == log_.file().empty()) {
      return io.Fail(kWrongUse,
                     "eta calibration: name a ledger with --db, or a log with --jobs and -f");
    }
    std::size_t questions = 0;
    int code = ReadQuestions(questions_, io, &questions);
    if (code != kDone) return code;
    if (questions < 2) return io.Fail(kWrongUse, "--questions: two halves need at least 2");
    eta::EstimateOptions options;
    if (futures_) options.futures = static_cast<std::size_t>(*futures_);
    options.arrivals = !no_arrivals_;
    std::unique_ptr<eta::Examiner> examiner;
    std::unique_ptr<HistoryReader> ledger;
    if (db_.empty()) {
      code = PlayLog(questions, options, io, &examiner);
    } else {
      if (!policy_.empty()) {
        return io.Fail(kWrongUse, "--policy is for a log; a ledger knows what decided");
      }
      code = OpenMoment(db_, io, &ledger);
      if (code == kDone) code = ExaminePast(*ledger, db_, questions, options, io, &examiner);
    }
    if (code != kDone) return code;
    const std::vector<eta::Question> asked = examiner->Questions();
    if (asked.size() < 2) return io.Fail(kNo, "fewer than two jobs had to wait");
    Show(asked, io);
    return kDone;
  }

 private:
  int PlayLog(std::size_t questions, const eta::EstimateOptions& estimate, Io& io,
              std::unique_ptr<eta::Examiner>* examiner) {
    lab::Decider decider;
    int code =
        ReadDecider(policy_.empty() ? std::string(lab::kNativeWord) : policy_, "", io, &decider);
    Loaded loaded;
    if (code == kDone) {
      code = Load(input_, lab::References::kAsKueue, "nothing was played", io, &loaded);
    }
    if (code == kDone) code = LogFlags::NeedCluster(loaded.manifests, io);
    if (code != kDone) return code;
    std::erase_if(loaded.manifests.objects,
                  [](const Object& object) { return KindOf(object) == ObjectKind::kWorkload; });
    simulate::Trace trace;
    simulate::Mapping mapping;
    code = log_.Read(io, &trace);
    if (code == kDone) code = log_.Map(loaded.manifests, trace, io, &mapping);
    if (code != kDone) return code;
    mapping.origin = trace.origin;
    const simulate::Prepare prepare = [&decider](Engine& engine, TimeNs now) {
      return PutToWork(decider, now, engine);
    };
    const auto play = [&](Journal* journal) {
      return Simulate(loaded.manifests, trace.jobs, mapping, {}, prepare, {}, journal);
    };
    Result<simulate::Run> run = play(nullptr);
    if (!run.ok()) return io.Fail(ExitCodeFor(run.status()), run.status().message());
    const auto waits = static_cast<std::size_t>(
        std::count_if(run->fates.begin(), run->fates.end(), [](const simulate::Fate& fate) {
          return fate.first_start == kNoTime || fate.first_start > fate.submitted;
        }));
    eta::ExamineOptions options{(waits + questions - 1) / questions, estimate};
    *examiner = std::make_unique<eta::Examiner>(
        [decider](std::string_view hash) -> Result<std::shared_ptr<Policy>> {
          if (decider.policy && decider.policy->info().hash == hash) return decider.policy;
          return Status(StatusCode::kNotFound, "no policy " + std::string(hash));
        },
        options);
    Examination journal(**examiner);
    run = play(&journal);
    return run.ok() ? static_cast<int>(kDone)
                    : io.Fail(ExitCodeFor(run.status()), run.status().message());
  }

  void Show(const std::vector<eta::Question>& asked, Io& io) const {
    if (output_ == "csv") return PrintEach(asked, io);
    const TimeNs half = asked[asked.size() / 2].at;
    const std::vector<Measured> measured = {
        {"simulated", "futures as they were run, nothing put right",
         ScoreOf(Plain(asked, half, eta::Said::kPlain))},
        {"tuned", "put right by the answers of the earlier half alone",
         ScoreOf(Mended(asked, half, half))},
        {"learning", "put right by every answer that had come by then, as muster eta does",
         ScoreOf(Mended(asked, half))},
        {"naive", "quantiles of the waits of the last week in the same queue",
         ScoreOf(Plain(asked, half, eta::Said::kNaive))}};
    if (output_ == "json") {
      PrintJson(io.out, MeasuredJson(measured));
    } else {
      PrintMeasured(measured, io);
    }
  }

  static void PrintEach(const std::vector<eta::Question>& asked, Io& io) {
    io.out << "job,queue,at,waited";
    for (const std::int64_t level : eta::kLevels) io.out << ",p" << level / 10;
    for (const std::int64_t level : eta::kLevels) io.out << ",naive" << level / 10;
    io.out << '\n';
    for (const eta::Question& each : asked) {
      io.out << each.id << ',' << each.queue << ',' << each.at / kSecond << ',';
      if (each.waited >= 0) io.out << each.waited / kSecond;
      for (const DurationNs wait : each.said) io.out << ',' << wait / kSecond;
      for (const DurationNs wait : each.naive) {
        io.out << ',';
        if (each.has_naive) io.out << wait / kSecond;
      }
      io.out << '\n';
    }
  }

  std::string db_, policy_, questions_ = "400", output_ = "table";
  InputFlags input_;
  LogFlags log_;
  std::optional<int> futures_;
  bool no_arrivals_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeEtaCalibration() { return std::make_unique<EtaCalibration>(); }

}  // namespace muster::cli
