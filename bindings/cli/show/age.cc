// See age.h. Each step says up to which age it is used, and in which units.
#include "bindings/cli/show/age.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace muster::cli {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;

struct Unit {
  std::int64_t seconds;
  char letter;
};

struct Step {
  std::int64_t below;  ///< seconds of age
  Unit unit;
  Unit rest;  ///< of 0 seconds: none is shown
};

constexpr std::array<Step, 7> kSteps = {{{2 * kMinute, {1, 's'}, {0, ' '}},
                                         {10 * kMinute, {kMinute, 'm'}, {1, 's'}},
                                         {3 * kHour, {kMinute, 'm'}, {0, ' '}},
                                         {8 * kHour, {kHour, 'h'}, {kMinute, 'm'}},
                                         {2 * kDay, {kHour, 'h'}, {0, ' '}},
                                         {8 * kDay, {kDay, 'd'}, {kHour, 'h'}},
                                         {INT64_MAX, {kDay, 'd'}, {0, ' '}}}};

}  // namespace

std::string AgeOf(DurationNs age) {
  const std::int64_t seconds = std::max<std::int64_t>(0, age / kSecond);
  const Step& step =
      *std::find_if(kSteps.begin(), kSteps.end(), [&](const Step& s) { return seconds < s.below; });
  std::string text = std::to_string(seconds / step.unit.seconds) + step.unit.letter;
  const std::int64_t rest =
      step.rest.seconds == 0 ? 0 : seconds % step.unit.seconds / step.rest.seconds;
  return rest == 0 ? text : text + std::to_string(rest) + step.rest.letter;
}

}  // namespace muster::cli
