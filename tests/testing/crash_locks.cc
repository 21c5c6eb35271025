// Locks as numbers on the file's data, so that a new connection after a crash finds none.
#include "tests/testing/crash_locks.h"

#include <cstdint>
#include <memory>

#include "tests/testing/crash_disk.h"

namespace muster::testing {

int Unlock(sqlite3_file* file, int level) {
  OpenFile* self = Self(file);
  FileData& data = Data(file);
  if (self->lock <= level) return SQLITE_OK;
  for (const void** holder : {&data.reserved_by, &data.pending_by, &data.exclusive_by}) {
    if (*holder == self) *holder = nullptr;
  }
  if (level == SQLITE_LOCK_NONE) --data.shared_locks;
  self->lock = level;
  return SQLITE_OK;
}

int Lock(sqlite3_file* file, int level) {
  OpenFile* self = Self(file);
  FileData& data = Data(file);
  if (self->lock >= level) return SQLITE_OK;
  const auto other = [self](const void* holder) { return holder != nullptr && holder != self; };
  if (level == SQLITE_LOCK_SHARED) {
    if (other(data.pending_by) || other(data.exclusive_by)) return SQLITE_BUSY;
    ++data.shared_locks;
  } else if (level == SQLITE_LOCK_RESERVED) {
    if (other(data.reserved_by) || other(data.pending_by)) return SQLITE_BUSY;
    data.reserved_by = self;
  } else {
    if (other(data.reserved_by) || other(data.pending_by)) return SQLITE_BUSY;
    data.pending_by = self;
    if (data.shared_locks > 1) {
      self->lock = SQLITE_LOCK_PENDING;
      return SQLITE_BUSY;
    }
    data.exclusive_by = self;
  }
  self->lock = level;
  return SQLITE_OK;
}

int CheckReservedLock(sqlite3_file* file, int* reserved) {
  *reserved = Data(file).reserved_by != nullptr;
  return SQLITE_OK;
}

int ShmMap(sqlite3_file* file, int region, int bytes, int extend, void volatile** memory) {
  OpenFile* self = Self(file);
  SharedMemory& shm = Data(file).shm;
  *memory = nullptr;
  if (DiskOf(file).Fails(kSharedMemory)) return ErrorFor(DiskOf(file), SQLITE_IOERR_SHMMAP);
  if (!self->shm_open) {
    self->shm_open = true;
    ++shm.users;
  }
  while (static_cast<int>(shm.regions.size()) <= region) {
    if (extend == 0) return SQLITE_OK;
    shm.regions.push_back(std::make_unique<char[]>(static_cast<std::size_t>(bytes)));
  }
  *memory = shm.regions[static_cast<std::size_t>(region)].get();
  return SQLITE_OK;
}

int ShmLock(sqlite3_file* file, int first, int count, int flags) {
  OpenFile* self = Self(file);
  SharedMemory& shm = Data(file).shm;
  const auto begin = static_cast<std::size_t>(first);
  const auto end = begin + static_cast<std::size_t>(count);
  const auto bit = [](std::size_t slot) { return std::uint32_t{1} << slot; };
  if ((flags & SQLITE_SHM_LOCK) != 0) {
    for (std::size_t i = begin; i < end; ++i) {
      const bool ours = (self->shm_shared & bit(i)) != 0;
      if (shm.exclusive[i] && (self->shm_exclusive & bit(i)) == 0) return SQLITE_BUSY;
      if ((flags & SQLITE_SHM_EXCLUSIVE) != 0 && shm.shared[i] > (ours ? 1 : 0)) {
        return SQLITE_BUSY;
      }
    }
  }
  for (std::size_t i = begin; i < end; ++i) {
    const bool exclusive = (flags & SQLITE_SHM_EXCLUSIVE) != 0;
    std::uint32_t& mine = exclusive ? self->shm_exclusive : self->shm_shared;
    const bool lock = (flags & SQLITE_SHM_LOCK) != 0;
    if (((mine & bit(i)) != 0) == lock) continue;
    mine ^= bit(i);
    if (exclusive) {
      shm.exclusive[i] = lock;
    } else {
      shm.shared[i] += lock ? 1 : -1;
    }
  }
  return SQLITE_OK;
}

int ShmUnmap(sqlite3_file* file, int) {
  OpenFile* self = Self(file);
  if (!self->shm_open) return SQLITE_OK;
  SharedMemory& shm = Data(file).shm;
  ShmLock(file, 0, kShmSlots, SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED);
  ShmLock(file, 0, kShmSlots, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE);
  self->shm_open = false;
  if (--shm.users == 0) shm = SharedMemory();
  return SQLITE_OK;
}

}  // namespace muster::testing
