// Rates: how much each caller may ask in a second.
//
// A caller that was quiet may ask for kBurst seconds at once. Each request is paid for in time,
// that of its rate (the generic cell rate algorithm), so a caller has two numbers and no timer. A
// body is taken when there is time left, and paid for whole: a large one is followed by a pause.
#ifndef MUSTER_BINDINGS_HTTP_RATES_H_
#define MUSTER_BINDINGS_HTTP_RATES_H_

#include <chrono>
#include <cstddef>
#include <map>
#include <string>

namespace muster::http {

struct RateLimits {
  std::size_t requests = 0;  ///< a second; 0: as many as it likes
  std::size_t bytes = 0;     ///< of bodies, a second; 0: as many as it likes
};

class Rates {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kBurst{2};

  explicit Rates(const RateLimits& limits) : limits_(limits) {}

  /// 0: the request is taken and counted. Else how many seconds to wait, and nothing is counted.
  /// O(log callers).
  std::size_t Ask(const std::string& name, std::size_t bytes, Clock::time_point now);
  /// Counts the bytes of a body whose length was not told before.
  void Count(const std::string& name, std::size_t bytes, Clock::time_point now);

 private:
  struct Spent {
    Clock::time_point requests;  ///< until then they are paid for
    Clock::time_point bytes;
  };

  const RateLimits limits_;
  std::map<std::string, Spent> spent_;
};

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_RATES_H_
