// Changes: what a call has changed, collected while it runs, for the journal.
//
// Every function that changes durable state says so here; what forgets is found by the test that
// compares the rows written with the whole state after every call. Nothing is collected without a
// journal.
#ifndef MUSTER_ENGINE_STATE_CHANGES_H_
#define MUSTER_ENGINE_STATE_CHANGES_H_

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/ids.h"
#include "muster/account.h"
#include "muster/journal.h"
#include "muster/object.h"

namespace muster {

struct Changes {
  bool recording = false;
  bool watching = false;  ///< `workloads` are collected also without a journal
  std::set<WorkloadId> workloads;
  std::set<Key> forgotten;                 ///< workloads that are gone
  std::set<std::string> forgotten_queues;  ///< keys of their rows
  std::set<QueueId> queues;
  std::set<LocalQueueId> local_queues;
  std::set<std::pair<ObjectKind, Key>> objects;
  std::set<AccountRule> accounts;
  std::set<std::pair<AccountRule, std::string>> balances;  ///< with their keys
  std::set<std::string> consumers;
  std::vector<std::int64_t> decisions;  ///< numbers of new ones, and of those that are forgotten
  std::vector<Event> events;

  void Touch(WorkloadId id) {
    if (recording || watching) workloads.insert(id);
  }
  void Touch(QueueId id) {
    if (recording) queues.insert(id);
  }
  void Touch(LocalQueueId id) {
    if (recording) local_queues.insert(id);
  }
  void Touch(ObjectKind kind, const Key& key) {
    if (recording) objects.insert({kind, key});
  }
  void Touch(const AccountRule& rule) {
    if (recording) accounts.insert(rule);
  }
  void TouchBalance(const AccountRule& rule, const std::string& key) {
    if (recording) balances.insert({rule, key});
  }
  void TouchConsumer(const std::string& name) {
    if (recording) consumers.insert(name);
  }
  void TouchDecision(std::int64_t number) {
    if (recording) decisions.push_back(number);
  }
  /// `payload` is called only while recording; it returns compact JSON.
  template <typename Payload>
  void Report(EventKind kind, const Key& workload, Payload payload, std::string policy = {}) {
    if (recording) events.push_back({kind, workload.ToString(), payload(), std::move(policy)});
  }
  void Report(EventKind kind, const Key& workload) {
    if (recording) events.push_back({kind, workload.ToString(), "{}", {}});
  }
  bool empty() const {
    return workloads.empty() && forgotten.empty() && forgotten_queues.empty() && queues.empty() &&
           local_queues.empty() && objects.empty() && accounts.empty() && balances.empty() &&
           consumers.empty() && decisions.empty() && events.empty();
  }
};

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_CHANGES_H_
