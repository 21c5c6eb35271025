// What the tables hold as one value each: a group of commits, a part of a state, a base.
//
// First byte: how the rest is kept, which is in the engine's own encoding
// (engine/codec/byte_writer.h). A group is its links, the digest and the hash of each commit, and
// its changes, the events and rows. So the changes of a large group can be sent while its hashes
// are made; the group then is its links alone, and its changes stand in muster_body.
#ifndef MUSTER_DB_BATCHES_BATCH_CODEC_H_
#define MUSTER_DB_BATCHES_BATCH_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/chain_links.h"
#include "db/store_types.h"
#include "muster/journal.h"
#include "muster/status.h"

namespace muster {

struct BatchCommit {
  StoredCommit stored;
  std::vector<StateRow> rows;
};

std::string EncodeBatch(const std::vector<BatchCommit>& commits);
/// The two parts of a group. O(bytes); the second needs no hash.
std::string EncodeLinks(const std::vector<BatchCommit>& commits);
std::string EncodeChanges(const std::vector<BatchCommit>& commits);
/// What EncodeBatch makes of the commits whose parts these are.
std::string JoinedBatch(std::string_view links, std::string_view changes);
/// About the bytes that the changes take, rather more than less.
std::size_t SizeOf(const std::vector<BatchCommit>& commits);
/// Of EncodeBatch's bytes, of links and the changes that stand apart, or of an older Muster's.
/// kDataLoss: the bytes are none of these.
Result<std::vector<BatchCommit>> DecodeBatch(std::string_view body, std::string_view changes);

/// Rows of a state.
std::string EncodeRows(std::span<const StateRow> rows);
Result<std::vector<StateRow>> DecodeRows(std::string_view body);

/// Where a history begins, when it is not that of this database from its first commit on.
struct PgBase {
  HistoryBase base;
  /// Commits from this one on have the rows that they changed; the state before it is a snapshot.
  std::int64_t rows_from = 1;
  std::vector<CarriedEvent> carried;
};
std::string EncodeBase(const PgBase& base);
Result<PgBase> DecodeBase(std::string_view body);

}  // namespace muster

#endif  // MUSTER_DB_BATCHES_BATCH_CODEC_H_
