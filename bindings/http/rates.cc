// See rates.h.
#include "bindings/http/rates.h"

#include <algorithm>

namespace muster::http {
namespace {

using Clock = Rates::Clock;

/// Seconds, rounded up, until `until` is at most kBurst ahead; 0: it is.
std::size_t SecondsOver(Clock::time_point until, Clock::time_point now) {
  const auto over = until - now - Rates::kBurst;
  if (over <= Clock::duration::zero()) return 0;
  return static_cast<std::size_t>(std::chrono::ceil<std::chrono::seconds>(over).count());
}

/// What `count` of something cost, of which there may be `rate` a second.
Clock::duration Price(std::size_t count, std::size_t rate) {
  return std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(static_cast<double>(count) / static_cast<double>(rate)));
}

}  // namespace

std::size_t Rates::Ask(const std::string& name, std::size_t bytes, Clock::time_point now) {
  if (limits_.requests == 0 && limits_.bytes == 0) return 0;
  Spent& spent = spent_[name];
  spent.requests = std::max(spent.requests, now);
  spent.bytes = std::max(spent.bytes, now);
  std::size_t wait = 0;
  Clock::duration price{};
  if (limits_.requests > 0) {
    price = Price(1, limits_.requests);
    wait = SecondsOver(spent.requests + price, now);
  }
  if (limits_.bytes > 0 && bytes > 0) wait = std::max(wait, SecondsOver(spent.bytes, now));
  if (wait > 0) return wait;
  spent.requests += price;
  Count(name, bytes, now);
  return 0;
}

void Rates::Count(const std::string& name, std::size_t bytes, Clock::time_point now) {
  if (limits_.bytes == 0) return;
  Spent& spent = spent_[name];
  spent.bytes = std::max(spent.bytes, now) + Price(bytes, limits_.bytes);
}

}  // namespace muster::http
