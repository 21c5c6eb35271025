// Where the pods of one podset go, as naively as the reference text says it (admission.md, 9.4 to
// 9.6 and 9.9): domains are lists of label values, and everything is looked for among all of them.
#ifndef MUSTER_TESTS_ORACLE_PLACEMENT_H_
#define MUSTER_TESTS_ORACLE_PLACEMENT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace muster::oracle {

using Path = std::vector<std::string>;  // label values, from the highest level on
using HostAmounts = std::map<std::string, std::int64_t>;

struct Host {
  Path path;
  HostAmounts free;
  bool eligible = true;
};

enum class Where { kRequired, kPreferred, kUnconstrained };

struct Gang {
  int count = 0;
  HostAmounts needs;
  std::optional<HostAmounts> leader;
  Where where = Where::kUnconstrained;
  int level = 0;                            ///< of required or preferred; from 0, the highest
  std::vector<std::pair<int, int>> slices;  ///< level and size, outermost first
};

/// Workers and leaders, by domain of the lowest level.
using Placement = std::map<Path, std::pair<int, int>>;

/// None: it does not fit. `hosts` have no path in common.
std::optional<Placement> Place(const std::vector<Host>& hosts, const Gang& gang);

}  // namespace muster::oracle

#endif  // MUSTER_TESTS_ORACLE_PLACEMENT_H_
