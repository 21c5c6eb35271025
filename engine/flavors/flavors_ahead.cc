// Of a failure ahead nothing is told, but for a call that was late: that is in the record, and a
// repetition has to fail where the first run did. See bindings/cpp/late_policy.h.
#include "engine/flavors/flavors_ahead.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/policy/policy_answers.h"
#include "engine/state/named_accounts.h"

namespace muster {
namespace {

/// Whether AppendInputs sees all that may change of what it reads, while a cycle decides.
bool IsCompared(const HookInfo& hook) {
  return std::all_of(hook.reads.begin(), hook.reads.end(), [](const std::string& input) {
    return input == "now" || input == "cycle" || input == "account" || input == "last_admitted" ||
           input == "free" || input == "borrowing_level";
  });
}

}  // namespace

void FlavorsAhead::AppendInputs(const HookInfo& hook, const WorkloadRecord& workload,
                                const ClusterQueueState& queue) {
  const bool free = ReadsInput(hook, "free"), level = ReadsInput(hook, "borrowing_level");
  if (!free && !level) return;
  const QuotaTree& tree = world_.tree_of(queue);
  for (const ResourceGroupState& group : queue.groups) {
    for (const FlavorOption& option : group.flavors) {
      for (std::size_t i = 0; i < group.resources.size(); ++i) {
        const Column column = tree.ColumnOf(option.pairs[i]);
        if (free) inputs_.push_back(std::max<Amount>(0, tree.Available(queue.node, column)));
        if (!level) continue;
        const Amount demand = DemandOf(workload, group.resources[i]);
        inputs_.push_back(tree.LevelOf(queue.node, column, demand).level);
      }
    }
  }
}

const FlavorsAhead::Question* FlavorsAhead::Find(const Policy& policy,
                                                 const WorkloadRecord& workload,
                                                 const ClusterQueueState& queue) {
  if (queue.id.value >= newest_.size() || newest_[queue.id.value][0] == 0) return nullptr;
  const std::size_t first = inputs_.size();
  AppendInputs(*FindHook(policy, Hook::kFlavorOrder), workload, queue);
  const std::span<const Amount> all = inputs_;
  const std::span<const Amount> now = all.subspan(first);
  const Question* found = nullptr;
  for (const std::uint32_t index : newest_[queue.id.value]) {
    if (index == 0 || found != nullptr) break;
    const Question& question = questions_[index - 1];
    const std::span<const Amount> then = all.subspan(question.begin, question.count);
    if (question.workload == workload.id() && question.policy == &policy &&
        std::equal(then.begin(), then.end(), now.begin(), now.end())) {
      found = &question;
    }
  }
  inputs_.resize(first);
  return found;
}

void FlavorsAhead::Expect(const WorkloadRecord& workload, const ClusterQueueState& queue) {
  Policy* const policy = PolicyOver(&calls_, queue);
  if (policy == nullptr) return;
  const HookInfo& hook = *FindHook(*policy, Hook::kFlavorOrder);
  if (!IsCompared(hook) || Find(*policy, workload, queue) != nullptr) return;
  if (policy != policy_ || questions_.size() - asked_ == kMostTurns) Ask();
  if (policy != policy_) {
    calls_.NewBatch(*policy, Hook::kFlavorOrder, &batch_, PolicyBatch::Texts::kNamed);
    policy_ = policy;
  }
  Question& question = questions_.emplace_back();
  question.workload = workload.id();
  question.policy = policy;
  question.queue = &queue;
  question.begin = inputs_.size();
  AppendInputs(hook, workload, queue);
  question.count = inputs_.size() - question.begin;
  if (queue.id.value >= newest_.size()) newest_.resize(world_.queues.size());
  std::array<std::uint32_t, 2>& newest = newest_[queue.id.value];
  newest = {static_cast<std::uint32_t>(questions_.size()), newest[0]};
  batch_->BeginPart(queue);
  batch_->SetSubject(workload);
  question.flavors = AddFlavors(*batch_, workload, queue);
}

void FlavorsAhead::Ask() {
  const std::span<Question> turns = std::span(questions_).subspan(asked_);
  asked_ = questions_.size();
  if (turns.empty()) return;
  std::size_t count = 0;
  for (const Question& turn : turns) count += turn.flavors;
  keys_.assign(count, 0);
  if (!PolicyCalls::TryEach(*policy_, Hook::kFlavorOrder, *batch_, keys_, &fuel_)) {
    const std::span<const muster_batch> parts = batch_->Parts();
    for (std::size_t i = 0; i < turns.size(); ++i) AskAlone(turns[i], parts[i]);
    batch_->Clear();
    return;
  }
  std::size_t first = 0;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    Question& turn = turns[i];
    turn.sequence = SequenceOf(world_, *policy_, *turn.queue,
                               std::span<const double>(keys_).subspan(first, turn.flavors));
    turn.fuel = fuel_[i];
    turn.known = true;
    first += turn.flavors;
  }
  batch_->Clear();
}

void FlavorsAhead::AskAlone(Question& question, const muster_batch& batch) {
  if (calls_.For(*question.queue, Hook::kFlavorOrder) != question.policy) return;  // it was late
  keys_.assign(question.flavors, 0);
  HookOutcome outcome = AskPolicy(*question.policy, Hook::kFlavorOrder, batch, keys_);
  if (outcome.ok) {
    question.sequence = SequenceOf(world_, *question.policy, *question.queue, keys_);
    question.fuel = outcome.fuel;
    question.known = true;
  } else if (outcome.late != 0) {
    calls_.Fail(*question.policy, Hook::kFlavorOrder, *question.queue, std::move(outcome));
  }
}

const FlavorSequence* FlavorsAhead::Use(const Policy& policy, const WorkloadRecord& workload,
                                        const ClusterQueueState& queue) {
  const Question* const question = Find(policy, workload, queue);
  if (question == nullptr || !question->known) return nullptr;
  calls_.NoteUsed(policy, Hook::kFlavorOrder, queue, question->fuel);
  return &question->sequence;
}

}  // namespace muster
