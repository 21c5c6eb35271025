// The verdict first, then the figures behind it: shortage, holders, victims, what is ahead, policy.
#include "bindings/cli/show/explain.h"

#include <string>
#include <string_view>

#include "bindings/cli/show/attempts.h"
#include "bindings/cli/show/certificate.h"
#include "bindings/cli/show/get_view.h"
#include "bindings/cli/table.h"
#include "bindings/lab/words.h"
#include "bindings/manifest/manifest.h"

namespace muster::cli {
namespace {

void Heading(std::string_view text, Io& io) {
  io.out << '\n' << io.paint(Tone::kStrong, text) << '\n';
}

Cell YesNo(bool yes) { return yes ? Cell("yes", Tone::kGood) : Cell("no", Tone::kFaint); }

/// How many hold what it lacks and are not listed.
std::int64_t MoreHolders(const Explanation& explanation) {
  return explanation.holder_count - static_cast<std::int64_t>(explanation.holders.size());
}

void PrintHolders(const Explanation& explanation, Io& io) {
  if (explanation.holder_count == 0) return;
  Heading("What holds it", io);
  Table table({"WORKLOAD", "CLUSTERQUEUE", "FLAVOR", "RESOURCE", ">HOLDS", "BORROWING",
               "EVICTABLE BY YOU", "WHY NOT"});
  for (const HolderView& holder : explanation.holders) {
    table.Add({holder.workload.ToString(), holder.cluster_queue, holder.flavor, holder.resource,
               FormatAmount(holder.resource, holder.amount), YesNo(holder.borrowing),
               YesNo(holder.evictable), holder.why});
  }
  if (!table.empty()) table.Print(io.out, io.paint, "  ");
  const std::int64_t more = MoreHolders(explanation);
  if (more > 0) io.out << "  ... and " << more << " more\n";
}

void PrintAhead(const Explanation& explanation, Io& io) {
  if (explanation.ahead_count == 0) return;
  Heading("Ahead in the queue: " + std::to_string(explanation.ahead_count), io);
  Table table({"WORKLOAD", "COMES FIRST BY", "THEIRS", "YOURS"});
  for (const AheadView& ahead : explanation.ahead) {
    table.Add({ahead.workload.ToString(), ahead.key, ahead.theirs, ahead.ours});
  }
  table.Print(io.out, io.paint, "  ");
  const auto listed = static_cast<std::int64_t>(explanation.ahead.size());
  if (listed < explanation.ahead_count) {
    io.out << "  ... and " << explanation.ahead_count - listed << " after these\n";
  }
}

void PrintReclaimers(const std::vector<Reclaimer>& reclaimers, Io& io) {
  if (reclaimers.empty()) return;
  Heading("It borrows: a reclaim may evict it", io);
  Table table({"BY CLUSTERQUEUE", "FLAVOR", "RESOURCE", ">IDLE QUOTA THERE", "FOR A JOB OF"});
  for (const Reclaimer& each : reclaimers) {
    table.Add({each.cluster_queue, each.flavor, each.resource,
               FormatAmount(each.resource, each.idle),
               each.rule == PreemptionPolicy::kAny ? "any priority" : "higher priority"});
  }
  table.Print(io.out, io.paint, "  ");
}

void PrintSearch(const Explanation& explanation, Io& io) {
  const std::string proven = CertificateInWords(explanation.certificate);
  if (explanation.candidates.empty() && proven.empty()) return;
  Heading("Candidates for eviction", io);
  if (!explanation.candidates.empty()) {
    PrintCandidates(explanation.candidates, explanation.more_candidates, "  ", io);
  }
  if (!proven.empty()) io.out << "  " << proven << '\n';
}

Json HoldersJson(const std::vector<HolderView>& holders) {
  Json list = Json::array();
  for (const HolderView& holder : holders) {
    list.push_back({{"workload", holder.workload.ToString()},
                    {"clusterQueue", holder.cluster_queue},
                    {"flavor", holder.flavor},
                    {"resource", holder.resource},
                    {"amount", FormatAmount(holder.resource, holder.amount)},
                    {"borrowing", holder.borrowing},
                    {"evictable", holder.evictable}});
    if (!holder.evictable) list.back()["whyNot"] = holder.why;
  }
  return list;
}

std::string_view FieldWord(const QuotaRaise& raise) {
  return raise.field == QuotaField::kNominalQuota ? "nominalQuota" : "borrowingLimit";
}

std::string_view KindWord(const QuotaRaise& raise) {
  return raise.kind == ObjectKind::kCohort ? "Cohort" : "ClusterQueue";
}

/// "2 more nvidia.com/gpu of flavor a in nominalQuota of ClusterQueue b (4 -> 6)"
std::string RaiseInWords(const QuotaRaise& raise) {
  return FormatAmount(raise.resource, raise.to - raise.from) + " more " + raise.resource +
         " of flavor " + raise.flavor + " in " + std::string(FieldWord(raise)) + " of " +
         std::string(KindWord(raise)) + " " + raise.name + " (" +
         FormatAmount(raise.resource, raise.from) + " -> " +
         FormatAmount(raise.resource, raise.to) + ")";
}

void PrintRemedies(const Explanation& explanation, Io& io) {
  if (!explanation.remedies.empty()) {
    Heading("Smallest changes that help: tried, and any less would not do", io);
  }
  for (const Remedy& remedy : explanation.remedies) {
    const char* before = "  - ";
    for (const QuotaRaise& raise : remedy.raises) {
      io.out << before << RaiseInWords(raise);
      before = "\n    and ";
    }
    io.out << '\n';
  }
  if (explanation.most_pods.empty()) return;
  Heading("Largest that would fit now", io);
  for (const MostPods& most : explanation.most_pods) {
    io.out << "  " << most.fits << " of " << most.asked << " pods of podset " << most.pod_set
           << '\n';
  }
}

Json RemediesJson(const std::vector<Remedy>& remedies) {
  Json list = Json::array();
  for (const Remedy& remedy : remedies) {
    Json raises = Json::array();
    for (const QuotaRaise& raise : remedy.raises) {
      raises.push_back({{"kind", KindWord(raise)},
                        {"name", raise.name},
                        {"field", FieldWord(raise)},
                        {"flavor", raise.flavor},
                        {"resource", raise.resource},
                        {"from", FormatAmount(raise.resource, raise.from)},
                        {"to", FormatAmount(raise.resource, raise.to)},
                        {"more", FormatAmount(raise.resource, raise.to - raise.from)}});
    }
    list.push_back(std::move(raises));
  }
  return list;
}

Json MostPodsJson(const std::vector<MostPods>& pod_sets) {
  Json list = Json::array();
  for (const MostPods& most : pod_sets) {
    list.push_back({{"podSet", most.pod_set}, {"fits", most.fits}, {"asked", most.asked}});
  }
  return list;
}

Json AheadJson(const Explanation& explanation) {
  Json nearest = Json::array();
  for (const AheadView& ahead : explanation.ahead) {
    nearest.push_back({{"workload", ahead.workload.ToString()},
                       {"key", ahead.key},
                       {"theirs", ahead.theirs},
                       {"ours", ahead.ours}});
  }
  return {{"count", explanation.ahead_count}, {"nearest", std::move(nearest)}};
}

}  // namespace

void PrintAnswer(const Answer& answer, Io& io) {
  const Explanation& explanation = answer.explanation;
  const WorkloadView& workload = explanation.workload;
  io.out << io.paint(Tone::kStrong, explanation.verdict) << '\n';
  if (!explanation.cure.empty()) io.out << "What would help: " << explanation.cure << ".\n";
  for (const std::string& note : explanation.notes) io.out << note << '\n';
  if (workload.spec.status.admission && workload.spec.active) {
    const bool ended = workload.phase == WorkloadPhase::kFinished;
    io.out << (ended ? "It ran" : "It runs") << " in ClusterQueue " << lab::ClusterQueueOf(workload)
           << ": " << lab::Assigned(*workload.spec.status.admission) << '\n';
  }
  if (!explanation.flavors.empty()) {
    Heading(explanation.fewest_pods ? "What it asks for with the fewest pods, and what there is"
                                    : "What it asks for, and what there is",
            io);
    PrintAttempts(explanation.flavors, "  ", io);
  }
  PrintRemedies(explanation, io);
  PrintHolders(explanation, io);
  PrintSearch(explanation, io);
  PrintReclaimers(answer.reclaimers, io);
  PrintAhead(explanation, io);
  if (!explanation.order_policy.empty()) {
    io.out << "\nOrder in the queue by policy " << explanation.order_policy << '\n';
  }
}

Json AnswerJson(const Answer& answer) {
  const Explanation& explanation = answer.explanation;
  const WorkloadView& workload = explanation.workload;
  Json json = {
      {"workload", workload.spec.key.ToString()},
      {"clusterQueue", lab::ClusterQueueOf(workload)},
      {"state", StateOf(workload)},
      {"priority", workload.priority},
      {"verdict", explanation.verdict},
      {"cure", explanation.cure},
      {"never", explanation.never},
      {"notes", explanation.notes},
      {"until",
       explanation.until == kNoTime ? Json() : Json(manifest::FormatTime(explanation.until))},
      {"reason", ReasonName(workload.reason)},
      {"message", workload.message},
      {"flavors", AttemptsJson(explanation.flavors)},
      {"holders", HoldersJson(explanation.holders)},
      {"candidates", CandidatesJson(explanation.candidates)},
      {"reclaimableBy", ReclaimersJson(answer.reclaimers)},
      {"ahead", AheadJson(explanation)},
      {"orderPolicy", explanation.order_policy}};
  if (workload.hold) {
    const TimeNs until = workload.hold->until;
    json["hold"] = {{"policy", workload.hold->policy},
                    {"reason", workload.hold->reason},
                    {"until", until == kNoTime ? Json() : Json(manifest::FormatTime(until))}};
  }
  // Only where a list is cut.
  const std::int64_t more = MoreHolders(explanation);
  if (more > 0) json["moreHolders"] = more;
  if (workload.boost != 0) json["boost"] = workload.boost;
  if (!workload.boosted_by.empty()) json["boostedBy"] = workload.boosted_by;
  if (workload.checkpointed != kNoTime) {
    json["checkpointed"] = manifest::FormatTime(workload.checkpointed);
  }
  if (explanation.fewest_pods) json["fewestPods"] = true;
  if (!explanation.remedies.empty()) json["smallestChanges"] = RemediesJson(explanation.remedies);
  if (!explanation.most_pods.empty()) json["mostPods"] = MostPodsJson(explanation.most_pods);
  if (explanation.more_candidates) json["moreCandidates"] = true;
  if (explanation.certificate.proof != SearchProof::kNone) {
    json["certificate"] = CertificateJson(explanation.certificate);
  }
  return json;
}

}  // namespace muster::cli
