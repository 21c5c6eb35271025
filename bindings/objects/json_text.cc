#include "bindings/objects/json_text.h"

#include <cstddef>

namespace muster::objects {
namespace {

constexpr int kJsonDepth = 16;

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
      out->Set(key, std::move(value));
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

  /// Escapes other than quotes, slashes and white space do not occur in names.
  bool String(std::string* out) {
    if (at_ == text_.size() || text_[at_] != '"') return false;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        return true;
      }
      if (text_[at_] == '\\' && ++at_ == text_.size()) return false;
      *out += text_[at_];
    }
    return false;
  }

  bool Digits(Value* out) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::string_view("+-.eE0123456789").find(text_[at_]) != text_.npos)
      ++at_;
    if (begin == at_) return false;
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
