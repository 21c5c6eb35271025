// The protocol of a published comparison of placements on shared GPUs (Weng et al., FGD, ATC 2023):
// pods arrive on an empty cluster, and what does not fit is dropped. Six ways to choose the node,
// and the GPUs in it.
//
// Without the engine: GPUs that pods share by thousandths are not what Muster places. It is here so
// that openb, which is also simulated, is known to be read as others read it, and as a measure of
// what placing by shares of a node would be worth.
#ifndef MUSTER_TESTS_PUBLISHED_FRAGMENTATION_H_
#define MUSTER_TESTS_PUBLISHED_FRAGMENTATION_H_

#include <array>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace muster::published {

struct GpuNode {
  std::int64_t cpu = 0;            ///< thousandths that are free
  std::int64_t memory = 0;         ///< MiB that are free
  std::vector<std::int64_t> gpus;  ///< thousandths of each that are free
  std::string model;
};

struct GpuPod {
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::int64_t gpus = 0;
  std::int64_t each = 0;         ///< thousandths of each of its GPUs
  std::set<std::string> models;  ///< that it takes; empty: any
  auto operator<=>(const GpuPod&) const = default;
};

/// Nodes with GPUs, all of them free, and pods, in the order of the files. Throw
/// std::runtime_error.
std::vector<GpuNode> GpuNodesOf(const std::filesystem::path& csv);
std::vector<GpuPod> GpuPodsOf(const std::filesystem::path& csv_gz);

enum class Placing { kRandom, kDotProduct, kClustering, kPacking, kBestFit, kGradient };

/// Percent of all GPUs that are allocated once pods that ask for 95, 100 and 130 % have arrived:
/// those of the list and others drawn from it, in an order drawn from the seed. So is the order of
/// the nodes, which decides where two are equal.
std::array<double, 3> Allocated(std::vector<GpuNode> nodes, const std::vector<GpuPod>& pods,
                                Placing placing, std::uint64_t seed);

}  // namespace muster::published

#endif  // MUSTER_TESTS_PUBLISHED_FRAGMENTATION_H_
