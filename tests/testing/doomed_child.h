// The other side of a DoomedProcess: a program that says what it has done until it is killed.
#ifndef MUSTER_TESTS_TESTING_DOOMED_CHILD_H_
#define MUSTER_TESTS_TESTING_DOOMED_CHILD_H_

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace muster::testing {

/// Writes one line to stdout at once and whole, so that a kill cannot lose what was said.
inline void Say(std::string line) {
  line += '\n';
  if (write(STDOUT_FILENO, line.data(), line.size()) < 0) _exit(3);
}

/// LEDGER [--stop-at POINT] [--after N] [--ack-early]: where to wait for the kill, and after how
/// many times there; --ack-early says that a thing is stored before it is.
struct DoomedArguments {
  std::string ledger;
  std::string stop_at;
  int after = 0;
  bool ack_early = false;

  DoomedArguments(int argc, char** argv) {
    if (argc > 1) ledger = argv[1];
    for (int i = 2; i < argc; ++i) {
      const std::string_view word = argv[i];
      if (word == "--stop-at" && i + 1 < argc) stop_at = argv[++i];
      if (word == "--after" && i + 1 < argc) after = std::atoi(argv[++i]);
      if (word == "--ack-early") ack_early = true;
    }
  }
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_DOOMED_CHILD_H_
