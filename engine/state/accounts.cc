// A charge remembers the key it was opened under: a label that changes later moves it at the next
// Charge, never in the middle.
//
// What is charged of a workload now is compared with what was, as a whole: so a call of Charge too
// many changes nothing.
#include "engine/state/accounts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/state/account_key.h"
#include "engine/state/world.h"

namespace muster {
namespace {

Amount HeldOf(const World& world, std::span<const Usage> usages, const AccountRule& rule) {
  Amount held = 0;
  for (const Usage& usage : usages) {
    if (world.names.ResourceName(world.names.ResourceOf(usage.fr)) == rule.resource) {
      held = Add(held, usage.amount);
    }
  }
  return held;
}

Amount HeldOf(const World& world, const WorkloadRecord& workload, const AccountRule& rule) {
  return HeldOf(world, workload.usage, rule);
}

/// One that is inactive has given its quota back before it is told to leave.
Amount EvictedOf(const World& world, const WorkloadRecord& workload, const AccountRule& rule) {
  const auto dormant = world.dormant.find(workload.id());
  return dormant == world.dormant.end() ? HeldOf(world, workload, rule)
                                        : HeldOf(world, std::as_const(dormant->second), rule);
}

std::string_view LabelOf(const WorkloadRecord& workload, const std::string& label) {
  const auto it = workload.series().labels.find(label);
  return it == workload.series().labels.end() ? std::string_view() : it->second;
}

bool Counts(const WorkloadRecord& workload, const AccountRule& rule) {
  return std::all_of(rule.where.begin(), rule.where.end(), [&](const auto& wanted) {
    return LabelOf(workload, wanted.first) == wanted.second;
  });
}

/// What the account has of the workload as long as it stays as it is.
Amount ChargeOf(const World& world, const WorkloadRecord& workload, const AccountRule& rule) {
  switch (rule.of) {
    case AccountOf::kResource:
    case AccountOf::kHeld:
      return workload.holds() && Counts(workload, rule) ? HeldOf(world, workload, rule) : 0;
    case AccountOf::kRunning:
      return workload.holds() && Counts(workload, rule) ? 1 : 0;
    case AccountOf::kPending:
      return PhaseOf(workload) == WorkloadPhase::kPending && Counts(workload, rule) ? 1 : 0;
    default:
      return 0;
  }
}

/// In `room` where it is not there already.
std::string_view PartOfKey(const World& world, const WorkloadRecord& workload, AccountBy by,
                           const std::string& label, std::string& room) {
  switch (by) {
    case AccountBy::kLocalQueue:
      room.assign(workload.spec.key.ns).append("/").append(std::string_view(workload.spec.queue));
      return room;
    case AccountBy::kClusterQueue: {
      const QueueId queue = workload.holds() ? workload.holds_in : workload.queue;
      return queue.valid() ? std::string_view(world.queue(queue).name()) : std::string_view();
    }
    case AccountBy::kNamespace:
      return workload.spec.key.ns;
    case AccountBy::kLabel:
      return LabelOf(workload, label);
    case AccountBy::kUser: {
      static const std::string user = kUserLabel;
      return LabelOf(workload, user);
    }
  }
  return {};
}

void AppendEscaped(std::string_view part, std::string& key) {
  for (const char c : part) {
    if (c == '\\' || c == ',') key.push_back('\\');
    key.push_back(c);
  }
}

}  // namespace

std::string_view AccountKeyIn(std::string& room, const World& world, const WorkloadRecord& workload,
                              const AccountRule& rule) {
  if (rule.also.empty()) return PartOfKey(world, workload, rule.by, rule.label, room);
  std::string key, part;
  AppendEscaped(PartOfKey(world, workload, rule.by, rule.label, part), key);
  for (const AccountKeyPart& also : rule.also) {
    key.push_back(',');
    AppendEscaped(PartOfKey(world, workload, also.by, also.label, part), key);
  }
  room = std::move(key);
  return room;
}

std::string AccountKey(const World& world, const WorkloadRecord& workload,
                       const AccountRule& rule) {
  std::string room;
  return std::string(AccountKeyIn(room, world, workload, rule));
}

namespace {

/// Whether what the workload is charged is what it should be.
bool IsCharged(const World& world, const WorkloadRecord& workload, const auto& accounts,
               const auto& charges) {
  std::string room;
  auto next = charges.begin();
  for (const auto& [rule, account] : accounts) {
    const Amount amount = ChargeOf(world, workload, rule);
    if (amount <= 0) continue;
    if (next == charges.end() || next->account != &account || next->amount != amount ||
        next->key != AccountKeyIn(room, world, workload, rule)) {
      return false;
    }
    ++next;
  }
  return next == charges.end();
}

}  // namespace

std::string AccountKey(const World& world, const WorkloadRecord& workload,
                       std::span<const AccountKeyPart> parts) {
  AccountRule rule;
  rule.by = parts.front().by;
  rule.label = parts.front().label;
  rule.also.assign(parts.begin() + 1, parts.end());
  return AccountKey(world, workload, rule);
}

bool ChangesWithTime(const AccountRule& rule) {
  return rule.of == AccountOf::kResource || rule.over != AccountOver::kNothing;
}

double AddedByAdmission(const World& world, const WorkloadRecord& workload,
                        std::span<const Usage> usage, const AccountRule& rule) {
  if (!Counts(workload, rule)) return 0;
  switch (rule.of) {
    case AccountOf::kRunning:
    case AccountOf::kAdmitted:
    case AccountOf::kAdmissions:
      return 1;
    case AccountOf::kPending:
      return -1;
    case AccountOf::kHeld:
      return InNaturalUnits(rule, HeldOf(world, usage, rule));
    default:
      return 0;
  }
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
  for (const WorkloadId id : world.WorkloadsByName()) Charge(world, world.workload(id));
}

// Charges point into the account: those of its holders go with it.
void Accounts::Drop(World& world, const AccountRule& rule) {
  Account& account = accounts_.at(rule);
  for (const WorkloadId id : world.WorkloadsByName()) {
    const auto open = open_.find(id.slot().value);
    if (open == open_.end()) continue;
    std::erase_if(open->second, [&](const Open& charge) { return charge.account == &account; });
  }
  if (!rule.IsOfNow()) {
    for (const auto& [key, balance] : account.balances) world.changes.TouchBalance(rule, key);
  }
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
  ++account.version;
  return balance;
}

void Accounts::Move(World& world, const Open& charge, Amount amount) {
  Account& account = *charge.account;
  if (!account.rule.IsOfNow()) {
    Settled(world, account, charge.key).rate += amount;
    return;
  }
  ++account.version;
  const auto balance = account.balances.try_emplace(charge.key).first;
  balance->second.rate += amount;
  if (balance->second.rate == 0) account.balances.erase(balance);
}

std::vector<Accounts::Open> Accounts::ChargesOf(const World& world,
                                                const WorkloadRecord& workload) {
  std::vector<Open> charges;
  for (auto& [rule, account] : accounts_) {
    const Amount amount = ChargeOf(world, workload, rule);
    if (amount > 0) charges.push_back({&account, AccountKey(world, workload, rule), amount});
  }
  return charges;
}

void Accounts::Charge(World& world, const WorkloadRecord& workload) {
  if (accounts_.empty()) return;
  const auto open = open_.find(workload.id().slot().value);
  if (open == open_.end() ? IsCharged(world, workload, accounts_, std::span<const Open>())
                          : IsCharged(world, workload, accounts_, std::span(open->second))) {
    return;
  }
  std::vector<Open> charges = ChargesOf(world, workload);
  Release(world, workload);
  for (const Open& charge : charges) Move(world, charge, charge.amount);
  if (!charges.empty()) open_[workload.id().slot().value] = std::move(charges);
}

void Accounts::Release(World& world, const WorkloadRecord& workload) {
  const auto open = open_.find(workload.id().slot().value);
  if (open == open_.end()) return;
  for (const Open& charge : open->second) Move(world, charge, -charge.amount);
  open_.erase(open);
}

void Accounts::Count(World& world, const WorkloadRecord& workload, AccountOf of) {
  for (auto& [rule, account] : accounts_) {
    if (rule.of != of || !Counts(workload, rule)) continue;
    const Amount amount = rule.resource.empty() ? 1 : EvictedOf(world, workload, rule);
    if (amount <= 0) continue;
    Settled(world, account, AccountKey(world, workload, rule)).Add(rule, amount, world.now);
  }
}

void Accounts::Admit(World& world, const WorkloadRecord& workload) {
  Count(world, workload, AccountOf::kAdmitted);
  for (auto& [rule, account] : accounts_) {
    if (!Counts(workload, rule)) continue;
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
    if (!Counts(whose, rule)) continue;
    Settled(world, account, AccountKey(world, whose, rule)).Add(rule, held * hours);
  }
}

double Accounts::Value(const AccountRule& rule, std::string_view key, TimeNs now) const {
  const auto account = accounts_.find(rule);
  if (account == accounts_.end()) return 0;
  const auto balance = account->second.balances.find(key);
  return balance == account->second.balances.end() ? 0 : balance->second.ValueAt(rule, now);
}

std::uint64_t Accounts::Version(const AccountRule& rule) const {
  const auto account = accounts_.find(rule);
  return account == accounts_.end() ? 0 : account->second.version;
}

void Accounts::ChargeRestored(const World& world, const WorkloadRecord& workload) {
  if (accounts_.empty()) return;
  std::vector<Open> charges = ChargesOf(world, workload);
  for (const Open& charge : charges) charge.account->balances[charge.key].rate += charge.amount;
  if (!charges.empty()) open_[workload.id().slot().value] = std::move(charges);
}

}  // namespace muster
