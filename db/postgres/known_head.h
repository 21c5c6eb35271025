// KnownHead: the newest commit of a ledger that this machine has seen confirmed, in a file. So a
// process that begins again refuses a database that has lost it, as one that runs does.
//
// The file is written before a commit is answered, and not flushed: a process that is killed
// leaves it as it is; where the power is cut it may be that of some seconds before, which refuses
// less.
#ifndef MUSTER_DB_POSTGRES_KNOWN_HEAD_H_
#define MUSTER_DB_POSTGRES_KNOWN_HEAD_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "db/hash_chain.h"
#include "db/postgres/history.h"
#include "db/postgres/place.h"
#include "muster/status.h"

namespace muster {

class KnownHead {
 public:
  /// The file of the ledger in `folder`; both are made where they are not there. kUnavailable:
  /// they cannot be, or another process has the file. kDataLoss: it says nothing that can be read.
  static Result<std::unique_ptr<KnownHead>> Open(const std::string& folder, const PgPlace& place);
  ~KnownHead();
  KnownHead(const KnownHead&) = delete;
  KnownHead& operator=(const KnownHead&) = delete;

  std::int64_t seq() const { return seq_; }  ///< 0: none is known
  /// kDataLoss when the history up to `head` does not have the commit that is known.
  Status Check(const PgHistory& history, const PgHead& head) const;
  /// From now on this one is known.
  Status Note(std::int64_t seq, const ChainHash& hash);
  /// That the database has lost the commit; `what` is what it has instead.
  Status Lost(const std::string& what) const;

 private:
  KnownHead(std::string path, std::string shown, int file)
      : path_(std::move(path)), shown_(std::move(shown)), file_(file) {}
  Status Read();

  const std::string path_;
  const std::string shown_;
  const int file_;
  std::int64_t seq_ = 0;
  ChainHash hash_ = kFirstPrevHash;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_KNOWN_HEAD_H_
