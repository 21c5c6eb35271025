// The two hashes that names are made with.
#ifndef MUSTER_BINDINGS_OBJECTS_HASH_H_
#define MUSTER_BINDINGS_OBJECTS_HASH_H_

#include <string>
#include <string_view>

namespace muster::objects {

/// Lower case hexadecimal digits.
std::string Sha1(std::string_view bytes);
std::string Sha256(std::string_view bytes);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_HASH_H_
