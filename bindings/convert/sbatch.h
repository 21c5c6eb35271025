// A batch script of Slurm as the workloads that ask for the same: one, or one for each element of
// an array.
//
//   partition  LocalQueue           nodes, ntasks, ntasks-per-node  pods
//   account    namespace            cpus-per-task, mem, gres, gpus  what a pod asks for
//   qos        WorkloadPriorityClass            time                longest execution
//
// With a number of nodes, or amounts for each node, a pod is a node's share of the job; else it is
// one task. docs/from-slurm.md says more.
#ifndef MUSTER_BINDINGS_CONVERT_SBATCH_H_
#define MUSTER_BINDINGS_CONVERT_SBATCH_H_

#include <string>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "muster/workload.h"

namespace muster::convert {

struct SbatchSetting {
  std::string queue;           ///< of scripts that name no partition; empty: they are wrong
  std::string ns = "default";  ///< of scripts that name no account
  std::string gpu_resource = "nvidia.com/gpu";
  std::string gpu_label;  ///< of nodes, with the type of their GPUs; empty: types are refused
};

/// What is wrong goes to `diagnostics`; with an error there the workloads mean nothing.
std::vector<Workload> ConvertSbatch(const manifest::Source& source, const SbatchSetting& setting,
                                    std::vector<manifest::Diagnostic>* diagnostics);

}  // namespace muster::convert

#endif  // MUSTER_BINDINGS_CONVERT_SBATCH_H_
