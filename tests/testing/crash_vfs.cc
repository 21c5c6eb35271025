// The C tables SQLite calls, over a map of files. A fault is decided in one place, Disk::Fails.
#include "tests/testing/crash_vfs.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "tests/testing/crash_disk.h"
#include "tests/testing/crash_locks.h"

namespace muster::testing {
namespace {

constexpr int kSectorBytes = 4096;

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
void ShmBarrier(sqlite3_file*) {}
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
