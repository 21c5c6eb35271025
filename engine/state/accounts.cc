// A charge remembers the key it was opened under: a label that changes later moves it at the next
// Charge, never in the middle.
#include "engine/state/accounts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/state/world.h"

namespace muster {
namespace {

Amount HeldOf(const World& world, const WorkloadRecord& workload, const AccountRule& rule) {
  Amount held = 0;
  for (const Usage& usage : workload.usage) {
    if (world.names.ResourceName(world.names.ResourceOf(usage.fr)) == rule.resource) {
      held = Add(held, usage.amount);
    }
  }
  return held;
}

std::string LabelOf(const WorkloadRecord& workload, const std::string& label) {
  const auto it = workload.series().labels.find(label);
  return it == workload.series().labels.end() ? std::string() : it->second;
}

}  // namespace

std::string AccountKey(const World& world, const WorkloadRecord& workload,
                       const AccountRule& rule) {
  switch (rule.by) {
    case AccountBy::kLocalQueue:
      return workload.spec.key.ns + "/" + workload.spec.queue;
    case AccountBy::kClusterQueue: {
      const QueueId queue = workload.holds() ? workload.holds_in : workload.queue;
      return queue.valid() ? world.queue(queue).name() : std::string();
    }
    case AccountBy::kNamespace:
      return workload.spec.key.ns;
    case AccountBy::kLabel:
      return LabelOf(workload, rule.label);
    case AccountBy::kUser:
      return LabelOf(workload, kUserLabel);
  }
  return {};
}

Status Accounts::Check(std::span<const AccountRule> rules) {
  const std::set<AccountRule> distinct(rules.begin(), rules.end());
  if (distinct.size() <= kMost) return Status::Ok();
  return Status(StatusCode::kFailedPrecondition,
                "the active packages declare " + std::to_string(distinct.size()) +
                    " accounts; at most " + std::to_string(kMost) + " are kept");
}

void Accounts::MarkDeclared(std::span<const AccountRule> rules) {
  for (auto& [rule, account] : accounts_) {
    account.declared = std::find(rules.begin(), rules.end(), rule) != rules.end();
  }
}

void Accounts::Declare(World& world, std::span<const AccountRule> rules) {
  std::vector<Account*> fresh;
  for (const AccountRule& rule : rules) {
    const auto [it, is_new] = accounts_.try_emplace(rule);
    it->second.rule = rule;
    it->second.declared_at = world.now;
    world.changes.Touch(rule);
    if (is_new) fresh.push_back(&it->second);
  }
  MarkDeclared(rules);
  while (accounts_.size() > kMost) {
    const auto oldest =
        std::min_element(accounts_.begin(), accounts_.end(), [](const auto& a, const auto& b) {
          return std::pair(a.second.declared, a.second.declared_at) <
                 std::pair(b.second.declared, b.second.declared_at);
        });
    Drop(world, AccountRule(oldest->first));
  }
  if (fresh.empty()) return;
  for (const WorkloadId id : world.WorkloadsByName()) {
    if (world.workload(id).holds()) Charge(world, world.workload(id));
  }
}

// Charges point into the account: those of its holders go with it.
void Accounts::Drop(World& world, const AccountRule& rule) {
  Account& account = accounts_.at(rule);
  for (const WorkloadId id : world.WorkloadsByName()) {
    const auto open = open_.find(id.slot().value);
    if (open == open_.end()) continue;
    std::erase_if(open->second, [&](const Open& charge) { return charge.account == &account; });
  }
  for (const auto& [key, balance] : account.balances) world.changes.TouchBalance(rule, key);
  world.changes.Touch(rule);
  accounts_.erase(rule);
}

// By the end of the period and not by the time of the call: which of the calls after it looks first
// makes no difference.
void Accounts::ForgetEmpty(World& world, TimeNs before) {
  if (before == kNoTime || before >= world.now) return;
  for (auto& [rule, account] : accounts_) {
    const TimeNs end = PeriodEndBefore(rule, world.now);
    if (end == kNoTime || end <= before) continue;
    std::erase_if(account.balances, [&, &its_rule = rule](const auto& entry) {
      const AccountBalance& balance = entry.second;
      const bool over =
          balance.rate == 0 && balance.at <= end && balance.ValueAt(its_rule, end) == 0;
      if (over) world.changes.TouchBalance(its_rule, entry.first);
      return over;
    });
  }
}

AccountBalance& Accounts::Settled(World& world, Account& account, const std::string& key) {
  AccountBalance& balance = account.balances[key];
  if (balance.at == kNoTime) balance.at = world.now;
  balance.Settle(account.rule, world.now);
  world.changes.TouchBalance(account.rule, key);
  return balance;
}

std::vector<Accounts::Open> Accounts::ChargesOf(const World& world,
                                                const WorkloadRecord& workload) {
  std::vector<Open> charges;
  for (auto& [rule, account] : accounts_) {
    if (rule.of != AccountOf::kResource) continue;
    const Amount amount = HeldOf(world, workload, rule);
    if (amount > 0) charges.push_back({&account, AccountKey(world, workload, rule), amount});
  }
  return charges;
}

void Accounts::Charge(World& world, const WorkloadRecord& workload) {
  if (accounts_.empty()) return;
  std::vector<Open> charges = ChargesOf(world, workload);
  const auto open = open_.find(workload.id().slot().value);
  if (open == open_.end() ? charges.empty() : open->second == charges) return;
  Release(world, workload);
  for (const Open& charge : charges) {
    Settled(world, *charge.account, charge.key).rate += charge.amount;
  }
  if (!charges.empty()) open_[workload.id().slot().value] = std::move(charges);
}

void Accounts::Release(World& world, const WorkloadRecord& workload) {
  const auto open = open_.find(workload.id().slot().value);
  if (open == open_.end()) return;
  for (const Open& charge : open->second) {
    Settled(world, *charge.account, charge.key).rate -= charge.amount;
  }
  open_.erase(open);
}

void Accounts::Admit(World& world, const WorkloadRecord& workload) {
  for (auto& [rule, account] : accounts_) {
    if (rule.of == AccountOf::kAdmissions) {
      Settled(world, account, AccountKey(world, workload, rule)).Add(rule, 1);
    } else if (rule.of == AccountOf::kLastAdmission) {
      Settled(world, account, AccountKey(world, workload, rule)).total =
          static_cast<double>(world.now) * 1e-9;
    }
  }
}

void Accounts::Preempt(World& world, const WorkloadRecord& victim,
                       const WorkloadRecord& preemptor) {
  for (auto& [rule, account] : accounts_) {
    const bool counts = rule.of == AccountOf::kPreempted || rule.of == AccountOf::kLost;
    if (!counts || victim.reserved_at == kNoTime) continue;
    const double held = InNaturalUnits(rule, HeldOf(world, victim, rule));
    const TimeNs saved = std::max(victim.reserved_at, victim.checkpointed());
    const double hours = static_cast<double>(world.now - saved) / kNsPerHour;
    if (held <= 0 || hours <= 0) continue;
    const WorkloadRecord& whose = rule.of == AccountOf::kLost ? victim : preemptor;
    Settled(world, account, AccountKey(world, whose, rule)).Add(rule, held * hours);
  }
}

double Accounts::Value(const AccountRule& rule, std::string_view key, TimeNs now) const {
  const auto account = accounts_.find(rule);
  if (account == accounts_.end()) return 0;
  const auto balance = account->second.balances.find(key);
  return balance == account->second.balances.end() ? 0 : balance->second.ValueAt(rule, now);
}

void Accounts::ChargeRestored(const World& world, const WorkloadRecord& workload) {
  if (accounts_.empty()) return;
  std::vector<Open> charges = ChargesOf(world, workload);
  for (const Open& charge : charges) charge.account->balances[charge.key].rate += charge.amount;
  if (!charges.empty()) open_[workload.id().slot().value] = std::move(charges);
}

}  // namespace muster
