// PolicyBatch: what a policy hook is called over, as rows of plain numbers and strings.
//
// Rows are copies: the world may change while the batch lives, the batch does not. Units are those
// of the policy API: seconds, cores, bytes, devices. What a hook has not declared that it reads,
// and takes work or cold memory to find out, stays 0.
#ifndef MUSTER_ENGINE_POLICY_POLICY_BATCH_H_
#define MUSTER_ENGINE_POLICY_POLICY_BATCH_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/state/accounts_ahead.h"
#include "engine/state/world.h"
#include "muster/batch_abi.h"

namespace muster {

/// Which resources the rows have columns for: those that some queue or cohort has quota for, the
/// first MUSTER_MAX_RESOURCES of them by the name of the queue.
class ResourceColumns {
 public:
  ResourceColumns() = default;
  explicit ResourceColumns(const World& world);  ///< O(queues)
  std::span<const ResourceId> ids() const { return ids_; }
  /// -1: it has none. O(1).
  int SlotOf(ResourceId resource) const {
    return resource.value < slots_.size() ? slots_[resource.value] : -1;
  }
  bool operator==(const ResourceColumns&) const = default;

 private:
  void Add(ResourceId resource);
  std::vector<ResourceId> ids_;
  std::vector<int> slots_;
};

/// A topology domain as a row has it. The texts must outlive the batch.
struct DomainRow {
  std::string_view level;
  std::string_view name;
  double depth = 0;
  std::int64_t room = 0;
  std::int64_t hosts = 0;
  Amount gpus = 0;
  Amount free_gpus = 0;
  std::array<Amount, MUSTER_MAX_RESOURCES> total = {};  ///< by column
  std::array<Amount, MUSTER_MAX_RESOURCES> free = {};
  std::array<std::string_view, MUSTER_MAX_LABELS> labels = {};  ///< by declared label
  std::array<std::int64_t, MUSTER_MAX_LABELS> placed = {};      ///< likewise
};

/// Whether amounts of the resource count as GPUs.
bool IsGpu(std::string_view resource);

/// What all podsets of the workload ask for together.
Amount DemandOf(const WorkloadRecord& workload, ResourceId resource);

class PolicyBatch {
 public:
  /// Which texts of a workload its row has. A failure is told with names; where there is to be
  /// none, what the hook names is enough.
  enum class Texts { kAll, kNamed };

  /// Empty, for a call of `hook` in the `cycle`-th cycle. World, columns and info must outlive it.
  PolicyBatch(const World& world, const ResourceColumns& columns, const PolicyInfo& info, Hook hook,
              std::int64_t cycle, Texts texts = Texts::kAll);
  PolicyBatch(const PolicyBatch&) = delete;
  PolicyBatch& operator=(const PolicyBatch&) = delete;

  /// Accounts are read there from here on; it must outlive this.
  void SetAhead(const AccountsAhead& ahead) { ahead_ = &ahead; }
  /// Empty again, for another call of the same hook in the same cycle: keeps its memory and what
  /// every batch of them begins with.
  void Clear();
  /// The ClusterQueue whose batch it is.
  void SetQueue(const ClusterQueueState& queue);
  /// Items added from here on are a batch of their own, that of `queue`; see Parts().
  void BeginPart(const ClusterQueueState& queue);
  void AddWorkload(const WorkloadRecord& workload) {
    if (rows_ == workloads_.size()) workloads_.emplace_back();
    Fill(workload, &workloads_[rows_++]);
  }
  /// A head with the borrowing level of its nomination.
  void AddEntry(const WorkloadRecord& workload, std::int32_t borrowing_level);
  /// A holder of quota; `preemptor` is the queue that wants it.
  void AddHolder(const WorkloadRecord& holder, QueueId preemptor);
  /// Flavor `index` of a group that `queue` offers, for `workload`.
  void AddFlavor(const WorkloadRecord& workload, const ClusterQueueState& queue,
                 const ResourceGroupState& group, std::size_t index);
  void AddDomain(const DomainRow& domain);
  /// The preemptor, or the workload that flavors or domains are for; of the part that was begun
  /// last. With no items added the batch is about it alone.
  void SetSubject(const WorkloadRecord& workload);
  /// The node as it is now. False when it has quota for a resource without a column.
  bool AddNode(const QuotaTree& tree, NodeIndex n);

  /// The batch over everything added; valid until the next change of this object.
  const muster_batch& Get();
  /// The same for each part. Precondition: every one has workloads and nothing else, or every one
  /// has flavors and a subject.
  std::span<const muster_batch> Parts();

 private:
  /// A text as row after row has it, at its index.
  struct Repeated {
    std::string_view text;
    unsigned int index = 0;
  };
  unsigned int Append(std::string_view text);
  unsigned int Append(std::string_view text, std::optional<Repeated>* last);
  unsigned int Intern(std::string_view text);
  bool Reads(std::string_view input) const;
  bool Names(std::string_view field) const;
  bool MayRead(std::string_view field) const;
  /// These fill rows of zeros, where they stay: a row is some hundred bytes.
  void Fill(const WorkloadRecord& workload, muster_workload* row);
  void FillRequests(const WorkloadRecord& workload, muster_workload* row) const;
  muster_holding Holding(const WorkloadRecord& holder, QueueId preemptor);
  /// False when the node has quota for a resource without a column.
  bool Fill(const QuotaTree& tree, NodeIndex n, bool with_use, muster_node* row);
  void FillUse(const QuotaTree& tree, NodeIndex n, ResourceId resource, muster_node* row) const;
  unsigned int QueueRow(const ClusterQueueState& queue);
  double Account(const AccountRule& rule, std::string_view key) const {
    return ahead_ != nullptr ? ahead_->Value(rule, key)
                             : world_.accounts.Value(rule, key, world_.now);
  }
  /// What the i-th account of the package says about the workload.
  double AccountAt(std::size_t i, const WorkloadRecord& workload);
  double NodeAccount(const AccountRule& rule, const QuotaTree& tree, NodeIndex n) const;

  const World& world_;
  const ResourceColumns& columns_;
  const bool of_boost_;  ///< which is asked about priorities without boosts
  std::span<const std::string> labels_;
  const AccountsAhead* ahead_ = nullptr;  ///< null: accounts as they are
  const HookInfo* hook_ = nullptr;        ///< null: not declared
  /// An account as row after row asks for it: neighbours mostly have the same key.
  struct KnownAccount {
    bool named = false;                        ///< the hook may read it
    const muster::Account* account = nullptr;  ///< null: nothing was charged yet
    bool asked = false;
    std::string key;  ///< asked for last, and what it said
    double value = 0;
  };
  std::span<const DeclaredAccount> accounts_;  ///< that the hook reads
  std::vector<KnownAccount> known_accounts_;   ///< likewise
  std::string key_room_;
  bool reads_last_admitted_ = false;
  bool reads_queue_ = false;      ///< the queues of its workloads
  bool reads_queue_use_ = false;  ///< more of a queue than its spec
  bool names_evictions_ = false;
  bool names_max_run_ = false;
  bool names_requests_ = false;  ///< or what is counted along with them
  bool names_queue_ = false;     ///< the ClusterQueue whose batch it is
  bool has_name_ = false;        ///< a workload's row has its name; likewise the others
  bool has_namespace_ = false;
  bool has_local_queue_ = false;
  bool has_cluster_queue_ = false;
  std::map<std::string_view, unsigned int> interned_;  ///< beyond the first few
  std::vector<unsigned int> few_;                      ///< the first that were interned
  std::vector<muster_string> strings_;
  std::size_t own_strings_ = 0;  ///< those that every batch begins with
  std::optional<Repeated> namespace_, local_queue_, cluster_queue_;
  std::vector<unsigned int> resource_names_;
  std::vector<muster_workload> workloads_;  ///< those behind the first rows_ are zeros
  std::size_t rows_ = 0;
  std::vector<muster_holding> holdings_;
  std::vector<muster_node> nodes_;
  std::vector<muster_flavor> flavors_;
  std::vector<muster_domain> domains_;
  std::vector<muster_node> queues_;
  std::map<QueueId, unsigned int> queue_rows_;
  muster_workload subject_ = {};
  muster_node queue_ = {};
  muster_batch batch_ = {};
  std::vector<std::size_t> part_begins_;  ///< the first workload or flavor of each
  std::vector<muster_node> part_queues_;  ///< if they are named
  std::vector<muster_workload> part_subjects_;
  std::vector<muster_batch> parts_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_POLICY_BATCH_H_
