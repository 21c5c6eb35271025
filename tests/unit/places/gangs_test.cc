// The follower of commits against a look at everything, over stories of jobs and nodes.
#include "bindings/places/gangs.h"

#include <gtest/gtest.h>

#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/lab/read.h"
#include "tests/testing/builders.h"
#include "tests/testing/failing_memory.h"
#include "tests/testing/random_choices.h"

namespace muster::places {
namespace {

constexpr const char* kHost = "kubernetes.io/hostname";

/// Tells a follower of every commit, and keeps nothing.
class Telling : public Journal {
 public:
  explicit Telling(GangFollower& follower) : follower_(follower) {}
  Result<Ticket> Append(Commit commit) override {
    follower_.Note(commit);
    return ++tickets_;
  }
  Status Durable(Ticket) override { return Status::Ok(); }

 private:
  GangFollower& follower_;
  Ticket tickets_ = 0;
};

Node MakeNode(int rack, int host, bool cordoned = false) {
  Node node;
  node.name = "n" + std::to_string(rack) + std::to_string(host);
  node.labels = {{"pool", rack < 3 ? "a" : "b"},
                 {"block", "b" + std::to_string(rack / 2)},
                 {"rack", "r" + std::to_string(rack)},
                 {kHost, node.name}};
  node.allocatable = {{"cpu", Quantity::Units(4)}, {"pods", Quantity::Units(20)}};
  node.unschedulable = cordoned;
  return node;
}

/// Two topologies over six racks of three hosts: one down to hosts, one to racks.
std::vector<Object> Cluster() {
  std::vector<Object> objects = {testing::MakeNamespace()};
  objects.emplace_back(Topology{"hosts", {"block", "rack", kHost}});
  objects.emplace_back(Topology{"racks", {"block", "rack"}});
  for (const auto& [name, topology] : {std::pair{"a", "hosts"}, std::pair{"b", "racks"}}) {
    ResourceFlavor flavor = testing::MakeFlavor(name);
    flavor.node_labels = {{"pool", name}};
    flavor.topology_name = topology;
    objects.emplace_back(flavor);
    PreemptionRules rules;
    rules.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    objects.emplace_back(testing::MakeQueue(name, "", {{.flavor = name, .nominal = 100}}, rules));
    objects.emplace_back(testing::MakeLocalQueue(name));
  }
  for (int rack = 0; rack < 6; ++rack) {
    for (int host = 0; host < 3; ++host) objects.emplace_back(MakeNode(rack, host));
  }
  return objects;
}

std::string Told(const std::vector<Gang>& gangs) {
  std::string text;
  for (const Gang& gang : gangs) {
    text += gang.topology + " " + gang.largest.level + " " + std::to_string(gang.largest.nodes) +
            " " + gang.largest.domain + "\n";
  }
  return text;
}

std::vector<Gang> LookAtAll(const Engine& engine) {
  std::vector<Gang> gangs;
  for (const Object& object : lab::Read(engine.Objects(ObjectKind::kTopology))) {
    const auto& topology = std::get<Topology>(object);
    for (Largest& each : LargestOf(PlacesOf(engine, topology), topology)) {
      gangs.push_back({topology.name, std::move(each)});
    }
  }
  return gangs;
}

class Story {
 public:
  explicit Story(std::uint64_t seed) : random_(seed) {
    const std::vector<Object> cluster = Cluster();
    EXPECT_TRUE(engine_.Apply(cluster, now_).ok());
  }

  std::vector<Gang> Follow() { return follower_.Largest(engine_); }
  const Engine& engine() const { return engine_; }

  void Step() {
    now_ += kSecond;
    switch (random_.Below(9)) {
      case 0:
      case 1:
      case 2:
        return Submit();
      case 3: {
        const std::vector<Key> jobs = Running();
        if (!jobs.empty()) (void)engine_.Finish(std::vector<Key>{random_.Pick(jobs)}, false, now_);
        return;
      }
      case 4: {
        const std::vector<Key> jobs = Running();
        if (!jobs.empty()) (void)engine_.Evict(random_.Pick(jobs), "Test", now_);
        return;
      }
      case 5: {
        const std::vector<Key> going = lab::Read(engine_.Evicting());
        if (!going.empty()) (void)engine_.Evicted(going, now_);
        return;
      }
      case 6: {
        const std::vector<Key> jobs = Running();
        if (jobs.empty()) return;
        WorkloadUpdate update;
        update.workload = random_.Pick(jobs);
        if (random_.Flip()) {
          update.active = false;
        } else {
          update.counts = {{"main", 1}};
        }
        (void)engine_.Update(update, now_);
        return;
      }
      case 7:
        return ChangeNode();
      default:
        if (const std::vector<Key> jobs = Running(); !jobs.empty() && random_.OneIn(3)) {
          (void)engine_.Cancel(std::vector<Key>{random_.Pick(jobs)}, now_);
        }
    }
  }
  void Cycle() { ASSERT_TRUE(engine_.RunCycle(now_).ok()); }

 private:
  void Submit() {
    // One draw after another: compilers evaluate arguments in different orders.
    const std::string queue = random_.Flip() ? "a" : "b";
    const auto cores = random_.Between(1, 4);
    const auto priority = random_.Below(3);
    const auto count = random_.Between(1, 5);
    Workload job = testing::MakeWorkload("j" + std::to_string(submitted_++), queue,
                                         testing::Cpu(cores), priority, count);
    PodSet pods = *job.pod_sets.begin();
    pods.topology = TopologyRequest();
    if (random_.Flip()) {
      pods.topology->required = random_.Flip() ? "rack" : "block";
    } else {
      pods.topology->unconstrained = true;
    }
    job.pod_sets = {pods};
    (void)engine_.Submit(std::vector<Workload>{job}, now_);
  }

  void ChangeNode() {
    const auto rack = random_.Below(6);
    const auto host = random_.Below(4);
    const bool cordoned = random_.Flip();
    const Node node = MakeNode(rack, host, cordoned);
    if (random_.OneIn(4)) {
      (void)engine_.Delete(ObjectKind::kNode, {"", node.name}, now_, /*force=*/true);
    } else {
      (void)engine_.Apply(std::vector<Object>{node}, now_);
    }
  }

  std::vector<Key> Running() const {
    std::vector<Key> keys;
    for (const WorkloadView& each : lab::Read(engine_.Workloads())) {
      if (each.phase == WorkloadPhase::kAdmitted) keys.push_back(each.spec.key);
    }
    return keys;
  }

  testing::RandomChoices random_;
  GangFollower follower_;
  Telling journal_{follower_};
  Engine engine_{&journal_};
  TimeNs now_ = testing::kNoon;
  int submitted_ = 0;
};

/// A job on all hosts of a block.
Workload MakeGang() {
  Workload job = testing::MakeWorkload("gang", "a", testing::Cpu(4), 0, 6);
  PodSet pods = *job.pod_sets.begin();
  pods.topology = TopologyRequest();
  pods.topology->required = "block";
  job.pod_sets = {pods};
  return job;
}

TEST(GangFollower, TellsWhatALookAtEverythingTells) {
  int other = 0;
  std::string last;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Story story(seed);
    for (int step = 0; step < 120; ++step) {
      story.Step();
      if (step % 2 == 0) story.Cycle();
      if (step % 3 == 0) continue;  // several changes are noted before the next look
      const std::string told = Told(story.Follow());
      ASSERT_EQ(told, Told(LookAtAll(story.engine()))) << "step " << step;
      other += told != last ? 1 : 0;
      last = told;
    }
  }
  EXPECT_GT(other, 500) << "the stories change too little to tell anything";
}

TEST(GangFollower, AJobThatStartsTakesItsHostsAndGivesThemBackWhenItEnds) {
  GangFollower follower;
  Telling journal(follower);
  Engine engine(&journal);
  ASSERT_TRUE(engine.Apply(Cluster(), testing::kNoon).ok());
  EXPECT_EQ(Told(follower.Largest(engine)),
            "hosts block 6 b0\nhosts rack 3 b0/r0\nracks block 6 b0\n");
  const Workload job = MakeGang();
  ASSERT_TRUE(engine.Submit(std::vector<Workload>{job}, testing::kNoon).ok());
  ASSERT_TRUE(engine.RunCycle(testing::kNoon).ok());
  EXPECT_EQ(Told(follower.Largest(engine)),
            "hosts block 6 b1\nhosts rack 3 b1/r2\nracks block 6 b1\n");
  ASSERT_TRUE(engine.Finish(std::vector<Key>{job.key}, false, testing::kNoon).ok());
  EXPECT_EQ(Told(follower.Largest(engine)),
            "hosts block 6 b0\nhosts rack 3 b0/r0\nracks block 6 b0\n");
}

/// There is no memory to note what one commit changes.
class Forgetting : public Journal {
 public:
  explicit Forgetting(GangFollower& follower) : follower_(follower) {}
  Result<Ticket> Append(Commit commit) override {
    testing::FailingMemory::Arm(1, testing::FailingMemory::Lasting::kFromThenOn);
    {
      const testing::FailingMemory::While failing;
      follower_.Note(commit);
    }
    refused = refused || testing::FailingMemory::refused();
    testing::FailingMemory::Stop();
    return ++tickets_;
  }
  Status Durable(Ticket) override { return Status::Ok(); }
  bool refused = false;

 private:
  GangFollower& follower_;
  Ticket tickets_ = 0;
};

/// Refuses every commit from when it is told to.
class Closing : public Telling {
 public:
  using Telling::Telling;
  Result<Ticket> Append(Commit commit) override {
    if (closes) return Status(StatusCode::kUnavailable, "the disk is full");
    return Telling::Append(std::move(commit));
  }
  bool closes = false;
};

TEST(GangFollower, WhatItHasNoMemoryToNoteItReads) {
  GangFollower follower;
  Forgetting journal(follower);
  Engine engine(&journal);
  ASSERT_TRUE(engine.Apply(Cluster(), testing::kNoon).ok());
  EXPECT_EQ(Told(follower.Largest(engine)), Told(LookAtAll(engine)));
  ASSERT_TRUE(engine.Submit(std::vector<Workload>{MakeGang()}, testing::kNoon).ok());
  ASSERT_TRUE(engine.RunCycle(testing::kNoon).ok());
  EXPECT_TRUE(journal.refused);
  EXPECT_EQ(Told(follower.Largest(engine)),
            "hosts block 6 b1\nhosts rack 3 b1/r2\nracks block 6 b1\n");
}

TEST(GangFollower, ALookThatFailsLeavesWhatWasNotedToTheNext) {
  GangFollower follower;
  Closing journal(follower);
  Engine engine(&journal);
  ASSERT_TRUE(engine.Apply(Cluster(), testing::kNoon).ok());
  EXPECT_EQ(Told(follower.Largest(engine)), Told(LookAtAll(engine)));
  ASSERT_TRUE(engine.Submit(std::vector<Workload>{MakeGang()}, testing::kNoon).ok());
  ASSERT_TRUE(engine.RunCycle(testing::kNoon).ok());
  const Result<Engine> copy = engine.Fork();
  ASSERT_TRUE(copy.ok());
  journal.closes = true;
  ASSERT_FALSE(engine.Cancel(std::vector<Key>{MakeGang().key}, testing::kNoon).ok());
  EXPECT_THROW((void)follower.Largest(engine), lab::Refused);
  EXPECT_EQ(Told(follower.Largest(*copy)), Told(LookAtAll(*copy)));
}

/// Of the processor, so that what else the machine does makes no difference.
double MillisecondsOf(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Ten jobs on each of 10,000 hosts. Between two looks a few hundred jobs end.
TEST(LongGangFollower, ALookCostsWhatHasChangedAndNotWhatThereIs) {
  constexpr int kRacks = 500, kHosts = 20, kJobs = 10;
  GangFollower follower;
  Telling journal(follower);
  Engine engine(&journal);
  ResourceFlavor flavor = testing::MakeFlavor("default");
  flavor.node_labels = {{"block", "b"}};
  flavor.topology_name = "hosts";
  std::vector<Object> objects = {
      testing::MakeNamespace(), Topology{"hosts", {"block", "rack", kHost}}, flavor,
      testing::MakeQueue("q", "", {{.nominal = 1'000'000}}), testing::MakeLocalQueue("q")};
  std::vector<Workload> jobs;
  for (int rack = 0; rack < kRacks; ++rack) {
    for (int host = 0; host < kHosts; ++host) {
      Node node = MakeNode(0, 0);
      node.name = "r" + std::to_string(rack) + "h" + std::to_string(host);
      node.labels = {{"block", "b"}, {"rack", "r" + std::to_string(rack)}, {kHost, node.name}};
      node.allocatable["cpu"] = Quantity::Units(kJobs);
      objects.emplace_back(node);
      for (int job = 0; job < kJobs && rack > 0; ++job) {
        const std::string name = node.name + "-" + std::to_string(job);
        Workload workload =
            testing::Holding(testing::MakeWorkload(name, "q", testing::Cpu(1)), "q");
        TopologyAssignment where;
        where.levels = {kHost};
        where.domains = {{{node.name}, 1}};
        PodSetAssignment assigned = *workload.status.admission->pod_sets.begin();
        assigned.topology = where;
        workload.status.admission->pod_sets = {assigned};
        jobs.push_back(std::move(workload));
      }
    }
  }
  ASSERT_TRUE(engine.Apply(objects, testing::kNoon).ok());
  ASSERT_TRUE(engine.Submit(jobs, testing::kNoon).ok());
  std::vector<Gang> gangs;
  const double all = MillisecondsOf([&] { gangs = LookAtAll(engine); });
  const double first = MillisecondsOf([&] { gangs = follower.Largest(engine); });
  EXPECT_EQ(Told(gangs), "hosts block 20 b\nhosts rack 20 b/r0\n");
  std::vector<Key> ended;
  for (std::size_t job = 0; job < 300; ++job) ended.push_back(jobs[job].key);
  ASSERT_TRUE(engine.Finish(ended, false, testing::kNoon).ok());
  const double next = MillisecondsOf([&] { gangs = follower.Largest(engine); });
  EXPECT_EQ(Told(gangs), Told(LookAtAll(engine)));
  Node cordoned = std::get<Node>(objects.back());
  cordoned.unschedulable = true;
  ASSERT_TRUE(engine.Apply(std::vector<Object>{cordoned}, testing::kNoon).ok());
  const double nodes = MillisecondsOf([&] { gangs = follower.Largest(engine); });
  std::cout << jobs.size() << " jobs: all " << all << " ms, the first look " << first
            << ", after 300 jobs " << next << ", after a node " << nodes << '\n';
  EXPECT_LT(next * 10, all);
}

}  // namespace
}  // namespace muster::places
