// Text inside XML.
#ifndef MUSTER_BINDINGS_CLI_XML_TEXT_H_
#define MUSTER_BINDINGS_CLI_XML_TEXT_H_

#include <string>
#include <string_view>

namespace muster::cli {

/// `text` for a place between tags or quotes; bytes that XML does not allow become '?'.
std::string EscapeXml(std::string_view text);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_XML_TEXT_H_
