// Cures: what would let a workload start, as one sentence. Some things are needed together, and
// for each of them there may be several ways.
#ifndef MUSTER_ENGINE_CURE_CURES_H_
#define MUSTER_ENGINE_CURE_CURES_H_

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace muster {

class Cures {
 public:
  /// Another way for the thing at hand; empty: none.
  void Add(std::string way) {
    if (!way.empty()) AddOnce(ways_, std::move(way));
  }
  /// One that takes two changes: given where there is no other.
  void AddLast(std::string way) {
    if (last_way_.empty()) last_way_ = std::move(way);
  }
  /// What is added from now on is needed beside it.
  void Next() {
    if (ways_.empty() && !last_way_.empty()) ways_.push_back(last_way_);
    if (!ways_.empty()) AddOnce(needed_, Joined(ways_, ", or "));
    ways_.clear();
    last_way_.clear();
  }
  /// "a, or b; and c". Precondition: Next was called.
  std::string Text() const { return Joined(needed_, "; and "); }

 private:
  static void AddOnce(std::vector<std::string>& list, std::string text) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
  }
  static std::string Joined(const std::vector<std::string>& list, const std::string& separator) {
    std::string text;
    for (const std::string& each : list) text += (text.empty() ? "" : separator) + each;
    return text;
  }

  std::vector<std::string> needed_;
  std::vector<std::string> ways_;
  std::string last_way_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CURE_CURES_H_
