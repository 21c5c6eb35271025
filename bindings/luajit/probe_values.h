// What a policy compares fields with: the values at which its branches part.
#ifndef MUSTER_BINDINGS_LUAJIT_PROBE_VALUES_H_
#define MUSTER_BINDINGS_LUAJIT_PROBE_VALUES_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/luajit/package_table.h"
#include "bindings/luajit/source_facts.h"

namespace muster::luajit {

/// By the path of a field without the view it is read from: "gpus", "label.tier", "request.cpu".
struct ProbeValues {
  std::map<std::string, std::vector<double>, std::less<>> numbers;  ///< below, at and above each
  std::map<std::string, std::vector<std::string>, std::less<>> texts;
  std::vector<std::string> words;  ///< texts that may be of any field: keys of tables, arguments
  bool reads_numerals = false;     ///< it makes numbers of texts
};

/// Reads them from the comparisons of a source, and from the parameters it compares with. Sorted.
ProbeValues FindProbeValues(const SourceFacts& facts, const PackageTable& table);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_PROBE_VALUES_H_
