// Generations: which generation of each package was active before, and which have failed.
//
// A package that fails in several cycles in a row goes back to its generation before, by itself,
// and never to one that has failed in that way. Cycles in which it is not asked do not count.
#ifndef MUSTER_ENGINE_POLICY_GENERATIONS_H_
#define MUSTER_ENGINE_POLICY_GENERATIONS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "muster/decision.h"
#include "muster/policy.h"

namespace muster {

/// What is known of the generations of one package.
struct PackageLine {
  std::string previous;          ///< hash of the generation before; empty: none
  std::shared_ptr<Policy> warm;  ///< that generation; null until it is attached
  std::int64_t failures = 0;     ///< cycles in a row in which the active one failed
  std::string last_message;      ///< of the newest failure
  std::set<std::string> failed;  ///< hashes that were rolled back for failing
};

class Generations {
 public:
  /// `now` is active instead of `before`, which may be null.
  void Activated(const Policy& now, std::shared_ptr<Policy> before);
  /// `package` has no active generation any more, or another one by hand.
  void Forget(const std::string& package);
  /// A cycle is over in which `asked` packages decided something. Those whose failures have reached
  /// `most` come back, with the reason.
  std::vector<std::string> Judge(const std::set<std::string>& asked,
                                 const std::vector<PolicyFailure>& failures, std::int64_t most);
  /// The generation to go back to, which is not the previous one any more; null: there is none.
  /// The failing hash counts as one that has failed from now on, also when it has to stay.
  std::shared_ptr<Policy> TakePrevious(const std::string& package, const std::string& failing);
  /// Whether one of those that failed will go back to an earlier generation if it goes on so.
  bool WillGoBack(const std::vector<PolicyFailure>& failures) const;
  bool HasFailed(const std::string& package, const std::string& hash) const;
  /// Keeps a restored generation warm; false when it is the previous one of none.
  bool Attach(std::shared_ptr<Policy> policy);

  const std::map<std::string, PackageLine>& lines() const { return lines_; }
  PackageLine& Restore(const std::string& package) { return lines_[package]; }

 private:
  std::map<std::string, PackageLine> lines_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_GENERATIONS_H_
