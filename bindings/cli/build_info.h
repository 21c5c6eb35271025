// What the build knows about itself. Commit() comes from a file that every build writes anew when
// the checkout has moved.
#ifndef MUSTER_BINDINGS_CLI_BUILD_INFO_H_
#define MUSTER_BINDINGS_CLI_BUILD_INFO_H_

#include <string_view>

namespace muster::cli {

inline constexpr std::string_view kVersion = MUSTER_VERSION;
inline constexpr std::string_view kYamlCppVersion = MUSTER_YAML_CPP_VERSION;

/// `git describe` of the sources, "unknown" outside a checkout.
std::string_view Commit();

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_BUILD_INFO_H_
