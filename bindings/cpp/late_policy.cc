// Counts batches as LuaPolicy does: those of CallEach one by one, when it answers.
#include "bindings/cpp/late_policy.h"

#include <array>
#include <map>
#include <utility>

#include "bindings/luajit/policy_package.h"

namespace muster {

class LatePolicy final : public Policy {
 public:
  using Asked = std::array<std::int64_t, kHooks>;
  using Record = LateCalls::Record;

  LatePolicy(std::shared_ptr<Policy> policy, std::shared_ptr<Record> record,
             std::shared_ptr<Asked> asked)
      : policy_(std::move(policy)), record_(std::move(record)), asked_(std::move(asked)) {
    std::erase_if(record_->wrapped, [](const auto& wrapped) { return wrapped.expired(); });
    record_->wrapped.push_back(policy_);
  }

  const PolicyInfo& info() const override { return policy_->info(); }
  void BeginCycle(const std::shared_ptr<PolicyTime>& all) override {
    asked_->fill(0);
    if (record_->ended) policy_->BeginCycle(all);
  }
  void EndCycle(const std::shared_ptr<PolicyTime>& all) override {
    if (record_->ended) policy_->EndCycle(all);
  }

  HookOutcome Call(Hook hook, const muster_batch& batch, std::span<double> answers) override {
    std::int64_t& asked = AskedOf(hook);
    const RecordedLateCall* late = Find(hook, asked, 1);
    ++asked;
    if (late == nullptr) return policy_->Call(hook, batch, answers);
    HookOutcome outcome;
    outcome.ok = false;
    outcome.message = late->message;
    outcome.fuel = late->fuel;
    outcome.late = late->place;
    return outcome;
  }

  bool CallEach(Hook hook, std::span<const muster_batch> batches, std::span<double> answers,
                std::span<std::int64_t> fuel) override {
    std::int64_t& asked = AskedOf(hook);
    const auto count = static_cast<std::int64_t>(batches.size());
    if (Find(hook, asked, count) != nullptr) return false;
    if (!policy_->CallEach(hook, batches, answers, fuel)) return false;
    asked += count;
    return true;
  }

  HookOutcome Submit(const muster_batch& batch, SubmitAnswer* answer) override {
    return policy_->Submit(batch, answer);
  }

  Result<std::shared_ptr<Policy>> WithParams(const PolicyParams& params) const override {
    Result<std::shared_ptr<Policy>> made = policy_->WithParams(params);
    if (!made.ok()) return made;
    std::weak_ptr<Policy>& known = made_[made->get()];
    std::shared_ptr<Policy> late = known.lock();
    if (late == nullptr) late = std::make_shared<LatePolicy>(std::move(*made), record_, asked_);
    known = late;
    return late;
  }

 private:
  std::int64_t& AskedOf(Hook hook) { return (*asked_)[static_cast<std::size_t>(hook)]; }
  // The one among the `count` batches behind `asked`; null: none of them was late.
  const RecordedLateCall* Find(Hook hook, std::int64_t asked, std::int64_t count) const {
    for (const RecordedLateCall& call : record_->calls) {
      if (call.package == info().name && call.hook == HookName(hook) && call.place > asked &&
          call.place <= asked + count) {
        return &call;
      }
    }
    return nullptr;
  }

  std::shared_ptr<Policy> policy_;
  std::shared_ptr<Record> record_;
  mutable std::map<const Policy*, std::weak_ptr<Policy>> made_;  ///< the same one for the same one
  std::shared_ptr<Asked> asked_;  ///< in the running cycle, with whatever parameters
};

std::shared_ptr<Policy> LateCalls::Wrap(std::shared_ptr<Policy> policy) const {
  luajit::IgnoreTime(*policy);
  return std::make_shared<LatePolicy>(std::move(policy), record_,
                                      std::make_shared<LatePolicy::Asked>());
}

void LateCalls::End() {
  record_->calls.clear();
  record_->ended = true;
  for (const std::weak_ptr<Policy>& wrapped : record_->wrapped) {
    if (const std::shared_ptr<Policy> policy = wrapped.lock()) luajit::HeedTime(*policy);
  }
}

}  // namespace muster
