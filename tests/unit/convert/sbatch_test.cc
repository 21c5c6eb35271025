// Batch scripts of Slurm as workloads.
#include "bindings/convert/sbatch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "bindings/convert/sbatch_text.h"

namespace muster::convert {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Converted {
  std::vector<Workload> workloads;
  std::vector<std::string> messages;
};

Converted Convert(const std::string& lines, const SbatchSetting& setting = {}) {
  Converted out;
  std::vector<manifest::Diagnostic> diagnostics;
  out.workloads =
      ConvertSbatch({"jobs/train.sbatch", "#!/bin/bash\n" + lines}, setting, &diagnostics);
  for (const manifest::Diagnostic& each : diagnostics) out.messages.push_back(each.ToString());
  return out;
}

/// The one workload of a script in the partition `gpu` that nothing is said about.
Workload One(const std::string& lines, const SbatchSetting& setting = {}) {
  const Converted converted = Convert("#SBATCH -p gpu\n" + lines, setting);
  EXPECT_THAT(converted.messages, IsEmpty());
  return converted.workloads.size() == 1 ? converted.workloads[0] : Workload();
}

std::string Request(const Workload& workload, const std::string& resource) {
  const auto& requests = workload.pod_sets.at(0).pods.containers.at(0).requests;
  const auto found = requests.find(resource);
  return found == requests.end() ? "" : found->second.ToString();
}

std::string Message(const std::string& line) {
  const Converted converted = Convert("#SBATCH -p gpu\n#SBATCH " + line + "\n");
  return converted.messages.size() == 1 ? converted.messages[0] : "";
}

TEST(Sbatch, GpusBringCpusAndMemoryWithThem) {
  const Workload workload =
      One("#SBATCH -N 2 --gpus-per-node=4 --cpus-per-gpu=8 --mem-per-gpu=16G\n");
  EXPECT_EQ(Request(workload, "nvidia.com/gpu"), "4");
  EXPECT_EQ(Request(workload, "cpu"), "32");
  EXPECT_EQ(Request(workload, "memory"), "64Gi");
  EXPECT_THAT(Message("--cpus-per-gpu=8"), HasSubstr("needs GPUs"));
  EXPECT_THAT(Message("--gpus=1 --cpus-per-gpu=8 -c 4"), HasSubstr("excludes --cpus-per-task"));
  EXPECT_THAT(Message("--gpus=1 --mem-per-gpu=8G --mem=4G"), HasSubstr("excludes --mem"));
  EXPECT_THAT(Message("--gpus=1 --mem-per-gpu=much"), HasSubstr("must be an amount"));
}

// All that sbatch of Slurm 24.11 documents: none of it is unknown here.
TEST(Sbatch, NoOptionIsUnknown) {
  for (const char* option : {"account=a",
                             "acctg-freq=30",
                             "array=1",
                             "batch=x",
                             "bb=x",
                             "bbf=x",
                             "begin=now",
                             "chdir=/",
                             "cluster-constraint=x",
                             "clusters=x",
                             "comment=x",
                             "constraint=x",
                             "container=x",
                             "contiguous",
                             "core-spec=1",
                             "cores-per-socket=1",
                             "cpu-freq=1",
                             "cpus-per-gpu=1",
                             "cpus-per-task=1",
                             "deadline=x",
                             "delay-boot=1",
                             "dependency=x",
                             "distribution=block",
                             "error=x",
                             "exclude=n",
                             "exclusive",
                             "export=ALL",
                             "export-file=x",
                             "extra=x",
                             "extra-node-info=1",
                             "get-user-env",
                             "gid=1",
                             "gpu-bind=x",
                             "gpu-freq=x",
                             "gpus=1",
                             "gpus-per-node=1",
                             "gpus-per-socket=1",
                             "gpus-per-task=1",
                             "gres=gpu:1",
                             "hint=x",
                             "hold",
                             "input=x",
                             "job-name=x",
                             "kill-on-invalid-dep=yes",
                             "licenses=x",
                             "mail-type=END",
                             "mail-user=x",
                             "mcs-label=x",
                             "mem=1G",
                             "mem-bind=x",
                             "mem-per-cpu=1G",
                             "mem-per-gpu=1G",
                             "mincpus=1",
                             "network=x",
                             "nice=1",
                             "no-kill",
                             "no-requeue",
                             "nodefile=x",
                             "nodelist=x",
                             "nodes=1",
                             "ntasks=1",
                             "ntasks-per-core=1",
                             "ntasks-per-gpu=1",
                             "ntasks-per-node=1",
                             "ntasks-per-socket=1",
                             "open-mode=append",
                             "output=x",
                             "overcommit",
                             "oversubscribe",
                             "parsable",
                             "partition=x",
                             "prefer=x",
                             "priority=1",
                             "profile=all",
                             "propagate=x",
                             "qos=x",
                             "quiet",
                             "reboot",
                             "requeue",
                             "reservation=x",
                             "resv-ports=1",
                             "segment=1",
                             "signal=1",
                             "sockets-per-node=1",
                             "spread-job",
                             "switches=1",
                             "test-only",
                             "thread-spec=1",
                             "threads-per-core=1",
                             "time=1",
                             "time-min=1",
                             "tmp=1",
                             "tres-bind=x",
                             "tres-per-task=x",
                             "uid=1",
                             "use-min-nodes",
                             "verbose",
                             "wait",
                             "wait-all-nodes=1",
                             "wckey=x",
                             "wrap=x"}) {
    for (const std::string& message :
         Convert("#SBATCH -p gpu\n#SBATCH --" + std::string(option) + "\n").messages) {
      EXPECT_THAT(message, ::testing::Not(HasSubstr("unknown option"))) << option;
    }
  }
}

TEST(Sbatch, PartitionAccountQosNameAndTimeSayWhereItQueues) {
  const Workload workload =
      One("#SBATCH --account=physics --qos=high  # two on a line\n#SBATCH -J train-1 -t 1-02:30\n");
  EXPECT_EQ(workload.key.ToString(), "physics/train-1");
  EXPECT_EQ(workload.queue, "gpu");
  EXPECT_EQ(workload.priority_class, "high");
  EXPECT_EQ(workload.priority_source, PriorityClassSource::kWorkloadPriorityClass);
  EXPECT_EQ(workload.max_execution_seconds, 86'400 + 2 * 3600 + 30 * 60);
}

TEST(Sbatch, WithoutNodesAPodIsATask) {
  const Workload workload = One("#SBATCH -n 4 -c2 --mem-per-cpu=3G\n");
  EXPECT_EQ(workload.pod_sets.at(0).count, 4);
  EXPECT_EQ(Request(workload, "cpu"), "2");
  EXPECT_EQ(Request(workload, "memory"), "6Gi");
  EXPECT_EQ(workload.key.ToString(), "default/train") << "the name of the script";
}

TEST(Sbatch, WithNodesAPodIsANodesShare) {
  const Workload workload =
      One("#SBATCH --nodes=2 --ntasks-per-node=4 --cpus-per-task=8 --mem=64000 --gres=gpu:4\n");
  EXPECT_EQ(workload.pod_sets.at(0).count, 2);
  EXPECT_EQ(Request(workload, "cpu"), "32");
  EXPECT_EQ(Request(workload, "memory"), "64000Mi");
  EXPECT_EQ(Request(workload, "nvidia.com/gpu"), "4");
}

TEST(Sbatch, AmountsForANodeWithoutNodesMeanOne) {
  const Workload workload = One("#SBATCH -n 8 --mem=16G --gres=gpu\n");
  EXPECT_EQ(workload.pod_sets.at(0).count, 1);
  EXPECT_EQ(Request(workload, "cpu"), "8");
  EXPECT_EQ(Request(workload, "nvidia.com/gpu"), "1");
}

TEST(Sbatch, TasksOverNodesAreRoundedUp) {
  const Workload workload = One("#SBATCH -n 10 --ntasks-per-node 4\n");
  EXPECT_EQ(workload.pod_sets.at(0).count, 3);
  EXPECT_EQ(Request(workload, "cpu"), "4");
}

TEST(Sbatch, ARangeOfNodesStartsWithFewer) {
  const Workload workload = One("#SBATCH -N 2-6\n");
  EXPECT_EQ(workload.pod_sets.at(0).count, 6);
  EXPECT_EQ(workload.pod_sets.at(0).min_count, 2);
}

TEST(Sbatch, GpusInAllAreDividedAmongPods) {
  EXPECT_EQ(Request(One("#SBATCH -N 2 -G 8\n"), "nvidia.com/gpu"), "4");
  EXPECT_THAT(Message("-N 3 --gpus=8"),
              AllOf(HasSubstr("train.sbatch:3:14: --gpus cannot be divided evenly among 3"),
                    HasSubstr("write --gpus-per-node")));
}

TEST(Sbatch, ATypeOfGpuIsALabelOfNodesWhereOneIsSaid) {
  SbatchSetting setting;
  setting.gpu_label = "gpu.example/type";
  const Workload workload = One("#SBATCH --gres=gpu:a100:2\n", setting);
  EXPECT_EQ(workload.pod_sets.at(0).pods.node_selector.at("gpu.example/type"), "a100");
  EXPECT_THAT(Message("--gres=gpu:a100:2"), HasSubstr("say by --gpu-label which label"));
}

TEST(Sbatch, AnArrayIsAWorkloadForEachElement) {
  const Converted converted = Convert("#SBATCH -p gpu -a 0-6:3,9%2\n");
  EXPECT_THAT(converted.messages, ElementsAre(HasSubstr("the number after % bounds nothing here")));
  ASSERT_THAT(converted.workloads, SizeIs(4));
  EXPECT_EQ(converted.workloads[1].key.name, "train-3");
  EXPECT_EQ(converted.workloads[3].key.name, "train-9");
}

TEST(Sbatch, UnknownOptionsAreNamedWithLineAndCure) {
  EXPECT_THAT(Message("--cpu-per-task=2"),
              AllOf(HasSubstr("jobs/train.sbatch:3:9: unknown option \"--cpu-per-task\""),
                    HasSubstr("write --cpus-per-task")));
  EXPECT_THAT(Message("--zeal=1"), HasSubstr("unknown option \"--zeal\"; remove it"));
  EXPECT_THAT(Message("-z 1"), HasSubstr("unknown option \"-z\""));
  EXPECT_THAT(Message("--constraint=ib"), HasSubstr("has no equivalent; remove it and name a"));
  EXPECT_THAT(Message("--exclusive"), HasSubstr("ask for what a whole node has"));
  EXPECT_THAT(Message("gpu"), HasSubstr("\"gpu\" is no option; write --NAME=VALUE"));
}

TEST(Sbatch, WrongValuesAreNamedWithLineAndCure) {
  EXPECT_THAT(Message("-n four"), HasSubstr("3:9: --ntasks must be a whole number"));
  EXPECT_THAT(Message("-n 0"), HasSubstr("of at least 1, not \"0\"; write for example --ntasks=2"));
  EXPECT_THAT(Message("--mem=4X"), HasSubstr("--mem must be an amount, not \"4X\""));
  EXPECT_THAT(Message("-t tomorrow"), HasSubstr("--time is no time: \"tomorrow\""));
  EXPECT_THAT(Message("-a 5-1"), HasSubstr("--array must be indexes, not \"5-1\""));
  EXPECT_THAT(Message("-a 0-5000"), HasSubstr("has too many elements; write at most 1000"));
  EXPECT_THAT(Message("--gres=lustre:1"), HasSubstr("asks for something else than GPUs"));
  EXPECT_THAT(Message("-N 4-2"), HasSubstr("--nodes must be a number of nodes"));
  EXPECT_THAT(Message("-N 2-4 -n 8"), HasSubstr("--nodes is a range beside --ntasks"));
  EXPECT_THAT(Message("--ntasks="), HasSubstr("--ntasks has no value"));
}

TEST(Sbatch, WithoutAPartitionAQueueMustBeSaid) {
  EXPECT_THAT(Convert("#SBATCH -n 1\n").messages,
              ElementsAre(HasSubstr("train.sbatch:1:1: the script names no partition; add")));
  SbatchSetting setting;
  setting.queue = "main";
  setting.ns = "team-a";
  const Converted converted = Convert("#SBATCH -n 1\n", setting);
  EXPECT_THAT(converted.messages, IsEmpty());
  EXPECT_EQ(converted.workloads.at(0).queue, "main");
  EXPECT_EQ(converted.workloads.at(0).key.ns, "team-a");
  EXPECT_THAT(Convert("#SBATCH -p a,b\n").messages,
              ElementsAre(HasSubstr("--partition names several"), HasSubstr("no partition")));
}

TEST(Sbatch, NamesOfObjectsAreMadeFittingAndToldSo) {
  const Converted converted = Convert("#SBATCH -p gpu -J My_Run\n");
  EXPECT_THAT(converted.messages,
              ElementsAre(HasSubstr("warning: \"My_Run\" is no name of an object and becomes")));
  EXPECT_EQ(converted.workloads.at(0).key.name, "my-run");
}

TEST(Sbatch, WhatDecidesNothingIsToldInOneLine) {
  const Converted converted =
      Convert("#SBATCH -p gpu -o out.%j --mail-type=END\n#SBATCH --requeue -n 2\n");
  EXPECT_THAT(converted.messages,
              ElementsAre(HasSubstr(
                  "warning: no decision depends on --output, --mail-type, --requeue; leave it")));
  EXPECT_EQ(converted.workloads.at(0).pod_sets.at(0).count, 2);
}

TEST(Sbatch, LinesAfterTheFirstCommandAreNotRead) {
  const Converted converted = Convert("#SBATCH -p gpu\n\n# a comment\nsrun x\n#SBATCH -n 4\n");
  EXPECT_THAT(converted.messages, ElementsAre(HasSubstr("train.sbatch:6:1: warning: Slurm reads")));
  EXPECT_EQ(converted.workloads.at(0).pod_sets.at(0).count, 1);
}

TEST(Sbatch, TimesAreReadAsSlurmReadsThem) {
  EXPECT_EQ(ReadSlurmTime("90"), 90 * 60);
  EXPECT_EQ(ReadSlurmTime("90:30"), 90 * 60 + 30);
  EXPECT_EQ(ReadSlurmTime("2:00:05"), 2 * 3600 + 5);
  EXPECT_EQ(ReadSlurmTime("2-0"), 2 * 86'400);
  EXPECT_EQ(ReadSlurmTime("1-1:1:1"), 86'400 + 3661);
  EXPECT_EQ(ReadSlurmTime("1:2:3:4"), std::nullopt);
  EXPECT_EQ(ReadSlurmTime(""), std::nullopt);
  EXPECT_EQ(ReadSlurmTime("-5"), std::nullopt);
}

TEST(Sbatch, AmountsTooLargeForAnyClusterDoNotOverflow) {
  EXPECT_EQ(ReadSlurmMemory("999999999999999999999T"), std::nullopt);
  EXPECT_EQ(ReadSlurmMemory("1000000000T"), std::nullopt);
  EXPECT_EQ(ReadSlurmCount("99999999999999999999"), std::nullopt);
  EXPECT_THAT(Message("-n 1000000 -c 1000000 --mem-per-cpu=900000T"), HasSubstr("")) << "no crash";
}

TEST(Sbatch, WhateverALineSaysComesOutAsAWorkloadOrAMistakeWithPlaceAndCure) {
  constexpr unsigned kSeed = 20261125;
  constexpr std::string_view kParts[] = {"--",
                                         "-",
                                         "=",
                                         " ",
                                         "nodes",
                                         "ntasks",
                                         "n",
                                         "N",
                                         "mem",
                                         "gres",
                                         "gpu:",
                                         "gpu",
                                         "2",
                                         "4-2",
                                         "0-9",
                                         "%",
                                         "time",
                                         "1-1",
                                         ":",
                                         "t",
                                         "G",
                                         "array",
                                         "a",
                                         "\"",
                                         "'",
                                         "#",
                                         "p",
                                         "qos",
                                         "9999999999999",
                                         "T",
                                         "-1",
                                         ","};
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  for (int round = 0; round < 20'000; ++round) {
    std::string line = "#SBATCH -p gpu\n#SBATCH ";
    for (auto parts = random() % 12; parts > 0; --parts)
      line += kParts[random() % std::size(kParts)];
    std::vector<manifest::Diagnostic> diagnostics;
    const auto workloads =
        ConvertSbatch({"s.sbatch", "#!/bin/sh\n" + line + "\n"}, {}, &diagnostics);
    bool is_wrong = false;
    for (const manifest::Diagnostic& each : diagnostics) {
      is_wrong = is_wrong || each.severity == manifest::Severity::kError;
      ASSERT_GT(each.place.line, 0) << line;
      ASSERT_FALSE(each.cure.empty()) << line;
    }
    if (is_wrong) continue;
    ASSERT_FALSE(workloads.empty()) << line;
    ASSERT_GE(workloads[0].pod_sets.at(0).count, 1) << line;
  }
}

}  // namespace
}  // namespace muster::convert
