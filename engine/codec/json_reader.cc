// See json_reader.h; the forms are those of json_writer.cc.
#include "engine/codec/json_reader.h"

#include <charconv>
#include <cmath>
#include <system_error>

namespace muster {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

void JsonReader::Fail() {
  ok_ = false;
  rest_ = {};
}

bool JsonReader::Take(std::string_view word) {
  if (!rest_.starts_with(word)) return false;
  rest_.remove_prefix(word.size());
  return true;
}

void JsonReader::Open(char bracket) {
  if (!Take({&bracket, 1})) Fail();
  first_ = true;
}

void JsonReader::Close(char bracket) {
  if (!Take({&bracket, 1})) Fail();
  first_ = false;
}

void JsonReader::TakeSeparator() {
  if (!first_ && !Take(",")) Fail();
  first_ = true;
}

bool JsonReader::TakeMember(std::string_view name) {
  const std::string_view before = rest_;
  const bool found = (first_ || Take(",")) && Take("\"") && Take(name) && Take("\":");
  if (found) {
    first_ = true;
  } else {
    rest_ = before;
  }
  return found;
}

bool JsonReader::NextMember(std::string* name) {
  if (!ok_ || rest_.starts_with('}')) return false;
  TakeSeparator();
  *name = String();
  if (!Take(":")) Fail();
  first_ = true;
  return ok_;
}

bool JsonReader::NextElement() {
  if (!ok_ || rest_.starts_with(']')) return false;
  TakeSeparator();
  return ok_;
}

std::string JsonReader::String() {
  std::string text;
  if (!Take("\"")) Fail();
  while (ok_ && !Take("\"")) {
    if (Take("\\")) {
      TakeEscape(&text);
    } else if (rest_.empty() || static_cast<unsigned char>(rest_.front()) < 0x20) {
      Fail();
    } else {
      text.push_back(rest_.front());
      rest_.remove_prefix(1);
    }
  }
  first_ = false;
  return ok_ ? text : std::string();
}

void JsonReader::TakeEscape(std::string* text) {
  constexpr std::string_view kShort = "\"\"\\\\n\nt\tr\r";  // the letter, then its byte
  for (std::size_t i = 0; i < kShort.size(); i += 2) {
    if (!Take(kShort.substr(i, 1))) continue;
    text->push_back(kShort[i + 1]);
    return;
  }
  if (!Take("u00") || rest_.size() < 2) return Fail();
  const int high = HexDigit(rest_[0]);
  const int low = HexDigit(rest_[1]);
  if (high < 0 || high > 1 || low < 0) return Fail();
  text->push_back(static_cast<char>(16 * high + low));
  rest_.remove_prefix(2);
}

template <typename T>
T JsonReader::Number() {
  T value{};
  const char* const end = rest_.data() + rest_.size();
  const auto [stop, error] = std::from_chars(rest_.data(), end, value);
  if (error != std::errc()) {
    Fail();
    return {};
  }
  rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
  first_ = false;
  return value;
}

std::int64_t JsonReader::Int() { return Number<std::int64_t>(); }

double JsonReader::Double() {
  const double value = Number<double>();
  if (std::isfinite(value)) return value;
  Fail();
  return 0;
}

bool JsonReader::Bool() {
  const bool value = Take("true");
  if (!value && !Take("false")) Fail();
  first_ = false;
  return value;
}

bool JsonReader::TakeNull() {
  if (!Take("null")) return false;
  first_ = false;
  return true;
}

}  // namespace muster
