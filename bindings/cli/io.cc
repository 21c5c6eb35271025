// Terminal colours and the two kinds of message a verb writes to stderr.
#include "bindings/cli/io.h"

#include "engine/base/shown.h"

namespace muster::cli {
namespace {

std::string_view Escape(Tone tone) {
  switch (tone) {
    case Tone::kPlain:
      return "";
    case Tone::kStrong:
      return "\033[1m";
    case Tone::kGood:
      return "\033[32m";
    case Tone::kWarning:
      return "\033[33m";
    case Tone::kBad:
      return "\033[31m";
    case Tone::kFaint:
      return "\033[2m";
  }
  return "";
}

}  // namespace

std::string Paint::operator()(Tone tone, std::string_view text) const {
  std::string painted(text);
  if (!on_ || tone == Tone::kPlain || text.empty()) return painted;
  return std::string(Escape(tone)) + painted + "\033[0m";
}

int Io::Fail(ExitCode code, std::string_view message) {
  err << err_paint(Tone::kBad, "muster: ") << CutUnbroken(message) << '\n';
  return code;
}

void Io::Warn(std::string_view message) {
  if (hidden_warnings) {
    ++*hidden_warnings;
    return;
  }
  err << err_paint(Tone::kWarning, "muster: warning: ") << CutUnbroken(message) << '\n';
}

}  // namespace muster::cli
