// See placement.h.
#include "tests/oracle/placement.h"

#include <algorithm>
#include <limits>

namespace muster::oracle {
namespace {

struct Count {
  int pods = 0;
  int pods_with_leader = 0;
  int slices = 0;
  int slices_with_leader = 0;
  int leader = 0;
};

int PodsOn(const HostAmounts& free, const HostAmounts& needs) {
  std::int64_t most = std::numeric_limits<int>::max();
  for (const auto& [resource, need] : needs) {
    if (need == 0) continue;
    const auto found = free.find(resource);
    const std::int64_t left = found == free.end() ? 0 : std::max<std::int64_t>(0, found->second);
    most = std::min(most, left / need);
  }
  return static_cast<int>(most);
}

class Naive {
 public:
  Naive(const std::vector<Host>& hosts, const Gang& gang) : gang_(gang) {
    depth_ = hosts.empty() ? 0 : static_cast<int>(hosts.front().path.size());
    slice_level_ = gang.slices.empty() ? depth_ - 1 : gang.slices.front().first;
    size_ = gang.slices.empty() ? 1 : gang.slices.front().second;
    least_ = gang.where == Where::kUnconstrained;
    for (const Host& host : hosts) counts_[host.path] = OnHost(host);
    for (int level = depth_ - 2; level >= 0; --level) CountLevel(level);
    if (depth_ - 1 == slice_level_) {
      for (auto& [path, count] : counts_) {
        if (static_cast<int>(path.size()) == depth_) Slice(count);
      }
    }
    // Slices above their level are sums; at it they come from the pods, also where that is a host.
    for (int level = depth_ - 2; level >= 0; --level) CountLevel(level);
  }

  std::optional<Placement> Run() {
    if (depth_ == 0) return std::nullopt;
    int level = gang_.level;
    if (least_) level = gang_.slices.empty() ? depth_ - 1 : 0;
    std::vector<Path> chosen;
    while (true) {
      if (Single(level, chosen)) break;
      if (gang_.where == Where::kRequired) return std::nullopt;
      if (gang_.where == Where::kPreferred && level > 0) {
        --level;
        continue;
      }
      if (!Several(level, chosen)) return std::nullopt;
      break;
    }
    if (!Descend(level, chosen)) return std::nullopt;
    Placement placement;
    for (const Path& path : chosen) {
      const Count& count = counts_[path];
      placement[path] = {count.pods, count.leader};
    }
    return placement;
  }

 private:
  Count OnHost(const Host& host) const {
    Count count;
    if (!host.eligible) return count;
    count.pods = PodsOn(host.free, gang_.needs);
    count.pods_with_leader = count.pods;
    if (gang_.leader && PodsOn(host.free, *gang_.leader) > 0) {
      count.leader = 1;
      HostAmounts left = host.free;
      for (const auto& [resource, need] : *gang_.leader) left[resource] -= need;
      count.pods_with_leader = PodsOn(left, gang_.needs);
    }
    return count;
  }

  void Slice(Count& count) const {
    count.slices = count.pods / size_;
    count.slices_with_leader = count.pods_with_leader / size_;
  }

  int InnerSize(int level) const {
    for (std::size_t i = 1; i < gang_.slices.size(); ++i) {
      if (gang_.slices[i].first == level) return gang_.slices[i].second;
    }
    return 1;
  }

  std::vector<Path> At(int level) const {
    std::vector<Path> paths;
    for (const auto& [path, count] : counts_) {
      if (static_cast<int>(path.size()) == level + 1) paths.push_back(path);
    }
    return paths;
  }
  std::vector<Path> Below(const Path& parent) const {
    std::vector<Path> paths;
    for (const auto& [path, count] : counts_) {
      if (path.size() == parent.size() + 1 &&
          std::equal(parent.begin(), parent.end(), path.begin())) {
        paths.push_back(path);
      }
    }
    return paths;
  }

  void CountLevel(int level) {
    std::map<Path, std::vector<Count>> children;
    for (const Path& child : At(level + 1)) {
      Path parent = child;
      parent.pop_back();
      children[parent].push_back(counts_[child]);
    }
    const int inner = InnerSize(level + 1);
    for (const auto& [parent, all] : children) {
      Count sum;
      int pods_lost = std::numeric_limits<int>::max();
      int slices_lost = std::numeric_limits<int>::max();
      for (const Count& child : all) {
        sum.pods += child.pods / inner * inner;
        sum.slices += child.slices;
        sum.leader = std::max(sum.leader, child.leader);
        if (child.leader == 0) continue;
        pods_lost = std::min(pods_lost,
                             child.pods / inner * inner - child.pods_with_leader / inner * inner);
        slices_lost = std::min(slices_lost, child.slices - child.slices_with_leader);
      }
      if (!gang_.leader) {
        pods_lost = 0;
        slices_lost = 0;
      }
      if (!gang_.leader || sum.leader > 0) {
        sum.pods_with_leader = sum.pods - pods_lost;
        sum.slices_with_leader = sum.slices - slices_lost;
      }
      if (level == slice_level_) Slice(sum);
      if (level > slice_level_) sum.slices = sum.slices_with_leader = 0;
      counts_[parent] = sum;
    }
  }

  void SortFirst(std::vector<Path>& paths) {
    std::sort(paths.begin(), paths.end(), [&](const Path& x, const Path& y) {
      const Count& a = counts_[x];
      const Count& b = counts_[y];
      if (a.leader != b.leader) return a.leader > b.leader;
      if (a.slices_with_leader != b.slices_with_leader) {
        return least_ ? a.slices_with_leader < b.slices_with_leader
                      : a.slices_with_leader > b.slices_with_leader;
      }
      if (a.pods_with_leader != b.pods_with_leader) return a.pods_with_leader < b.pods_with_leader;
      return x < y;
    });
  }
  void SortLater(std::vector<Path>& paths) {
    std::sort(paths.begin(), paths.end(), [&](const Path& x, const Path& y) {
      const Count& a = counts_[x];
      const Count& b = counts_[y];
      if (a.slices != b.slices) return least_ ? a.slices < b.slices : a.slices > b.slices;
      if (a.pods != b.pods) return a.pods < b.pods;
      return x < y;
    });
  }

  int Leaders() const { return gang_.leader ? 1 : 0; }
  int Need() const { return gang_.count / size_; }

  bool Single(int level, std::vector<Path>& chosen) {
    std::vector<Path> paths = At(level);
    SortFirst(paths);
    const auto holds = [&](const Path& path) {
      return counts_[path].slices_with_leader >= Need() && counts_[path].leader >= Leaders();
    };
    const Path* best = nullptr;
    for (const Path& path : paths) {
      if (!holds(path)) continue;
      if (best == nullptr ||
          (!least_ && counts_[path].slices_with_leader < counts_[*best].slices_with_leader)) {
        best = &path;
      }
    }
    if (best == nullptr) return false;
    chosen = {*best};
    return true;
  }

  /// What a domain gives while a leader is pending or not, in pods or in slices.
  int Gives(const Path& path, bool pending, bool in_pods) {
    const Count& count = counts_[path];
    if (in_pods) return pending ? count.pods_with_leader : count.pods;
    return pending ? count.slices_with_leader : count.slices;
  }

  void LeaderFirst(std::vector<Path>& paths, int need, bool in_pods) {
    int all = 0;
    for (const Path& path : paths) all += Gives(path, false, in_pods);
    for (auto it = paths.begin(); it != paths.end(); ++it) {
      const int loss = Gives(*it, false, in_pods) - Gives(*it, true, in_pods);
      if (counts_[*it].leader == 0 || all - loss < need) continue;
      const Path first = *it;
      paths.erase(it);
      paths.insert(paths.begin(), first);
      return;
    }
  }

  /// The smallest of `paths` that finishes the job.
  Path Finisher(const std::vector<Path>& paths, int rest, bool pending, bool in_pods) {
    const Path* best = nullptr;
    for (const Path& path : paths) {
      if (Gives(path, pending, in_pods) < rest) continue;
      if (pending && counts_[path].leader == 0) continue;
      if (best == nullptr || Gives(path, pending, in_pods) < Gives(*best, pending, in_pods)) {
        best = &path;
      }
    }
    return *best;
  }

  bool Several(int level, std::vector<Path>& chosen) {
    std::vector<Path> paths = At(level);
    SortFirst(paths);
    if (gang_.leader) LeaderFirst(paths, Need(), false);
    int rest = Need();
    bool pending = gang_.leader.has_value();
    while (pending) {
      if (paths.empty() || counts_[paths.front()].leader == 0) return false;
      Path next = paths.front();
      if (!least_ && Gives(next, true, false) >= rest) next = Finisher(paths, rest, true, false);
      chosen.push_back(next);
      rest -= Gives(next, true, false);
      paths.erase(paths.begin());
      pending = false;
    }
    SortLater(paths);
    while (rest > 0) {
      if (paths.empty()) return false;
      Path next = paths.front();
      if (Gives(next, false, false) > 0) {
        if (!least_ && Gives(next, false, false) >= rest) {
          next = Finisher(paths, rest, false, false);
        }
        chosen.push_back(next);
        rest -= Gives(next, false, false);
      }
      paths.erase(paths.begin());
    }
    return true;
  }

  bool Give(std::vector<Path>& paths, int pods, int leaders, int unit, bool in_pods) {
    int rest = pods / unit;
    if (leaders > 0) LeaderFirst(paths, rest, in_pods);
    std::vector<Path> got;
    while ((rest > 0 || leaders > 0) && !paths.empty()) {
      const bool pending = leaders > 0;
      Path next = paths.front();
      if (!least_ && Gives(next, pending, in_pods) >= rest && counts_[next].leader >= leaders) {
        next = Finisher(paths, rest, pending, in_pods);
      }
      const int taken = std::min(Gives(next, pending, in_pods), rest);
      const int led = std::min(leaders, counts_[next].leader);
      paths.erase(paths.begin());
      rest -= taken;
      leaders -= led;
      if (taken == 0 && led == 0) continue;
      counts_[next].pods = taken * unit;
      counts_[next].leader = led;
      got.push_back(next);
    }
    paths = got;
    return rest == 0 && leaders == 0;
  }

  bool Descend(int level, std::vector<Path>& chosen) {
    const int count = Need() * size_;
    if (!Give(chosen, count, Leaders(), size_, false)) return false;
    for (; level < slice_level_; ++level) {
      std::vector<Path> pool;
      for (const Path& parent : chosen) {
        for (const Path& child : Below(parent)) pool.push_back(child);
      }
      SortLater(pool);
      if (!Give(pool, count, Leaders(), size_, false)) return false;
      chosen = pool;
    }
    for (; level + 1 < depth_; ++level) {
      int unit = 1;
      for (std::size_t i = 1; i < gang_.slices.size(); ++i) {
        if (gang_.slices[i].first < level + 1) continue;
        unit = gang_.slices[i].second;
        break;
      }
      std::vector<Path> all;
      for (const Path& parent : chosen) {
        const Count given = counts_[parent];
        std::vector<Path> children = Below(parent);
        SortLater(children);
        for (const Path& child : children) {
          if (unit == 1) break;
          counts_[child].slices = counts_[child].pods / unit;
          counts_[child].slices_with_leader = counts_[child].pods_with_leader / unit;
        }
        if (!Give(children, given.pods, given.leader, unit, unit == 1)) return false;
        all.insert(all.end(), children.begin(), children.end());
      }
      chosen = all;
    }
    return true;
  }

  const Gang& gang_;
  int depth_ = 0;
  int slice_level_ = 0;
  int size_ = 1;
  bool least_ = false;
  std::map<Path, Count> counts_;
};

}  // namespace

std::optional<Placement> Place(const std::vector<Host>& hosts, const Gang& gang) {
  return Naive(hosts, gang).Run();
}

}  // namespace muster::oracle
