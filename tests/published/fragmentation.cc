// A node's score for a shape of pods is kept until the node changes: all but the changed ones are
// looked up.
#include "tests/published/fragmentation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "bindings/simulate/gunzip.h"
#include "tests/testing/paths.h"
#include "tests/testing/random_choices.h"

namespace muster::published {
namespace {

constexpr std::int64_t kWhole = 1000;
constexpr double kMostCpu = 128'000;
constexpr double kMostGpu = 8'000;
constexpr double kPopular = 0.95;  // of pods, by which the typical ones are those that matter

std::vector<std::string> Cells(const std::string& line, char separator) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == separator) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

template <typename Row>
void EachRow(const std::string& text, const Row& row) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);  // names of the columns
  while (std::getline(lines, line)) row(Cells(line, ','));
}

std::int64_t GpuLeft(const GpuNode& node) {
  return std::accumulate(node.gpus.begin(), node.gpus.end(), std::int64_t{0});
}

bool Fits(const GpuNode& node, const GpuPod& pod) {
  if (node.cpu < pod.cpu || node.memory < pod.memory) return false;
  if (pod.gpus == 0) return true;
  if (!pod.models.empty() && !pod.models.contains(node.model)) return false;
  return std::count_if(node.gpus.begin(), node.gpus.end(),
                       [&](std::int64_t left) { return left >= pod.each; }) >= pod.gpus;
}

/// A shape of pods with its share of all.
struct Typical {
  GpuPod pod;
  double share = 0;
};

std::vector<Typical> TypicalOf(const std::vector<GpuPod>& pods) {
  std::map<GpuPod, double> counts;
  for (GpuPod pod : pods) {
    pod.memory = 0;
    counts[pod] += 1;
  }
  std::vector<Typical> typical;
  for (const auto& [pod, count] : counts) typical.push_back({pod, count});
  std::stable_sort(typical.begin(), typical.end(),
                   [](const Typical& a, const Typical& b) { return a.share > b.share; });
  double sum = 0;
  std::size_t kept = 0;
  while (kept < typical.size() && sum < kPopular * static_cast<double>(pods.size())) {
    sum += typical[kept++].share;
  }
  typical.resize(kept);
  for (Typical& each : typical) each.share /= sum;
  return typical;
}

/// Thousandths of GPUs that a pod drawn from `typical` could not use, as is expected.
double Fragmented(const GpuNode& node, const std::vector<Typical>& typical) {
  const auto left = static_cast<double>(GpuLeft(node));
  double sum = 0;
  for (const Typical& each : typical) {
    if (each.pod.gpus == 0 || !Fits(node, each.pod)) {
      sum += each.share * left;
      continue;
    }
    std::int64_t too_small = 0;
    for (const std::int64_t gpu : node.gpus) too_small += gpu < each.pod.each ? gpu : 0;
    sum += each.share * static_cast<double>(too_small);
  }
  return sum;
}

using Gpus = std::vector<std::size_t>;

/// The GPUs with least left that have enough.
Gpus Tightest(const GpuNode& node, const GpuPod& pod) {
  Gpus order(node.gpus.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return node.gpus[a] < node.gpus[b]; });
  std::erase_if(order, [&](std::size_t gpu) { return node.gpus[gpu] < pod.each; });
  order.resize(static_cast<std::size_t>(pod.gpus));
  return order;
}

void Take(const GpuPod& pod, const Gpus& gpus, GpuNode* node) {
  node->cpu -= pod.cpu;
  node->memory -= pod.memory;
  for (const std::size_t gpu : gpus) node->gpus[gpu] -= pod.each;
}

template <typename T>
void Shuffle(std::vector<T>* list, testing::RandomChoices* random) {
  for (std::size_t i = list->size(); i > 1; --i) {
    const auto other = static_cast<std::size_t>(random->Below(static_cast<int>(i)));
    std::swap((*list)[i - 1], (*list)[other]);
  }
}

struct Scored {
  std::int64_t score = 0;
  Gpus gpus;
};

class Cluster {
 public:
  Cluster(std::vector<GpuNode> nodes, std::vector<Typical> typical, Placing placing,
          std::uint64_t seed)
      : nodes_(std::move(nodes)),
        typical_(std::move(typical)),
        placing_(placing),
        random_(seed),
        changes_(nodes_.size()),
        kinds_(nodes_.size()),
        totals_(nodes_.size()) {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      totals_[n] = static_cast<std::int64_t>(nodes_[n].gpus.size());
    }
  }

  /// Where it goes, thousandths of GPUs; 0 where it does not fit.
  std::int64_t Place(const GpuPod& pod) {
    std::vector<Known>& known = known_.try_emplace(pod, nodes_.size()).first->second;
    std::vector<std::size_t> best;
    std::int64_t most = 0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      Known& here = known[n];
      if (here.change != changes_[n] + 1) {
        here.change = changes_[n] + 1;
        here.fits = Fits(nodes_[n], pod);
        if (here.fits) here.scored = Score(n, pod);
      }
      if (!here.fits) continue;
      if (best.empty() || here.scored.score > most) best.clear();
      if (best.empty()) most = here.scored.score;
      if (here.scored.score == most) best.push_back(n);
    }
    if (best.empty()) return 0;
    // The first of equal scores, as theirs. Scores are whole hundredths, so equal ones are many.
    const std::size_t node = placing_ == Placing::kRandom ? random_.Pick(best) : best.front();
    Gpus gpus = known[node].scored.gpus;
    if (placing_ == Placing::kRandom && pod.gpus == 1) {
      Gpus enough;
      for (std::size_t g = 0; g < nodes_[node].gpus.size(); ++g) {
        if (nodes_[node].gpus[g] >= pod.each) enough.push_back(g);
      }
      gpus = {random_.Pick(enough)};
    }
    Take(pod, gpus, &nodes_[node]);
    ++changes_[node];
    if (pod.gpus > 0) kinds_[node].insert(KindOf(pod));
    return pod.gpus * pod.each;
  }

 private:
  struct Known {
    std::uint64_t change = 0;  ///< of the node, by one more; 0: nothing is known
    bool fits = false;
    Scored scored;
  };

  /// Shares of a GPU are one kind, else the number of GPUs is.
  static std::int64_t KindOf(const GpuPod& pod) { return pod.each < kWhole ? 0 : pod.gpus; }

  Scored Score(std::size_t n, const GpuPod& pod) const {
    const GpuNode& node = nodes_[n];
    Scored scored{0, Tightest(node, pod)};
    switch (placing_) {
      case Placing::kRandom:
        break;
      case Placing::kDotProduct: {
        const double cpu =
            static_cast<double>(node.cpu) / kMostCpu * (static_cast<double>(pod.cpu) / kMostCpu);
        const double gpu = static_cast<double>(GpuLeft(node)) / kMostGpu *
                           (static_cast<double>(pod.gpus * pod.each) / kMostGpu);
        scored.score = static_cast<std::int64_t>(100 * (1 - (cpu + gpu) / 2));
        break;
      }
      case Placing::kClustering: {
        if (pod.gpus == 0) break;
        const std::set<std::int64_t>& kinds = kinds_[n];
        const std::int64_t tier = kinds.contains(KindOf(pod)) ? (kinds.size() == 1 ? 3 : 2)
                                  : kinds.empty()             ? 1
                                                              : 0;
        scored.score = 25 * tier + 25 * (8000 - GpuLeft(node)) / 8000;
        break;
      }
      case Placing::kPacking:
        scored.score = pod.gpus == 0 ? 0 : PackingScore(n, scored.gpus);
        break;
      case Placing::kBestFit: {
        const double cpu = static_cast<double>(node.cpu - pod.cpu) / kMostCpu;
        const double gpu = static_cast<double>(GpuLeft(node) - pod.gpus * pod.each) / kMostGpu;
        scored.score = static_cast<std::int64_t>(1e9 * (2 - cpu - gpu));
        break;
      }
      case Placing::kGradient:
        return GradientScore(node, pod, std::move(scored.gpus));
    }
    return scored;
  }

  std::int64_t PackingScore(std::size_t n, const Gpus& gpus) const {
    const GpuNode& node = nodes_[n];
    const auto whole = std::count(node.gpus.begin(), node.gpus.end(), kWhole);
    if (whole == totals_[n]) return std::max<std::int64_t>(33 - whole, whole);
    std::int64_t whole_used = 0;
    std::int64_t left = 0;
    for (const std::size_t gpu : gpus) {
      whole_used += node.gpus[gpu] == kWhole ? 1 : 0;
      left += node.gpus[gpu] * 100 / kWhole;
    }
    if (whole_used > 0) return std::max<std::int64_t>(50 - whole_used, 33);
    return std::max<std::int64_t>(100 - left / 10, 50);
  }

  /// By how much less is fragmented once the pod is there, through a sigmoid, in hundredths.
  Scored GradientScore(const GpuNode& node, const GpuPod& pod, Gpus tightest) const {
    const double before = Fragmented(node, typical_);
    const auto with = [&](const Gpus& gpus) {
      GpuNode after = node;
      Take(pod, gpus, &after);
      const double gain = (before - Fragmented(after, typical_)) / 1000;
      return static_cast<std::int64_t>(100 / (1 + std::exp(-gain)));
    };
    if (pod.gpus != 1 || pod.each >= kWhole) return {with(tightest), tightest};
    Scored best{-1, {}};
    std::set<std::int64_t> seen;
    for (std::size_t gpu = 0; gpu < node.gpus.size(); ++gpu) {
      if (node.gpus[gpu] < pod.each || !seen.insert(node.gpus[gpu]).second) continue;
      const std::int64_t score = with({gpu});
      if (score > best.score) best = {score, {gpu}};
    }
    return best;
  }

  std::vector<GpuNode> nodes_;
  const std::vector<Typical> typical_;
  const Placing placing_;
  testing::RandomChoices random_;
  std::vector<std::uint64_t> changes_;
  std::vector<std::set<std::int64_t>> kinds_;  ///< of pods that each node has
  std::vector<std::int64_t> totals_;
  std::map<GpuPod, std::vector<Known>> known_;
};

}  // namespace

std::vector<GpuNode> GpuNodesOf(const std::filesystem::path& csv) {
  std::vector<GpuNode> nodes;
  EachRow(testing::ReadFile(csv), [&](const std::vector<std::string>& row) {
    const std::int64_t gpus = std::stol(row.at(3));
    if (gpus == 0) return;
    nodes.push_back({std::stol(row.at(1)), std::stol(row.at(2)),
                     std::vector<std::int64_t>(static_cast<std::size_t>(gpus), kWhole), row.at(4)});
  });
  return nodes;
}

std::vector<GpuPod> GpuPodsOf(const std::filesystem::path& csv_gz) {
  const Result<std::string> text = simulate::Gunzip(testing::ReadFile(csv_gz));
  if (!text.ok()) throw std::runtime_error(std::string(text.status().message()));
  std::vector<GpuPod> pods;
  EachRow(*text, [&](const std::vector<std::string>& row) {
    GpuPod pod{std::stol(row.at(1)),
               std::stol(row.at(2)),
               std::stol(row.at(3)),
               std::stol(row.at(3)) == 0 ? 0 : std::stol(row.at(4)),
               {}};
    for (const std::string& model : Cells(row.at(5), '|')) {
      if (!model.empty()) pod.models.insert(model);
    }
    pods.push_back(std::move(pod));
  });
  return pods;
}

std::array<double, 3> Allocated(std::vector<GpuNode> nodes, const std::vector<GpuPod>& pods,
                                Placing placing, std::uint64_t seed) {
  constexpr std::array<double, 3> kLoads = {0.95, 1.00, 1.30};
  std::int64_t all = 0;
  for (const GpuNode& node : nodes) all += GpuLeft(node);
  const auto load = [all](std::int64_t asked) {
    return static_cast<double>(asked) / static_cast<double>(all);
  };
  testing::RandomChoices random(seed);
  std::vector<GpuPod> arriving = pods;
  std::int64_t asked = 0;
  for (const GpuPod& pod : arriving) asked += pod.gpus * pod.each;
  while (load(asked) < kLoads.back()) {
    arriving.push_back(random.Pick(pods));
    asked += arriving.back().gpus * arriving.back().each;
  }
  Shuffle(&arriving, &random);
  // Theirs gives the nodes names in an order drawn anew, and the first name is taken of equal ones.
  Shuffle(&nodes, &random);
  Cluster cluster(std::move(nodes), TypicalOf(pods), placing, seed + 1);
  std::array<double, 3> allocated{};
  std::int64_t arrived = 0;
  std::int64_t placed = 0;
  std::size_t next = 0;
  for (const GpuPod& pod : arriving) {
    arrived += pod.gpus * pod.each;
    placed += cluster.Place(pod);
    while (next < kLoads.size() && load(arrived) >= kLoads[next]) {
      allocated[next++] = 100 * load(placed);
    }
  }
  return allocated;
}

}  // namespace muster::published
