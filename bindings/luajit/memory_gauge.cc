// The allocator behind a Lua state. It runs inside compiled traces: no exceptions, no logging.
#include "bindings/luajit/memory_gauge.h"

#include <algorithm>
#include <cstdlib>

namespace muster::luajit {

void MemoryGauge::Arm(muster_fuel* fuel, Running running) {
  const Limits& limits = options_.limits;
  most_ = running == Running::kFile ? limits.memory : limits.call_memory;
  most_in_block_ = running == Running::kFile ? limits.block : limits.call_block;
  fuel_ = fuel;
  peak_ = used_;
  armed_ = true;
}

void MemoryGauge::Drain(Trip why) {
  if (trip_ == Trip::kNone) trip_ = why;
  fuel_->left = -1;
}

// Shrinking always succeeds, as lua_Alloc demands.
bool MemoryGauge::Permit(std::size_t old_size, std::size_t new_size) {
  const std::size_t overshoot = options_.limits.overshoot;
  const std::size_t grown = new_size - old_size;
  if (options_.block_limit && new_size > most_in_block_) {
    Drain(Trip::kBlock);
    if (new_size > overshoot) return false;
  }
  if (options_.memory_drain && used_ + grown > most_) {
    Drain(Trip::kMemory);
    return used_ + grown <= most_ + overshoot;
  }
  return true;
}

void* MemoryGauge::Allocate(void* self, void* block, std::size_t old_size, std::size_t new_size) {
  auto& gauge = *static_cast<MemoryGauge*>(self);
  if (new_size == 0) {
    std::free(block);
    gauge.used_ -= old_size;
    return nullptr;
  }
  if (gauge.armed_ && new_size > old_size && !gauge.Permit(old_size, new_size)) return nullptr;
  if (new_size > old_size && ++gauge.allocations_ == gauge.options_.fail_allocation) return nullptr;
  void* result = std::realloc(block, new_size);
  if (result == nullptr) return nullptr;
  gauge.used_ += new_size - old_size;
  gauge.peak_ = std::max(gauge.peak_, gauge.used_);
  return result;
}

}  // namespace muster::luajit
