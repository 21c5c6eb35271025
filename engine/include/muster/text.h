// Text: words that do not change and that many have in common, in the space of a pointer.
//
// The type of a condition, its message, the name of a queue stand in a million workloads. Copies of
// a Text share one piece of memory; an empty one has none. Words that the engine says most often
// are known (engine/model/words.h): a Text made of such a word, wherever it comes from, is that
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

/// What the copies of a Text share.
struct TextBlock {
  static constexpr std::uint32_t kForever = 0;

  /// One that is known, and never counted.
  explicit constexpr TextBlock(std::string_view text)
      : owners(kForever), size(static_cast<std::uint32_t>(text.size())), words(text.data()) {}
  TextBlock(std::uint32_t count, std::uint32_t length, const char* text)
      : owners(count), size(length), words(text) {}
  std::string_view view() const { return {words, size}; }

  std::atomic<std::uint32_t> owners;
  std::uint32_t size;
  const char* words;
};

template <typename Words>
concept TextLike = std::convertible_to<const Words&, std::string_view>;

class Text {
 public:
  Text() = default;
  /// Whatever a view of characters can be made of. O(size); a known word takes no memory.
  template <TextLike Words>
  requires(!std::same_as<Words, Text>) Text(const Words& words) : block_(Find(words)) {}
  explicit Text(TextBlock& known) : block_(&known) {}
  Text(const Text& other) : block_(other.block_) {
    if (IsCounted()) block_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  Text(Text&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Text& operator=(const Text& other) {
    if (this == &other) return *this;
    Text copy(other);
    std::swap(block_, copy.block_);
    return *this;
  }
  Text& operator=(Text&& other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Text() {
    if (IsCounted() && block_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) Drop(block_);
  }

  std::string_view view() const { return block_ == nullptr ? std::string_view() : block_->view(); }
  operator std::string_view() const { return view(); }
  operator std::string() const { return str(); }
  std::string str() const { return std::string(view()); }
  bool empty() const { return block_ == nullptr; }
  std::size_t size() const { return view().size(); }
  bool starts_with(std::string_view start) const { return view().starts_with(start); }
  void clear() { *this = Text(); }

  /// Whether it is this known word. O(1) between words that are known, else O(size).
  bool Is(const TextBlock& known) const {
    return block_ == &known || (IsCounted() && view() == known.view());
  }
  /// O(1) for copies and between known words, else O(size).
  bool operator==(const Text& other) const {
    if (block_ == other.block_) return true;
    return (IsCounted() || other.IsCounted()) && view() == other.view();
  }
  template <TextLike Words>
  requires(!std::same_as<Words, Text>) bool operator==(const Words& words) const {
    return view() == std::string_view(words);
  }
  /// By characters, as std::string.
  std::strong_ordering operator<=>(const Text& other) const { return view() <=> other.view(); }

 private:
  bool IsCounted() const {
    return block_ != nullptr &&
           block_->owners.load(std::memory_order_relaxed) != TextBlock::kForever;
  }
  static TextBlock* Find(std::string_view words);
  static void Drop(TextBlock* block);

  TextBlock* block_ = nullptr;  ///< null: empty
};

inline std::string operator+(std::string_view a, const Text& b) {
  return std::string(a).append(b.view());
}
inline std::string operator+(const Text& a, std::string_view b) { return a.str().append(b); }
std::ostream& operator<<(std::ostream& out, const Text& text);

}  // namespace muster

#endif  // MUSTER_TEXT_H_
