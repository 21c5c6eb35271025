// The target of a request, taken apart: "/v1/workloads/team-a/train?limit=5".
//
// Segments are percent-decoded after they were cut, so an encoded slash never makes two of one.
// What could mean another path to a proxy than to us is refused: "." and "..", empty segments,
// control characters, bytes that are not UTF-8.
#ifndef MUSTER_BINDINGS_HTTP_TARGET_H_
#define MUSTER_BINDINGS_HTTP_TARGET_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "muster/status.h"

namespace muster::http {

struct Target {
  std::vector<std::string> path;             ///< decoded segments; empty: "/"
  std::map<std::string, std::string> query;  ///< decoded

  /// The value of that parameter; empty where there is none.
  std::string_view Query(const std::string& name) const {
    const auto found = query.find(name);
    return found == query.end() ? std::string_view() : std::string_view(found->second);
  }
};

inline constexpr std::size_t kMaxTarget = 4096;  ///< bytes

/// kInvalidArgument with what is wrong.
Result<Target> ParseTarget(std::string_view text);

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_TARGET_H_
