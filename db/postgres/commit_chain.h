// CommitChain: the number, the digest and the hash of each commit that a writer adds to a history.
#ifndef MUSTER_DB_POSTGRES_COMMIT_CHAIN_H_
#define MUSTER_DB_POSTGRES_COMMIT_CHAIN_H_

#include <cstdint>
#include <string>
#include <utility>

#include "db/batches/batch_codec.h"
#include "db/hash_chain.h"
#include "db/postgres/state_digests.h"
#include "db/store_types.h"
#include "muster/journal.h"

namespace muster {

class CommitChain {
 public:
  /// Of a history that ends so.
  CommitChain(std::string engine_version, const LastCommit& last, std::int64_t next_event,
              const ChainHash& hash, StateDigests digests)
      : engine_version_(std::move(engine_version)),
        last_(last),
        next_event_(next_event),
        hash_(hash),
        digests_(std::move(digests)) {}

  /// All of the next commit but its links, which want hashes.
  BatchCommit Number(Commit commit);
  /// The links of the oldest commit that has none. O(bytes).
  void Link(BatchCommit* commit);

  const LastCommit& last() const { return last_; }  ///< numbered
  const ChainHash& hash() const { return hash_; }   ///< of the newest that is linked

 private:
  const std::string engine_version_;
  LastCommit last_;
  std::int64_t next_event_;
  ChainHash hash_;
  StateDigests digests_;
  FieldBuffer fields_;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_COMMIT_CHAIN_H_
