// Read: what an engine answers, for code that prints it.
//
// A verb looks at the status of every call that changes something. After that an engine that
// answers nothing has met what no verb can do anything about: it ends there, and RunMuster says
// why.
#ifndef MUSTER_BINDINGS_CLI_WORLD_READ_H_
#define MUSTER_BINDINGS_CLI_WORLD_READ_H_

#include <stdexcept>
#include <utility>

#include "muster/status.h"

namespace muster::cli {

/// Ends the verb; caught by RunMuster alone.
class Refused : public std::runtime_error {
 public:
  explicit Refused(Status status)
      : std::runtime_error(status.message()), status_(std::move(status)) {}
  const Status& status() const { return status_; }

 private:
  Status status_;
};

/// The value, or the end of the verb.
template <typename T>
T Read(Result<T> answer) {
  if (!answer.ok()) throw Refused(answer.status());
  return *std::move(answer);
}

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_READ_H_
