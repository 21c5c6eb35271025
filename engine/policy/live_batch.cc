// Texts go into one block; everything else is copied row by row.
#include "muster/live_batch.h"

#include <algorithm>
#include <limits>

#include "engine/policy/policy_answers.h"

namespace muster {
namespace {

template <typename Row>
const Row* Copy(const Row* rows, std::size_t count, std::vector<Row>& into) {
  if (rows == nullptr) return nullptr;
  into.assign(rows, rows + count);
  return into.data();
}

/// One more than the highest index of a string that the batch uses: its table has no size.
struct StringCount {
  unsigned int count = 1;
  void See(unsigned int index) { count = std::max(count, index + 1); }
  void See(const muster_workload& row) {
    for (const unsigned int index :
         {row.name, row.namespace_, row.local_queue, row.cluster_queue}) {
      See(index);
    }
    for (const unsigned int label : row.label) See(label);
  }
  void See(const muster_holding& row) {
    for (const unsigned int flavor : row.flavor) See(flavor);
  }
  void See(const muster_node& row) { See(row.name); }
  void See(const muster_flavor& row) {
    See(row.name);
    for (const unsigned int label : row.label) See(label);
  }
  void See(const muster_domain& row) {
    See(row.level);
    See(row.name);
    for (const unsigned int label : row.label) See(label);
  }
  template <typename Row>
  void SeeAll(const std::vector<Row>& rows) {
    for (const Row& row : rows) See(row);
  }
};

unsigned int QueueCount(const muster_batch& batch) {
  unsigned int count = batch.queues == nullptr ? 0 : 1;
  for (unsigned int i = 0; batch.workloads != nullptr && i < batch.count; ++i) {
    count = std::max(count, batch.workloads[i].node + 1);
  }
  return batch.subject == nullptr ? count : std::max(count, batch.subject->node + 1);
}

}  // namespace

LiveBatch::LiveBatch(Hook hook, const muster_batch& batch) : hook_(hook), batch_(batch) {
  batch_.workloads = Copy(batch.workloads, batch.count, workloads_);
  batch_.holdings = Copy(batch.holdings, batch.count, holdings_);
  batch_.nodes = Copy(batch.nodes, batch.count, nodes_);
  batch_.flavors = Copy(batch.flavors, batch.count, flavors_);
  batch_.domains = Copy(batch.domains, batch.count, domains_);
  batch_.subject = Copy(batch.subject, 1, subject_);
  batch_.queues = Copy(batch.queues, QueueCount(batch), queues_);
  batch_.queue = Copy(batch.queue, 1, queue_);
  batch_.resources = Copy(batch.resources, batch.resource_count, resources_);
  StringCount strings;
  strings.SeeAll(workloads_);
  strings.SeeAll(holdings_);
  strings.SeeAll(nodes_);
  strings.SeeAll(flavors_);
  strings.SeeAll(domains_);
  strings.SeeAll(subject_);
  strings.SeeAll(queues_);
  strings.SeeAll(queue_);
  strings.SeeAll(resources_);
  batch_.strings = Copy(batch.strings, strings.count, strings_);
  std::size_t bytes = 0;
  for (const muster_string& text : strings_) bytes += text.size;
  text_.reserve(bytes);
  for (muster_string& text : strings_) {
    const std::size_t at = text_.size();
    text_.insert(text_.end(), text.data, text.data + text.size);
    text.data = text_.data() + at;
  }
}

Status DryCall(Policy& policy, const std::vector<LiveBatch>& batches) {
  for (const LiveBatch& live : batches) {
    const auto& hooks = policy.info().hooks;
    const auto info = std::find_if(hooks.begin(), hooks.end(),
                                   [&](const HookInfo& hook) { return hook.hook == live.hook(); });
    if (info == hooks.end()) continue;
    if (live.hook() == Hook::kSubmit) {
      SubmitAnswer answer;
      const HookOutcome asked = AskSubmitHook(policy, live.batch(), &answer);
      if (!asked.ok) return Status(StatusCode::kInvalidArgument, asked.message);
      continue;
    }
    std::vector<double> answers(live.batch().count * static_cast<std::size_t>(info->keys));
    const HookOutcome outcome = AskPolicy(policy, live.hook(), live.batch(), answers);
    if (!outcome.ok) return Status(StatusCode::kInvalidArgument, outcome.message);
  }
  return Status::Ok();
}

}  // namespace muster
