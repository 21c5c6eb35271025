// RandomChoices: choices drawn from a seed; the same seed gives the same choices on every platform.
#ifndef MUSTER_TESTS_TESTING_RANDOM_CHOICES_H_
#define MUSTER_TESTS_TESTING_RANDOM_CHOICES_H_

#include <cstdint>

#include "tests/testing/choices.h"

namespace muster::testing {

class RandomChoices : public Choices {
 public:
  explicit RandomChoices(std::uint64_t seed) : state_(seed) {}

  int Below(int count) override {
    return static_cast<int>(Draw() % static_cast<std::uint64_t>(count));
  }

 private:
  // SplitMix64: short, and good from the first number on for neighbouring seeds.
  std::uint64_t Draw() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_RANDOM_CHOICES_H_
