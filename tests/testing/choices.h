// Choices: the one thing a maker of test worlds asks for, "a number below n". What answers decides
// whether worlds are enumerated (exhaustigen.h) or drawn (random_choices.h).
#ifndef MUSTER_TESTS_TESTING_CHOICES_H_
#define MUSTER_TESTS_TESTING_CHOICES_H_

#include <cstddef>
#include <vector>

namespace muster::testing {

class Choices {
 public:
  virtual ~Choices() = default;
  /// A number in [0, count); `count` is at least 1.
  virtual int Below(int count) = 0;

  int Between(int first, int last) { return first + Below(last - first + 1); }
  bool Flip() { return Below(2) == 1; }
  /// True once in `n` times, when drawn.
  bool OneIn(int n) { return Below(n) == 0; }
  template <typename T>
  T Pick(const std::vector<T>& items) {
    return items[static_cast<std::size_t>(Below(static_cast<int>(items.size())))];
  }
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_CHOICES_H_
