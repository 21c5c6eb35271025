// A signal handler may do no more than set a flag.
#include "bindings/cli/interrupted.h"

#include <poll.h>

namespace muster::cli {
namespace {

constexpr int kSignalled = 128;  ///< and the number of the signal

/// How many Uninterrupted live on this thread.
thread_local int left_alone = 0;

volatile std::sig_atomic_t asked_to_end = 0;  ///< by this signal

extern "C" void AskToEnd(int signal) { asked_to_end = signal; }

}  // namespace

Interrupted::Interrupted() : heeds_(left_alone == 0) {
  if (!heeds_) return;
  asked_to_end = 0;
  struct sigaction action = {};
  action.sa_handler = AskToEnd;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // without SA_RESTART: it ends a wait
  sigaction(SIGINT, &action, &interrupt_before_);
  sigaction(SIGTERM, &action, &terminate_before_);
}

Interrupted::~Interrupted() {
  if (!heeds_) return;
  sigaction(SIGINT, &interrupt_before_, nullptr);
  sigaction(SIGTERM, &terminate_before_, nullptr);
}

bool Interrupted::Within(std::chrono::milliseconds time) const {
  if (!heeds_ || asked_to_end == 0) poll(nullptr, 0, static_cast<int>(time.count()));
  return heeds_ && asked_to_end != 0;
}

int Interrupted::ExitCode() const {
  return !heeds_ || asked_to_end == 0 ? 0 : kSignalled + asked_to_end;
}

Uninterrupted::Uninterrupted() { ++left_alone; }
Uninterrupted::~Uninterrupted() { --left_alone; }

}  // namespace muster::cli
