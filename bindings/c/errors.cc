// What is handed out: errors and bytes.
#include <new>

#include "bindings/c/handles.h"

namespace muster::c {
namespace {

/// Told where there is no memory for an error.
muster_error& OutOfMemory() {
  static muster_error error{
      MUSTER_UNAVAILABLE, "out of memory", {{"", "out of memory", "free some and try again"}}};
  return error;
}

/// "[2].spec.queue" of a batch.
std::string PlaceOf(const Problem& problem) {
  std::string place = "[" + std::to_string(problem.object) + "]";
  if (!problem.field.empty()) place += "." + problem.field;
  return place;
}

std::string LineOf(const muster_mistake& mistake) {
  std::string text = mistake.place;
  if (!text.empty()) text += ": ";
  text += mistake.what;
  if (!mistake.cure.empty()) text += "; " + mistake.cure;
  return text;
}

/// "what; cure" of a message that has one.
muster_mistake Cut(const std::string& message) {
  const std::size_t at = message.find("; ");
  if (at == std::string::npos) return {"", message, ""};
  return {"", message.substr(0, at), message.substr(at + 2)};
}

}  // namespace

muster_code CodeOf(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return MUSTER_OK;
    case StatusCode::kInvalidArgument:
      return MUSTER_INVALID_ARGUMENT;
    case StatusCode::kNotFound:
      return MUSTER_NOT_FOUND;
    case StatusCode::kFailedPrecondition:
      return MUSTER_FAILED_PRECONDITION;
    case StatusCode::kUnavailable:
      return MUSTER_UNAVAILABLE;
    case StatusCode::kDataLoss:
      return MUSTER_DATA_LOSS;
    case StatusCode::kInternal:
      return MUSTER_INTERNAL;
  }
  return MUSTER_INTERNAL;
}

muster_code Tell(const Status& status, muster_error** error) noexcept {
  if (status.ok() || error == nullptr) return CodeOf(status.code());
  try {
    std::vector<muster_mistake> mistakes;
    for (const Problem& problem : status.problems()) {
      mistakes.push_back({PlaceOf(problem), problem.what, problem.cure});
    }
    if (!mistakes.empty()) return Tell(status.code(), std::move(mistakes), error);
    *error = new muster_error{CodeOf(status.code()), status.message(), {Cut(status.message())}};
  } catch (...) {
    *error = &OutOfMemory();
  }
  return CodeOf(status.code());
}

muster_code Tell(StatusCode code, std::vector<muster_mistake> mistakes,
                 muster_error** error) noexcept {
  if (error == nullptr) return CodeOf(code);
  try {
    std::string message;
    for (const muster_mistake& mistake : mistakes) {
      message += (message.empty() ? "" : "\n") + LineOf(mistake);
    }
    *error = new muster_error{CodeOf(code), std::move(message), std::move(mistakes)};
  } catch (...) {
    *error = &OutOfMemory();
  }
  return CodeOf(code);
}

void Give(std::string text, muster_bytes** bytes) {
  if (bytes != nullptr) *bytes = new muster_bytes{std::move(text)};
}

}  // namespace muster::c

const char* muster_bytes_data(const muster_bytes* bytes) {
  return bytes == nullptr ? "" : bytes->text.c_str();
}
size_t muster_bytes_size(const muster_bytes* bytes) {
  return bytes == nullptr ? 0 : bytes->text.size();
}
void muster_bytes_free(muster_bytes* bytes) { delete bytes; }

muster_code muster_error_code(const muster_error* error) {
  return error == nullptr ? MUSTER_OK : error->code;
}
const char* muster_error_message(const muster_error* error) {
  return error == nullptr ? "" : error->message.c_str();
}
size_t muster_error_count(const muster_error* error) {
  return error == nullptr ? 0 : error->mistakes.size();
}
const char* muster_error_place(const muster_error* error, size_t index) {
  return index < muster_error_count(error) ? error->mistakes[index].place.c_str() : "";
}
const char* muster_error_what(const muster_error* error, size_t index) {
  return index < muster_error_count(error) ? error->mistakes[index].what.c_str() : "";
}
const char* muster_error_cure(const muster_error* error, size_t index) {
  return index < muster_error_count(error) ? error->mistakes[index].cure.c_str() : "";
}
void muster_error_free(muster_error* error) {
  if (error != &muster::c::OutOfMemory()) delete error;
}
