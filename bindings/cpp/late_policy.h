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
  void Read(std::span<const Event> events) { *calls_ = LateCallsOf(events); }
  /// `policy`, of which exactly those calls fail. What it returns keeps them alive.
  std::shared_ptr<Policy> Wrap(std::shared_ptr<Policy> policy) const;

 private:
  std::shared_ptr<std::vector<RecordedLateCall>> calls_ =
      std::make_shared<std::vector<RecordedLateCall>>();
};

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_LATE_POLICY_H_
