// PolicyHistory: which generations were activated, and which of these steps were undone, from the
// events of a ledger.
#ifndef MUSTER_BINDINGS_CPP_POLICY_HISTORY_H_
#define MUSTER_BINDINGS_CPP_POLICY_HISTORY_H_

#include <string>
#include <string_view>
#include <vector>

#include "db/store_types.h"
#include "muster/status.h"

namespace muster {

/// An activation that was not undone.
struct PolicyStep {
  std::string package;
  std::string hash;
  TimeNs at = kNoTime;
};

class PolicyHistory {
 public:
  /// Commits must come in order, each once. kDataLoss for an event that cannot be read.
  Status Add(const CommitRecord& commit);

  /// Oldest first.
  const std::vector<PolicyStep>& steps() const { return steps_; }
  /// Hashes of the generations that were active before the newest step, in the order of their
  /// activation: the last one decides where nothing is bound.
  std::vector<std::string> BeforeNewest() const;

 private:
  void Undo(std::string_view subject);

  std::vector<PolicyStep> steps_;
};

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_POLICY_HISTORY_H_
