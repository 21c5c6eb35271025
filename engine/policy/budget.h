// Budget: what evictions have spent of what hook victim allows the workloads of each key to spend
// together; see HookInfo::per.
//
// The least that any of them says is left is what counts. So what may be taken depends on what was
// taken, and not on what else was asked about.
#ifndef MUSTER_ENGINE_POLICY_BUDGET_H_
#define MUSTER_ENGINE_POLICY_BUDGET_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

namespace muster {

/// What the eviction of one workload takes of the budget of its key.
struct Spending {
  std::uint32_t key = 0;  ///< its number in VictimRule
  double spends = 0;
  double left = std::numeric_limits<double>::infinity();
};

class Budget {
 public:
  bool Allows(const Spending& spending) const {
    const auto known = of_.find(spending.key);
    if (known == of_.end()) return spending.spends <= spending.left;
    return known->second.spends + spending.spends <= std::min(known->second.left, spending.left);
  }
  void Spend(const Spending& spending) {
    Spending& of = of_[spending.key];
    of.spends += spending.spends;
    of.left = std::min(of.left, spending.left);
  }

 private:
  std::map<std::uint32_t, Spending> of_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_BUDGET_H_
