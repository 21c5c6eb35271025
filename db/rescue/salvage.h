// Salvage: what can still be read of a damaged ledger.
//
// Everything is read by itself: a commit through its number, with its events and policies through
// theirs, so that a damaged page costs what is on it and no more. What is read counts when it
// matches its own hash or digest. Works on a copy, of which the first 100 bytes are written anew,
// since they say nothing that is not the same in every ledger; the damaged file is only read.
#ifndef MUSTER_DB_RESCUE_SALVAGE_H_
#define MUSTER_DB_RESCUE_SALVAGE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/chain_links.h"
#include "db/sqlite/connection.h"
#include "db/store_types.h"
#include "muster/status.h"

namespace muster {

/// Called for each commit that was looked for: its number, and the highest that is known of.
using SalvageProgress = std::function<void(std::int64_t seq, std::int64_t last)>;

class Salvage {
 public:
  /// What ties a commit that is whole to its neighbours.
  struct Link {
    std::int64_t seq;
    ChainHash prev;
    ChainHash hash;
    std::uint64_t state_digest;
  };

  /// Copies `path` and its log to `work`, which the caller removes. kUnavailable while a process
  /// holds the ledger, or I/O fails; kDataLoss when not even its list of tables can be read.
  static Result<std::unique_ptr<Salvage>> Open(const std::string& path, const std::string& work,
                                               const SalvageProgress& progress = {});
  ~Salvage();
  Salvage(const Salvage&) = delete;
  Salvage& operator=(const Salvage&) = delete;

  /// Where its history begins; nullopt: that is damaged.
  std::optional<HistoryBase> base() const { return base_; }
  /// The rows of the base, all of them or kDataLoss.
  Result<std::vector<StateRow>> BaseRows() const;
  /// The events carried from before it; those before the first damage.
  std::vector<CarriedEvent> Carried() const;

  /// The lowest and highest number of a commit that anything speaks of; newest is 0: of none.
  std::int64_t oldest() const { return oldest_; }
  std::int64_t newest() const { return newest_; }
  /// The commits that are whole, in order.
  const std::vector<Link>& good() const { return good_; }
  /// The commit, when all of it can be read and matches its hash.
  std::optional<StoredCommit> ReadCommit(std::int64_t seq) const;

  /// Every row of current state, when all are there and add up to `state_digest`.
  Result<std::vector<StateRow>> Rows(std::uint64_t state_digest) const;

  /// Hashes of all packages of which something can be read, sorted.
  std::vector<std::string> PolicyHashes() const;
  /// kDataLoss when a file of it is damaged, or the tree in which it is.
  Result<StoredPolicy> LoadPolicy(std::string_view hash) const;

 private:
  struct Statements;
  explicit Salvage(Connection connection);
  void FindCommits(const SalvageProgress& progress);

  Connection connection_;
  std::unique_ptr<Statements> statements_;
  std::optional<HistoryBase> base_;
  std::vector<Link> good_;
  std::int64_t oldest_ = 1;
  std::int64_t newest_ = 0;
};

}  // namespace muster

#endif  // MUSTER_DB_RESCUE_SALVAGE_H_
