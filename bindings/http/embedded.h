// Texts put into the binary at build time.
#ifndef MUSTER_BINDINGS_HTTP_EMBEDDED_H_
#define MUSTER_BINDINGS_HTTP_EMBEDDED_H_

#include <string_view>

namespace muster::http {

std::string_view OpenApiText();  ///< openapi.yaml
std::string_view PageText();     ///< page.html

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_EMBEDDED_H_
