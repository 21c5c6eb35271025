// Value: a Kubernetes object as plain data, what JSON can say, with the place where each part was
// written.
//
// The adapters of the job kinds read and write these and know no text format. Entries of a map keep
// their order; comparing does not mind it. A number is kept as it was written.
#ifndef MUSTER_BINDINGS_OBJECTS_VALUE_H_
#define MUSTER_BINDINGS_OBJECTS_VALUE_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace muster::objects {

enum class ValueKind : std::uint8_t { kNull, kBool, kNumber, kText, kList, kMap };

/// More than any count, in size, that an object can have.
inline constexpr std::int64_t kMostInt = 1'000'000'000'000'000;
/// A product of counts, at most kMostInt in size.
std::int64_t Times(std::int64_t a, std::int64_t b);

/// Keys, and indexes of lists in digits, from an object down to a part of it.
using ValuePath = std::vector<std::string>;

struct Value {
  ValueKind kind = ValueKind::kNull;
  bool truth = false;  ///< of a kBool
  int line = 0;        ///< from 1; 0: not from a text
  int column = 0;
  int key_line = 0;  ///< of its key in a map
  int key_column = 0;
  std::string text;  ///< of a kNumber or kText
  std::vector<Value> items;
  std::vector<std::pair<std::string, Value>> entries;

  // Told apart from their bodies, for a pair of a Value needs a whole one.
  Value();
  ~Value();
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;

  static Value Text(std::string_view text);
  static Value Number(std::int64_t number);
  static Value Bool(bool truth);
  static Value Map() { return Of(ValueKind::kMap); }
  static Value List() { return Of(ValueKind::kList); }
  /// A map of texts, from pairs.
  static Value Texts(std::initializer_list<std::pair<std::string_view, std::string_view>> pairs);

  bool IsNull() const { return kind == ValueKind::kNull; }
  bool IsMap() const { return kind == ValueKind::kMap; }
  bool IsList() const { return kind == ValueKind::kList; }
  bool IsText() const { return kind == ValueKind::kText; }
  bool IsTrue() const { return kind == ValueKind::kBool && truth; }
  bool Empty() const { return items.empty() && entries.empty(); }

  /// Entry of a map, null when there is none or it is null.
  const Value* Find(std::string_view key) const;
  Value* Find(std::string_view key);
  bool Has(std::string_view key) const { return Find(key) != nullptr; }
  /// What the keys lead to; a null value when there is nothing.
  const Value& At(std::initializer_list<std::string_view> keys) const;
  const Value& At(std::string_view key) const { return At({key}); }
  const Value& At(const ValuePath& path) const;
  std::string_view TextAt(std::string_view key) const { return At({key}).text; }

  /// The entry or item, made when it is not there; this becomes a map.
  Value& Make(std::string_view key);
  Value& Make(std::initializer_list<std::string_view> keys);
  Value& Make(const ValuePath& path);
  void Set(std::string_view key, Value value) { Make(key) = std::move(value); }
  /// Sets only what is absent or null.
  void Default(std::string_view key, Value value);
  void Remove(std::string_view key);

  /// nullopt when it is no whole number; at most kMostInt, so that sums cannot overflow.
  std::optional<std::int64_t> Int() const;
  std::int64_t IntOr(std::int64_t other) const { return Int().value_or(other); }

  bool operator==(const Value& other) const;

 private:
  static Value Of(ValueKind kind);
};

inline Value::Value() = default;
inline Value::~Value() = default;
inline Value::Value(const Value& other) = default;
inline Value::Value(Value&& other) noexcept = default;
inline Value& Value::operator=(const Value& other) = default;
inline Value& Value::operator=(Value&& other) noexcept = default;

/// A whole number written in decimal, with nothing else.
std::optional<std::int64_t> WholeNumber(std::string_view text);
/// The truth values that Go reads: 1, t, T, true, TRUE, True, 0, f, ...
std::optional<bool> TruthValue(std::string_view text);

/// JSON merge patch: null removes, lists are replaced.
void MergePatch(Value& target, const Value& patch);

/// The merge patch that makes `after` of `before`; a map without entries when nothing differs.
Value MergePatchFor(const Value& before, const Value& after);

/// What changed from one value to another.
struct Change {
  std::string pointer;  ///< JSON pointer
  Value value;          ///< the new one; null: removed
  bool operator==(const Change&) const = default;
};
/// Maps are split down to their leaves, lists only when as long as before. Sorted by pointer.
std::vector<Change> Changes(const Value& before, const Value& after);

/// JSON in one line, in the order of the entries.
std::string ToJson(const Value& value);
/// The same for people: a line each entry, indented by two blanks a level, no newline at the end.
std::string ToJsonLines(const Value& value);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_VALUE_H_
