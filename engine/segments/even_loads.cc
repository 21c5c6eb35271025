// See even_loads.h.
#include "engine/segments/even_loads.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace muster {

EvenLoads::EvenLoads(std::span<const std::int32_t> rooms, std::span<const std::int32_t> over,
                     std::uint32_t first) {
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    if (rooms[i] > 0) ranked_.push_back({first + static_cast<std::uint32_t>(i), rooms[i]});
  }
  const auto rest = [&](const Load& x) { return over.empty() ? 0 : over[x.domain - first]; };
  std::sort(ranked_.begin(), ranked_.end(), [&](const Load& a, const Load& b) {
    return std::tuple(a.units, rest(a), a.domain) < std::tuple(b.units, rest(b), b.domain);
  });
  rooms_.reserve(ranked_.size() + 1);
  rooms_.push_back(0);
  for (auto it = ranked_.rbegin(); it != ranked_.rend(); ++it) {
    rooms_.push_back(rooms_.back() + it->units);
  }
}

std::size_t EvenLoads::Fewest(std::int64_t need) const {
  return static_cast<std::size_t>(std::lower_bound(rooms_.begin(), rooms_.end(), need) -
                                  rooms_.begin());
}

std::int64_t EvenLoads::RoomOf(std::size_t domains) const {
  return rooms_[std::min(domains, ranked_.size())];
}

std::vector<std::int32_t> EvenLoads::LoadsOf(std::int32_t need) const {
  const std::size_t taken = Fewest(need);
  std::vector<std::int32_t> loads(taken);
  std::size_t open = taken;  // of the largest, that have room for more than an even share
  std::int32_t rest = need;
  for (; open > 0; --open) {
    const std::int32_t room = ranked_[ranked_.size() - open].units;
    if (room > rest / static_cast<std::int32_t>(open)) break;
    loads[open - 1] = room;
    rest -= room;
  }
  for (std::size_t i = 0; i < open; ++i) {
    const auto others = static_cast<std::int64_t>(open - i);
    loads[i] = static_cast<std::int32_t>((rest + others - 1) / others);
    rest -= loads[i];
  }
  return loads;
}

std::int64_t EvenLoads::SquaresOf(std::int32_t need) const {
  std::int64_t squares = 0;
  for (const std::int32_t load : LoadsOf(need)) squares += std::int64_t{load} * load;
  return squares;
}

std::vector<Load> EvenLoads::Spread(std::int32_t need) const {
  // From each place the next one that is not taken, by way of others.
  std::vector<std::size_t> next(ranked_.size() + 1);
  std::iota(next.begin(), next.end(), std::size_t{0});
  const auto free_from = [&](std::size_t i) {
    std::size_t free = i;
    while (next[free] != free) free = next[free];
    while (next[i] != free) i = std::exchange(next[i], free);
    return free;
  };
  std::vector<Load> given;
  for (const std::int32_t load : LoadsOf(need)) {
    const auto fits = std::lower_bound(ranked_.begin(), ranked_.end(), load,
                                       [](const Load& a, std::int32_t b) { return a.units < b; });
    const std::size_t at = free_from(static_cast<std::size_t>(fits - ranked_.begin()));
    given.push_back({ranked_[at].domain, load});
    next[at] = at + 1;
  }
  std::sort(given.begin(), given.end(),
            [](const Load& a, const Load& b) { return a.domain < b.domain; });
  return given;
}

}  // namespace muster
