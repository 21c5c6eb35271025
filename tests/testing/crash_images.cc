#include "tests/testing/crash_images.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace muster::testing {
namespace {

using Random = DiskModel::Random;
constexpr std::int64_t kSector = 512;

bool Toss(Random& random) { return (random() & 1) != 0; }
std::size_t Below(Random& random, std::size_t bound) { return random() % bound; }

void Put(std::string* file, std::int64_t offset, std::string_view bytes) {
  const std::size_t end = static_cast<std::size_t>(offset) + bytes.size();
  if (file->size() < end) file->resize(end);
  std::memcpy(file->data() + offset, bytes.data(), bytes.size());
}

void Perform(std::string* file, const DiskOp& op) {
  if (op.kind == DiskOp::Kind::kTruncate) {
    file->resize(static_cast<std::size_t>(op.number));
  } else {
    Put(file, op.number, op.bytes);
  }
}

/// Calls `visit(offset, bytes)` for the part of the write in each sector.
template <typename Visit>
void ForEachSector(const DiskOp& write, const Visit& visit) {
  std::string_view rest = write.bytes;
  std::int64_t offset = write.number;
  while (!rest.empty()) {
    const auto room = static_cast<std::size_t>(kSector - offset % kSector);
    const std::string_view part = rest.substr(0, room);
    visit(offset, part);
    offset += static_cast<std::int64_t>(part.size());
    rest.remove_prefix(part.size());
  }
}

void PerformTorn(std::string* file, const DiskOp& op, Random& random) {
  if (op.kind == DiskOp::Kind::kTruncate) {
    if (Toss(random)) Perform(file, op);
    return;
  }
  ForEachSector(op, [&](std::int64_t offset, std::string_view part) {
    if (Toss(random)) Put(file, offset, part);
  });
}

void SpoilOneSector(std::string* file, const DiskOp& op, Random& random) {
  std::vector<std::pair<std::int64_t, std::size_t>> parts;
  ForEachSector(op, [&](std::int64_t offset, std::string_view part) {
    parts.emplace_back(offset, part.size());
  });
  if (parts.empty()) return;
  const auto [offset, size] = parts[Below(random, parts.size())];
  std::string garbage(size, '\0');
  for (char& byte : garbage) byte = static_cast<char>(random());
  Put(file, offset, garbage);
}

void PerformAll(std::string* file, const std::vector<const DiskOp*>& ops, Loss loss,
                Random& random) {
  std::size_t prefix = ops.size();
  if (loss == Loss::kNothingArrived) prefix = 0;
  if (loss == Loss::kReordered) prefix = Below(random, ops.size() + 1);
  const std::size_t spoiled = loss == Loss::kGarbage ? Below(random, ops.size() + 1) : ops.size();
  for (std::size_t i = 0; i < prefix; ++i) {
    if (loss == Loss::kSubset) {
      if (Toss(random)) Perform(file, *ops[i]);
    } else if (loss == Loss::kTorn || loss == Loss::kGarbage) {
      PerformTorn(file, *ops[i], random);
    } else {
      Perform(file, *ops[i]);
    }
    if (i == spoiled) SpoilOneSector(file, *ops[i], random);
  }
}

}  // namespace

DiskModel::DiskModel(const DiskImage& flushed) {
  int number = 0;
  for (const auto& [name, bytes] : flushed) {
    directory_[name] = ++number;
    files_[number].flushed = bytes;
  }
}

void DiskModel::Apply(const DiskOp& op) {
  switch (op.kind) {
    case DiskOp::Kind::kCreate:
    case DiskOp::Kind::kDelete:
      files_.try_emplace(op.file);
      pending_names_.push_back(&op);
      break;
    case DiskOp::Kind::kWrite:
    case DiskOp::Kind::kTruncate:
      files_[op.file].pending.push_back(&op);
      break;
    case DiskOp::Kind::kSync: {
      File& file = files_[op.file];
      for (const DiskOp* pending : file.pending) Perform(&file.flushed, *pending);
      file.pending.clear();
      break;
    }
    case DiskOp::Kind::kSyncFailed:
      files_[op.file].pending.clear();
      break;
    case DiskOp::Kind::kSyncDirectory:
      for (const DiskOp* pending : pending_names_) {
        if (pending->kind == DiskOp::Kind::kCreate) {
          directory_[pending->name] = pending->file;
        } else {
          directory_.erase(pending->name);
        }
      }
      pending_names_.clear();
      break;
    case DiskOp::Kind::kMark:
      break;
  }
}

std::map<std::string, int> DiskModel::DrawDirectory(Loss loss, Random& random) const {
  std::map<std::string, int> directory = directory_;
  for (const DiskOp* op : pending_names_) {
    bool arrives = Toss(random);
    if (loss == Loss::kAllArrived) arrives = true;
    if (loss == Loss::kNothingArrived || loss == Loss::kDirectoryLost) arrives = false;
    if (!arrives) continue;
    if (op->kind == DiskOp::Kind::kCreate) {
      directory[op->name] = op->file;
    } else {
      directory.erase(op->name);
    }
  }
  return directory;
}

DiskImage DiskModel::Draw(Loss loss, Random& random) const {
  DiskImage image;
  for (const auto& [name, number] : DrawDirectory(loss, random)) {
    const File& file = files_.at(number);
    std::string& bytes = image[name];
    bytes = file.flushed;
    PerformAll(&bytes, file.pending, loss, random);
  }
  return image;
}

bool DiskModel::unsettled() const {
  return !pending_names_.empty() ||
         std::any_of(files_.begin(), files_.end(),
                     [](const auto& entry) { return !entry.second.pending.empty(); });
}

std::uint64_t ContentHash(const DiskImage& image) {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  };
  for (const auto& [name, bytes] : image) {
    for (const std::string_view text : {std::string_view(name), std::string_view(bytes)}) {
      mix(text.size());
      for (std::size_t i = 0; i < text.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + i, std::min<std::size_t>(8, text.size() - i));
        mix(word);
      }
    }
  }
  return hash;
}

}  // namespace muster::testing
