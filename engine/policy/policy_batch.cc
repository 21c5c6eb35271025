// Fills the rows. Names outlive a call, so a string is a view of one. Those that few rows share are
// interned; of workloads' names every one is new, and their queues repeat from row to row: looking
// for them among the others would cost more than the rest of the row.
#include "engine/policy/policy_batch.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/base/amount.h"
#include "engine/policy/policy_ticks.h"
#include "engine/quota/dominant_share.h"
#include "engine/state/account_key.h"
#include "engine/state/named_accounts.h"

namespace muster {
namespace {

double ToSeconds(TimeNs time) { return static_cast<double>(time) * 1e-9; }

double InNaturalUnits(std::string_view resource, Amount amount) {
  const auto value = static_cast<double>(amount);
  return resource == "cpu" ? value / 1000.0 : value;
}

/// Those without a name stand for fields of views.
std::size_t NamedAccounts(const PolicyInfo& info) {
  const auto unnamed = std::find_if(info.accounts.begin(), info.accounts.end(),
                                    [](const DeclaredAccount& a) { return a.name.empty(); });
  return std::min<std::size_t>(MUSTER_MAX_ACCOUNTS,
                               static_cast<std::size_t>(unnamed - info.accounts.begin()));
}

AccountRule LastAdmissionBy(AccountBy by) {
  AccountRule rule;
  rule.by = by;
  rule.of = AccountOf::kLastAdmission;
  return rule;
}

}  // namespace

bool IsGpu(std::string_view resource) { return resource.ends_with("/gpu"); }

Amount DemandOf(const WorkloadRecord& workload, ResourceId resource) {
  Amount demand = 0;
  for (const PodSetRequests& pod_set : workload.pod_sets) {
    for (const ResourceAmount& request : pod_set.per_pod) {
      if (request.resource != resource) continue;
      demand = Add(demand, Mul(request.amount, pod_set.effective_count));
    }
  }
  return demand;
}

ResourceColumns::ResourceColumns(const World& world) {
  for (const auto& [name, id] : world.queue_ids) {
    for (const ResourceGroupState& group : world.queue(id).groups) {
      for (const ResourceId resource : group.resources) Add(resource);
    }
  }
  for (const QuotaTree& tree : world.capacity.trees()) {
    for (const ResourceId resource : tree.resources()) Add(resource);
  }
}

void ResourceColumns::Add(ResourceId resource) {
  if (SlotOf(resource) >= 0 || ids_.size() == MUSTER_MAX_RESOURCES) return;
  if (resource.value >= slots_.size()) slots_.resize(resource.value + 1, -1);
  slots_[resource.value] = static_cast<int>(ids_.size());
  ids_.push_back(resource);
}

PolicyBatch::PolicyBatch(const World& world, const ResourceColumns& columns, const PolicyInfo& info,
                         Hook hook, std::int64_t cycle, Texts texts)
    : world_(world), columns_(columns), of_boost_(hook == Hook::kBoost), labels_(info.labels) {
  for (const HookInfo& declared : info.hooks) {
    if (declared.hook == hook) hook_ = &declared;
  }
  if (Reads("account")) accounts_ = std::span(info.accounts).first(NamedAccounts(info));
  for (const DeclaredAccount& declared : accounts_) {
    KnownAccount& known = known_accounts_.emplace_back();
    known.named = MayReadAccount(info, *hook_, declared);
    const auto account = world.accounts.all().find(declared.rule);
    if (account != world.accounts.all().end()) known.account = &account->second;
  }
  reads_last_admitted_ = Reads("last_admitted");
  reads_queue_ = hook != Hook::kShare && (Reads("share") || Reads("usage"));
  reads_queue_use_ =
      reads_queue_ || Reads("borrowed") || Reads("lendable") || Reads("native_share");
  names_evictions_ = Names("attempts") || Names("preemptions");
  names_max_run_ = Names("max_run");
  names_requests_ = MayRead("request") || MayRead("gpus") || MayRead("pods") || MayRead("podsets");
  names_queue_ = MayRead("queue");
  has_name_ = texts == Texts::kAll || MayRead("name");
  has_namespace_ = texts == Texts::kAll || MayRead("namespace");
  has_local_queue_ = texts == Texts::kAll || MayRead("local_queue");
  has_cluster_queue_ = texts == Texts::kAll || MayRead("cluster_queue");
  Intern("");
  for (const ResourceId resource : columns.ids()) {
    resource_names_.push_back(Intern(world.names.ResourceName(resource)));
  }
  batch_.resource_count = static_cast<unsigned int>(resource_names_.size());
  batch_.cycle = static_cast<double>(cycle);
  batch_.now = ToSeconds(hook_ == nullptr ? world.now : TimeFor(hook, *hook_, world.now));
  own_strings_ = strings_.size();
}

bool PolicyBatch::Reads(std::string_view input) const {
  return hook_ != nullptr && ReadsInput(*hook_, input);
}

bool PolicyBatch::Names(std::string_view field) const {
  return hook_ == nullptr || !hook_->fields ||
         std::find(hook_->fields->begin(), hook_->fields->end(), field) != hook_->fields->end();
}

bool PolicyBatch::MayRead(std::string_view field) const {
  return hook_ == nullptr || !hook_->named ||
         std::find(hook_->named->begin(), hook_->named->end(), field) != hook_->named->end();
}

// Rows are made zero all at once: each by itself would take longer than filling it.
void PolicyBatch::Clear() {
  if (rows_ > 0) std::memset(workloads_.data(), 0, rows_ * sizeof(muster_workload));
  rows_ = 0;
  holdings_.clear();
  nodes_.clear();
  flavors_.clear();
  domains_.clear();
  queues_.clear();
  queue_rows_.clear();
  strings_.resize(own_strings_);
  while (!few_.empty() && few_.back() >= own_strings_) few_.pop_back();
  std::erase_if(interned_, [&](const auto& entry) { return entry.second >= own_strings_; });
  namespace_.reset();
  local_queue_.reset();
  cluster_queue_.reset();
  batch_.queue = nullptr;
  batch_.subject = nullptr;
  for (KnownAccount& known : known_accounts_) known.asked = false;
  part_begins_.clear();
  part_queues_.clear();
  part_subjects_.clear();
}

const muster_batch& PolicyBatch::Get() {
  batch_.count =
      static_cast<unsigned int>(std::max({rows_, nodes_.size(), flavors_.size(), domains_.size()}));
  if (batch_.count == 0 && batch_.subject != nullptr) batch_.count = 1;
  batch_.workloads = rows_ == 0 ? nullptr : workloads_.data();
  batch_.holdings = holdings_.empty() ? nullptr : holdings_.data();
  batch_.nodes = nodes_.empty() ? nullptr : nodes_.data();
  batch_.flavors = flavors_.empty() ? nullptr : flavors_.data();
  batch_.domains = domains_.empty() ? nullptr : domains_.data();
  batch_.queues = queues_.empty() ? nullptr : queues_.data();
  batch_.strings = strings_.data();
  batch_.resources = resource_names_.data();
  return batch_;
}

std::span<const muster_batch> PolicyBatch::Parts() {
  Get();
  parts_.resize(part_begins_.size());
  const std::size_t items = rows_ + flavors_.size();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::size_t end = i + 1 < parts_.size() ? part_begins_[i + 1] : items;
    muster_batch& part = parts_[i];
    part = batch_;
    part.count = static_cast<unsigned int>(end - part_begins_[i]);
    if (rows_ > 0) part.workloads = workloads_.data() + part_begins_[i];
    if (rows_ == 0) part.flavors = flavors_.data() + part_begins_[i];
    if (rows_ == 0) part.subject = &part_subjects_[i];
    part.queue = names_queue_ ? &part_queues_[i] : &queue_;
  }
  return parts_;
}

void PolicyBatch::SetQueue(const ClusterQueueState& queue) {
  queue_ = {};
  Fill(world_.tree_of(queue), queue.node, reads_queue_use_, &queue_);
  batch_.queue = &queue_;
}

void PolicyBatch::BeginPart(const ClusterQueueState& queue) {
  part_begins_.push_back(rows_ + flavors_.size());
  if (!names_queue_) return;
  Fill(world_.tree_of(queue), queue.node, reads_queue_use_, &part_queues_.emplace_back());
}

bool PolicyBatch::AddNode(const QuotaTree& tree, NodeIndex n) {
  return Fill(tree, n, /*with_use=*/true, &nodes_.emplace_back());
}

void PolicyBatch::AddEntry(const WorkloadRecord& workload, std::int32_t borrowing_level) {
  AddWorkload(workload);
  workloads_[rows_ - 1].borrowing_level = borrowing_level;
}

void PolicyBatch::AddHolder(const WorkloadRecord& holder, QueueId preemptor) {
  AddWorkload(holder);
  holdings_.push_back(Holding(holder, preemptor));
}

void PolicyBatch::AddFlavor(const WorkloadRecord& workload, const ClusterQueueState& queue,
                            const ResourceGroupState& group, std::size_t index) {
  const FlavorOption& option = group.flavors[index];
  const QuotaTree& tree = world_.tree_of(queue);
  muster_flavor row = {};
  row.index = static_cast<double>(index);
  row.name = Intern(world_.names.FlavorName(option.id));
  for (std::size_t i = 0; i < group.resources.size(); ++i) {
    const Column column = tree.ColumnOf(option.pairs[i]);
    const Amount demand = DemandOf(workload, group.resources[i]);
    const double level = tree.LevelOf(queue.node, column, demand).level;
    if (demand > 0) row.borrowing_level = std::max(row.borrowing_level, level);
    const int slot = columns_.SlotOf(group.resources[i]);
    if (slot < 0) continue;
    const Amount free = std::max<Amount>(0, tree.Available(queue.node, column));
    row.free[slot] = InNaturalUnits(world_.names.ResourceName(group.resources[i]), free);
  }
  for (std::size_t i = 0; option.flavor != nullptr && i < labels_.size(); ++i) {
    const auto label = option.flavor->node_labels.find(labels_[i]);
    if (label != option.flavor->node_labels.end()) row.label[i] = Intern(label->second);
  }
  flavors_.push_back(row);
}

void PolicyBatch::AddDomain(const DomainRow& domain) {
  muster_domain row = {};
  row.depth = domain.depth;
  row.room = static_cast<double>(domain.room);
  row.hosts = static_cast<double>(domain.hosts);
  row.gpus = static_cast<double>(domain.gpus);
  row.free_gpus = static_cast<double>(domain.free_gpus);
  for (std::size_t i = 0; i < columns_.ids().size(); ++i) {
    const std::string& resource = world_.names.ResourceName(columns_.ids()[i]);
    row.total[i] = InNaturalUnits(resource, domain.total[i]);
    row.free[i] = InNaturalUnits(resource, domain.free[i]);
  }
  row.level = Intern(domain.level);
  row.name = Append(domain.name);
  for (std::size_t i = 0; i < labels_.size() && i < MUSTER_MAX_LABELS; ++i) {
    row.label[i] = Intern(domain.labels[i]);
    row.placed[i] = static_cast<double>(domain.placed[i]);
  }
  domains_.push_back(row);
}

void PolicyBatch::SetSubject(const WorkloadRecord& workload) {
  if (!part_begins_.empty()) return Fill(workload, &part_subjects_.emplace_back());
  subject_ = {};
  Fill(workload, &subject_);
  batch_.subject = &subject_;
}

unsigned int PolicyBatch::Append(std::string_view text) {
  strings_.push_back({text.data(), static_cast<unsigned int>(text.size())});
  return static_cast<unsigned int>(strings_.size()) - 1;
}

unsigned int PolicyBatch::Append(std::string_view text, std::optional<Repeated>* last) {
  if (!*last || (*last)->text != text) *last = Repeated{text, Append(text)};
  return (*last)->index;
}

// Most batches have a handful of strings: the first few are looked through one by one.
unsigned int PolicyBatch::Intern(std::string_view text) {
  constexpr std::size_t kFew = 12;
  for (const unsigned int index : few_) {
    if (text == std::string_view(strings_[index].data, strings_[index].size)) return index;
  }
  if (few_.size() < kFew) {
    few_.push_back(Append(text));
    return few_.back();
  }
  const auto known = interned_.find(text);
  return known != interned_.end() ? known->second
                                  : interned_.try_emplace(text, Append(text)).first->second;
}

void PolicyBatch::FillRequests(const WorkloadRecord& workload, muster_workload* row) const {
  row->podsets = static_cast<double>(workload.pod_sets.size());
  for (const PodSetRequests& pod_set : workload.pod_sets) {
    const double pods = pod_set.effective_count;
    row->pods += pods;
    for (const ResourceAmount& request : pod_set.per_pod) {
      const std::string& name = world_.names.ResourceName(request.resource);
      const double amount = InNaturalUnits(name, request.amount) * pods;
      if (IsGpu(name)) row->gpus += amount;
      const int slot = columns_.SlotOf(request.resource);
      if (slot >= 0) row->request[slot] += amount;
    }
  }
}

void PolicyBatch::Fill(const WorkloadRecord& workload, muster_workload* row) {
  row->priority = static_cast<double>(of_boost_ ? workload.key.priority : workload.priority());
  row->created = ToSeconds(workload.created());
  row->queued_at = ToSeconds(workload.key.timestamp);
  if (names_evictions_) {
    for (const EvictionCount& evictions : workload.spec.status.rare->evictions) {
      row->attempts += evictions.count;
      if (evictions.reason == "Preempted") row->preemptions += evictions.count;
    }
  }
  if (names_max_run_) {
    row->max_run = workload.series().max_execution_seconds
                       ? static_cast<double>(*workload.series().max_execution_seconds)
                       : std::numeric_limits<double>::infinity();
  }
  if (names_requests_) FillRequests(workload, row);
  if (has_name_) row->name = Append(workload.spec.key.name);
  if (has_namespace_) row->namespace_ = Append(workload.spec.key.ns, &namespace_);
  if (has_local_queue_) row->local_queue = Append(workload.spec.queue, &local_queue_);
  if (has_cluster_queue_ && workload.queue.valid()) {
    row->cluster_queue = Append(world_.queue(workload.queue).name(), &cluster_queue_);
  }
  const QueueId queue = workload.holds() ? workload.holds_in : workload.queue;
  if (reads_queue_ && queue.valid()) row->node = QueueRow(world_.queue(queue));
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    if (known_accounts_[i].named) row->account[i] = AccountAt(i, workload);
  }
  if (reads_last_admitted_) {
    const AccountRule rule = LastAdmissionBy(AccountBy::kLocalQueue);
    row->last_admitted = Account(rule, AccountKey(world_, workload, rule));
  }
  for (std::size_t i = 0; i < labels_.size() && i < MUSTER_MAX_LABELS; ++i) {
    const auto label = workload.series().labels.find(labels_[i]);
    if (label != workload.series().labels.end()) row->label[i] = Intern(label->second);
  }
}

double PolicyBatch::AccountAt(std::size_t i, const WorkloadRecord& workload) {
  const AccountRule& rule = accounts_[i].rule;
  const std::string_view key = AccountKeyIn(key_room_, world_, workload, rule);
  if (ahead_ != nullptr) return ahead_->Value(rule, key);
  KnownAccount& known = known_accounts_[i];
  if (known.account == nullptr) return 0;
  if (known.asked && known.key == key) return known.value;
  const auto balance = known.account->balances.find(key);
  known.value =
      balance == known.account->balances.end() ? 0 : balance->second.ValueAt(rule, world_.now);
  known.key = key;
  known.asked = true;
  return known.value;
}

unsigned int PolicyBatch::QueueRow(const ClusterQueueState& queue) {
  const auto [it, is_new] =
      queue_rows_.try_emplace(queue.id, static_cast<unsigned int>(queues_.size()));
  if (is_new) Fill(world_.tree_of(queue), queue.node, true, &queues_.emplace_back());
  return it->second;
}

// What a cohort has come to is what the ClusterQueues below it have.
double PolicyBatch::NodeAccount(const AccountRule& rule, const QuotaTree& tree, NodeIndex n) const {
  if (tree.node(n).queue.valid()) {
    return Account(rule, tree.node(n).name);
  }
  double value = 0;
  for (NodeIndex i = 0; i < tree.size(); ++i) {
    if (!tree.node(i).queue.valid()) continue;
    NodeIndex above = i;
    while (above != kNoNode && above != n) above = tree.node(above).parent;
    if (above != n) continue;
    const double one = Account(rule, tree.node(i).name);
    value = rule.of == AccountOf::kLastAdmission ? std::max(value, one) : value + one;
  }
  return value;
}

// One that was never dated counts as reserved now, as in the order of candidates.
muster_holding PolicyBatch::Holding(const WorkloadRecord& holder, QueueId preemptor) {
  muster_holding row = {};
  const ClusterQueueState& queue = world_.queue(holder.holds_in);
  const QuotaTree& tree = world_.tree_of(queue);
  row.reserved_at = ToSeconds(holder.reserved_at == kNoTime ? world_.now : holder.reserved_at);
  row.checkpointed = holder.checkpointed() == kNoTime ? 0 : ToSeconds(holder.checkpointed());
  row.same_queue = holder.holds_in == preemptor ? 1 : 0;
  for (const Usage& usage : holder.usage) {
    const ResourceId resource = world_.names.ResourceOf(usage.fr);
    const Column column = tree.ColumnOf(usage.fr);
    if (column != kNoColumn && tree.Borrowing(queue.node, column, 0)) row.borrowing = 1;
    const int slot = columns_.SlotOf(resource);
    if (slot < 0 || usage.amount <= 0) continue;
    row.uses[slot] += InNaturalUnits(world_.names.ResourceName(resource), usage.amount);
    row.flavor[slot] = Intern(world_.names.FlavorName(world_.names.FlavorOf(usage.fr)));
  }
  return row;
}

// Sums over flavors saturate like quotas do; the ratio is computed exactly as the native share is.
void PolicyBatch::FillUse(const QuotaTree& tree, NodeIndex n, ResourceId resource,
                          muster_node* row) const {
  const auto slot = static_cast<std::size_t>(columns_.SlotOf(resource));
  const std::string& name = world_.names.ResourceName(resource);
  Amount usage = 0;
  for (Column c = 0; c < tree.columns(); ++c) {
    if (tree.ColumnResource(c) == resource) usage = Add(usage, tree.cell(n, c).usage);
  }
  const Amount over = Overuse(tree, n, resource);
  const Amount lendable = tree.HasParent(n) ? tree.Lendable(tree.node(n).parent, resource) : 0;
  row->usage[slot] = InNaturalUnits(name, usage);
  row->borrowed[slot] = InNaturalUnits(name, over);
  row->lendable[slot] = InNaturalUnits(name, lendable);
  row->borrowed_ratio[slot] = OveruseRatio(over, lendable);
}

bool PolicyBatch::Fill(const QuotaTree& tree, NodeIndex n, bool with_use, muster_node* row) {
  bool complete = true;
  const QuotaNode& node = tree.node(n);
  row->is_cohort = node.queue.valid() ? 0 : 1;
  row->weight = node.weight;
  for (NodeIndex a = node.parent; a != kNoNode; a = tree.node(a).parent) row->depth += 1;
  if (with_use) row->native_share = ShareOf(tree, n).Value();
  row->name = Intern(node.name);
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    const AccountRule& rule = accounts_[i].rule;
    if (rule.by != AccountBy::kClusterQueue || !rule.also.empty()) continue;
    if (!known_accounts_[i].named) continue;
    row->account[i] = NodeAccount(rule, tree, n);
  }
  if (reads_last_admitted_) {
    row->last_admitted = NodeAccount(LastAdmissionBy(AccountBy::kClusterQueue), tree, n);
  }
  for (const ResourceId resource : tree.resources()) {
    const int slot = columns_.SlotOf(resource);
    complete = complete && slot >= 0;
    if (slot < 0) continue;
    Amount nominal = 0;
    for (Column c = 0; c < tree.columns(); ++c) {
      if (tree.ColumnResource(c) == resource) nominal = Add(nominal, tree.cell(n, c).nominal);
    }
    row->nominal[slot] = InNaturalUnits(world_.names.ResourceName(resource), nominal);
    if (with_use) FillUse(tree, n, resource, row);
  }
  return complete;
}

}  // namespace muster
