// A group of commits as one value: what a row of muster_batch holds.
//
// First byte: how the rest is kept. Then the commits, each with its hashes, its events and the rows
// that it changed, in the engine's own encoding (engine/codec/byte_writer.h).
#ifndef MUSTER_DB_POSTGRES_BATCH_CODEC_H_
#define MUSTER_DB_POSTGRES_BATCH_CODEC_H_

#include <string>
#include <string_view>
#include <vector>

#include "db/chain_links.h"
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

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_BATCH_CODEC_H_
