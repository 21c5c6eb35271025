// LuaJIT's own x^y and random differ between interpreted and compiled code, or between runs.
#include "bindings/luajit/host_functions.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace muster::luajit {

double Power(double x, double y) { return std::pow(x, y); }

double Random(const muster_call* frame, const char* stream, unsigned int size) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto mix = [&hash](const void* data, std::size_t bytes) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ p[i]) * 0x100000001b3u;
  };
  mix(&frame->random_seed, sizeof frame->random_seed);
  mix(&frame->batch->cycle, sizeof frame->batch->cycle);
  mix(stream, size);
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  hash ^= hash >> 31;
  return static_cast<double>(hash >> 11) * 0x1.0p-53;
}

}  // namespace muster::luajit
