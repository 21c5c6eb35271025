// Names of objects, as RFC 1123 bounds them.
#ifndef MUSTER_BINDINGS_MANIFEST_NAMES_H_
#define MUSTER_BINDINGS_MANIFEST_NAMES_H_

#include <string>
#include <string_view>

namespace muster::manifest {

/// Lower-case letters, digits and '-', beginning and ending with a letter or digit, at most 63.
bool IsDnsLabel(std::string_view name);
/// DNS labels of any length joined by dots, at most 253 characters.
bool IsDnsSubdomain(std::string_view name);
/// A name that Kubernetes would refuse only for its capital letters and underscores.
bool IsLooseName(std::string_view name, bool dots);
/// The nearest DNS label or (with `dots`) subdomain to a wrong name; empty when nothing is left.
std::string ProposeDnsName(std::string_view name, bool dots);

/// The value of a label: at most 63 letters, digits, '-', '_' and '.', with a letter or digit at
/// both ends; or nothing.
bool IsLabelValue(std::string_view text);

/// A word as conditions have them for their reason: "NodeMaintenance".
bool IsReason(std::string_view text);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_NAMES_H_
