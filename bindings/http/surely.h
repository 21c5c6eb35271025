// What lack of memory must neither end nor lose: a thread goes on, and a step that others wait for
// is taken until it succeeds.
#ifndef MUSTER_BINDINGS_HTTP_SURELY_H_
#define MUSTER_BINDINGS_HTTP_SURELY_H_

#include <chrono>
#include <new>
#include <string>
#include <string_view>
#include <thread>

#include "engine/base/caught.h"
#include "muster/log.h"

namespace muster::http {

/// Between two tries of something for which there was no memory.
inline constexpr std::chrono::milliseconds kTryAgain{10};

/// Tells the log of the exception that is being handled. Only in a catch block.
inline void LogCaught(std::string_view what) noexcept {
  try {
    Log(LogLevel::kError, std::string(what) + " failed: " + Caught().message());
  } catch (...) {  // nor is there memory to say so
    return;
  }
}

/// Takes a step, which changes nothing when it throws, until there is memory for it.
template <typename Step>
auto Surely(const Step& step) noexcept {
  for (;;) {
    try {
      return step();
    } catch (const std::bad_alloc&) {
      std::this_thread::sleep_for(kTryAgain);
    }
  }
}

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_SURELY_H_
