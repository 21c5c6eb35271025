// What stands deeper is indented line by line; a text in JSON holds no line break.
#include "bindings/cli/json.h"

namespace muster::cli {
namespace {

/// `json` as it reads inside something that is indented by `indent`.
std::string Indented(const Json& json, std::string_view indent) {
  std::string text;
  for (const char c : JsonText(json)) {
    text += c;
    if (c == '\n') text += indent;
  }
  return text;
}

}  // namespace

void JsonListStream::Open() {
  if (open_) return;
  open_ = true;
  out_ << "{\n  \"" << name_ << "\": [";
}

void JsonListStream::Add(const Json& element) {
  Open();
  out_ << (empty_ ? "\n    " : ",\n    ") << Indented(element, "    ");
  empty_ = false;
}

void JsonListStream::Close() {
  if (closed_) return;
  Open();
  out_ << (empty_ ? "]" : "\n  ]");
  closed_ = true;
}

void JsonListStream::AddMember(std::string_view name, const Json& value) {
  Close();
  out_ << ",\n  " << JsonText(Json(std::string(name))) << ": " << Indented(value, "  ");
}

void JsonListStream::End() {
  Close();
  out_ << "\n}\n";
}

}  // namespace muster::cli
