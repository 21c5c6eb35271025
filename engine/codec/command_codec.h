// Commands as bytes, by the field lists of fields_command.h.
//
// Bytes: a version byte, the kind, then the fields in declared order, as codec.h has it. An object
// in a list begins with its kind.
#ifndef MUSTER_ENGINE_CODEC_COMMAND_CODEC_H_
#define MUSTER_ENGINE_CODEC_COMMAND_CODEC_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/index_in.h"
#include "engine/codec/byte_writer.h"
#include "engine/codec/codec.h"
#include "engine/codec/fields_command.h"
#include "muster/command.h"
#include "muster/status.h"

namespace muster {

template <typename T>
inline constexpr CommandKind kCommandKindOf =
    static_cast<CommandKind>(kIndexIn<typename CommandOf<T>::Type, Command>);

/// A command, or a view of one, behind what `writer` has written. O(its size).
template <typename T>
void EncodeCommand(ByteWriter& writer, const T& command) {
  writer.Byte(static_cast<std::uint8_t>(kCodecVersion));
  writer.Byte(static_cast<std::uint8_t>(kCommandKindOf<T>));
  VisitFields(writer, command);
}

std::string Encode(const Command& command);

/// The command that `bytes` encodes. kDataLoss for anything Encode did not write. Bounded memory:
/// O(bytes).
Result<Command> DecodeCommand(std::string_view bytes);

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_COMMAND_CODEC_H_
