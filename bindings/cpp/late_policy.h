// Calls of policies that took too long, repeated from the record: no clock decides anything anew.
#ifndef MUSTER_BINDINGS_CPP_LATE_POLICY_H_
#define MUSTER_BINDINGS_CPP_LATE_POLICY_H_

#include <memory>
#include <span>
#include <vector>

#include "bindings/cpp/replay_input.h"
#include "muster/journal.h"
#include "muster/policy.h"

namespace muster {

class LateCalls {
 public:
  /// What the events of the command that is repeated next say of such calls.
  void Read(std::span<const Event> events) { record_->calls = LateCallsOf(events); }
  /// `policy`, of which exactly those calls fail. What it returns keeps them alive.
  std::shared_ptr<Policy> Wrap(std::shared_ptr<Policy> policy) const;
  /// Nothing is repeated from here on: policies that were wrapped, and those that they make, are
  /// late when they are.
  void End();

 private:
  friend class LatePolicy;
  struct Record {
    std::vector<RecordedLateCall> calls;
    bool ended = false;
    std::vector<std::weak_ptr<Policy>> wrapped;  ///< with those that they made
  };
  std::shared_ptr<Record> record_ = std::make_shared<Record>();
};

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_LATE_POLICY_H_
