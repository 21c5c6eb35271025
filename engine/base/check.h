// MUSTER_CHECK: an assertion about what only the engine itself can break; kept in release builds.
//
// A broken one throws InvariantBroken, which never leaves the public headers: the engine catches it
// at its boundary, turns read-only and answers StatusCode::kInternal from then on. The host process
// is never aborted.
#ifndef MUSTER_ENGINE_BASE_CHECK_H_
#define MUSTER_ENGINE_BASE_CHECK_H_

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace muster {

class InvariantBroken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// A source file as the repository calls it, made while compiling: where the repository lay on the
/// machine that compiled stands neither in messages nor in the program.
template <std::size_t kSize>
struct SourcePath {
  char text[kSize] = {};

  constexpr explicit SourcePath(const char (&file)[kSize]) {
    const std::string_view whole(file, kSize - 1);
    std::size_t cut = 0;  // the innermost of our own folders is not a part of that path
    for (const std::string_view folder : {"/engine/", "/bindings/", "/db/", "/tests/"}) {
      const std::size_t at = whole.rfind(folder);
      if (at != std::string_view::npos && at + 1 > cut) cut = at + 1;
    }
    for (std::size_t i = cut; i < kSize; ++i) text[i - cut] = file[i];
  }
};

[[noreturn]] inline void FailCheck(const char* expression, const char* file, int line) {
  throw InvariantBroken(std::string(file) + ":" + std::to_string(line) +
                        ": invariant broken: " + expression);
}

}  // namespace muster

#define MUSTER_CHECK(expression)                                         \
  do {                                                                   \
    if (!(expression)) {                                                 \
      static constexpr ::muster::SourcePath kMusterCheckFile(__FILE__);  \
      ::muster::FailCheck(#expression, kMusterCheckFile.text, __LINE__); \
    }                                                                    \
  } while (false)

#endif  // MUSTER_ENGINE_BASE_CHECK_H_
