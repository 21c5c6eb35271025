#include "bindings/objects/json_text.h"

#include <charconv>
#include <cstddef>
#include <optional>

namespace muster::objects {
namespace {

constexpr int kJsonDepth = 64;

bool IsDigitOf(char c) { return c >= '0' && c <= '9'; }

void AppendUtf8(unsigned code, std::string* out) {
  const auto byte = [out](unsigned bits) { *out += static_cast<char>(bits); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  std::optional<Value> Document() {
    Value value;
    if (!Any(&value, 0)) return std::nullopt;
    Space();
    return at_ == text_.size() ? std::optional(std::move(value)) : std::nullopt;
  }

 private:
  void Space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }
  bool Take(char c) {
    Space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool Word(std::string_view word, Value value, Value* out) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    *out = std::move(value);
    return true;
  }

  bool Any(Value* out, int depth) {
    Space();
    if (depth > kJsonDepth || at_ == text_.size()) return false;
    const char c = text_[at_];
    if (c == '{') return Members(out, depth);
    if (c == '[') return Items(out, depth);
    if (c == '"') {
      *out = Value::Text("");
      return String(&out->text);
    }
    return Word("true", Value::Bool(true), out) || Word("false", Value::Bool(false), out) ||
           Word("null", Value(), out) || Digits(out);
  }

  bool Members(Value* out, int depth) {
    *out = Value::Map();
    ++at_;
    if (Take('}')) return true;
    do {
      Space();
      std::string key;
      Value value;
      if (!String(&key) || !Take(':') || !Any(&value, depth + 1)) return false;
      // Of a key that stands there twice the last value counts, as Go reads it.
      if (!value.IsNull() || !out->Has(key)) out->Set(key, std::move(value));
    } while (Take(','));
    return Take('}');
  }

  bool Items(Value* out, int depth) {
    *out = Value::List();
    ++at_;
    if (Take(']')) return true;
    do {
      if (!Any(&out->items.emplace_back(), depth + 1)) return false;
    } while (Take(','));
    return Take(']');
  }

  bool String(std::string* out) {
    if (at_ == text_.size() || text_[at_] != '"') return false;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') {
        *out += c;
      } else if (++at_ == text_.size() || !Escape(out)) {
        return false;
      }
    }
    return false;
  }

  static constexpr std::size_t kHexDigits = 4;
  static constexpr unsigned kHighSurrogate = 0xD800, kLowSurrogate = 0xDC00, kNoSurrogate = 0xE000;

  std::optional<unsigned> HexAt(std::size_t at) const {
    unsigned code = 0;
    if (text_.size() < at + kHexDigits) return std::nullopt;
    const char* const begin = text_.data() + at;
    const auto read = std::from_chars(begin, begin + kHexDigits, code, 16);
    if (read.ec != std::errc() || read.ptr != begin + kHexDigits) return std::nullopt;
    return code;
  }

  /// What stands behind a backslash; leaves its last character to be passed.
  bool Escape(std::string* out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    if (const std::size_t letter = kLetters.find(text_[at_]); letter != kLetters.npos) {
      *out += kMeant[letter];
      return true;
    }
    if (text_[at_] != 'u') return false;
    std::optional<unsigned> code = HexAt(at_ + 1);
    if (!code) return false;
    at_ += kHexDigits;
    if (*code >= kHighSurrogate && *code < kNoSurrogate) {
      // Two make a character; one alone is none, as for Go.
      constexpr unsigned kNone = 0xFFFD;
      std::optional<unsigned> low;
      if (text_.substr(at_ + 1).starts_with("\\u")) low = HexAt(at_ + 3);
      if (*code >= kLowSurrogate || !low || *low < kLowSurrogate || *low >= kNoSurrogate) {
        code = kNone;
      } else {
        code = 0x10000 + ((*code - kHighSurrogate) << 10) + (*low - kLowSurrogate);
        at_ += 2 + kHexDigits;
      }
    }
    AppendUtf8(*code, out);
    return true;
  }

  std::size_t PassDigits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && IsDigitOf(text_[at_])) ++at_;
    return at_ - begin;
  }
  bool Pass(std::string_view any) {
    if (at_ == text_.size() || any.find(text_[at_]) == any.npos) return false;
    ++at_;
    return true;
  }

  /// No sign but '-', no zero before other digits, digits on both sides of a point.
  bool Digits(Value* out) {
    const std::size_t begin = at_;
    Pass("-");
    const bool is_zero = at_ < text_.size() && text_[at_] == '0';
    const std::size_t whole = PassDigits();
    if (whole == 0 || (is_zero && whole > 1)) return false;
    if (Pass(".") && PassDigits() == 0) return false;
    if (Pass("eE")) {
      Pass("+-");
      if (PassDigits() == 0) return false;
    }
    *out = Value::Number(0);
    out->text = text_.substr(begin, at_ - begin);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<Value> ReadJson(std::string_view text) { return JsonReader(text).Document(); }

}  // namespace muster::objects
