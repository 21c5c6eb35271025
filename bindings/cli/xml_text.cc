// The five characters that mean something, and control bytes.
#include "bindings/cli/xml_text.h"

namespace muster::cli {

std::string EscapeXml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? '?' : c;
    }
  }
  return escaped;
}

}  // namespace muster::cli
