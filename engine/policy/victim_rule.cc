// After a failure candidates cost nothing: what is found then is thrown away with the attempt.
#include "engine/policy/victim_rule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/base/check.h"
#include "engine/policy/subject_key.h"

namespace muster {
namespace {

bool HasAny(const std::vector<std::string>& names, std::span<const std::string_view> any) {
  return std::any_of(any.begin(), any.end(), [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  });
}

/// Whether a row of a candidate or of the queue tells how much is used now.
bool ReadsUsage(const HookInfo& info) {
  constexpr std::string_view kFields[] = {"share",          "usage",    "borrowed",
                                          "borrowed_ratio", "lendable", "native_share"};
  return HasAny(*info.named, kFields);
}

/// One bit for each ClusterQueue and pair: whether it uses more than is its own.
std::string BorrowingIn(const QuotaTree& tree) {
  std::string bits;
  unsigned byte = 0, count = 0;
  for (NodeIndex n = 0; n < tree.size(); ++n) {
    if (!tree.node(n).queue.valid()) continue;
    for (Column c = 0; c < tree.columns(); ++c) {
      byte = (byte << 1 | (tree.Borrowing(n, c, 0) ? 1U : 0U)) & 0xff;
      if (++count % 8 == 0) bits.push_back(static_cast<char>(byte));
    }
  }
  bits.push_back(static_cast<char>(byte));
  return bits;
}

bool Reads(const HookInfo& info, std::string_view field) {
  return HasAny(*info.named, {&field, 1});
}

}  // namespace

void VictimRule::Begin(const WorkloadRecord& preemptor, const ClusterQueueState& queue) {
  if (calls_ == nullptr || calls_->none()) return;
  victim_ = calls_->For(queue, Hook::kVictim);
  const HookInfo* hook = victim_ == nullptr ? nullptr : FindHook(*victim_, Hook::kVictim);
  per_ = hook == nullptr || hook->per.empty() ? nullptr : &hook->per;
  if (&preemptor == preemptor_ && &queue == queue_) return;
  preemptor_ = &preemptor;
  queue_ = &queue;
  ++search_;
  asked_ = false;
  limits_known_ = false;
  limits_ = {};
  limiter_.clear();
}

VictimRule::Key VictimRule::KeyOf(const QuotaTree& tree) {
  Key key;
  key.policy = victim_;
  const HookInfo* info = FindHook(*victim_, Hook::kVictim);
  const bool told = info != nullptr && info->named;
  const bool usage = told && ReadsUsage(*info);
  if (!told || (usage && !tree.AsOfVersion())) {
    key.search = search_;
    return key;
  }
  if (Reads(*info, "queue") || (usage && info->reads_subject)) key.queue = queue_->id;
  if (info->reads_subject) {
    PolicyBatch& batch = NewBatch();
    batch.SetSubject(*preemptor_);
    key.subject = SubjectKey(batch.Get(), *info->named);
  }
  const bool borrowing = Reads(*info, "borrowing");
  if (borrowing && !usage) key.borrowing = BorrowingIn(tree);
  if (borrowing || usage) key.tree = queue_->tree;
  if (usage) key.version = tree.version();
  return key;
}

void VictimRule::FindAnswers(const QuotaTree& tree) {
  if (found_for_ == search_) return;
  found_for_ = search_;
  if (sets_.empty()) sets_.resize(kSets);
  Key key = KeyOf(tree);
  place_ = 0;
  if (key.search == 0) {
    const auto same = std::find_if(sets_.begin() + 1, sets_.end(),
                                   [&](const Answers& set) { return set.key == key; });
    const bool known = same != sets_.end();
    if (!known) newest_ = newest_ + 1 < kSets ? newest_ + 1 : 1;
    place_ = known ? static_cast<std::size_t>(same - sets_.begin()) : newest_;
    if (known) return;
  }
  Answers& set = sets_[place_];
  const HookInfo* info = FindHook(*victim_, Hook::kVictim);
  set.own_apart = key.search == 0 && Reads(*info, "same_queue");
  set.key = std::move(key);
  set.edition = ++editions_;
}

PolicyBatch& VictimRule::NewBatch() {
  if (batch_ && batch_of_ == victim_) {
    batch_->Clear();
  } else {
    calls_->NewBatch(*victim_, Hook::kVictim, &batch_);
    batch_of_ = victim_;
  }
  return *batch_;
}

HookOutcome VictimRule::Try(std::span<const WorkloadRecord* const> candidates,
                            std::vector<double>* answers) {
  PolicyBatch& batch = NewBatch();
  answers->assign(candidates.size() * AnswersEach(), 0);
  if (candidates.empty()) return calls_->Try(*victim_, Hook::kVictim, batch, *answers);
  batch.SetQueue(*queue_);
  batch.SetSubject(*preemptor_);
  for (const WorkloadRecord* candidate : candidates) batch.AddHolder(*candidate, queue_->id);
  HookOutcome outcome = calls_->Try(*victim_, Hook::kVictim, batch, *answers);
  for (std::size_t i = 1; outcome.ok && per_ != nullptr && i < answers->size(); i += 3) {
    if (std::isfinite((*answers)[i]) && (*answers)[i] >= 0) continue;
    outcome.ok = false;
    outcome.message = "what an eviction spends is not a number of 0 or more";
  }
  return outcome;
}

std::uint32_t VictimRule::NumberOf(const WorkloadRecord& candidate) {
  const auto next = static_cast<std::uint32_t>(key_names_.size());
  const auto [known, is_new] = keys_.try_emplace(calls_->KeyOf(candidate, *per_), next);
  if (is_new) key_names_.push_back(known->first);
  return known->second;
}

void VictimRule::Keep(std::span<const WorkloadRecord* const> candidates,
                      std::span<const double> answers) {
  Answers& set = sets_[place_];
  const std::size_t each = AnswersEach();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::uint32_t slot = candidates[i]->id().slot().value;
    std::vector<Answer>& kept = IsApart(set, *candidates[i]) ? set.own_costs : set.costs;
    if (slot >= kept.size()) kept.resize(slot + std::size_t{1});
    kept[slot] = {set.edition, answers[i * each], {}};
    if (per_ == nullptr) continue;
    kept[slot].spending = {NumberOf(*candidates[i]), answers[i * each + 1], answers[i * each + 2]};
  }
}

void VictimRule::Ask(std::span<const WorkloadRecord* const> unknown,
                     const std::function<List()>& all) {
  asked_ = true;
  std::vector<double> costs;
  HookOutcome outcome = Try(unknown, &costs);
  if (outcome.ok) Keep(unknown, costs);
  if (!outcome.ok && outcome.late == 0) {
    const List whole = all();
    if (whole.size() != unknown.size()) {
      // What a batch may use grows with its items: a part may fail where the whole does not.
      outcome = Try(whole, &costs);
      if (outcome.ok) Keep(whole, costs);
    }
  }
  if (!calls_->Settle(*victim_, Hook::kVictim, *queue_, std::move(outcome))) victim_ = nullptr;
}

const VictimRule::Answer& VictimRule::AnswerOf(const WorkloadRecord& candidate) const {
  const Answers& set = sets_[place_];
  const std::uint32_t slot = candidate.id().slot().value;
  const std::vector<Answer>& kept = IsApart(set, candidate) ? set.own_costs : set.costs;
  MUSTER_CHECK(slot < kept.size() && kept[slot].edition == set.edition);
  return kept[slot];
}

double VictimRule::Cost(const WorkloadRecord& candidate) const {
  return victim_ == nullptr ? 0 : AnswerOf(candidate).cost;
}

const Spending& VictimRule::SpendingOf(const WorkloadRecord& candidate) const {
  return AnswerOf(candidate).spending;
}

bool VictimRule::Permits(std::span<const WorkloadRecord* const> victims) {
  if (calls_ == nullptr || calls_->none()) return true;
  if (!limits_known_) AskLimits();
  double count = 0, cost = 0;
  for (const WorkloadRecord* victim : victims) {
    if (victim->evicted) continue;
    count += 1;
    cost += Cost(*victim);
  }
  return count <= limits_.victims && cost <= limits_.cost;
}

void VictimRule::AskLimits() {
  limits_known_ = true;
  Policy* policy = calls_->For(*queue_, Hook::kPreemptLimits);
  if (policy == nullptr) return;
  std::optional<PolicyBatch> batch;
  calls_->NewBatch(*policy, Hook::kPreemptLimits, &batch);
  batch->SetQueue(*queue_);
  batch->SetSubject(*preemptor_);
  std::array<double, 2> answers = {};
  if (!calls_->Ask(*policy, Hook::kPreemptLimits, *queue_, *batch, answers)) return;
  limits_ = {answers[0], answers[1]};
  limiter_ = policy->info().name;
}

}  // namespace muster
