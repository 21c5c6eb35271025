// Path: where in a JSON text a value stands, as "[3].workloads[0].labels["a.b"]".
#ifndef MUSTER_BINDINGS_WIRE_PATH_H_
#define MUSTER_BINDINGS_WIRE_PATH_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace muster::wire {

/// A name, or an index where there is none. The characters must outlive it.
struct PathStep {
  std::string_view name;
  std::size_t index = 0;
  bool is_index = false;
};

class Path {
 public:
  void Push(std::string_view name) { steps_.push_back({name}); }
  void Push(std::size_t index) { steps_.push_back({{}, index, true}); }
  void Pop() { steps_.pop_back(); }
  /// Names that are long are cut, and what would disturb a terminal is blank. O(steps).
  std::string ToString() const;

 private:
  std::vector<PathStep> steps_;
};

}  // namespace muster::wire

#endif  // MUSTER_BINDINGS_WIRE_PATH_H_
