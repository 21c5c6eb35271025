// HandOver: the decisions that some consumer has not acknowledged yet, and the consumers.
//
// Decisions stand in order of their numbers without a gap, so that each is found in O(1). What is
// acknowledged by all is forgotten.
#ifndef MUSTER_ENGINE_STATE_HAND_OVER_H_
#define MUSTER_ENGINE_STATE_HAND_OVER_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "muster/hand_over.h"

namespace muster {

struct Consumer {
  std::int64_t acknowledged = 0;
  TimeNs registered_at = kNoTime;
  TimeNs acknowledged_at = kNoTime;
};

class HandOver {
 public:
  using Consumers = std::map<std::string, Consumer, std::less<>>;

  /// Whether there is a consumer: else nothing is numbered.
  bool on() const { return on_; }
  bool IsFull() const { return on_ && kept_.size() >= kMaxDecisionsKept; }
  const Consumers& consumers() const { return consumers_; }
  /// The newest number that was given; 0: none ever was.
  std::int64_t last() const { return last_; }
  /// The number before the oldest that is kept.
  std::int64_t before() const { return last_ - static_cast<std::int64_t>(kept_.size()); }
  const std::deque<Decision>& kept() const { return kept_; }
  /// Precondition: it is kept.
  const Decision& At(std::int64_t number) const {
    return kept_[static_cast<std::size_t>(number - before() - 1)];
  }

  /// Gives the decision its number. Precondition: on().
  std::int64_t Add(Decision decision);
  /// A new one, or with another cursor. Its decisions must be kept.
  void Put(const std::string& name, const Consumer& consumer);
  void Remove(std::string_view name);
  /// Forgets what all have acknowledged. Returns the newest number that is forgotten.
  std::int64_t Forget();

  /// From rows: the last number that is known, and decisions in order. False: there is a gap.
  bool Restore(std::int64_t last, std::vector<Decision> decisions, Consumers consumers);

  ConsumerView ViewOf(const std::string& name, const Consumer& consumer) const;

 private:
  bool on_ = false;
  std::int64_t last_ = 0;
  Consumers consumers_;
  std::deque<Decision> kept_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_HAND_OVER_H_
