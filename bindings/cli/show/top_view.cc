// Bars are of ASCII, so that any terminal and any copy of it shows them: # is used of the own
// quota, + is borrowed, . is free, and of a cohort the quota of all below.
#include "bindings/cli/show/top_view.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "bindings/cli/show/age.h"
#include "bindings/cli/show/heat_view.h"
#include "bindings/cli/show/lines.h"
#include "bindings/cli/table.h"
#include "bindings/lab/words.h"
#include "engine/base/time_text.h"

namespace muster::cli {
namespace {

constexpr std::size_t kBar = 20;

std::string Bar(Amount used, Amount borrowed, Amount nominal) {
  const Amount scale = std::max({used, nominal, Amount{1}});
  const auto columns = [scale](Amount amount) {
    return static_cast<std::size_t>(std::lround(
        static_cast<double>(amount) / static_cast<double>(scale) * static_cast<double>(kBar)));
  };
  const std::size_t own = std::min(columns(used - borrowed), kBar);
  const std::size_t over = std::min(columns(used), kBar) - own;
  return "[" + std::string(own, '#') + std::string(over, '+') +
         std::string(kBar - own - over, '.') + "]";
}

/// The lines of the tree.
class Tree {
 public:
  Tree(const Engine& engine, const TopFilters& filters, std::size_t width) : width_(width) {
    for (CohortView& cohort : Cohorts(engine, filters.cohorts)) {
      cohorts_.emplace(cohort.spec.name, std::move(cohort));
    }
    for (ClusterQueueView& queue : ClusterQueues(engine, filters.queues)) {
      queues_[queue.spec.cohort].push_back(std::move(queue));
    }
    for (const auto& [name, cohort] : cohorts_) {
      if (!cohorts_.contains(cohort.spec.parent)) AddCohort(cohort, 0);
    }
    for (const auto& [cohort, queues] : queues_) {  // in none, or in one that is not seen
      if (cohorts_.contains(cohort)) continue;
      for (const ClusterQueueView& queue : queues) AddQueue(queue, 0);
    }
  }

  std::vector<std::string> Take() { return std::move(lines_); }

 private:
  void AddCohort(const CohortView& cohort, std::size_t depth) {
    Add(depth, cohort.spec.name + " (cohort)", cohort.quotas);
    for (const auto& [name, child] : cohorts_) {
      if (child.spec.parent == cohort.spec.name) AddCohort(child, depth + 1);
    }
    const auto queues = queues_.find(cohort.spec.name);
    if (queues == queues_.end()) return;
    for (const ClusterQueueView& queue : queues->second) AddQueue(queue, depth + 1);
  }

  void AddQueue(const ClusterQueueView& queue, std::size_t depth) {
    std::string name = queue.spec.name + "  " + std::to_string(queue.admitted) + " run, " +
                       std::to_string(queue.pending + queue.parked) + " wait";
    if (queue.held > 0) name += ", " + std::to_string(queue.held) + " held";
    if (!queue.active) name += "  " + queue.inactive_reason;
    Add(depth, name, queue.quotas);
  }

  void Add(std::size_t depth, const std::string& name, const std::vector<QuotaView>& quotas) {
    const std::string indent(2 * std::min<std::size_t>(depth, 8), ' ');
    lines_.push_back(WithoutEnd(Fitted(indent + name, width_)));
    for (const QuotaView& quota : quotas) {
      if (quota.usage == 0 && quota.total == 0) continue;  // it may borrow, and does not
      std::string sum = FormatAmount(quota.resource, quota.usage) + " of " +
                        FormatAmount(quota.resource, quota.total);
      if (quota.borrowed > 0) {
        sum += ", " + FormatAmount(quota.resource, quota.borrowed) + " borrowed";
      }
      if (quota.lent > 0) sum += ", " + FormatAmount(quota.resource, quota.lent) + " lent";
      lines_.push_back(
          WithoutEnd(Fitted(indent + "  " + Bar(quota.usage, quota.borrowed, quota.total) + " " +
                                sum + "  " + quota.resource + " of " + quota.flavor,
                            width_)));
    }
  }

  const std::size_t width_;
  std::map<std::string, CohortView> cohorts_;
  std::map<std::string, std::vector<ClusterQueueView>> queues_;  ///< by cohort
  std::vector<std::string> lines_;
};

/// The most urgent first, as `muster get --sort priority` has them.
std::vector<std::string> WaitingLines(const Engine& engine, Filter filter, std::size_t width,
                                      TimeNs now) {
  filter.states = {"pending"};
  filter.sort = "priority";
  std::vector<std::string> lines;
  for (const WorkloadView& workload : Workloads(engine, filter)) {
    if (workload.spec.variant_of) continue;  // its job is among them
    std::string line = Fitted(workload.spec.key.ToString(), std::min<std::size_t>(width / 3, 40));
    line += "  " + Fitted(workload.cluster_queue, std::min<std::size_t>(width / 6, 24));
    line += "  " + Fitted(std::to_string(workload.priority), 6);
    line += "  " + Fitted(AgeOf(now - workload.spec.created), 6);
    lines.push_back(WithoutEnd(Fitted(line + "  " + lab::WhyItWaits(workload), width)));
  }
  return lines;
}

}  // namespace

std::string TopText(const Engine& engine, const TopFilters& filters, const TopSize& size,
                    TimeNs now, const Paint& paint) {
  const std::size_t width = std::max(size.width, kNarrowest);
  constexpr std::size_t kLeastForMap = 12;  // lines; below, the map would be no map
  std::vector<std::string> map;
  if (size.height == 0 || size.height >= kLeastForMap) {
    map = HeatLines(HeatOf(engine), width, size.height / 3, paint);
  }
  std::vector<std::string> tree = Tree(engine, filters, width).Take();
  std::vector<std::string> waiting = WaitingLines(engine, filters.workloads, width, now);
  const std::size_t all = waiting.size();
  if (size.height > 0) {
    constexpr std::size_t kFixed = 4;  // the head, a blank line, a heading, where the cursor stays
    const std::size_t taken = kFixed + (map.empty() ? 0 : map.size() + 1);
    const std::size_t room = size.height > taken ? size.height - taken : 0;
    const std::size_t for_tree = std::max(room - room / 2, room - std::min(room, all));
    CutLines(&tree, for_tree, "line");
    CutLines(&waiting, room - tree.size(), "workload");
  }
  std::string text =
      WithoutEnd(Fitted("muster  " + FormatTime(now) + "  " + lab::Counted(all, "workload") +
                            (all == 1 ? " waits" : " wait"),
                        width)) +
      "\n";
  for (const std::string& line : tree) text += line + "\n";
  if (!map.empty()) text += "\n";
  for (const std::string& line : map) text += line + "\n";
  if (all == 0) return text + "\nNothing waits.\n";
  text += "\nWaiting, the most urgent first\n";
  for (const std::string& line : waiting) text += line + "\n";
  return text;
}

}  // namespace muster::cli
