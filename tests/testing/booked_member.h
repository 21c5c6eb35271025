// BookedMember: a member of capacity beside quota, for tests: it books what it hears of, and lets
// fit what a rule says.
#ifndef MUSTER_TESTS_TESTING_BOOKED_MEMBER_H_
#define MUSTER_TESTS_TESTING_BOOKED_MEMBER_H_

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "engine/base/amount.h"
#include "engine/capacity/capacity_member.h"

namespace muster::testing {

class BookedMember : public CapacityMember {
 public:
  /// By queue and pair; a pair of which nothing is left stands in it no more.
  using Book = std::map<std::pair<QueueId, FlavorResourceId>, Amount>;
  /// Whether so much of a pair may be asked for where so much is held by all queues.
  using Rule = std::function<bool(Amount held, Amount asked)>;

  BookedMember(Rule rule, bool monotone) : rule_(std::move(rule)), monotone_(monotone) {}

  void Charge(QueueId queue, std::span<const Usage> usage) override { Enter(queue, usage, 1); }
  void Release(QueueId queue, std::span<const Usage> usage) override { Enter(queue, usage, -1); }
  bool Fits(QueueId, std::span<const Usage> usage) const override {
    return std::all_of(usage.begin(), usage.end(),
                       [&](const Usage& asked) { return rule_(Held(asked.fr), asked.amount); });
  }
  bool FitsAlone(QueueId, std::span<const Usage> usage) const override {
    return std::all_of(usage.begin(), usage.end(),
                       [&](const Usage& asked) { return rule_(0, asked.amount); });
  }
  bool IsMonotone() const override { return monotone_; }

  const Book& book() const { return book_; }
  /// How often anything was charged or released.
  int calls() const { return calls_; }

 private:
  void Enter(QueueId queue, std::span<const Usage> usage, Amount sign) {
    ++calls_;
    for (const Usage& each : usage) {
      Amount& held = book_[{queue, each.fr}];
      held += sign * each.amount;
      if (held == 0) book_.erase({queue, each.fr});
    }
  }
  Amount Held(FlavorResourceId pair) const {
    Amount held = 0;
    for (const auto& [place, amount] : book_) held += place.second == pair ? amount : 0;
    return held;
  }

  Rule rule_;
  bool monotone_;
  Book book_;
  int calls_ = 0;
};

/// Lets fit everything: what is decided is what quota decides.
inline std::unique_ptr<BookedMember> Bystander() {
  return std::make_unique<BookedMember>([](Amount, Amount) { return true; }, true);
}
/// Lets fit even numbers of `unit` only; not monotone.
inline std::unique_ptr<BookedMember> EvenNumbersOf(Amount unit) {
  const auto even = [unit](Amount, Amount asked) { return asked % (2 * unit) == 0; };
  return std::make_unique<BookedMember>(even, false);
}
/// Lets all queues hold at most so much of each pair together; monotone.
inline std::unique_ptr<BookedMember> AtMost(Amount most) {
  const auto within = [most](Amount held, Amount asked) { return held + asked <= most; };
  return std::make_unique<BookedMember>(within, true);
}

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_BOOKED_MEMBER_H_
