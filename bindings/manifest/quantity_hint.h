// What was meant by a text that is no quantity.
#ifndef MUSTER_BINDINGS_MANIFEST_QUANTITY_HINT_H_
#define MUSTER_BINDINGS_MANIFEST_QUANTITY_HINT_H_

#include <string>
#include <string_view>

namespace muster::manifest {

/// The quantity nearest to `text` ("10 GB" -> "10G", "1,5" -> "1.5", "10gi" -> "10Gi"); empty when
/// nothing suggests itself.
std::string ProposeQuantity(std::string_view text);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_QUANTITY_HINT_H_
