// LuaJIT's own x^y and random differ between interpreted and compiled code, or between runs.
#include "bindings/luajit/host_functions.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bindings/luajit/time_zone.h"

namespace muster::luajit {
namespace {

/// FNV-1a of 64 bits, mixed at the end as SplitMix64 mixes: the upper 53 bits of it.
class TextHash {
 public:
  void Add(const void* data, std::size_t bytes) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) hash_ = (hash_ ^ p[i]) * 0x100000001b3u;
  }
  double Take() const {
    std::uint64_t hash = hash_;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    hash ^= hash >> 31;
    return static_cast<double>(hash >> 11);
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace

double Power(double x, double y) { return std::pow(x, y); }

double HashOfText(const char* text, unsigned int size) {
  TextHash hash;
  hash.Add(text, size);
  return hash.Take();
}

double Random(const muster_call* frame, const char* stream, unsigned int size, double period,
              double begin) {
  TextHash hash;
  hash.Add(&frame->random_seed, sizeof frame->random_seed);
  if (period > 0) {
    hash.Add(&period, sizeof period);
    hash.Add(&begin, sizeof begin);
  } else {
    hash.Add(&frame->batch->cycle, sizeof frame->batch->cycle);
  }
  hash.Add(stream, size);
  return hash.Take() * 0x1.0p-53;
}

double ZoneOffset(const muster_call* frame, unsigned int zone, double time) {
  const auto& zones = *static_cast<const std::vector<TimeZone>*>(frame->zones);
  if (zone >= zones.size() || !(std::abs(time) < 1e12)) return 0;
  return zones[zone].OffsetAt(static_cast<std::int64_t>(std::floor(time)));
}

}  // namespace muster::luajit
