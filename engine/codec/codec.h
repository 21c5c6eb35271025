// Objects as bytes and as JSON, both from the one list of fields in fields.h.
//
// Bytes: a version byte, then the fields in declared order; integers as variable-length zigzag
// numbers, text and lists with their length first. The same object always gives the same bytes.
#ifndef MUSTER_ENGINE_CODEC_CODEC_H_
#define MUSTER_ENGINE_CODEC_CODEC_H_

#include <string>
#include <string_view>

#include "muster/object.h"
#include "muster/status.h"

namespace muster {

/// First byte of every encoding; a change of any field list raises it.
inline constexpr char kCodecVersion = 11;
/// The oldest that is still read. Fields that came later are read as unset; see VisitLater.
inline constexpr char kOldestCodecVersion = 3;

/// Deterministic encoding of `object`; its kind is not part of it.
std::string Encode(const Object& object);

/// The object of `kind` that `bytes` encodes. kDataLoss for anything Encode did not write: cut
/// short, too long, out of range, unknown version. Bounded memory: O(bytes).
Result<Object> Decode(ObjectKind kind, std::string_view bytes);

/// Compact JSON with the declared field names; unset values, unset times, and empty text, lists and
/// maps are left out, so equal objects give equal text.
std::string ToCanonicalJson(const Object& object);

/// The object of `kind` whose canonical JSON `json` is. kDataLoss for any other text. O(json).
Result<Object> FromCanonicalJson(ObjectKind kind, std::string_view json);

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_CODEC_H_
