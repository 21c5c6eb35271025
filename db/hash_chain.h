// The two checks a ledger carries: a hash for each commit, a digest for each row of current state.
//
// Commit hash: BLAKE2b-256 over the hash before it and everything the commit says, every text with
// its length first. Row digest: SipHash-2-4, 64 bits. The sum of all of them, modulo 2^64, is in
// the commit hash, so that replacing a row costs one subtraction and one addition. Both find
// damage; against an attacker who can write the file neither is meant.
#ifndef MUSTER_DB_HASH_CHAIN_H_
#define MUSTER_DB_HASH_CHAIN_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "engine/codec/byte_buffer.h"
#include "muster/journal.h"
#include "muster/status.h"
#include "muster/types.h"

namespace muster {

using ChainHash = std::array<unsigned char, 32>;
inline constexpr ChainHash kFirstPrevHash = {};  ///< before the first commit

/// View of the bytes, for binding and comparing.
std::string_view Bytes(const ChainHash& hash);

/// Prepares libsodium; kInternal if it cannot. Once before anything below, any number of times.
Status PrepareHashing();

/// Fields collected in one buffer, each unmistakable from its neighbours.
class FieldBuffer {
 public:
  void Clear() { bytes_.Clear(); }
  void Number(std::int64_t value) {
    bytes_.Wrote(PutNumber(bytes_.Room(kNumber), static_cast<std::uint64_t>(value)));
  }
  void Text(std::string_view text) {
    char* const end = PutNumber(bytes_.Room(kNumber + text.size()), text.size());
    if (!text.empty()) std::memcpy(end, text.data(), text.size());
    bytes_.Wrote(end + text.size());
  }
  /// What Text puts before a text.
  void Length(std::string_view text) { Number(static_cast<std::int64_t>(text.size())); }
  std::string_view bytes() const { return bytes_.view(); }

 private:
  static constexpr std::size_t kNumber = 8;  ///< bytes, the lowest first

  static char* PutNumber(char* at, std::uint64_t value) {
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(at, &value, kNumber);
    } else {
      for (std::size_t i = 0; i < kNumber; ++i) at[i] = static_cast<char>(value >> 8 * i & 0xff);
    }
    return at + kNumber;
  }

  ByteBuffer bytes_;
};

/// What a commit says about itself.
struct CommitHeader {
  std::int64_t seq = 0;
  TimeNs at = kNoTime;
  std::int64_t cycle = 0;
  std::string_view command;  ///< CommandName
  std::string_view engine_version;
  std::int64_t first_event = 0;
  std::int64_t events = 0;
  std::uint64_t state_digest = 0;  ///< sum of row digests after this commit
  /// The command as it was encoded; nullopt in ledgers older than version 3.
  std::optional<std::string_view> input = std::nullopt;
};

/// O(bytes of the commit). `fields` is scratch space.
ChainHash HashCommit(const ChainHash& prev, const CommitHeader& header,
                     const std::vector<Event>& events, const std::vector<PolicyUse>& policies,
                     FieldBuffer* fields);

/// A row of `workload` as both writer and reader see it.
struct WorkloadRow {
  std::string_view ns;
  std::string_view name;
  std::string_view uid;
  std::string_view local_queue;
  std::string_view cluster_queue;
  std::string_view phase;
  std::int64_t priority = 0;
  TimeNs created = kNoTime;
  TimeNs reserved_at = kNoTime;
  TimeNs admitted_at = kNoTime;
  TimeNs finished_at = kNoTime;
  std::string_view value;
};
std::uint64_t DigestOf(const WorkloadRow& row, FieldBuffer* fields);
/// Any other row of current state. `key` is the whole key.
std::uint64_t DigestOf(StateRow::Table table, std::string_view key, std::string_view value,
                       FieldBuffer* fields);
/// What `fields` holds; its first number tells what it is the digest of.
std::uint64_t DigestOf(const FieldBuffer& fields);
/// A file of a policy package.
std::uint64_t DigestOfPolicyFile(std::string_view hash, std::string_view path,
                                 std::string_view bytes, FieldBuffer* fields);
/// A row of meta.
std::uint64_t DigestOfMeta(std::string_view key, std::string_view value, FieldBuffer* fields);

/// "namespace/name" or "Kind/rest" cut at its first slash.
struct SplitKey {
  std::string_view first;
  std::string_view rest;
};
/// Both parts are empty when there is no slash.
SplitKey SplitAtSlash(std::string_view key);

}  // namespace muster

#endif  // MUSTER_DB_HASH_CHAIN_H_
