// Short ways from a text to what Parse made of it.
#ifndef MUSTER_TESTS_UNIT_MANIFEST_PARSE_TEXT_H_
#define MUSTER_TESTS_UNIT_MANIFEST_PARSE_TEXT_H_

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bindings/manifest/manifest.h"

namespace muster::manifest {

inline Manifests ParseText(std::string_view text, const ParseOptions& options = {}) {
  const std::vector<Source> sources = {{"f.yaml", std::string(text)}};
  return Parse(sources, options);
}

inline std::vector<std::string> Messages(const Manifests& manifests) {
  std::vector<std::string> messages;
  for (const Diagnostic& diagnostic : manifests.diagnostics) {
    messages.push_back(diagnostic.ToString());
  }
  return messages;
}

/// The only object of a text without mistakes.
template <typename T>
T ParseOne(std::string_view text) {
  const Manifests manifests = ParseText(text);
  for (const std::string& message : Messages(manifests)) ADD_FAILURE() << message;
  if (manifests.objects.size() != 1 || !std::holds_alternative<T>(manifests.objects[0])) {
    ADD_FAILURE() << "not one object of the expected kind in\n" << text;
    return T{};
  }
  return std::get<T>(manifests.objects[0]);
}

inline Quantity Q(std::string_view text) { return Quantity::Parse(text).value(); }

}  // namespace muster::manifest

#endif  // MUSTER_TESTS_UNIT_MANIFEST_PARSE_TEXT_H_
