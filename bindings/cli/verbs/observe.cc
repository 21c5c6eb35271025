// muster observe: what the status of the objects themselves says of their workloads.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/json.h"
#include "bindings/cli/show/outcomes.h"
#include "bindings/cli/world/input.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/service.h"
#include "bindings/manifest/observe_objects.h"
#include "bindings/remote/told.h"

namespace muster::cli {
namespace {

class Observe : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "observe",
        .group = "Report",
        .summary = "read from the status of job objects what became of their workloads",
        .usage = "-f FILE... (--db LEDGER|--server URL)",
        .about =
            "Reads objects of job kinds with the status that their own controllers wrote, and "
            "tells the ledger what it says: that the job has ended, that its pods are ready or no "
            "longer are, how many of them will not be made anew, and of an evicted one that none "
            "is active any more. One that is held back and contradicts its admission can never "
            "start: its workload finishes with the reason FailedToStart. Saying it twice changes "
            "nothing; an object without status says "
            "nothing. Where the ledger does not have the workload of one of them, nothing is told.",
        .examples = {{"What the cluster says of a team's jobs",
                      "kubectl get jobsets -n team-a -o yaml | muster observe -f - --db "
                      "cluster.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    input_.Declare(flags);
    ledger_.Declare(flags);
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A line per workload, or JSON.");
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--filename", "--output"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    std::vector<manifest::Source> sources;
    if (const int code = ReadSources(input_.files, io, &sources); code != kDone) return code;
    Json answer;
    bool found = false;
    const std::string target = remote::Target({"v1", "observe"}, {});
    if (const int code = service.Post(target, sources, io, &answer, &found); code != kDone) {
      return code;
    }
    if (!found) {
      const manifest::Diagnostic unknown =
          remote::ToldDiagnostics(Json::array({answer}), manifest::Severity::kError, sources,
                                  remote::JoinSources(sources).lines)
              .front();
      return io.Fail(kNo, unknown.ToString());
    }
    Print(answer, io);
    return kDone;
  }

  int Run(Io& io) override {
    std::vector<manifest::Source> sources;
    if (const int code = ReadSources(input_.files, io, &sources); code != kDone) return code;
    std::unique_ptr<DurableEngine> opened;
    TimeNs now = kNoTime;
    if (const int code = OpenLedger(ledger_, io, &opened, &now); code != kDone) return code;
    const auto observed = manifest::ObserveAll(
        &opened->engine(), manifest::ReadJobObjects(sources, std::nullopt, now), now);
    if (!observed.ok()) return io.Fail(ExitCodeFor(observed.status()), observed.status().message());
    Print(Json::parse(manifest::ToJson(*observed)), io);
    return kDone;
  }

 private:
  void Print(const Json& answer, Io& io) const {
    std::vector<ObjectOutcome> outcomes;
    for (const Json& each : answer["objects"]) {
      outcomes.push_back({each["kind"], each["name"], each["result"]});
    }
    PrintOutcomes(outcomes, output_ == "json", io);
    for (const Json& each : answer.value("warnings", Json::array())) {
      io.Warn(remote::RefusalSentence(each));
    }
  }

  InputFlags input_;
  LedgerFlags ledger_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeObserve() { return std::make_unique<Observe>(); }

}  // namespace muster::cli
