#include "tests/fault/ledger/crash_sweep.h"

#include <utility>

#include "tests/fault/ledger/ledger_check.h"

namespace muster::testing {
namespace {

bool IsRandom(Loss loss) {
  return loss != Loss::kNothingArrived && loss != Loss::kAllArrived && loss != Loss::kDirectoryLost;
}

}  // namespace

CrashSweep::CrashSweep(const Story& story, const SweepPlan& plan)
    : story_(story), plan_(plan), random_(plan.seed), testing_(story.testing) {
  testing_.vfs = vfs_.name();
}

SweepResult CrashSweep::Run() {
  Follow({}, story_.vfs->record(), {}, plan_.nested > 0);
  return result_;
}

void CrashSweep::Follow(const DiskImage& disk, const std::vector<DiskOp>& record, Promised promised,
                        bool nested) {
  DiskModel model(disk);
  std::int64_t moment = 0;
  for (const DiskOp& op : record) {
    model.Apply(op);
    if (op.kind == DiskOp::Kind::kMark) {
      if (op.number == kPolicyMark) {
        promised.policy = true;
      } else {
        promised.commits = op.number;
      }
    }
    if (moment++ % plan_.every != 0) continue;
    for (const Loss loss : kLosses) {
      for (int i = 0; i < (IsRandom(loss) ? plan_.draws : 1); ++i) {
        Judge(model.Draw(loss, random_), promised, nested);
      }
    }
  }
}

void CrashSweep::Judge(const DiskImage& image, const Promised& promised, bool nested) {
  if (!seen_.insert(ContentHash(image)).second) return;
  ++result_.images;
  const bool deeper = nested && result_.images % plan_.nested == 0;
  vfs_.Boot(image);
  const std::string wrong = Look(promised, deeper);
  if (!wrong.empty() && result_.first.empty()) result_.first = wrong;
  if (!wrong.empty() || !deeper) return;
  const std::vector<DiskOp> record = vfs_.record();
  Follow(image, record, promised, false);
  written_after_recovery_ = 0;
}

std::string CrashSweep::Look(const Promised& promised, bool write) {
  Result<std::unique_ptr<Ledger>> opened =
      Ledger::Open(kStoryFile, OpenMode::kCreate, {"test", Durability::kFull, {}, &testing_});
  if (!opened.ok()) {
    ++result_.broken;
    return "open: " + opened.status().message();
  }
  Ledger& ledger = **opened;
  std::int64_t commits = 0;
  std::string wrong = Compare(ledger, promised, &commits);
  const auto next = static_cast<std::size_t>(commits);
  if (wrong.empty() && write && next < story_.history.size()) {
    const Result<Ticket> ticket = ledger.Append(story_.history[next]);
    if (!ticket.ok() || !ledger.Durable(*ticket).ok()) return "cannot go on after recovery";
    written_after_recovery_ = commits + 1;
    vfs_.Mark(written_after_recovery_);
  }
  return wrong;
}

std::string CrashSweep::Compare(const Store& ledger, const Promised& promised,
                                std::int64_t* commits) {
  std::string wrong = CompareWithHistory(ledger, story_.history, commits);
  if (wrong.empty() && !story_.boundaries.contains(*commits) &&
      *commits != written_after_recovery_) {
    wrong = "half a transaction: " + std::to_string(*commits) + " commits";
  }
  if (!wrong.empty()) {
    ++result_.broken;
    return wrong;
  }
  if (*commits < promised.commits) {
    wrong = std::to_string(promised.commits) + " commits were acknowledged, " +
            std::to_string(*commits) + " are there";
  } else if (promised.policy) {
    const Result<StoredPolicy> policy = ledger.LoadPolicy(kStoryPolicy.hash);
    if (!policy.ok() || *policy != kStoryPolicy) wrong = "the policy that was stored is not there";
  }
  if (!wrong.empty()) ++result_.lost;
  return wrong;
}

}  // namespace muster::testing
