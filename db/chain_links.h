// ChainLinks: follows a history from commit to commit, wherever it is stored.
#ifndef MUSTER_DB_CHAIN_LINKS_H_
#define MUSTER_DB_CHAIN_LINKS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "db/hash_chain.h"
#include "db/store_types.h"

namespace muster {

/// The hash that these bytes are; none when their number is wrong.
std::optional<ChainHash> HashFrom(std::string_view bytes);

/// A commit with what proves it.
struct StoredCommit {
  CommitRecord record;
  std::uint64_t state_digest = 0;
  ChainHash prev = kFirstPrevHash;
  ChainHash hash = kFirstPrevHash;
};

using ChainVisitor = std::function<Status(const StoredCommit& commit)>;

/// What `commit` says about itself where it leaves this sum of row digests; views of its texts.
CommitHeader HeaderOf(const CommitRecord& commit, std::uint64_t state_digest);

class ChainLinks {
 public:
  /// Why `commit` with these stored hashes and this digest of the state after it does not follow
  /// from the one that was checked before, or does not match its own hash; empty: it does. The
  /// first one checked may be any of the history. O(bytes of the commit).
  std::string Check(const CommitRecord& commit, std::uint64_t state_digest, std::string_view prev,
                    std::string_view hash);

 private:
  std::int64_t next_event_ = 0;  ///< 0: not known yet
  std::optional<ChainHash> prev_;
  FieldBuffer fields_;
};

}  // namespace muster

#endif  // MUSTER_DB_CHAIN_LINKS_H_
