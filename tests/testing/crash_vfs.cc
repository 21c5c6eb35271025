// The C tables SQLite calls, over a map of files. A fault is decided in one place, Disk::Fails.
#include "tests/testing/crash_vfs.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace muster::testing {
namespace {

constexpr std::size_t kShmSlots = SQLITE_SHM_NLOCK;
constexpr int kSectorBytes = 4096;

/// Shared memory of one database file: gone with the last connection, as after a restart.
struct SharedMemory {
  std::vector<std::unique_ptr<char[]>> regions;
  int users = 0;
  std::array<int, kShmSlots> shared = {};
  std::array<bool, kShmSlots> exclusive = {};
};

struct FileData {
  int number = 0;
  std::string bytes;
  int shared_locks = 0;
  const void* reserved_by = nullptr;
  const void* pending_by = nullptr;
  const void* exclusive_by = nullptr;
  SharedMemory shm;
};

struct OpenFile {
  sqlite3_file base;
  CrashVfs::Disk* disk;
  std::shared_ptr<FileData>* data;
  int lock;
  bool shm_open;
  std::uint32_t shm_shared;
  std::uint32_t shm_exclusive;
  bool flush_directory;  // at the next sync
};

}  // namespace

struct CrashVfs::Disk {
  sqlite3_vfs vfs = {};
  std::string name;
  std::map<std::string, std::shared_ptr<FileData>> files;
  std::vector<DiskOp> record;
  int last_file = 0;
  std::uint64_t random = 1;

  Fault fault;
  bool armed = false;
  bool fired = false;
  std::size_t fault_moment = 0;
  std::int64_t operations = 0;
  std::int64_t space = -1;

  void Note(DiskOp::Kind kind, int file, std::string name_of = {}, std::int64_t number = 0,
            std::string bytes = {}) {
    record.push_back({kind, file, std::move(name_of), number, std::move(bytes)});
  }

  /// Whether this operation is the one that fails, or after it.
  bool Fails(FaultTarget target) {
    if (!armed || (fault.targets & target) == 0) return false;
    const std::int64_t now = operations++;
    const bool fails = now == fault.at || (fault.persistent && now > fault.at);
    if (fails && !fired) fault_moment = record.size();
    fired = fired || fails;
    return fails;
  }

  bool HasRoomFor(const FileData& file, std::int64_t new_size) const {
    if (space < 0) return true;
    std::int64_t used = new_size - static_cast<std::int64_t>(file.bytes.size());
    for (const auto& [path, data] : files) used += static_cast<std::int64_t>(data->bytes.size());
    return used <= space;
  }
};

namespace {

OpenFile* Self(sqlite3_file* file) { return reinterpret_cast<OpenFile*>(file); }
FileData& Data(sqlite3_file* file) { return **Self(file)->data; }
CrashVfs::Disk& DiskOf(sqlite3_file* file) { return *Self(file)->disk; }
CrashVfs::Disk& DiskOf(sqlite3_vfs* vfs) { return *static_cast<CrashVfs::Disk*>(vfs->pAppData); }

int ErrorFor(const CrashVfs::Disk& disk, int io_error) {
  return disk.fault.kind == FaultKind::kDiskFull ? SQLITE_FULL : io_error;
}

// ---- locks -------------------------------------------------------------------------------------

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

// ---- shared memory -----------------------------------------------------------------------------

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

void ShmBarrier(sqlite3_file*) {}

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

// ---- file content ------------------------------------------------------------------------------

int Close(sqlite3_file* file) {
  ShmUnmap(file, 0);
  Unlock(file, SQLITE_LOCK_NONE);
  delete Self(file)->data;
  Self(file)->data = nullptr;
  return SQLITE_OK;
}

int Read(sqlite3_file* file, void* to, int count, sqlite3_int64 offset) {
  CrashVfs::Disk& disk = DiskOf(file);
  const bool fails = disk.Fails(kReads);
  if (fails && disk.fault.kind != FaultKind::kShortRead) {
    return ErrorFor(disk, SQLITE_IOERR_READ);
  }
  const std::string& bytes = Data(file).bytes;
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  sqlite3_int64 there = std::clamp<sqlite3_int64>(size - offset, 0, count);
  if (fails) there /= 2;
  std::memset(to, 0, static_cast<std::size_t>(count));
  if (there > 0) std::memcpy(to, bytes.data() + offset, static_cast<std::size_t>(there));
  if (fails) return SQLITE_IOERR_READ;
  return there == count ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

void Put(std::string* file, std::int64_t offset, std::string_view bytes) {
  const std::size_t end = static_cast<std::size_t>(offset) + bytes.size();
  if (file->size() < end) file->resize(end);
  std::memcpy(file->data() + offset, bytes.data(), bytes.size());
}

int Write(sqlite3_file* file, const void* from, int count, sqlite3_int64 offset) {
  CrashVfs::Disk& disk = DiskOf(file);
  FileData& data = Data(file);
  std::string_view bytes(static_cast<const char*>(from), static_cast<std::size_t>(count));
  const auto size = static_cast<std::int64_t>(data.bytes.size());
  if (!disk.HasRoomFor(data, std::max<std::int64_t>(size, offset + count))) return SQLITE_FULL;
  const bool fails = disk.Fails(kWrites);
  if (fails) bytes = bytes.substr(0, bytes.size() / 2);
  Put(&data.bytes, offset, bytes);
  disk.Note(DiskOp::Kind::kWrite, data.number, {}, offset, std::string(bytes));
  return fails ? ErrorFor(disk, SQLITE_IOERR_WRITE) : SQLITE_OK;
}

int Truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (DiskOf(file).Fails(kTruncates)) return ErrorFor(DiskOf(file), SQLITE_IOERR_TRUNCATE);
  Data(file).bytes.resize(static_cast<std::size_t>(size));
  DiskOf(file).Note(DiskOp::Kind::kTruncate, Data(file).number, {}, size);
  return SQLITE_OK;
}

int Sync(sqlite3_file* file, int) {
  CrashVfs::Disk& disk = DiskOf(file);
  if (disk.Fails(kSyncs)) {
    disk.Note(DiskOp::Kind::kSyncFailed, Data(file).number);
    return ErrorFor(disk, SQLITE_IOERR_FSYNC);
  }
  disk.Note(DiskOp::Kind::kSync, Data(file).number);
  if (Self(file)->flush_directory) disk.Note(DiskOp::Kind::kSyncDirectory, 0);
  Self(file)->flush_directory = false;
  return SQLITE_OK;
}

int FileSize(sqlite3_file* file, sqlite3_int64* size) {
  if (DiskOf(file).Fails(kSizes)) return ErrorFor(DiskOf(file), SQLITE_IOERR_FSTAT);
  *size = static_cast<sqlite3_int64>(Data(file).bytes.size());
  return SQLITE_OK;
}

int FileControl(sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; }
int SectorSize(sqlite3_file*) { return kSectorBytes; }
int DeviceCharacteristics(sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

constexpr sqlite3_io_methods kMethods = {2,
                                         Close,
                                         Read,
                                         Write,
                                         Truncate,
                                         Sync,
                                         FileSize,
                                         Lock,
                                         Unlock,
                                         CheckReservedLock,
                                         FileControl,
                                         SectorSize,
                                         DeviceCharacteristics,
                                         ShmMap,
                                         ShmLock,
                                         ShmBarrier,
                                         ShmUnmap,
                                         nullptr,
                                         nullptr};

// ---- the file system ---------------------------------------------------------------------------

int Open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  CrashVfs::Disk& disk = DiskOf(vfs);
  auto* self = reinterpret_cast<OpenFile*>(file);
  *self = {};
  if (disk.Fails(kOpens)) return ErrorFor(disk, SQLITE_CANTOPEN);
  const std::string path = name == nullptr ? "temporary" : name;
  auto found = disk.files.find(path);
  if (found == disk.files.end()) {
    if ((flags & SQLITE_OPEN_CREATE) == 0) return SQLITE_CANTOPEN;
    auto data = std::make_shared<FileData>();
    data->number = ++disk.last_file;
    disk.Note(DiskOp::Kind::kCreate, data->number, path);
    found = disk.files.emplace(path, std::move(data)).first;
  }
  constexpr int kJournals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL;
  self->flush_directory = (flags & kJournals) != 0 && (flags & SQLITE_OPEN_CREATE) != 0;
  self->base.pMethods = &kMethods;
  self->disk = &disk;
  self->data = new std::shared_ptr<FileData>(found->second);
  if (out_flags != nullptr) *out_flags = flags;
  return SQLITE_OK;
}

int Delete(sqlite3_vfs* vfs, const char* name, int sync_directory) {
  CrashVfs::Disk& disk = DiskOf(vfs);
  if (disk.Fails(kDeletes)) return ErrorFor(disk, SQLITE_IOERR_DELETE);
  const auto found = disk.files.find(name);
  if (found == disk.files.end()) return SQLITE_IOERR_DELETE_NOENT;
  disk.Note(DiskOp::Kind::kDelete, found->second->number, name);
  disk.files.erase(found);
  if (sync_directory != 0) disk.Note(DiskOp::Kind::kSyncDirectory, 0);
  return SQLITE_OK;
}

int Access(sqlite3_vfs* vfs, const char* name, int flags, int* result) {
  const auto& files = DiskOf(vfs).files;
  const auto found = files.find(name);
  *result =
      found != files.end() && (flags != SQLITE_ACCESS_EXISTS || !found->second->bytes.empty());
  return SQLITE_OK;
}

int FullPathname(sqlite3_vfs*, const char* name, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", name);
  return SQLITE_OK;
}

int Randomness(sqlite3_vfs* vfs, int count, char* out) {
  for (int i = 0; i < count; ++i) {
    std::uint64_t& state = DiskOf(vfs).random;
    state = state * 6364136223846793005u + 1442695040888963407u;
    out[i] = static_cast<char>(state >> 56);
  }
  return count;
}

int Sleep(sqlite3_vfs*, int microseconds) { return microseconds; }
int GetLastError(sqlite3_vfs*, int, char*) { return 0; }

int CurrentTime(sqlite3_vfs*, sqlite3_int64* milliseconds) {
  *milliseconds = 212'000'000'000'000;
  return SQLITE_OK;
}

}  // namespace

CrashVfs::CrashVfs() : disk_(std::make_unique<Disk>()) {
  static int number = 0;
  disk_->name = "crash-" + std::to_string(++number);
  sqlite3_vfs& vfs = disk_->vfs;
  vfs.iVersion = 2;
  vfs.szOsFile = sizeof(OpenFile);
  vfs.mxPathname = 512;
  vfs.zName = disk_->name.c_str();
  vfs.pAppData = disk_.get();
  vfs.xOpen = Open;
  vfs.xDelete = Delete;
  vfs.xAccess = Access;
  vfs.xFullPathname = FullPathname;
  vfs.xRandomness = Randomness;
  vfs.xSleep = Sleep;
  vfs.xGetLastError = GetLastError;
  vfs.xCurrentTimeInt64 = CurrentTime;
  sqlite3_vfs_register(&vfs, 0);
}

CrashVfs::~CrashVfs() { sqlite3_vfs_unregister(&disk_->vfs); }

const std::string& CrashVfs::name() const { return disk_->name; }

void CrashVfs::Boot(DiskImage image) {
  disk_->files.clear();
  disk_->record.clear();
  disk_->last_file = 0;
  for (auto& [name, bytes] : image) {
    auto data = std::make_shared<FileData>();
    data->number = ++disk_->last_file;
    data->bytes = std::move(bytes);
    disk_->files.emplace(name, std::move(data));
  }
}

DiskImage CrashVfs::Visible() const {
  DiskImage image;
  for (const auto& [name, data] : disk_->files) image[name] = data->bytes;
  return image;
}

const std::vector<DiskOp>& CrashVfs::record() const { return disk_->record; }

void CrashVfs::Mark(std::int64_t number) { disk_->Note(DiskOp::Kind::kMark, 0, {}, number); }

void CrashVfs::Inject(const Fault& fault) {
  disk_->fault = fault;
  disk_->armed = true;
  disk_->fired = false;
  disk_->operations = 0;
}

void CrashVfs::ClearFault() { disk_->armed = false; }
std::int64_t CrashVfs::operations() const { return disk_->operations; }
bool CrashVfs::fault_fired() const { return disk_->fired; }
std::size_t CrashVfs::fault_moment() const { return disk_->fault_moment; }
void CrashVfs::LimitSpace(std::int64_t bytes) { disk_->space = bytes; }

}  // namespace muster::testing
