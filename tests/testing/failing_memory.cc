// See failing_memory.h.
#include "tests/testing/failing_memory.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace muster::testing {
namespace {

constinit std::atomic<bool> counting = false;
constinit std::atomic<bool> lasts = false;
constinit std::atomic<bool> was_refused = false;
constinit std::atomic<std::int64_t> fails_at = 0;
constinit std::atomic<std::size_t> least_bytes = 0;
constinit std::atomic<std::int64_t> made = 0;
constinit std::atomic<std::int64_t> there = 0;

bool Refuse(std::size_t size) {
  if (!counting || size < least_bytes) return false;
  const std::int64_t number = ++made;
  const std::int64_t at = fails_at;
  if (at == 0 || number < at || (number > at && !lasts)) return false;
  was_refused = true;
  return true;
}

void* Allocate(std::size_t size, std::size_t alignment) noexcept {
  if (Refuse(size)) return nullptr;
  // aligned_alloc wants a multiple.
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* block = alignment <= alignof(std::max_align_t)
                    ? std::malloc(size == 0 ? 1 : size)
                    : std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (block != nullptr) ++there;
  return block;
}

void* AllocateOrThrow(std::size_t size, std::size_t alignment) {
  void* block = Allocate(size, alignment);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void Free(void* block) noexcept {
  if (block == nullptr) return;
  --there;
  std::free(block);
}

}  // namespace

void FailingMemory::Arm(std::int64_t at, Lasting lasting, std::size_t least) {
  made = 0;
  was_refused = false;
  lasts = lasting == Lasting::kFromThenOn;
  least_bytes = least;
  fails_at = at;
}
void FailingMemory::Stop() { fails_at = 0; }
std::int64_t FailingMemory::allocations() { return made; }
bool FailingMemory::refused() { return was_refused; }
std::int64_t FailingMemory::blocks() { return there; }
FailingMemory::While::While() { counting = true; }
FailingMemory::While::~While() { counting = false; }

}  // namespace muster::testing

using muster::testing::Allocate;
using muster::testing::AllocateOrThrow;
using muster::testing::Free;

void* operator new(std::size_t size) { return AllocateOrThrow(size, 1); }
void* operator new[](std::size_t size) { return AllocateOrThrow(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return AllocateOrThrow(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return AllocateOrThrow(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size, 1); }
void operator delete(void* block) noexcept { Free(block); }
void operator delete[](void* block) noexcept { Free(block); }
void operator delete(void* block, std::size_t) noexcept { Free(block); }
void operator delete[](void* block, std::size_t) noexcept { Free(block); }
void operator delete(void* block, std::align_val_t) noexcept { Free(block); }
void operator delete[](void* block, std::align_val_t) noexcept { Free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { Free(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { Free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { Free(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { Free(block); }
