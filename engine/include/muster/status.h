// Status and Result: how the engine reports what a user or a disk can cause.
//
// Nothing throws out of the public headers, but for taking the value of a Result that has none.
// That is a mistake which must not go on. A broken promise of the engine itself is not a Status a
// caller can provoke: it closes the engine, which then answers kInternal to
// everything.
#ifndef MUSTER_STATUS_H_
#define MUSTER_STATUS_H_

#include <memory>
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
  kUnavailable,         ///< held by another process, or I/O failed, or memory ran out
  kDataLoss,            ///< damage detected in stored state
  kInternal,            ///< an engine invariant broke; the engine is closed
};

/// One mistake in one object of a call.
struct Problem {
  std::size_t object = 0;  ///< index in the span that was passed to the call
  std::string field;       ///< path such as "spec.resourceGroups[0].flavors[1].name"
  std::string what;        ///< what is wrong
  std::string cure;        ///< what to write instead; may be empty
  bool missing = false;    ///< it names an object that is not there
};

/// Copying one allocates nothing: it can be told when memory has run out.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  Status(StatusCode code, std::string message) : Status(code, std::move(message), {}) {}
  /// kInvalidArgument with every mistake found; message() is the first one's text.
  static Status Invalid(std::vector<Problem> problems) {
    std::string message = problems.empty() ? "invalid input" : problems[0].what;
    return {StatusCode::kInvalidArgument, std::move(message), std::move(problems)};
  }
  static Status Ok() noexcept { return {}; }
  /// kUnavailable, "out of memory".
  static Status OutOfMemory() noexcept {
    Status s;
    s.code_ = StatusCode::kUnavailable;
    return s;
  }

  bool ok() const noexcept { return code_ == StatusCode::kOk; }
  StatusCode code() const noexcept { return code_; }
  const std::string& message() const noexcept {
    if (text_ != nullptr) return text_->message;
    return ok() ? kNone.message : kOutOfMemory.message;
  }
  const std::vector<Problem>& problems() const noexcept {
    return text_ == nullptr ? kNone.problems : text_->problems;
  }

 private:
  struct Text {
    std::string message;
    std::vector<Problem> problems;
  };
  static const Text kNone;
  static const Text kOutOfMemory;

  Status(StatusCode code, std::string message, std::vector<Problem> problems)
      : code_(code),
        text_(std::make_shared<const Text>(Text{std::move(message), std::move(problems)})) {}

  StatusCode code_ = StatusCode::kOk;
  std::shared_ptr<const Text> text_;  ///< shared by its copies; null: nothing more than the code
};

inline const Status::Text Status::kNone;
inline const Status::Text Status::kOutOfMemory = {"out of memory", {}};

/// Throws a std::logic_error with the text of `status`, in release builds too.
[[noreturn, gnu::cold]] void FailNoValue(const Status& status);

/// A value or the Status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}          // NOLINT: implicit by design
  Result(Status status) : status_(std::move(status)) {}  // NOLINT: implicit by design
  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  /// Precondition for the accessors below, checked: ok().
  T& operator*() & { return *Checked().value_; }
  const T& operator*() const& { return *Checked().value_; }
  T operator*() && { return std::move(*Checked().value_); }  ///< by value: a loop over it keeps it
  T* operator->() { return &*Checked().value_; }
  const T* operator->() const { return &*Checked().value_; }

 private:
  Result& Checked() {
    if (!value_.has_value()) FailNoValue(status_);
    return *this;
  }
  const Result& Checked() const {
    if (!value_.has_value()) FailNoValue(status_);
    return *this;
  }

  std::optional<T> value_;
  Status status_;
};

}  // namespace muster

#endif  // MUSTER_STATUS_H_
