// Calls, and what the host checks after each: nothing a policy answers is believed.
#include "bindings/luajit/lua_policy.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "bindings/luajit/wrong_answer.h"

namespace muster::luajit {
namespace {

std::string TextOf(const muster_batch& batch, unsigned int index) {
  return std::string(batch.strings[index].data, batch.strings[index].size);
}

std::string NameOf(const muster_batch& batch, const muster_workload& workload) {
  return TextOf(batch, workload.namespace_) + "/" + TextOf(batch, workload.name);
}

// " of team-a/job-1": what the hook was looking at; empty when it had not begun.
std::string Asked(const muster_batch& batch, std::int64_t item) {
  const bool begun = item >= 0 && item < std::int64_t{batch.count};
  if (begun && batch.nodes != nullptr) return " of " + TextOf(batch, batch.nodes[item].name);
  if (begun && batch.domains != nullptr) {
    return " of " + TextOf(batch, batch.domains[item].name) + " for " +
           NameOf(batch, *batch.subject);
  }
  if (begun && batch.flavors != nullptr) {
    return " of " + TextOf(batch, batch.flavors[item].name) + " for " +
           NameOf(batch, *batch.subject);
  }
  if (begun && batch.workloads != nullptr) return " of " + NameOf(batch, batch.workloads[item]);
  return batch.subject != nullptr ? " of " + NameOf(batch, *batch.subject) : "";
}

/// Seconds charged for a row of such a batch: what the engine does with it in a search, which is
/// more than most answers take. Searches may ask these two about everything again.
double RowSeconds(Hook hook) {
  switch (hook) {
    case Hook::kVictim:
      return 250e-9;
    case Hook::kShare:
      return 2.5e-6;
    default:
      return 0;
  }
}

/// Whether a cycle asks about many batches of the hook, each of a few items.
bool AsksEach(Hook hook) {
  return hook == Hook::kQueueOrder || hook == Hook::kHold || hook == Hook::kBoost ||
         hook == Hook::kFlavorOrder;
}

/// Whether it can be meant as limit `key` of a preemption: victims are whole, costs are not.
bool IsLimit(std::size_t key, double answer) {
  return answer >= 0 && (key > 0 || std::trunc(answer) == answer);
}

}  // namespace

// "policies/x/policy.lua:12: text (queue_order of team-a/job-1)".
HookOutcome LuaPolicy::Fail(Hook hook, const CallError& error, const muster_batch& batch,
                            std::int64_t item) const {
  HookOutcome outcome;
  outcome.ok = false;
  outcome.fuel = state_->fuel_used();
  outcome.item = item;
  outcome.message = file_ + ":" + std::to_string(error.line > 0 ? error.line : defined(hook).line) +
                    ": " + error.text + " (" + std::string(HookName(hook)) + Asked(batch, item) +
                    ")";
  return outcome;
}

bool LuaPolicy::Accepts(Hook hook, double answer) const {
  return !options_.checked_keys || MayAnswer(hook, answer);
}

std::optional<std::pair<std::size_t, CallError>> LuaPolicy::FirstRefused(
    Hook hook, std::span<const double> answers, bool is_new) const {
  const auto width = static_cast<std::size_t>(defined(hook).keys);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const bool spends = hook == Hook::kVictim && width == 3 && i % width == 1;
    if (spends && !(answers[i] >= 0 && std::isfinite(answers[i]))) {
      return std::pair(i / width, CallError{"victim returned what no eviction can spend; return a "
                                            "number of 0 or more as the second one",
                                            defined(hook).line});
    }
    const bool sound = !is_new || hook != Hook::kPreemptLimits || IsLimit(i, answers[i]);
    if (sound && Accepts(hook, answers[i])) continue;
    return std::pair(i / width,
                     CallError{WrongAnswer(hook, i % width, answers[i]), defined(hook).line});
  }
  return std::nullopt;
}

HookOutcome LuaPolicy::Call(Hook hook, const muster_batch& batch, std::span<double> answers) {
  HookOutcome outcome;
  const auto width = static_cast<std::size_t>(defined(hook).keys);
  if (width == 0) {
    outcome.ok = false;
    outcome.message = file_ + ": the package does not define " + std::string(HookName(hook));
    return outcome;
  }
  if (answers.size() != batch.count * width || batch.resource_count > MUSTER_MAX_RESOURCES) {
    outcome.ok = false;
    outcome.message = file_ + ": the batch does not fit its keys or has too many resources";
    return outcome;
  }
  const std::int64_t place = time_->Count(hook, 1);
  if (batch.count == 0) return outcome;
  time_->Add(RowSeconds(hook) * batch.count);
  if (auto error = state_->Ask(hook, batch, answers.data(), false)) {
    if (state_->late() && hook == Hook::kVictim) {
      error->text += ", and for fewer: while it reads nothing of p, all that preempt share answers";
    }
    HookOutcome failed = Fail(hook, *error, batch, state_->item());
    if (state_->late()) failed.late = place;
    return failed;
  }
  outcome.fuel = state_->fuel_used();
  if (const auto refused = FirstRefused(hook, answers, false)) {
    return Fail(hook, refused->second, batch, static_cast<std::int64_t>(refused->first));
  }
  if (hook == Hook::kHold) {
    if (const auto error = FindReasons(answers, outcome.reasons)) {
      HookOutcome failed = Fail(hook, *error, batch, -1);
      if (state_->late()) failed.late = place;
      return failed;
    }
  }
  return outcome;
}

// Most batches have none.
std::optional<CallError> LuaPolicy::FindReasons(std::span<const double> answers,
                                                std::vector<std::string>& reasons) const {
  for (std::size_t i = 0; i < answers.size(); i += 2) {
    if (answers[i] != 0) return state_->Reasons(reasons);
  }
  return std::nullopt;
}

bool LuaPolicy::CallEach(Hook hook, std::span<const muster_batch> batches,
                         std::span<double> answers, std::span<std::int64_t> fuel) {
  const auto width = static_cast<std::size_t>(defined(hook).keys);
  if (!AsksEach(hook) || width == 0 || batches.empty()) return false;
  if (fuel.size() != batches.size() || batches[0].resource_count > MUSTER_MAX_RESOURCES) {
    return false;
  }
  std::size_t items = 0;
  for (const muster_batch& batch : batches) {
    if (batch.count == 0 || batch.strings != batches[0].strings ||
        batch.resources != batches[0].resources) {
      return false;
    }
    items += batch.count;
  }
  const bool asked = answers.size() == items * width &&
                     state_->AskEach(hook, batches, answers.data(), fuel, false) &&
                     std::all_of(answers.begin(), answers.end(),
                                 [&](double answer) { return Accepts(hook, answer); });
  if (asked) time_->Count(hook, static_cast<std::int64_t>(batches.size()));
  return asked;
}

HookOutcome LuaPolicy::Submit(const muster_batch& batch, SubmitAnswer* answer) {
  HookOutcome outcome;
  SubmitAnswer said;
  if (const auto error = state_->Submit(batch, said, false)) {
    return Fail(Hook::kSubmit, *error, batch, -1);
  }
  outcome.fuel = state_->fuel_used();
  *answer = std::move(said);
  return outcome;
}

Result<std::shared_ptr<Policy>> LuaPolicy::WithParams(const PolicyParams& params) const {
  if (std::shared_ptr<Policy> made = made_[params].lock()) return made;
  ParamTexts all = params;
  all.insert(params_.begin(), params_.end());
  const LoadedPackage loaded = Load(source_, all);
  if (loaded.policy == nullptr) {
    // The mistake is where the parameters are written, not where the package declares them.
    const PackageProblem& first = loaded.problems.front();
    return Status(StatusCode::kInvalidArgument, "package " + info_.name + ": " + first.what +
                                                    (first.cure.empty() ? "" : "; " + first.cure));
  }
  loaded.policy->info_.hash = info_.hash;
  loaded.policy->ShareTime(time_);
  made_[params] = loaded.policy;
  return std::shared_ptr<Policy>(loaded.policy);
}

}  // namespace muster::luajit
