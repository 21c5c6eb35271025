// A walk over the expectation; what happened beside it is not looked at.
#include "bindings/lab/scenario/expect.h"

#include <string_view>

#include "bindings/lab/yaml_text.h"
#include "bindings/manifest/closest.h"
#include "bindings/manifest/slices.h"

namespace muster::lab {
namespace {

constexpr std::string_view kNothing = "nothing";
constexpr std::string_view kWorkloads = "workloads";
constexpr std::array<std::string_view, 5> kNamingWorkloads = {
    kExpectable[0], kExpectable[1], kExpectable[2], "evicted", kWorkloads};

class Comparison {
 public:
  void Compare(const std::string& path, const Json& expected, const Json* got) {
    if (expected.is_null()) {
      if (got != nullptr) Add(path, std::string(kNothing), FlowYaml(*got));
    } else if (got == nullptr) {
      Add(path, FlowYaml(expected), std::string(kNothing));
    } else if (expected.is_object() && !expected.empty() && got->is_object()) {
      CompareMaps(path, expected, *got);
    } else if (expected.is_array() && got->is_array() && expected.size() == got->size()) {
      for (std::size_t i = 0; i < expected.size(); ++i) {
        Compare(path + "[" + std::to_string(i) + "]", expected[i], &(*got)[i]);
      }
    } else if (expected != *got) {
      Add(path, FlowYaml(expected), FlowYaml(*got));
    }
  }

  void CompareMaps(const std::string& path, const Json& expected, const Json& got) {
    for (const auto& [key, value] : expected.items()) {
      const auto found = got.find(key);
      Compare(path.empty() ? key : path + "." + key, value, found == got.end() ? nullptr : &*found);
    }
  }

  void Add(std::string path, std::string expected, std::string got) {
    found_.push_back({std::move(path), std::move(expected), std::move(got)});
  }

  std::vector<Mismatch> Take() { return std::move(found_); }

 private:
  std::vector<Mismatch> found_;
};

}  // namespace

std::vector<Mismatch> CompareStep(const Json& expect, const Json& step,
                                  const std::set<std::string>& workloads) {
  Comparison comparison;
  Json expected = expect;
  for (const std::string_view part : kNamingWorkloads) {
    if (expect.empty() && part != kWorkloads) expected[part] = Json::object();
    const auto named = expect.find(part);
    if (named == expect.end() || !named->is_object()) continue;
    for (const auto& [workload, unused] : named->items()) {
      if (workloads.contains(workload) || workloads.contains(manifest::FirstSliceOf(workload))) {
        continue;
      }
      const std::vector<std::string_view> names(workloads.begin(), workloads.end());
      comparison.Add(std::string(part) + "." + workload, "a workload of this file",
                     "no such workload; " + manifest::ProposeName(workload, names));
      expected[part].erase(workload);
      if (expected[part].empty()) expected.erase(part);
    }
  }
  comparison.CompareMaps("", expected, step);
  return comparison.Take();
}

}  // namespace muster::lab
