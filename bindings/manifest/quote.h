// A user's text inside a message, quoted.
#ifndef MUSTER_BINDINGS_MANIFEST_QUOTE_H_
#define MUSTER_BINDINGS_MANIFEST_QUOTE_H_

#include <string>
#include <string_view>

#include "engine/base/shown.h"

namespace muster::manifest {

/// `"text"`; line breaks, tabs and other control characters become blanks, long text is cut.
inline std::string Quoted(std::string_view text) { return "\"" + Shown(text) + "\""; }

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_QUOTE_H_
