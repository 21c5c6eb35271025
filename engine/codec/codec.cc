// Codec: picks the type by kind and lets the visitors do the work.
#include "engine/codec/codec.h"

#include <array>
#include <utility>

#include "engine/codec/byte_reader.h"
#include "engine/codec/byte_writer.h"
#include "engine/codec/json_fields.h"
#include "engine/codec/json_values.h"

namespace muster {
namespace {

template <std::size_t kind>
void ReadInto(ByteReader& reader, Object& object) {
  VisitFields(reader, object.emplace<kind>());
}

template <std::size_t kind>
void ReadJsonInto(JsonReader& reader, Object& object) {
  ReadJson(reader, object.emplace<kind>());
}

struct ReadFunctions {
  void (*bytes)(ByteReader&, Object&);
  void (*json)(JsonReader&, Object&);
};

template <std::size_t... kinds>
constexpr std::array<ReadFunctions, sizeof...(kinds)> MakeReaders(std::index_sequence<kinds...>) {
  return {ReadFunctions{&ReadInto<kinds>, &ReadJsonInto<kinds>}...};
}

constexpr auto kReaders = MakeReaders(std::make_index_sequence<kObjectKinds>());

Status Damaged(ObjectKind kind, const char* why) {
  return Status(StatusCode::kDataLoss, "stored " + std::string(KindName(kind)) + ": " + why);
}

}  // namespace

std::string Encode(const Object& object) {
  ByteWriter writer;
  writer.Byte(static_cast<std::uint8_t>(kCodecVersion));
  std::visit([&](const auto& spec) { VisitFields(writer, spec); }, object);
  return writer.Take();
}

Result<Object> Decode(ObjectKind kind, std::string_view bytes) {
  const auto index = static_cast<std::size_t>(kind);
  if (index >= kObjectKinds) return Status(StatusCode::kDataLoss, "stored object of no known kind");
  ByteReader reader(bytes);
  if (reader.AtEnd()) return Damaged(kind, "empty");
  if (!reader.TakeVersion(kOldestCodecVersion, kCodecVersion)) {
    return Damaged(kind, "unknown version");
  }
  Object object;
  kReaders[index].bytes(reader, object);
  if (!reader.ok()) return Damaged(kind, "cut short or out of range");
  if (!reader.AtEnd()) return Damaged(kind, "trailing bytes");
  return object;
}

std::string ToCanonicalJson(const Object& object) {
  JsonWriter json;
  std::visit([&](const auto& spec) { WriteJson(json, spec); }, object);
  return json.Take();
}

Result<Object> FromCanonicalJson(ObjectKind kind, std::string_view json) {
  const auto index = static_cast<std::size_t>(kind);
  if (index >= kObjectKinds) return Status(StatusCode::kDataLoss, "stored object of no known kind");
  JsonReader reader(json);
  Object object;
  kReaders[index].json(reader, object);
  if (!reader.ok() || !reader.AtEnd()) return Damaged(kind, "not its canonical JSON");
  return object;
}

}  // namespace muster
