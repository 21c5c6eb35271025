// A job is asked about when the first instant with a cycle since its submission is over, and it
// still waits: what starts at once needs no estimate.
#include "bindings/eta/examine.h"

#include <algorithm>
#include <set>
#include <utility>

namespace muster::eta {
namespace {

constexpr DurationNs kWeekLong = 7 * 24 * 3600 * kSecond;
constexpr std::size_t kFewWaits = 10;  ///< too few for quantiles
constexpr std::size_t kWaitsKept = 5000;

/// Those that have started, the first start first.
std::vector<const Question*> ByStart(std::span<const Question> questions) {
  std::vector<const Question*> by_start;
  for (const Question& question : questions) {
    if (question.waited >= 0) by_start.push_back(&question);
  }
  std::stable_sort(by_start.begin(), by_start.end(), [](const Question* a, const Question* b) {
    return a->at + a->waited < b->at + b->waited;
  });
  return by_start;
}

TimeNs StartOf(const simulate::JobPast& job) {
  for (const simulate::Attempt& attempt : job.attempts) {
    if (attempt.admitted != kNoTime) return attempt.admitted;
  }
  return kNoTime;
}

}  // namespace

Examiner::Examiner(Replayer::PolicyLoader load, const ExamineOptions& options)
    : options_(options), replayer_(std::move(load)) {}

Status Examiner::Read(const StoredHistory& ledger) {
  const Result<std::int64_t> first = replayer_.Begin(ledger);
  if (!first.ok()) return first.status();
  record_.Begin(replayer_.engine());
  return ledger.ReadCommits(*first, [&](const CommitRecord& commit) {
    const Status status = TakeAny(commit, commit.command == CommandName(CommandKind::kCycle));
    if (status.ok()) return status;
    return Status(status.code(), "commit " + std::to_string(commit.seq) + ": " + status.message());
  });
}

Status Examiner::Take(const Commit& commit) {
  return TakeAny(commit, commit.command == CommandKind::kCycle);
}

template <typename AnyCommit>
Status Examiner::TakeAny(const AnyCommit& commit, bool is_cycle) {
  if (cycled_ != kNoTime && commit.at > cycled_) {
    if (Status status = AskDue(); !status.ok()) return status;
  }
  if (Status status = replayer_.Redo(commit); !status.ok()) return status;
  record_.Note(replayer_.engine(), commit.events, commit.at, [&](EventKind kind, std::size_t job) {
    if (kind == EventKind::kSubmitted) fresh_.push_back(job);
    if (kind == EventKind::kAdmitted) NoteStart(job, commit.at);
  });
  if (is_cycle) cycled_ = commit.at;
  return Status::Ok();
}

Status Examiner::AskDue() {
  const TimeNs now = std::exchange(cycled_, kNoTime);
  std::vector<Question> due;
  std::vector<Key> keys;
  for (const std::size_t job : std::exchange(fresh_, {})) {
    const simulate::JobPast& past = record_.jobs()[job];
    if (!past.attempts.empty() || past.withdrawn != kNoTime || past.finished != kNoTime) continue;
    had_wait_[job] = now;
    if (options_.every == 0 || waited_count_++ % options_.every != 0) continue;
    const Arrival* const arrival = record_.ArrivalOf(job);
    const Result<WorkloadView> view = engine().GetWorkload(simulate::KeyOfJob(past.id));
    if (arrival == nullptr || !view.ok() || view->phase != WorkloadPhase::kPending) continue;
    Question& question = due.emplace_back();
    question.job = job;
    question.id = past.id;
    question.queue = view->spec.key.ns + "/" + std::string(view->spec.queue.view());
    question.at = now;
    question.naive = Naive(question.queue, now, &question.has_naive);
    keys.push_back(simulate::KeyOfJob(past.id));
  }
  if (due.empty()) return Status::Ok();
  EstimateOptions options = options_.estimate;
  options.seed += questions_.size() * options.futures;
  const Result<std::vector<Outlook>> outlooks = Ask(now, keys, options);
  if (!outlooks.ok()) return outlooks.status();
  for (std::size_t i = 0; i < due.size(); ++i) {
    due[i].said = (*outlooks)[i].waits;
    questions_.push_back(std::move(due[i]));
  }
  return Status::Ok();
}

void Examiner::NoteStart(std::size_t job, TimeNs at) {
  const auto found = had_wait_.find(job);
  if (found == had_wait_.end()) return;
  const Waited waited{at, at - found->second};
  had_wait_.erase(found);
  const Arrival* const arrival = record_.ArrivalOf(job);
  if (arrival == nullptr) return;
  const std::string queue = arrival->spec.key.ns + "/" + std::string(arrival->spec.queue.view());
  for (const std::string& name : {queue, std::string()}) {
    std::deque<Waited>& recent = recent_[name];
    recent.push_back(waited);
    if (recent.size() > kWaitsKept) recent.pop_front();
  }
}

Waits Examiner::Naive(const std::string& queue, TimeNs now, bool* known) const {
  Waits waits{};
  for (const std::string& name : {queue, std::string()}) {
    const auto found = recent_.find(name);
    if (found == recent_.end()) continue;
    std::vector<DurationNs> sorted;
    for (const Waited& each : found->second) {
      if (each.started >= now - kWeekLong) sorted.push_back(each.wait);
    }
    if (sorted.size() < kFewWaits) continue;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t level = 0; level < kLevels.size(); ++level) {
      waits[level] = AtLevel(sorted, kLevels[level]);
    }
    *known = true;
    break;
  }
  return waits;
}

std::vector<Question> Examiner::Questions() const {
  std::vector<Question> questions = questions_;
  for (Question& question : questions) {
    const TimeNs start = StartOf(record_.jobs()[question.job]);
    if (start != kNoTime) question.waited = start - question.at;
  }
  return questions;
}

Result<std::size_t> CountWaits(const StoredHistory& ledger) {
  std::size_t waits = 0;
  std::set<std::string> fresh;  // that wait since before the last cycle
  TimeNs cycled = kNoTime;
  const Status status = ledger.ReadCommits(1, [&](const CommitRecord& commit) {
    if (cycled != kNoTime && commit.at > cycled) {
      waits += fresh.size();
      fresh.clear();
      cycled = kNoTime;
    }
    for (const Event& event : commit.events) {
      if (event.kind == EventKind::kSubmitted) fresh.insert(event.subject);
      if (event.kind == EventKind::kQuotaReserved || event.kind == EventKind::kCancelled ||
          event.kind == EventKind::kFinished) {
        fresh.erase(event.subject);
      }
    }
    if (commit.command == CommandName(CommandKind::kCycle)) cycled = commit.at;
    return Status::Ok();
  });
  if (!status.ok()) return status;
  return waits;
}

Result<std::vector<Outlook>> Examiner::Ask(TimeNs now, std::span<const Key> asked,
                                           const EstimateOptions& options) const {
  return Estimate(record_, engine(), now, asked, options);
}

std::vector<Answered> Mended(std::span<const Question> questions, TimeNs from, TimeNs frozen) {
  const std::vector<const Question*> by_start = ByStart(questions);
  Trust trust;
  std::size_t known = 0;
  std::vector<Answered> answers;
  for (const Question& question : questions) {
    const TimeNs until = frozen == kNoTime ? question.at : std::min(frozen, question.at);
    for (; known < by_start.size() && by_start[known]->at + by_start[known]->waited <= until;
         ++known) {
      trust.Learn(by_start[known]->said, by_start[known]->waited);
    }
    if (question.at < from || question.waited < 0) continue;
    answers.push_back({trust.Mend(question.said), question.waited});
  }
  return answers;
}

std::vector<Answered> Plain(std::span<const Question> questions, TimeNs from, Said said) {
  std::vector<Answered> answers;
  for (const Question& question : questions) {
    if (question.at < from || question.waited < 0) continue;
    if (said == Said::kNaive && !question.has_naive) continue;
    answers.push_back({said == Said::kNaive ? question.naive : question.said, question.waited});
  }
  return answers;
}

Trust TrustIn(std::span<const Question> questions) {
  const std::vector<const Question*> by_start = ByStart(questions);
  Trust trust;
  for (const Question* question : by_start) trust.Learn(question->said, question->waited);
  return trust;
}

}  // namespace muster::eta
