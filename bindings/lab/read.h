// Read: what an engine answers, for code that has looked at the status of every call that changed
// something. After that an engine that answers nothing has met what such code can do nothing about:
// it ends there.
#ifndef MUSTER_BINDINGS_LAB_READ_H_
#define MUSTER_BINDINGS_LAB_READ_H_

#include <stdexcept>
#include <utility>

#include "muster/status.h"

namespace muster::lab {

/// Thrown where an engine refuses; whatever began the whole catches it.
class Refused : public std::runtime_error {
 public:
  explicit Refused(Status status)
      : std::runtime_error(status.message()), status_(std::move(status)) {}
  const Status& status() const { return status_; }

 private:
  Status status_;
};

/// The value, or Refused.
template <typename T>
T Read(Result<T> answer) {
  if (!answer.ok()) throw Refused(answer.status());
  return *std::move(answer);
}

/// For calls that answer nothing more.
inline void Read(const Status& status) {
  if (!status.ok()) throw Refused(status);
}

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_READ_H_
