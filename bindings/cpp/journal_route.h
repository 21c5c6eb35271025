// JournalRoute: which journal an engine's commits go to, changed while the engine stays.
#ifndef MUSTER_BINDINGS_CPP_JOURNAL_ROUTE_H_
#define MUSTER_BINDINGS_CPP_JOURNAL_ROUTE_H_

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "db/caller.h"
#include "muster/journal.h"

namespace muster {

class JournalRoute final : public Journal {
 public:
  /// `to` must outlive the route, or be replaced before it ends.
  explicit JournalRoute(Journal& to) : to_(&to) {}

  void Lead(Journal& to) { to_ = &to; }

  /// The caller that gives the commands of the commits that come; empty: none is named.
  void Name(std::string_view caller) { caller_ = caller; }

  /// Is told of each commit that comes, before it goes on; empty: none is.
  void Listen(std::function<void(const Commit&)> listener) { listener_ = std::move(listener); }

  Result<Ticket> Append(Commit commit) override {
    if (listener_) listener_(commit);
    if (!caller_.empty()) commit.input = WithCaller(caller_, std::move(commit.input));
    return to_->Append(std::move(commit));
  }
  Status Durable(Ticket ticket) override { return to_->Durable(ticket); }

 private:
  Journal* to_;
  std::string caller_;
  std::function<void(const Commit&)> listener_;
};

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_JOURNAL_ROUTE_H_
