// See command_codec.h.
#include "engine/codec/command_codec.h"

#include "engine/codec/byte_reader.h"

namespace muster {

std::string Encode(const Command& command) {
  ByteWriter writer;
  std::visit([&](const auto& each) { EncodeCommand(writer, each); }, command);
  return writer.Take();
}

Result<Command> DecodeCommand(std::string_view bytes) {
  const auto damaged = [](const char* why) {
    return Status(StatusCode::kDataLoss, std::string("stored command: ") + why);
  };
  ByteReader reader(bytes);
  if (reader.AtEnd()) return damaged("empty");
  if (!reader.TakeVersion(kOldestCodecVersion, kCodecVersion)) return damaged("unknown version");
  Command command;
  if (!EmplaceAt(command, reader.Byte())) return damaged("of no known kind");
  std::visit([&](auto& each) { VisitFields(reader, each); }, command);
  if (!reader.ok()) return damaged("cut short or out of range");
  if (!reader.AtEnd()) return damaged("too long");
  return command;
}

}  // namespace muster
