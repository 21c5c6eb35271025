// See past.h.
#include "bindings/simulate/past.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "bindings/cpp/replay_input.h"
#include "engine/codec/command_codec.h"

namespace muster::simulate {
namespace {

/// The attempt that holds quota now; null: none does.
Attempt* OpenAttempt(JobPast& job) {
  if (job.attempts.empty() || job.attempts.back().released != kNoTime) return nullptr;
  return &job.attempts.back();
}

void Release(JobPast& job, TimeNs at) {
  if (Attempt* open = OpenAttempt(job)) open->released = at;
}

/// Another course gives its jobs other uids and runs; which one a call is about is known by its
/// moment.
void ForgetUids(Command& command) {
  const auto forget = [](auto& each) {
    if constexpr (requires { each.uids; }) each.uids.clear();
    if constexpr (requires { each.uid; }) each.uid.clear();
    if constexpr (requires { each.runs; }) each.runs.clear();
    if constexpr (requires { each.run; }) each.run = 0;
  };
  std::visit(forget, command);
}

}  // namespace

Key KeyOfJob(std::string_view id) { return CutAtSlash(id.substr(0, id.find('#'))); }

bool Observer::NoteOf(const Event& event, TimeNs at, std::size_t index) {
  JobPast& job = jobs_[index];
  Attempt* open = OpenAttempt(job);
  switch (event.kind) {
    case EventKind::kQuotaReserved:
      job.attempts.push_back({at, kNoTime, kNoTime, kNoTime});
      return true;
    case EventKind::kAdmitted:
      if (open == nullptr) return false;
      open->admitted = at;
      return true;
    case EventKind::kEvicted:
      if (open == nullptr || open->evicted != kNoTime) return false;
      open->evicted = at;
      return true;
    case EventKind::kQuotaReleased:
      Release(job, at);
      return open != nullptr;
    case EventKind::kFinished:
      Release(job, at);
      job.finished = at;
      return true;
    case EventKind::kCancelled:
      Release(job, at);
      job.withdrawn = at;
      now_.erase(event.subject);
      return true;
    case EventKind::kForgotten:
      now_.erase(event.subject);
      return true;
    default:
      return false;
  }
}

void Observer::Note(std::span<const Event> events, TimeNs at, const Sink& sink) {
  for (const Event& event : events) {
    if (event.kind == EventKind::kSubmitted && !now_.contains(event.subject)) {
      const std::size_t times = ++seen_[event.subject];
      JobPast job;
      job.id = event.subject + (times > 1 ? "#" + std::to_string(times) : "");
      job.submitted = at;
      now_[event.subject] = jobs_.size();
      jobs_.push_back(std::move(job));
      if (sink) sink(event.kind, jobs_.size() - 1);
      continue;
    }
    const auto found = now_.find(event.subject);
    if (found == now_.end()) continue;
    const std::size_t job = found->second;
    if (NoteOf(event, at, job) && sink) sink(event.kind, job);
  }
}

std::optional<JobMoment> Observer::Find(const std::string& subject) const {
  const auto found = now_.find(subject);
  if (found == now_.end()) return std::nullopt;
  return JobMoment{found->second, jobs_[found->second].attempts.size()};
}

std::span<const Key> JobsNamedBy(const Command& command) {
  if (const auto* ready = std::get_if<command::Ready>(&command)) return ready->workloads;
  if (const auto* finish = std::get_if<command::Finish>(&command)) return finish->workloads;
  if (const auto* gone = std::get_if<command::Evicted>(&command)) return gone->workloads;
  if (const auto* cancel = std::get_if<command::Cancel>(&command)) return cancel->workloads;
  if (const auto* check = std::get_if<command::AnswerCheck>(&command)) return {&check->workload, 1};
  if (const auto* update = std::get_if<command::Update>(&command)) return {&update->workload, 1};
  if (const auto* evict = std::get_if<command::Evict>(&command)) return {&evict->workload, 1};
  return {};
}

Result<Past> ReadPast(const StoredHistory& ledger, TimeNs until) {
  const Result<HistoryBase> base = ledger.base();
  if (!base.ok()) return base.status();
  if (base->first != 1) {
    return Status(StatusCode::kInvalidArgument,
                  "the history begins with commit " + std::to_string(base->first) +
                      ", and a past is played from the first: take a backup from before it was "
                      "compacted");
  }
  Past past;
  Observer observer;
  const Status status = ledger.ReadCommits(1, [&](const CommitRecord& commit) {
    if (until != kNoTime && commit.at > until) return Status::Ok();
    if (!commit.input) {
      return Status(StatusCode::kInvalidArgument,
                    "commit " + std::to_string(commit.seq) +
                        " is from before ledgers kept commands; a backtest needs them");
    }
    Result<Command> command = DecodeCommand(CommandIn(*commit.input));
    if (!command.ok()) return command.status();
    ForgetUids(*command);
    ForgetUids(*command);
    RecordedCall& call =
        past.calls.emplace_back(RecordedCall{commit.at, *std::move(command), commit.events, {}});
    for (const Key& key : JobsNamedBy(call.command)) {
      call.about.push_back(observer.Find(key.ToString()).value_or(JobMoment{kNoJob, 0}));
    }
    observer.Note(call.events, call.at);
    return Status::Ok();
  });
  if (!status.ok()) return status;
  past.jobs = observer.jobs();
  return past;
}

std::optional<Need> NeedOf(const JobPast& job) {
  if (job.finished == kNoTime || job.attempts.empty()) return std::nullopt;
  DurationNs sum = 0, longest_before = 0, last = 0;
  for (const Attempt& attempt : job.attempts) {
    if (attempt.admitted == kNoTime) continue;
    const TimeNs end = attempt.evicted != kNoTime ? attempt.evicted : attempt.released;
    longest_before = std::max(longest_before, last);
    last = end - attempt.admitted;
    sum += last;
  }
  if (last >= longest_before) return Need{last, false};
  return Need{sum, true};
}

}  // namespace muster::simulate
