// See form_reader.h.
#include "bindings/manifest/form_reader.h"

#include <span>
#include <string>
#include <utility>

namespace muster::manifest {
namespace {

/// The path of the mapping that has the field at `path`, and the field's name.
std::pair<std::string_view, std::string_view> Split(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return {{}, path};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

}  // namespace

Fields* Sections::Find(std::string_view path) {
  if (path.empty()) return &root_;
  for (Section& section : sections_) {
    if (section.path == path) return section.fields ? &*section.fields : nullptr;
  }
  const auto value = FindField(path);
  Section& section = sections_.emplace_front();
  section.path = path;
  return value ? &section.fields.emplace(*value) : nullptr;
}

std::optional<Value> Sections::FindField(std::string_view path, std::string_view example) {
  const auto [outer, name] = Split(path);
  Fields* fields = name.empty() ? nullptr : Find(outer);
  if (fields == nullptr) return std::nullopt;
  std::optional<Value> value = fields->Find(name);
  if (!value && !example.empty()) fields->ReportMissing(name, example);
  return value;
}

void Sections::Accept(std::string_view path) {
  const auto [outer, name] = Split(path);
  if (Fields* fields = Find(outer)) fields->Accept(std::span(&name, 1));
}

void Sections::Report(const Unheeded& field) {
  const auto [outer, name] = Split(field.path);
  if (Fields* fields = Find(outer)) {
    fields->Unread(name, std::string(field.why), std::string(field.cure));
  }
}

}  // namespace muster::manifest
