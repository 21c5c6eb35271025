// The report of a comparison as one page: no script, no network, the same bytes for the same runs.
#ifndef MUSTER_BINDINGS_REPORT_HTML_H_
#define MUSTER_BINDINGS_REPORT_HTML_H_

#include <span>
#include <string>
#include <vector>

#include "bindings/simulate/difference.h"
#include "bindings/simulate/figures.h"
#include "bindings/simulate/simulate.h"
#include "bindings/simulate/trace.h"

namespace muster::simulate {

struct PagePolicy {
  std::string name;
  const Run* run = nullptr;
  const Report* report = nullptr;
  const Change* change = nullptr;           ///< from the first policy
  std::span<const Difference> differences;  ///< from it, over variations of the log
};

struct Page {
  std::string log;       ///< what was played
  std::string resource;  ///< that is counted
  std::span<const TraceJob> jobs;
  std::vector<PagePolicy> policies;  ///< the first is what the others are compared with
};

/// A headline for people who decide, tables, where waits are longer or shorter, the distribution of
/// waits on a logarithmic axis, use and fairness over time, waits by hour and day of the week.
/// Below 1 MB for up to ten policies and 50 queues. O(jobs log jobs).
std::string ToHtml(const Page& page);

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_REPORT_HTML_H_
