// See generations.h.
#include "engine/policy/generations.h"

#include <algorithm>
#include <utility>

namespace muster {
namespace {

/// A cycle begins again after a failure, and the time of its policies counts on. So one that is
/// late behind the failure of another package may be so for what was thrown away: it is not blamed.
bool IsBlamed(const PolicyFailure& failure, const std::vector<PolicyFailure>& failures) {
  return failure.late == 0 || failure.policy == failures.front().policy;
}

}  // namespace

void Generations::Activated(const Policy& now, std::shared_ptr<Policy> before) {
  PackageLine& line = lines_[now.info().name];
  line.failures = 0;
  line.last_message.clear();
  line.failed.erase(now.info().hash);
  if (before == nullptr || before->info().hash == now.info().hash) return;
  line.previous = before->info().hash;
  line.warm = std::move(before);
}

void Generations::Forget(const std::string& package) {
  const auto line = lines_.find(package);
  if (line == lines_.end()) return;
  line->second.previous.clear();
  line->second.warm.reset();
  line->second.failures = 0;
}

std::vector<std::string> Generations::Judge(const std::set<std::string>& asked,
                                            const std::vector<PolicyFailure>& failures,
                                            std::int64_t most) {
  std::set<std::string> failing, excused;
  for (const PolicyFailure& failure : failures) {
    (IsBlamed(failure, failures) ? failing : excused).insert(failure.policy);
    lines_[failure.policy].last_message = failure.message;
  }
  std::vector<std::string> due;
  for (auto& [package, line] : lines_) {
    if (failing.contains(package)) {
      if (++line.failures >= most) due.push_back(package);
    } else if (asked.contains(package) && !excused.contains(package)) {
      line.failures = 0;
    }
  }
  return due;
}

std::shared_ptr<Policy> Generations::TakePrevious(const std::string& package,
                                                  const std::string& failing) {
  PackageLine& line = lines_[package];
  line.failed.insert(failing);
  if (line.warm == nullptr || line.failed.contains(line.previous)) return nullptr;
  line.failures = 0;
  line.previous.clear();
  return std::exchange(line.warm, nullptr);
}

bool Generations::WillGoBack(const std::vector<PolicyFailure>& failures) const {
  return std::any_of(failures.begin(), failures.end(), [&](const PolicyFailure& failure) {
    const auto line = lines_.find(failure.policy);
    return IsBlamed(failure, failures) && line != lines_.end() && line->second.warm != nullptr &&
           !line->second.failed.contains(line->second.previous);
  });
}

bool Generations::HasFailed(const std::string& package, const std::string& hash) const {
  const auto line = lines_.find(package);
  return line != lines_.end() && line->second.failed.contains(hash);
}

bool Generations::Attach(std::shared_ptr<Policy> policy) {
  const auto line = lines_.find(policy->info().name);
  if (line == lines_.end() || line->second.previous != policy->info().hash) return false;
  line->second.warm = std::move(policy);
  return true;
}

}  // namespace muster
