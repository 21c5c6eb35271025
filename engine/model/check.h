// MUSTER_CHECK: an assertion about what only the engine itself can break; kept in release builds.
//
// A broken one throws InvariantBroken, which never leaves the public headers: the engine catches it
// at its boundary, turns read-only and answers StatusCode::kInternal from then on. The host process
// is never aborted.
#ifndef MUSTER_ENGINE_MODEL_CHECK_H_
#define MUSTER_ENGINE_MODEL_CHECK_H_

#include <stdexcept>
#include <string>

namespace muster {

class InvariantBroken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void FailCheck(const char* expression, const char* file, int line) {
  throw InvariantBroken(std::string(file) + ":" + std::to_string(line) +
                        ": invariant broken: " + expression);
}

}  // namespace muster

#define MUSTER_CHECK(expression)                                             \
  do {                                                                       \
    if (!(expression)) ::muster::FailCheck(#expression, __FILE__, __LINE__); \
  } while (false)

#endif  // MUSTER_ENGINE_MODEL_CHECK_H_
