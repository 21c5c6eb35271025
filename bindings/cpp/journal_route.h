// JournalRoute: which journal an engine's commits go to, changed while the engine stays.
#ifndef MUSTER_BINDINGS_CPP_JOURNAL_ROUTE_H_
#define MUSTER_BINDINGS_CPP_JOURNAL_ROUTE_H_

#include <utility>

#include "muster/journal.h"

namespace muster {

class JournalRoute final : public Journal {
 public:
  /// `to` must outlive the route, or be replaced before it ends.
  explicit JournalRoute(Journal& to) : to_(&to) {}

  void Lead(Journal& to) { to_ = &to; }

  Result<Ticket> Append(Commit commit) override { return to_->Append(std::move(commit)); }
  Status Durable(Ticket ticket) override { return to_->Durable(ticket); }

 private:
  Journal* to_;
};

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_JOURNAL_ROUTE_H_
