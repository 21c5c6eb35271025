// What the tables hold as one value each: a group of commits, a part of a state, a base.
//
// First byte: how the rest is kept, which is in the engine's own encoding
// (engine/codec/byte_writer.h). A commit has its hashes, its events and the rows that it changed.
#ifndef MUSTER_DB_POSTGRES_BATCH_CODEC_H_
#define MUSTER_DB_POSTGRES_BATCH_CODEC_H_

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
/// kDataLoss when the bytes are none that EncodeBatch makes.
Result<std::vector<BatchCommit>> DecodeBatch(std::string_view body);

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

#endif  // MUSTER_DB_POSTGRES_BATCH_CODEC_H_
