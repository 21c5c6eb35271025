// One look at a cluster, as `muster top` shows it: the tree of quotas with bars, the domains of
// nodes as a heat map, then what waits.
#ifndef MUSTER_BINDINGS_CLI_SHOW_TOP_VIEW_H_
#define MUSTER_BINDINGS_CLI_SHOW_TOP_VIEW_H_

#include <cstddef>
#include <string>

#include "bindings/cli/io.h"
#include "bindings/cli/show/get_items.h"
#include "muster/engine.h"

namespace muster::cli {

struct TopSize {
  std::size_t width = 100;  ///< columns; at least kNarrowest
  std::size_t height = 0;   ///< lines; 0: as many as there is to show
};
inline constexpr std::size_t kNarrowest = 40;

/// What the reader sees; that of workloads also which are meant.
struct TopFilters {
  Filter cohorts = {};
  Filter queues = {};
  Filter workloads = {};
};

/// Lines of at most that width. What does not fit is counted, never silently left out: the tree
/// takes up to half of the lines where both do not fit, the map up to a third of all.
/// O(queues x their quotas + workloads), and what HeatOf takes.
std::string TopText(const Engine& engine, const TopFilters& filters, const TopSize& size,
                    TimeNs now, const Paint& paint);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_TOP_VIEW_H_
