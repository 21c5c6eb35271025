// The reader of JSON tells what it has read, not where: a value begins behind the end of the one
// before it and what separates them.
#include "bindings/manifest/json_reader.h"

#include <yaml-cpp/mark.h>

#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "bindings/manifest/yaml_builder.h"

namespace muster::manifest {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kBetween = " \t\r\n,:";  // two values
constexpr std::string_view kBehindNumber = " \t\r\n,]}";
const std::string kPlain = "?";
const std::string kQuoted = "!";
const std::string kNoTag;

/// Walks over a text and says in `*read` how far the furthest of its copies has come.
class ReadPosition {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  ReadPosition(const char* at, const char** read) : at_(at), read_(read) {}
  reference operator*() const { return *at_; }
  ReadPosition& operator++() {
    *read_ = ++at_;
    return *this;
  }
  ReadPosition operator++(int) {
    ReadPosition before = *this;
    ++*this;
    return before;
  }
  bool operator==(const ReadPosition& other) const { return at_ == other.at_; }
  bool operator!=(const ReadPosition& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** read_;
};

/// Hands what is read to the builder of YAML's nodes, as yaml-cpp would. A call that answers false
/// ends the reading.
class Events final : public nlohmann::json_sax<Json> {
 public:
  Events(std::string_view text, const char* const& read, YamlBuilder& builder)
      : text_(text), read_(read), builder_(builder) {}

  bool null() override {
    builder_.OnNull(Begin(), 0);
    return End();
  }
  bool boolean(bool value) override { return Plain(value ? "true" : "false"); }
  bool number_integer(number_integer_t) override { return Number(); }
  bool number_unsigned(number_unsigned_t) override { return Number(); }
  bool number_float(number_float_t, const string_t&) override { return Number(); }
  bool string(string_t& value) override {
    if (!IsText(value)) return false;
    builder_.OnScalar(Begin(), kQuoted, 0, value);
    return End();
  }
  bool key(string_t& value) override { return string(value); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    builder_.OnMapStart(Begin(), kNoTag, 0, YAML::EmitterStyle::Flow);
    return End();
  }
  bool end_object() override {
    builder_.OnMapEnd();
    return End();
  }
  bool start_array(std::size_t) override {
    builder_.OnSequenceStart(Begin(), kNoTag, 0, YAML::EmitterStyle::Flow);
    return End();
  }
  bool end_array() override {
    builder_.OnSequenceEnd();
    return End();
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  bool Plain(const std::string& value) {
    builder_.OnScalar(Begin(), kPlain, 0, value);
    return End();
  }

  /// As it is written. What follows a number is read before it is told.
  bool Number() {
    const YAML::Mark mark = Begin();
    const auto begin = static_cast<std::size_t>(mark.pos);
    end_ = std::min(text_.find_first_of(kBehindNumber, begin), text_.size());
    builder_.OnScalar(mark, kPlain, 0, std::string(text_.substr(begin, end_ - begin)));
    return true;
  }

  /// Control characters may stand in JSON when they are escaped; YAML's reader says what it thinks.
  static bool IsText(std::string_view value) {
    return std::none_of(value.begin(), value.end(), [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
    });
  }

  /// Where the value begins that has just been read.
  YAML::Mark Begin() {
    const std::size_t begin = text_.find_first_not_of(kBetween, end_);
    for (; mark_.pos < static_cast<int>(begin); ++mark_.pos) {
      const auto byte = static_cast<unsigned char>(text_[static_cast<std::size_t>(mark_.pos)]);
      if (byte == '\n') {
        ++mark_.line;
        mark_.column = 0;
      } else if ((byte & 0xC0U) != 0x80U) {
        ++mark_.column;  // of characters: what continues one is not counted
      }
    }
    return mark_;
  }

  bool End() {
    end_ = static_cast<std::size_t>(read_ - text_.data());
    return true;
  }

  const std::string_view text_;
  const char* const& read_;
  YamlBuilder& builder_;
  YAML::Mark mark_;
  std::size_t end_ = 0;  ///< of what was read last
};

}  // namespace

const YamlNode* ReadJson(std::string_view text, int lines_before, YamlArena& arena) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos || (text[begin] != '{' && text[begin] != '[')) return nullptr;
  Reporter unheard;
  YamlBuilder builder(arena, unheard, [lines_before](const YAML::Mark& mark) {
    return Position{lines_before + mark.line + 1, mark.column + 1};
  });
  const char* read = text.data();
  Events events(text, read, builder);
  try {
    const ReadPosition first(text.data(), &read);
    const ReadPosition last(text.data() + text.size(), &read);
    if (!Json::sax_parse(first, last, &events)) return nullptr;
  } catch (const DocumentMistake&) {
    return nullptr;
  }
  return unheard.errors() == 0 ? builder.TakeRoot() : nullptr;
}

}  // namespace muster::manifest
