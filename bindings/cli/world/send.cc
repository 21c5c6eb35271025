// See send.h.
#include "bindings/cli/world/send.h"

#include "bindings/cli/show/outcomes.h"
#include "bindings/cli/world/input.h"
#include "bindings/cli/world/policy_words.h"

namespace muster::cli {

int SendTo(const Service& service, const Sending& sending, Io& io) {
  if (sending.quiet) io.hidden_warnings = 0;
  std::vector<manifest::Source> sources;
  if (const int code = ReadSources(sending.files, io, &sources); code != kDone) return code;
  Json answer;
  const int code = service.Send(sending.verb, sources, sending.consequence, io, &answer);
  if (code != kDone) return code;
  AppliedReport report;
  std::vector<PolicyFailure> failures;
  for (const Json& each : answer["objects"]) {
    ObjectOutcome outcome{each.value("kind", ""), each.value("name", ""), each.value("result", "")};
    if (const auto failure = each.find("policyFailure"); failure != each.end()) {
      PolicyFailure failed;
      failed.policy = failure->value("policy", "");
      failed.hook = failure->value("hook", "");
      failed.cluster_queue = failure->value("clusterQueue", "");
      failed.message = failure->value("message", "");
      const std::size_t slash = outcome.name.find('/');
      failed.workload = {outcome.name.substr(0, slash), outcome.name.substr(slash + 1)};
      failures.push_back(failed);
      outcome.submit_failure = std::move(failed);
    }
    report.outcomes.push_back(std::move(outcome));
  }
  WarnOfSubmit(failures, "", io);
  PrintApplied(report, sending.json, sending.quiet, io);
  return kDone;
}

}  // namespace muster::cli
