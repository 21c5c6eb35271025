// Exhaustigen: every possible run of a piece of code that makes small choices.
//
//   Exhaustigen gen;
//   while (gen.Next()) Check(gen.Below(3), gen.Flip());  // six runs
//
// Method: the answers given so far are the digits of a counter; Next counts up. The code between
// two Nexts must depend on nothing but the answers.
#ifndef MUSTER_TESTS_TESTING_EXHAUSTIGEN_H_
#define MUSTER_TESTS_TESTING_EXHAUSTIGEN_H_

#include <cstddef>
#include <vector>

#include "tests/testing/choices.h"

namespace muster::testing {

class Exhaustigen : public Choices {
 public:
  /// Begins the next run; false after the last one.
  bool Next() {
    if (!started_) return started_ = true;
    digits_.resize(position_);
    while (!digits_.empty() && digits_.back().value + 1 == digits_.back().count) {
      digits_.pop_back();
    }
    position_ = 0;
    if (digits_.empty()) return false;
    ++digits_.back().value;
    return true;
  }

  int Below(int count) override {
    if (position_ == digits_.size()) digits_.push_back({0, count});
    return digits_[position_++].value;
  }

 private:
  struct Digit {
    int value;
    int count;
  };
  std::vector<Digit> digits_;
  std::size_t position_ = 0;
  bool started_ = false;
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_EXHAUSTIGEN_H_
