// The quota algebra again, in the most naive way: every sentence of the reference's section 2 is
// one function, and every question walks the tree from the definitions. Nothing is kept between
// calls.
#ifndef MUSTER_TESTS_ORACLE_QUOTA_H_
#define MUSTER_TESTS_ORACLE_QUOTA_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "muster/types.h"

namespace muster::oracle {

using Fr = std::pair<std::string, std::string>;  ///< flavor, resource
using Amounts = std::map<Fr, Amount>;            ///< what is absent is 0

struct Limits {
  Amount nominal = 0;
  std::optional<Amount> borrowing;
  std::optional<Amount> lending;
};

struct TreeNode {
  bool is_queue = false;
  bool active = true;  ///< inactive queues count for quota, not as children (section 2, height)
  std::string parent;  ///< empty: a root
  std::map<Fr, Limits> limits;
  Amounts usage;   ///< queues only
  Amounts hidden;  ///< queues only: usage the parent still sees, see Charge
};

struct Level {
  int height = 0;
  bool may_reclaim = false;
};

/// Nodes by "queue/NAME" and "cohort/NAME". Amounts must be far from the 64-bit range.
struct Tree {
  std::map<std::string, TreeNode> nodes;

  std::vector<std::string> Children(const std::string& node) const;
  Limits LimitsOf(const std::string& node, const Fr& fr) const;
  Amount SubtreeQuota(const std::string& node, const Fr& fr) const;
  Amount LocalQuota(const std::string& node, const Fr& fr) const;
  Amount Usage(const std::string& node, const Fr& fr) const;
  Amount LocalAvailable(const std::string& node, const Fr& fr) const;
  Amount Available(const std::string& node, const Fr& fr) const;
  Amount Potential(const std::string& node, const Fr& fr) const;
  int Height(const std::string& cohort) const;
  Level BorrowingLevel(const std::string& queue, const Fr& fr, Amount amount) const;
  void Charge(const std::string& queue, const Amounts& amounts);
  void Release(const std::string& queue, const Amounts& amounts);
};

}  // namespace muster::oracle

#endif  // MUSTER_TESTS_ORACLE_QUOTA_H_
