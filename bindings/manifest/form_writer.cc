// See form_writer.h.
#include "bindings/manifest/form_writer.h"

namespace muster::manifest {

MapWriter& MapSections::At(std::string_view path) {
  if (path.empty()) return root_;
  for (auto& [at, section] : sections_) {
    if (at == path) return section;
  }
  MapWriter& section = sections_.emplace_front(path, root_.arena()).second;
  Put(path, section.node());
  return section;
}

void MapSections::Put(std::string_view path, Encoded value) {
  const std::size_t dot = path.rfind('.');
  if (path == "spec") return root_.PutBefore("status", path, value);
  if (dot == std::string_view::npos) return root_.Put(path, value);
  At(path.substr(0, dot)).Put(path.substr(dot + 1), value);
}

}  // namespace muster::manifest
