// The cell is an upvalue whose name has a byte no policy may use in a name. Calling it raises.
#include "bindings/luajit/rewriter.h"

namespace muster::luajit {
namespace {

constexpr std::string_view kOpen = "local \x80 = ... return function(...) ";
constexpr std::string_view kClose = "\nend";
// The second parenthesis keeps `return a .. b` from becoming a tail call, which has no line.
constexpr std::string_view kJoinBegin = "(\x80.join(";
constexpr std::string_view kJoinEnd = "))";

void Put(const Insertion& insertion, std::string& text) {
  switch (insertion.kind) {
    case Insertion::Kind::kTick: {
      const std::string cost = std::to_string(insertion.cost);
      text += " if \x80.left<" + cost + " then \x80() end \x80.left=\x80.left-" + cost + "; ";
      break;
    }
    case Insertion::Kind::kJoinBegin:
      text += kJoinBegin;
      break;
    case Insertion::Kind::kJoinEnd:
      text += kJoinEnd;
      break;
  }
}

}  // namespace

std::string RewriteSource(std::string_view source, const std::vector<Insertion>& insertions) {
  constexpr std::size_t kUsualSize = 48;
  std::string result;
  result.reserve(kOpen.size() + source.size() + insertions.size() * kUsualSize + kClose.size());
  result += kOpen;
  std::size_t at = CodeBegin(source);
  for (const Insertion& insertion : insertions) {
    result += source.substr(at, insertion.offset - at);
    Put(insertion, result);
    at = insertion.offset;
  }
  result += source.substr(at);
  result += kClose;
  return result;
}

}  // namespace muster::luajit
