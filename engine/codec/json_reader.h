// JsonReader: reads the JSON that JsonWriter writes, front to back, and nothing else.
//
// Canonical text has no blanks and one order of members, so the caller asks for the members it
// knows in that order. The first byte that JsonWriter would not have written makes ok() false for
// good; every read after that gives an empty value. Memory: O(text).
#ifndef MUSTER_ENGINE_CODEC_JSON_READER_H_
#define MUSTER_ENGINE_CODEC_JSON_READER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace muster {

class JsonReader {
 public:
  /// `text` must outlive the reader.
  explicit JsonReader(std::string_view text) : rest_(text) {}

  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }

  /// Takes the name of the next member of the open object if it is `name`; its value comes next.
  bool TakeMember(std::string_view name);
  /// Takes the name of the next member, whatever it is; false at the end of the object.
  bool NextMember(std::string* name);
  /// Whether the open array has another element; it comes next.
  bool NextElement();

  std::string String();
  std::int64_t Int();
  bool Bool();
  double Double();
  /// Takes a null if one comes next.
  bool TakeNull();

  void Fail();
  bool ok() const { return ok_; }
  bool AtEnd() const { return rest_.empty(); }

 private:
  void Open(char bracket);
  void Close(char bracket);
  bool Take(std::string_view word);
  /// The comma before a member or element that is not the first.
  void TakeSeparator();
  void TakeEscape(std::string* text);
  template <typename T>
  T Number();

  std::string_view rest_;
  bool ok_ = true;
  bool first_ = true;  ///< no comma is due before the next member or element
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_JSON_READER_H_
