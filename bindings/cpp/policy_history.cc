// See policy_history.h.
#include "bindings/cpp/policy_history.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "bindings/cpp/replay_input.h"

namespace muster {
namespace {

constexpr std::string_view kSubject = "policy/";

}  // namespace

Status PolicyHistory::Add(const CommitRecord& commit) {
  for (const Event& event : commit.events) {
    if (event.kind == EventKind::kPolicyRolledBack) Undo(event.subject);
    if (event.kind != EventKind::kPolicyActivated) continue;
    const std::optional<RecordedChange> change = RecordedChangeOf(event);
    if (!change) {
      return Status(StatusCode::kDataLoss,
                    "commit " + std::to_string(commit.seq) + ": an event cannot be read");
    }
    steps_.push_back({change->package, change->hashes.front(), commit.at});
  }
  return Status::Ok();
}

// By hand it is the newest step of all, by itself the newest one of the package that failed.
void PolicyHistory::Undo(std::string_view subject) {
  const auto step = std::find_if(steps_.rbegin(), steps_.rend(), [&](const PolicyStep& s) {
    return subject.substr(std::min(kSubject.size(), subject.size())) == s.package;
  });
  if (step != steps_.rend()) steps_.erase(std::next(step).base());
}

std::vector<std::string> PolicyHistory::BeforeNewest() const {
  std::vector<std::string> hashes;
  if (steps_.empty()) return hashes;
  for (std::size_t i = 0; i + 1 < steps_.size(); ++i) {
    const auto end = steps_.end() - 1;
    const bool replaced =
        std::any_of(steps_.begin() + static_cast<std::ptrdiff_t>(i) + 1, end,
                    [&](const PolicyStep& later) { return later.package == steps_[i].package; });
    if (!replaced) hashes.push_back(steps_[i].hash);
  }
  return hashes;
}

}  // namespace muster
