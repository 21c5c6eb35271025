// A character begins with a byte that continues none.
#include "bindings/cli/show/lines.h"

#include "bindings/lab/words.h"

namespace muster::cli {

std::string Fitted(const std::string& text, std::size_t width) {
  std::size_t columns = 0;
  std::size_t cut = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
    if (!begins) continue;
    if (columns + 1 == width) cut = i;
    ++columns;
  }
  if (columns <= width) return text + std::string(width - columns, ' ');
  return text.substr(0, cut) + "~";
}

std::string WithoutEnd(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

void CutLines(std::vector<std::string>* lines, std::size_t most, std::string_view what) {
  if (lines->size() <= most) return;
  const std::size_t kept = most > 0 ? most - 1 : 0;
  const std::size_t left = lines->size() - kept;
  lines->resize(kept);
  if (most > 0) lines->push_back("  ... and " + lab::Counted(left, what) + " more");
}

}  // namespace muster::cli
