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
#include "bindings/cli/world/expected_starts.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/service.h"
#include "bindings/cli/world/workload_names.h"
#include "bindings/eta/examine.h"
#include "bindings/remote/client.h"

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

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--namespace", "--futures", "--questions",
                                                         "--no-arrivals", "--output"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    std::vector<Key> named;
    int code = words_.empty() ? static_cast<int>(kDone) : ParseKeys(words_, ns_, "eta", io, &named);
    if (code == kDone && named.size() > 1) {
      code =
          io.Fail(kWrongUse, "eta: a service answers about one workload, or about all that wait");
    }
    if (code != kDone) return code;
    const std::vector<std::pair<std::string, std::string>> parameters = {
        {"futures", futures_ ? std::to_string(*futures_) : ""},
        {"questions", questions_},
        {"arrivals", no_arrivals_ ? "false" : ""},
        {"output", output_}};
    std::string text;
    if (named.empty()) {
      code = service.Get(remote::Target({"v1", "eta"}, parameters), io, &text);
    } else {
      WorkloadView workload;
      code = service.FindWorkload(named.front(), io, &workload);
      if (code != kDone) return code;
      const Key& key = workload.spec.key;
      code = service.Get(remote::Target({"v1", "workloads", key.ns, key.name, "eta"}, parameters),
                         io, &text);
    }
    io.out << text;
    return code;
  }

  int Run(Io& io) override {
    if (db_.empty()) return io.Fail(kWrongUse, "eta: name a ledger with --db");
    StartsAsked asked;
    int code = words_.empty() ? static_cast<int>(kDone)
                              : ParseKeys(words_, ns_, "eta", io, &asked.workloads);
    if (code == kDone) code = ReadTime(now_, io, &asked.now);
    if (code == kDone) code = ReadQuestions(questions_, io, &asked.questions);
    std::unique_ptr<HistoryReader> ledger;
    if (code == kDone) code = OpenMoment(db_, io, &ledger);
    if (code != kDone) return code;
    if (futures_) asked.estimate.futures = static_cast<std::size_t>(*futures_);
    asked.estimate.arrivals = !no_arrivals_;
    const Result<ExpectedStarts> starts = ExpectStarts(*ledger, asked);
    if (!starts.ok()) return io.Fail(ExitCodeFor(starts.status()), starts.status().message());
    if (output_ == "json") {
      PrintJson(io.out, ExpectedStartsJson(*starts));
    } else {
      PrintExpectedStarts(*starts, io);
    }
    return kDone;
  }

 private:
  std::vector<std::string> words_;
  std::string db_, ns_, now_, questions_ = "40", output_ = "table";
  std::optional<int> futures_;
  bool no_arrivals_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeEta() { return std::make_unique<EtaCommand>(); }

}  // namespace muster::cli
