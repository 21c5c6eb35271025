// See hand_over.h.
#include "engine/state/hand_over.h"

#include <algorithm>
#include <utility>

namespace muster {

std::int64_t HandOver::Add(Decision decision) {
  decision.number = ++last_;
  kept_.push_back(std::move(decision));
  return last_;
}

void HandOver::Put(const std::string& name, const Consumer& consumer) {
  consumers_[name] = consumer;
  on_ = true;
}

void HandOver::Remove(std::string_view name) {
  const auto found = consumers_.find(name);
  if (found != consumers_.end()) consumers_.erase(found);
  on_ = !consumers_.empty();
}

std::int64_t HandOver::Forget() {
  std::int64_t slowest = last_;
  for (const auto& [name, consumer] : consumers_) {
    slowest = std::min(slowest, consumer.acknowledged);
  }
  const std::int64_t first = before();
  if (slowest > first) kept_.erase(kept_.begin(), kept_.begin() + (slowest - first));
  return slowest;
}

bool HandOver::Restore(std::int64_t last, std::vector<Decision> decisions, Consumers consumers) {
  consumers_ = std::move(consumers);
  on_ = !consumers_.empty();
  std::int64_t slowest = last;
  for (const auto& [name, consumer] : consumers_) {
    last = std::max(last, consumer.acknowledged);
    slowest = std::min(slowest, consumer.acknowledged);
  }
  std::sort(decisions.begin(), decisions.end(),
            [](const Decision& a, const Decision& b) { return a.number < b.number; });
  if (!decisions.empty()) last = std::max(last, decisions.back().number);
  last_ = last;
  std::int64_t expected = last - static_cast<std::int64_t>(decisions.size());
  if (on_ && expected != slowest && !decisions.empty()) return false;
  for (Decision& decision : decisions) {
    if (decision.number != ++expected) return false;
    kept_.push_back(std::move(decision));
  }
  return on_ || kept_.empty();
}

ConsumerView HandOver::ViewOf(const std::string& name, const Consumer& consumer) const {
  ConsumerView view{name,    consumer.acknowledged,  last_ - consumer.acknowledged,
                    kNoTime, consumer.registered_at, consumer.acknowledged_at};
  if (view.behind > 0) view.oldest_at = At(consumer.acknowledged + 1).at;
  return view;
}

}  // namespace muster
