// Four steps: look, choose, build, tell.
#include "bindings/upkeep/recover.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <system_error>

#include "bindings/cpp/replay.h"
#include "bindings/cpp/stored_policies.h"
#include "bindings/upkeep/export.h"
#include "db/rescue/rebuild.h"
#include "db/rescue/salvage.h"
#include "engine/base/caught.h"
#include "engine/base/time_text.h"
#include "muster/durable_engine.h"

namespace muster {
namespace {

std::string Shown(const CommitRange& range) {
  if (range.first == range.second) return "commit " + std::to_string(range.first);
  return "commits " + std::to_string(range.first) + " to " + std::to_string(range.second);
}

/// Adds `seq`, which is higher than all in `ranges`.
void AddTo(std::vector<CommitRange>* ranges, std::int64_t seq) {
  if (!ranges->empty() && ranges->back().second == seq - 1) {
    ranges->back().second = seq;
  } else {
    ranges->emplace_back(seq, seq);
  }
}

/// The copy that is read, removed at the end.
class WorkingCopy {
 public:
  explicit WorkingCopy(std::string path) : path_(std::move(path)) {}
  ~WorkingCopy() {
    std::error_code error;
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
      std::filesystem::remove(path_ + suffix, error);
    }
  }
  WorkingCopy(const WorkingCopy&) = delete;
  WorkingCopy& operator=(const WorkingCopy&) = delete;
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

/// The new ledger as it is to be.
struct Plan {
  CommitRange commits;
  HistoryBase base;
  std::vector<StateRow> base_rows;
  std::vector<CarriedEvent> carried;
  std::vector<StateRow> rows;
  bool repeated = false;
};

class Recovery {
 public:
  Recovery(std::string path, std::string to, const RecoverOptions& options)
      : path_(std::move(path)), to_(std::move(to)), options_(options), copy_(to_ + ".work") {}

  Result<Recovered> Run() {
    if (Status status = CheckNames(); !status.ok()) return status;
    Result<std::unique_ptr<Salvage>> opened = Salvage::Open(
        path_, copy_.path(),
        [this](std::int64_t done, std::int64_t total) { Show("reading", done, total); });
    if (!opened.ok()) return opened.status();
    salvage_ = std::move(*opened);
    FindRuns();
    FindPolicies();
    Result<Plan> plan = FromRows();
    if (!plan.ok()) plan = ByRepeating();
    if (Status status = SetAside(plan.ok() ? &*plan : nullptr); !status.ok()) return status;
    Status built = plan.ok() ? Build(*plan) : plan.status();
    Tell(plan.ok() && built.ok() ? &*plan : nullptr, built);
    if (Status written = Write(to_ + ".report", Joined(found_.report)); !written.ok()) {
      return written;
    }
    if (!built.ok()) return built;
    return std::move(found_);
  }

 private:
  void Show(std::string_view what, std::int64_t done, std::int64_t total) const {
    if (options_.progress) options_.progress(what, done, total);
  }

  Status CheckNames() const {
    std::error_code error;
    if (!std::filesystem::exists(path_, error)) {
      return {StatusCode::kNotFound, "ledger " + path_ + " does not exist"};
    }
    for (const char* suffix : {"", ".report", ".jsonl", ".work"}) {
      if (!std::filesystem::exists(to_ + suffix, error)) continue;
      return {StatusCode::kFailedPrecondition,
              to_ + suffix + " exists; recovering replaces nothing, so name another file"};
    }
    return Status::Ok();
  }

  /// Commits that are whole and follow from each other, and what lies between them.
  void FindRuns() {
    const Salvage::Link* before = nullptr;
    std::int64_t expected = salvage_->oldest();
    const auto miss = [&](std::int64_t until) {
      for (; expected <= until; ++expected) AddTo(&found_.damaged, expected);
    };
    for (const Salvage::Link& link : salvage_->good()) {
      miss(link.seq - 1);
      ++expected;
      const bool follows =
          before != nullptr && before->seq == link.seq - 1 && before->hash == link.prev;
      if (follows) {
        runs_.back().second = link.seq;
      } else {
        runs_.emplace_back(link.seq, link.seq);
      }
      before = &link;
    }
    miss(salvage_->newest());
    const std::optional<HistoryBase> base = salvage_->base();
    const bool from_one = !runs_.empty() && runs_.front().first == 1;
    if (base && (base->first == 1 || !from_one)) base_ = *base;
    if (!base && from_one) base_ = HistoryBase();
  }

  void FindPolicies() {
    for (const std::string& hash : salvage_->PolicyHashes()) {
      const Result<StoredPolicy> policy = salvage_->LoadPolicy(hash);
      const bool whole = policy.ok() && HashOf(*policy) == hash;
      (whole ? policies_ : found_.lost_policies).push_back(hash);
    }
  }

  Result<std::shared_ptr<Policy>> Load(std::string_view hash) const {
    return LoadPolicyByHash([this](std::string_view h) { return salvage_->LoadPolicy(h); }, hash);
  }

  /// The base as it was, for a plan that begins where the history does.
  Status KeepBase(Plan* plan) const {
    if (!base_ || plan->commits.first != base_->first) {
      return {StatusCode::kDataLoss, "its first commits are damaged"};
    }
    plan->base = *base_;
    if (base_->state_at == 0) return Status::Ok();
    Result<std::vector<StateRow>> rows = salvage_->BaseRows();
    if (!rows.ok()) return rows.status();
    plan->base_rows = std::move(*rows);
    plan->carried = salvage_->Carried();
    return Status::Ok();
  }

  Result<Plan> FromRows() const {
    if (runs_.empty()) return Status(StatusCode::kDataLoss, "no commit is whole");
    Plan plan;
    plan.commits = runs_.back();
    Result<std::vector<StateRow>> rows = salvage_->Rows(salvage_->good().back().state_digest);
    if (!rows.ok()) return rows.status();
    plan.rows = std::move(*rows);
    if (KeepBase(&plan).ok()) return plan;
    // What is missing before it makes the state of now the one that a replay begins with.
    plan.base = {plan.commits.first, plan.commits.second};
    plan.base_rows = plan.rows;
    plan.carried = StillThere(plan);
    return plan;
  }

  /// Events before `plan`, as far as they are known, about what is in its rows.
  std::vector<CarriedEvent> StillThere(const Plan& plan) const {
    std::set<std::string, std::less<>> there;
    for (const StateRow& row : plan.rows) there.insert(row.key);
    const auto keep = [&there](const Event& event) {
      return event.kind == EventKind::kPolicyStaged || event.kind == EventKind::kPolicyActivated ||
             event.kind == EventKind::kPolicyRolledBack || there.contains(event.subject);
    };
    std::vector<CarriedEvent> carried;
    for (CarriedEvent& event : salvage_->Carried()) {
      if (keep(event.event)) carried.push_back(std::move(event));
    }
    for (const Salvage::Link& link : salvage_->good()) {
      if (link.seq >= plan.commits.first) break;
      const std::optional<StoredCommit> commit = salvage_->ReadCommit(link.seq);
      if (!commit) continue;
      std::int64_t seq = commit->record.first_event;
      for (const Event& event : commit->record.events) {
        if (keep(event)) carried.push_back({seq, link.seq, commit->record.at, event});
        ++seq;
      }
    }
    return carried;
  }

  Result<Plan> ByRepeating();

  Status SetAside(const Plan* plan) {
    std::ofstream file;
    for (const Salvage::Link& link : salvage_->good()) {
      if (plan != nullptr && link.seq >= plan->commits.first && link.seq <= plan->commits.second) {
        continue;
      }
      const std::optional<StoredCommit> commit = salvage_->ReadCommit(link.seq);
      if (!commit) continue;
      if (found_.aside.empty()) file.open(to_ + ".jsonl", std::ios::binary);
      AddTo(&found_.aside, link.seq);
      file << CommitAsJson(commit->record) << EventsAsJson(commit->record);
      Show("setting aside", link.seq, salvage_->newest());
    }
    if (found_.aside.empty()) return Status::Ok();
    file.close();
    if (file) return Status::Ok();
    return {StatusCode::kUnavailable, "cannot write " + to_ + ".jsonl"};
  }

  Status Build(const Plan& plan) {
    Result<std::unique_ptr<Rebuild>> rebuild = Rebuild::Begin(to_, path_, MUSTER_VERSION);
    if (!rebuild.ok()) return rebuild.status();
    for (std::int64_t seq = plan.commits.first; seq <= plan.commits.second; ++seq) {
      const std::optional<StoredCommit> commit = salvage_->ReadCommit(seq);
      if (!commit) return {StatusCode::kUnavailable, Shown({seq, seq}) + " cannot be read again"};
      if (Status status = (*rebuild)->AddCommit(*commit); !status.ok()) return status;
      found_.last = {seq, commit->record.at, std::max(found_.last.cycle, commit->record.cycle)};
      Show("saving", seq, plan.commits.second);
    }
    for (const std::string& hash : policies_) {
      const Result<StoredPolicy> policy = salvage_->LoadPolicy(hash);
      if (!policy.ok()) return policy.status();
      if (Status status = (*rebuild)->AddPolicy(*policy); !status.ok()) return status;
    }
    Status status = (*rebuild)->SetState(plan.rows);
    if (status.ok() && plan.base != HistoryBase()) {
      status = (*rebuild)->SetBase(plan.base, plan.base_rows, plan.carried);
    }
    if (!status.ok()) return status;
    Show("verifying", plan.commits.second, plan.commits.second);
    VerifyOptions verify;
    verify.policy_hash = HashOf;
    const auto judge = [&](const VerifyReport& report) {
      // Packages that decided once and are damaged now are missed, and said to be.
      for (const std::string& finding : report.findings) {
        if (finding.starts_with("policy ") && finding.find(" is missing, ") != finding.npos) {
          missed_.push_back(finding);
        } else {
          return Status(StatusCode::kInternal, "what was saved does not fit together: " + finding);
        }
      }
      return Status::Ok();
    };
    const Result<VerifyReport> report = (*rebuild)->Finish(verify, judge);
    if (!report.ok()) return report.status();
    rebuild->reset();
    found_.base = plan.base;
    found_.repeated = plan.repeated;
    const Result<Engine> engine = ReadLedger(to_);
    if (!engine.ok()) unusable_ = engine.status().message();
    return Status::Ok();
  }

  void Tell(const Plan* plan, const Status& built) {
    std::vector<std::string>& says = found_.report;
    says.push_back("What could be saved of " + path_ + ", which is as it was.");
    if (plan != nullptr) {
      says.push_back(to_ + " has " + Shown(plan->commits) + ", the newest of " +
                     FormatTime(found_.last.at) + ".");
      says.emplace_back(found_.repeated
                            ? "Its state is that after the newest of them; repeating them gave it."
                            : "Its state is that of the damaged ledger, whole.");
      if (plan->base.state_at > 0) {
        says.push_back("It can be repeated from commit " + std::to_string(plan->base.state_at + 1) +
                       " on.");
      }
    } else {
      says.push_back("No ledger could be built: " + built.message());
    }
    for (const CommitRange& range : found_.damaged)
      says.push_back("Damaged: " + Shown(range) + ".");
    for (const CommitRange& range : found_.aside) {
      says.push_back("Only in " + to_ + ".jsonl: " + Shown(range) + ".");
    }
    for (const std::string& hash : found_.lost_policies) {
      says.push_back("Damaged: policy package " + hash + ".");
    }
    for (const std::string& finding : missed_) says.push_back("Missed: " + finding + ".");
    if (!unusable_.empty()) {
      says.push_back("An engine cannot go on with it: " + unusable_ +
                     ". Its history can be read, exported and queried.");
    }
  }

  static std::string Joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text;
  }

  static Status Write(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (file) return Status::Ok();
    return {StatusCode::kUnavailable, "cannot write " + path};
  }

  const std::string path_;
  const std::string to_;
  const RecoverOptions& options_;
  WorkingCopy copy_;
  std::unique_ptr<Salvage> salvage_;
  std::vector<CommitRange> runs_;
  std::optional<HistoryBase> base_;
  std::vector<std::string> policies_;  ///< those that are whole
  std::vector<std::string> missed_;
  std::string unusable_;
  Recovered found_;
};

Result<Plan> Recovery::ByRepeating() {
  if (runs_.empty()) return Status(StatusCode::kDataLoss, "no commit is whole");
  Plan plan;
  plan.commits = runs_.front();
  if (Status status = KeepBase(&plan); !status.ok()) {
    return Status(
        StatusCode::kDataLoss,
        "rows of its state are damaged, and so is where its history begins: " + status.message());
  }
  // What a commit that came out differently has left behind is not wanted: once more without it.
  for (bool whole = false; !whole;) {
    Replayer replayer([this](std::string_view hash) { return Load(hash); }, Replayer::Rows::kKeep);
    const Result<std::int64_t> begin = replayer.Begin(plan.base, plan.base_rows);
    if (!begin.ok()) return begin.status();
    std::int64_t done = *begin - 1;
    for (std::int64_t seq = *begin; seq <= plan.commits.second; ++seq) {
      const std::optional<StoredCommit> commit = salvage_->ReadCommit(seq);
      if (!commit || !replayer.Redo(commit->record).ok()) break;
      done = seq;
      Show("repeating", seq, plan.commits.second);
    }
    if (done < plan.commits.first || done > plan.commits.second) {
      return Status(StatusCode::kDataLoss,
                    "rows of its state are damaged, and none of its commits can be repeated");
    }
    whole = done == plan.commits.second;
    plan.commits.second = done;
    plan.rows = replayer.StateRows();
  }
  plan.repeated = true;
  return plan;
}

}  // namespace

Result<Recovered> RecoverLedger(const std::string& path, const std::string& to,
                                const RecoverOptions& options) {
  return Guarded([&] { return Recovery(path, to, options).Run(); });
}

}  // namespace muster
