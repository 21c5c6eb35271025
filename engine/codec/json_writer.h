// JsonWriter: compact JSON text, written front to back. Commas, quotes and escapes are its
// business; that keys are unique and brackets closed is the caller's.
#ifndef MUSTER_ENGINE_CODEC_JSON_WRITER_H_
#define MUSTER_ENGINE_CODEC_JSON_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/codec/byte_buffer.h"

namespace muster {

class WrittenMemory;

class JsonWriter {
 public:
  /// `memory`, if any, is that of all writers whose values may be the same memory.
  explicit JsonWriter(WrittenMemory* memory = nullptr) : memory_(memory) {}

  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  JsonWriter& BeginArray() { return Open('['); }
  JsonWriter& EndArray() { return Close(']'); }

  /// Name of the next value of the open object.
  JsonWriter& Key(std::string_view key);
  /// Bytes that are not UTF-8 come out as U+FFFD, so the result is always valid JSON.
  JsonWriter& String(std::string_view text);
  JsonWriter& Int(std::int64_t value);
  JsonWriter& Bool(bool value);
  /// Shortest text that reads back as the same double; null for NaN and the infinities.
  JsonWriter& Double(double value);
  JsonWriter& Null();
  /// What another JsonWriter wrote: one value.
  JsonWriter& Written(std::string_view value);

  /// Key and value in one call.
  JsonWriter& Field(std::string_view key, std::string_view text) { return Key(key).String(text); }
  JsonWriter& Field(std::string_view key, const char* text) { return Key(key).String(text); }
  JsonWriter& Field(std::string_view key, bool value) { return Key(key).Bool(value); }
  JsonWriter& Field(std::string_view key, std::int64_t value) { return Key(key).Int(value); }
  JsonWriter& Field(std::string_view key, std::int32_t value) { return Key(key).Int(value); }
  JsonWriter& Field(std::string_view key, double value) { return Key(key).Double(value); }

  std::string_view text() const { return text_.view(); }
  std::string Take() { return text_.Take(); }
  WrittenMemory* memory() const { return memory_; }

 private:
  JsonWriter& Open(char bracket);
  JsonWriter& Close(char bracket);
  void Separate();
  void Quote(std::string_view text);

  ByteBuffer text_;
  WrittenMemory* memory_ = nullptr;
  bool first_ = true;  ///< no comma is due before the next value
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_JSON_WRITER_H_
