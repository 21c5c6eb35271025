// The line is written over itself; nothing of it stays.
#include "bindings/cli/progress.h"

#include <unistd.h>

#include <iostream>

#include "bindings/plain/harmless_stream.h"

namespace muster::cli {
namespace {

constexpr std::chrono::milliseconds kBetween{100};

bool LookedAt(const Io& io, Alongside alongside) {
  if (!plain::HarmlessStream::Reaches(io.err, std::cerr) || isatty(STDERR_FILENO) != 1)
    return false;
  return alongside == Alongside::kNothing || isatty(STDOUT_FILENO) != 1;
}

}  // namespace

Progress::Progress(Io& io, Alongside alongside) : io_(io), shown_(LookedAt(io, alongside)) {}

Progress::~Progress() {
  if (written_) io_.err << "\r\x1b[K" << std::flush;
}

void Progress::Show(const std::string& line, bool at_once) {
  if (!shown_) return;
  const auto now = std::chrono::steady_clock::now();
  if (!at_once && now < next_) return;
  next_ = now + kBetween;
  io_.err << "\r\x1b[K" << line << std::flush;
  written_ = true;
}

void Progress::ShowReading(std::size_t bytes) {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  if (bytes >= 4 * kMiB) Show("reading " + std::to_string(bytes / kMiB) + " MiB of manifests");
}

void Progress::ShowStoring(std::size_t objects) {
  constexpr std::size_t kMany = 20'000;
  if (objects >= kMany) Show("storing " + std::to_string(objects) + " objects");
}

void Progress::ShowCommits(std::string_view what, std::int64_t done, std::int64_t total) {
  Show(std::string(what) + ", commit " + std::to_string(done) + " of " + std::to_string(total));
}

}  // namespace muster::cli
