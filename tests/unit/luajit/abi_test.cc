// The batch as C++ lays it out and as LuaJIT's ffi understands the same text.
#include <gtest/gtest.h>

#include <cstddef>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

// Evaluates Lua expressions with the trusted ffi in scope; one key each.
double Evaluate(const std::string& expression) {
  SandboxOptions open;
  open.source_rules = open.allow_list = false;
  PolicyBatch batch(1);
  std::vector<double> keys;
  const HookOutcome outcome =
      Order(OrderOf("return " + expression, "local ffi = require('ffi') "), batch, &keys, open);
  EXPECT_TRUE(outcome.ok) << expression << ": " << outcome.message;
  return keys.at(0);
}

double OffsetInLua(const std::string& type, const std::string& member) {
  return Evaluate("ffi.offsetof('" + type + "', '" + member + "')");
}

#define EXPECT_SAME_OFFSET(type, member) \
  EXPECT_EQ(OffsetInLua(#type, #member), static_cast<double>(offsetof(type, member)))
#define EXPECT_SAME_SIZE(type) \
  EXPECT_EQ(Evaluate("ffi.sizeof('" #type "')"), static_cast<double>(sizeof(type)))

TEST(BatchAbi, SizesAreTheSameOnBothSides) {
  EXPECT_SAME_SIZE(muster_string);
  EXPECT_SAME_SIZE(muster_workload);
  EXPECT_SAME_SIZE(muster_holding);
  EXPECT_SAME_SIZE(muster_node);
  EXPECT_SAME_SIZE(muster_flavor);
  EXPECT_SAME_SIZE(muster_batch);
  EXPECT_SAME_SIZE(muster_call);
  EXPECT_SAME_SIZE(muster_fuel);
}

TEST(BatchAbi, MembersOfAWorkloadAreAtTheSameOffsets) {
  EXPECT_SAME_OFFSET(muster_workload, priority);
  EXPECT_SAME_OFFSET(muster_workload, created);
  EXPECT_SAME_OFFSET(muster_workload, queued_at);
  EXPECT_SAME_OFFSET(muster_workload, pods);
  EXPECT_SAME_OFFSET(muster_workload, podsets);
  EXPECT_SAME_OFFSET(muster_workload, gpus);
  EXPECT_SAME_OFFSET(muster_workload, attempts);
  EXPECT_SAME_OFFSET(muster_workload, preemptions);
  EXPECT_SAME_OFFSET(muster_workload, max_run);
  EXPECT_SAME_OFFSET(muster_workload, borrowing_level);
  EXPECT_SAME_OFFSET(muster_workload, last_admitted);
  EXPECT_SAME_OFFSET(muster_workload, account);
  EXPECT_SAME_OFFSET(muster_workload, request);
  EXPECT_SAME_OFFSET(muster_workload, name);
  EXPECT_SAME_OFFSET(muster_workload, namespace_);
  EXPECT_SAME_OFFSET(muster_workload, local_queue);
  EXPECT_SAME_OFFSET(muster_workload, cluster_queue);
  EXPECT_SAME_OFFSET(muster_workload, node);
  EXPECT_SAME_OFFSET(muster_workload, label);
}

TEST(BatchAbi, MembersOfHoldingsNodesAndFlavorsAreAtTheSameOffsets) {
  EXPECT_SAME_OFFSET(muster_holding, reserved_at);
  EXPECT_SAME_OFFSET(muster_holding, checkpointed);
  EXPECT_SAME_OFFSET(muster_holding, borrowing);
  EXPECT_SAME_OFFSET(muster_holding, same_queue);
  EXPECT_SAME_OFFSET(muster_holding, uses);
  EXPECT_SAME_OFFSET(muster_holding, flavor);
  EXPECT_SAME_OFFSET(muster_node, is_cohort);
  EXPECT_SAME_OFFSET(muster_node, weight);
  EXPECT_SAME_OFFSET(muster_node, depth);
  EXPECT_SAME_OFFSET(muster_node, last_admitted);
  EXPECT_SAME_OFFSET(muster_node, account);
  EXPECT_SAME_OFFSET(muster_node, native_share);
  EXPECT_SAME_OFFSET(muster_node, nominal);
  EXPECT_SAME_OFFSET(muster_node, usage);
  EXPECT_SAME_OFFSET(muster_node, borrowed);
  EXPECT_SAME_OFFSET(muster_node, lendable);
  EXPECT_SAME_OFFSET(muster_node, borrowed_ratio);
  EXPECT_SAME_OFFSET(muster_node, name);
  EXPECT_SAME_OFFSET(muster_flavor, index);
  EXPECT_SAME_OFFSET(muster_flavor, borrowing_level);
  EXPECT_SAME_OFFSET(muster_flavor, free);
  EXPECT_SAME_OFFSET(muster_flavor, name);
  EXPECT_SAME_OFFSET(muster_flavor, label);
}

TEST(BatchAbi, MembersOfTheOthersAreAtTheSameOffsets) {
  EXPECT_SAME_OFFSET(muster_string, data);
  EXPECT_SAME_OFFSET(muster_string, size);
  EXPECT_SAME_OFFSET(muster_batch, count);
  EXPECT_SAME_OFFSET(muster_batch, resource_count);
  EXPECT_SAME_OFFSET(muster_batch, workloads);
  EXPECT_SAME_OFFSET(muster_batch, strings);
  EXPECT_SAME_OFFSET(muster_batch, resources);
  EXPECT_SAME_OFFSET(muster_batch, cycle);
  EXPECT_SAME_OFFSET(muster_batch, now);
  EXPECT_SAME_OFFSET(muster_batch, holdings);
  EXPECT_SAME_OFFSET(muster_batch, nodes);
  EXPECT_SAME_OFFSET(muster_batch, flavors);
  EXPECT_SAME_OFFSET(muster_batch, subject);
  EXPECT_SAME_OFFSET(muster_batch, queues);
  EXPECT_SAME_OFFSET(muster_batch, queue);
  EXPECT_SAME_OFFSET(muster_call, batch);
  EXPECT_SAME_OFFSET(muster_call, workload);
  EXPECT_SAME_OFFSET(muster_call, holding);
  EXPECT_SAME_OFFSET(muster_call, node);
  EXPECT_SAME_OFFSET(muster_call, flavor);
  EXPECT_SAME_OFFSET(muster_call, keys);
  EXPECT_SAME_OFFSET(muster_call, resources_version);
  EXPECT_SAME_OFFSET(muster_call, rehearsal);
  EXPECT_SAME_OFFSET(muster_call, random_seed);
  EXPECT_SAME_OFFSET(muster_call, power);
  EXPECT_SAME_OFFSET(muster_call, random);
}

TEST(BatchAbi, LimitsAreTheSameOnBothSides) {
  EXPECT_EQ(Evaluate("ffi.C.MUSTER_MAX_KEYS"), MUSTER_MAX_KEYS);
  EXPECT_EQ(Evaluate("ffi.C.MUSTER_MAX_RESOURCES"), MUSTER_MAX_RESOURCES);
  EXPECT_EQ(Evaluate("ffi.C.MUSTER_MAX_LABELS"), MUSTER_MAX_LABELS);
  EXPECT_EQ(Evaluate("ffi.C.MUSTER_MAX_ACCOUNTS"), MUSTER_MAX_ACCOUNTS);
}

}  // namespace
}  // namespace muster::luajit::testing
