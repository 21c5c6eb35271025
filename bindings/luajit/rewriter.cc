// The cell is an upvalue whose name has a byte no policy may use in a name. Calling it raises.
#include "bindings/luajit/rewriter.h"

namespace muster::luajit {
namespace {

constexpr std::string_view kOpen = "local \x80 = ... return function(...) ";
constexpr std::string_view kClose = "\nend";
constexpr std::string_view kTick = " if \x80.left<=0 then \x80() end \x80.left=\x80.left-1; ";

}  // namespace

std::string RewriteSource(std::string_view source, const std::vector<std::size_t>& ticks) {
  std::string result;
  result.reserve(kOpen.size() + source.size() + ticks.size() * kTick.size() + kClose.size());
  result += kOpen;
  std::size_t at = CodeBegin(source);
  for (const std::size_t tick : ticks) {
    result += source.substr(at, tick - at);
    result += kTick;
    at = tick;
  }
  result += source.substr(at);
  result += kClose;
  return result;
}

}  // namespace muster::luajit
