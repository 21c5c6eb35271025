// Status and Result: how the engine reports what a user or a disk can cause.
//
// Nothing throws out of the public headers. A broken promise of the engine itself is not a Status a
// caller can provoke: it poisons the engine, which then answers kInternal to everything.
#ifndef MUSTER_STATUS_H_
#define MUSTER_STATUS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace muster {

enum class StatusCode {
  kOk,
  kInvalidArgument,     ///< the input breaks a rule; see Problem for place and cure
  kNotFound,            ///< no such object
  kFailedPrecondition,  ///< legal input that this state refuses (immutable field, still in use)
  kUnavailable,         ///< held by another process, or read-only after an I/O failure
  kDataLoss,            ///< damage detected in stored state
  kInternal,            ///< an engine invariant broke; the engine is poisoned and read-only
};

/// One mistake in one object of a call.
struct Problem {
  std::size_t object = 0;  ///< index in the span that was passed to the call
  std::string field;       ///< path such as "spec.resourceGroups[0].flavors[1].name"
  std::string what;        ///< what is wrong
  std::string cure;        ///< what to write instead; may be empty
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}
  /// kInvalidArgument with every mistake found; message() is the first one's text.
  static Status Invalid(std::vector<Problem> problems) {
    Status s(StatusCode::kInvalidArgument, problems.empty() ? "invalid input" : problems[0].what);
    s.problems_ = std::move(problems);
    return s;
  }
  static Status Ok() { return Status(); }

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
  std::vector<Problem> problems_;
};

/// A value or the Status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}          // NOLINT: implicit by design
  Result(Status status) : status_(std::move(status)) {}  // NOLINT: implicit by design
  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  /// Precondition for the accessors below: ok().
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace muster

#endif  // MUSTER_STATUS_H_
