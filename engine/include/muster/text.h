// Text: words that do not change and that many have in common, in the space of a pointer.
//
// The type of a condition, its message, the name of a queue stand in a million workloads. Copies of
// a Text share one piece of memory; an empty one has none. Words that the engine says most often
// are known (engine/base/words.h). A Text made of such a word, wherever it comes from, is that
// word, so whether a condition has a type is a comparison of two pointers. Reads like a
// std::string_view, which is valid as long as a copy of the Text is. Copies may live on several
// threads.
#ifndef MUSTER_TEXT_H_
#define MUSTER_TEXT_H_

#include <atomic>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

namespace muster {

/// A word that is known: it exists once, and is never counted.
struct KnownText {
  explicit constexpr KnownText(std::string_view text) : words(text) {}
  std::string_view words;
};

/// What the copies of another Text share; its characters stand right behind it.
struct CountedText {
  explicit CountedText(std::uint32_t length) : size(length) {}
  std::string_view view() const { return {reinterpret_cast<const char*>(this + 1), size}; }
  mutable std::atomic<std::uint32_t> owners = 1;
  std::uint32_t size;
};

template <typename Words>
concept TextLike = std::convertible_to<const Words&, std::string_view>;

class Text {
 public:
  Text() = default;
  /// Whatever a view of characters can be made of. O(size); a known word takes no memory.
  template <TextLike Words>
  requires(!std::same_as<Words, Text>) Text(const Words& words) : at_(Find(words)) {}
  explicit Text(const KnownText& known) : at_(AddressOf(known)) {}
  Text(const Text& other) : at_(other.at_) {
    if (IsCounted()) counted().owners.fetch_add(1, std::memory_order_relaxed);
  }
  Text(Text&& other) noexcept : at_(std::exchange(other.at_, nullptr)) {}
  Text& operator=(const Text& other) {
    if (at_ == other.at_) return *this;  // touches no memory that others count in
    Text copy(other);
    std::swap(at_, copy.at_);
    return *this;
  }
  Text& operator=(Text&& other) noexcept {
    std::swap(at_, other.at_);
    return *this;
  }
  ~Text() {
    if (IsCounted() && counted().owners.fetch_sub(1, std::memory_order_acq_rel) == 1) Drop();
  }

  std::string_view view() const {
    if (IsCounted()) return counted().view();
    return empty() ? std::string_view() : reinterpret_cast<const KnownText*>(at_)->words;
  }
  operator std::string_view() const { return view(); }
  operator std::string() const { return str(); }
  std::string str() const { return std::string(view()); }
  bool empty() const { return at_ == nullptr; }
  std::size_t size() const { return view().size(); }
  bool starts_with(std::string_view start) const { return view().starts_with(start); }
  void clear() { *this = Text(); }
  /// Prefetches the characters; changes nothing but the time it takes.
  void Prefetch() const { __builtin_prefetch(at_); }

  /// Whether it is this known word. O(1) between words that are known, else O(size).
  bool Is(const KnownText& known) const {
    return at_ == AddressOf(known) || (IsCounted() && view() == known.words);
  }
  /// O(1) for copies and between known words, else O(size).
  bool operator==(const Text& other) const {
    if (at_ == other.at_) return true;
    return (IsCounted() || other.IsCounted()) && view() == other.view();
  }
  template <TextLike Words>
  requires(!std::same_as<Words, Text>) bool operator==(const Words& words) const {
    return view() == std::string_view(words);
  }
  /// By characters, as std::string.
  std::strong_ordering operator<=>(const Text& other) const { return view() <=> other.view(); }

 private:
  /// Added to the address of what is counted, so that asking touches no memory: addresses of both
  /// kinds are even.
  static constexpr std::uintptr_t kCounted = 1;

  static const char* AddressOf(const KnownText& known) {
    return reinterpret_cast<const char*>(&known);
  }
  static const char* Find(std::string_view words);
  bool IsCounted() const { return (reinterpret_cast<std::uintptr_t>(at_) & kCounted) != 0; }
  const CountedText& counted() const {
    return *reinterpret_cast<const CountedText*>(at_ - kCounted);
  }
  void Drop();

  const char* at_ = nullptr;  ///< of a KnownText, or of a CountedText and kCounted; null: empty
};

inline std::string operator+(std::string_view a, const Text& b) {
  return std::string(a).append(b.view());
}
inline std::string operator+(const Text& a, std::string_view b) { return a.str().append(b); }
std::ostream& operator<<(std::ostream& out, const Text& text);

}  // namespace muster

#endif  // MUSTER_TEXT_H_
