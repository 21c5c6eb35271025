// Choices that the bytes of a fuzzer make, and what each call of the library must keep to.
#ifndef MUSTER_TESTS_C_LIBRARY_CALLS_OUT_H_
#define MUSTER_TESTS_C_LIBRARY_CALLS_OUT_H_

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string>

#include "bindings/c/include/muster.h"
#include "tests/c_library/calls_texts.h"

namespace muster::testing {

inline constexpr std::int64_t kStart = 1'770'000'000'000'000'000;
inline constexpr std::int64_t kSecond = 1'000'000'000;

[[noreturn]] inline void Fail(const char* what, const char* detail) {
  std::fprintf(stderr, "%s: %s\n", what, detail);
  std::abort();
}

/// Bytes of the fuzzer, taken as choices. Once they are used up every choice is 0.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  bool Done() const { return at_ == end_; }
  std::size_t Below(std::size_t n) { return Byte() % n; }
  template <typename List>
  auto Of(const List& list) {
    return list[Below(std::size(list))];
  }
  /// NULL now and then.
  const char* Name() { return Below(16) == 0 ? nullptr : Of(kNames); }
  /// One of the texts, as it is or with a few bytes written over.
  template <typename List>
  std::string Text(const List& list) {
    std::string text = Of(list);
    for (std::size_t changes = Below(4) == 0 ? Below(8) : 0; changes > 0 && !text.empty();
         --changes) {
      text[(Byte() * 256U + Byte()) % text.size()] = static_cast<char>(Byte());
    }
    return text;
  }
  /// Mostly small, sometimes at the ends of its type.
  std::int64_t Number() {
    constexpr std::array<std::int64_t, 6> kEnds = {std::numeric_limits<std::int64_t>::max(),
                                                   std::numeric_limits<std::int64_t>::min() + 1,
                                                   -1,
                                                   0,
                                                   std::int64_t{1} << 32,
                                                   1000};
    return Below(8) == 0 ? Of(kEnds) : static_cast<std::int64_t>(Below(16));
  }

 private:
  std::uint8_t Byte() { return at_ == end_ ? std::uint8_t{0} : *at_++; }

  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

/// What one call said: checked, and freed with what it handed out.
struct Out {
  muster_error* error = nullptr;
  muster_bytes* bytes = nullptr;

  /// Every text of an error is there, and none behind the last.
  void CheckMistakes() const {
    for (std::size_t i = 0; i <= muster_error_count(error); ++i) {
      const bool there = i < muster_error_count(error);
      if (there == (*muster_error_what(error, i) == '\0')) Fail("what", "is empty, or behind all");
      if (muster_error_place(error, i) == nullptr) Fail("place", "is NULL");
      if (muster_error_cure(error, i) == nullptr) Fail("cure", "is NULL");
    }
  }

  /// Of a call that must go well.
  void Must(muster_code code) {
    if (code != MUSTER_OK) Fail("a call of the beginning failed", muster_error_message(error));
    Check(code);
  }

  /// `partial`: it may hand out something beside an error.
  void Check(muster_code code, bool partial = false) {
    if (code == MUSTER_INTERNAL) Fail("an invariant broke", muster_error_message(error));
    if ((code == MUSTER_OK) != (error == nullptr))
      Fail("code and error differ", muster_code_name(code));
    if (error != nullptr) {
      if (muster_error_code(error) != code) Fail("two codes", muster_error_message(error));
      if (muster_error_count(error) == 0 || *muster_error_message(error) == '\0') {
        Fail("an error without a word", muster_code_name(code));
      }
      CheckMistakes();
      if (bytes != nullptr && !partial) Fail("an answer beside an error", muster_bytes_data(bytes));
    }
    if (bytes != nullptr && muster_bytes_data(bytes)[muster_bytes_size(bytes)] != '\0') {
      Fail("bytes", "that do not end with NUL");
    }
    muster_error_free(error);
    muster_bytes_free(bytes);
    error = nullptr;
    bytes = nullptr;
  }
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_C_LIBRARY_CALLS_OUT_H_
