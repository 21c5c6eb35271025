// Commands and answers to JSON: each field of the lists that differs from its default.
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include "bindings/wire/field_types.h"
#include "bindings/wire/path.h"
#include "bindings/wire/wire.h"
#include "engine/base/time_text.h"
#include "engine/base/utf8.h"
#include "engine/codec/field_defaults.h"
#include "engine/codec/field_name.h"
#include "engine/codec/json_writer.h"

namespace muster::wire {
namespace {

class Writer {
 public:
  /// The first thing that JSON cannot say, as "PATH: what; cure"; empty: there was none.
  const std::string& mistake() const { return mistake_; }
  std::string Take() { return json_.Take(); }

  void WriteOne(const Decision& decision) { Write(decision); }

  template <Tagged Variant>
  void Write(const Variant& value) {
    json_.BeginObject();
    json_.Field(Tag<Variant>::kField, WordsOf<typename Tag<Variant>::Kind>()[value.index()]);
    std::visit([this](const auto& each) { this->WriteFields(each); }, value);
    json_.EndObject();
  }

 private:
  template <typename T>
  class FieldWriter;

  template <typename T>
  void WriteFields(const T& value) {
    FieldWriter<T> fields(*this);
    VisitFields(fields, value);
  }

  template <typename T>
  void Write(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      json_.Bool(value);
    } else if constexpr (std::is_integral_v<T>) {
      json_.Int(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(value)) Refuse("the number is not finite; JSON has no such number");
      json_.Double(value);
    } else if constexpr (std::is_enum_v<T>) {
      json_.String(WordsOf<T>()[static_cast<std::size_t>(value)]);
    } else if constexpr (WordMember<T>) {
      WriteText(value);
    } else if constexpr (std::is_same_v<T, Quantity>) {
      json_.String(value.ToString());
    } else if constexpr (OptionalMember<T>) {
      Write(*value);  // an unset one is its default, and was left out
    } else if constexpr (MapMember<T>) {
      WriteMap(value);
    } else if constexpr (ListMember<T>) {
      WriteList(value);
    } else {
      json_.BeginObject();
      WriteFields(value);
      json_.EndObject();
    }
  }

  void WriteText(std::string_view text) {
    if (!IsUtf8(text)) Refuse("the text is not UTF-8; encode it, for example in base64");
    json_.String(text);
  }

  template <typename Map>
  void WriteMap(const Map& entries) {
    json_.BeginObject();
    for (const auto& [name, value] : entries) {
      path_.Push(name);
      if (!IsUtf8(name)) Refuse("a name in here is not UTF-8; encode it, for example in base64");
      json_.Key(name);
      Write(value);
      path_.Pop();
    }
    json_.EndObject();
  }

  template <typename List>
  void WriteList(const List& values) {
    json_.BeginArray();
    std::size_t index = 0;
    for (const auto& value : values) {
      path_.Push(index++);
      Write(value);
      path_.Pop();
    }
    json_.EndArray();
  }

  void WriteTime(TimeNs time) { json_.String(FormatTime(time)); }

  void WriteDuration(DurationNs duration) {
    if (duration == std::numeric_limits<DurationNs>::min()) {
      Refuse("the duration is out of range; nothing reads it back");
    }
    json_.String(FormatDuration(duration));
  }
  void WriteDuration(const std::optional<DurationNs>& duration) { WriteDuration(*duration); }

  void Refuse(std::string_view why) {
    if (mistake_.empty()) mistake_ = path_.ToString() + ": " + std::string(why);
  }

  JsonWriter json_;
  Path path_;
  std::string mistake_;
};

/// Writes the fields of one T into the open object.
template <typename T>
class Writer::FieldWriter {
 public:
  explicit FieldWriter(Writer& writer) : writer_(writer) {}

  template <typename Member>
  void operator()(const char* name, const Member& member) {
    if (IsDefault(member)) return;
    Put(name, [&] { writer_.Write(member); });
  }
  template <typename Member>
  void Required(const char* name, const Member& member) {
    ++index_;
    Put(name, [&] { writer_.Write(member); });
  }
  void Time(const char* name, TimeNs member) {
    ++index_;
    if (member != kNoTime) Put(name, [&] { writer_.WriteTime(member); });
  }
  template <typename Member>
  void Duration(const char* name, const Member& member) {
    if (IsDefault(member)) return;
    Put(name, [&] { writer_.WriteDuration(member); });
  }

 private:
  template <typename Member>
  bool IsDefault(const Member& member) {
    return member == Defaults<T>::Get().template Of<Member>(index_++);
  }
  template <typename Write>
  void Put(const char* field, const Write& write) {
    const FieldName name{std::string_view(field)};
    writer_.path_.Push(name.view());
    writer_.json_.Key(name.view());
    write();
    writer_.path_.Pop();
  }

  Writer& writer_;
  std::size_t index_ = 0;
};

}  // namespace

Result<std::string> ToJson(const Command& command) {
  Writer writer;
  writer.Write(command);
  if (!writer.mistake().empty()) {
    return Status(StatusCode::kInvalidArgument, "a command that is no JSON: " + writer.mistake());
  }
  return writer.Take();
}

std::string ToJson(const Answer& answer) {
  Writer writer;
  writer.Write(answer);
  return writer.Take();
}

std::string ToJson(const Decision& decision) {
  Writer writer;
  writer.WriteOne(decision);
  return writer.Take();
}

}  // namespace muster::wire
