// The places of tokens follow from their order: behind the last one and what separates them.
#include "bindings/wire/json_tree.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bindings/wire/path.h"
#include "bindings/wire/wire.h"

namespace muster::wire {
namespace {

constexpr std::string_view kSeparators = " \t\n\r,:";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The end of the token at `begin` of a text whose token is known to be well-formed.
std::size_t EndOfToken(std::string_view text, std::size_t begin) {
  const char c = text[begin];
  if (std::string_view("[]{}").find(c) != std::string_view::npos) return begin + 1;
  if (c != '"') return std::min(text.find_first_of(" \t\n\r,:]}", begin), text.size());
  std::size_t at = begin + 1;
  while (text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return at + 1;
}

/// The library's sentence without its number, its own place and the bytes that it read, which
/// need not be text.
std::string Reason(std::string_view message) {
  const auto cut_front = [&](std::string_view mark) {
    if (const auto at = message.find(mark); at != message.npos) {
      message.remove_prefix(at + mark.size());
    }
  };
  cut_front("] ");
  if (message.starts_with("parse error at ")) cut_front(": ");
  return std::string(message.substr(0, message.find("; last read: ")));
}

}  // namespace

/// The events of nlohmann-json's SAX interface, each a node.
class JsonTreeBuilder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  explicit JsonTreeBuilder(std::string_view text) : text_(text) {}

  bool null() { return Add(JsonKind::kNull); }
  bool boolean(bool value) { return Add(value ? JsonKind::kTrue : JsonKind::kFalse); }
  bool number_integer(number_integer_t) { return AddNumber(); }
  bool number_unsigned(number_unsigned_t) { return AddNumber(); }
  bool number_float(number_float_t, const string_t&) { return AddNumber(); }
  bool string(string_t& value) { return Add(JsonKind::kString, value); }
  bool binary(binary_t&) { return false; }  // not in JSON text
  bool start_object(std::size_t) { return Open(JsonKind::kObject); }
  bool start_array(std::size_t) { return Open(JsonKind::kList); }
  bool end_object() { return HasNoNameTwice() && Close(); }
  bool end_array() { return Close(); }
  bool key(string_t& name) {
    name_offset_ = TakeToken();
    name_ = Keep(name);
    return true;
  }
  bool parse_error(std::size_t read, const std::string&, const nlohmann::json::exception& error) {
    const std::size_t begin = NextToken();
    const std::size_t last = read == 0 ? 0 : read - 1;
    const bool in_string = begin < text_.size() && text_[begin] == '"';
    const std::size_t offset = in_string ? std::max(begin, last) : std::min(begin, last);
    return Fail(std::min(offset, text_.size()), Reason(error.what()),
                "write one value of JSON, and nothing behind it");
  }

  JsonTree Take() { return std::move(tree_); }
  std::optional<BadJson> bad() const { return bad_; }

 private:
  struct Container {
    JsonTree::Node node;
    JsonTree::Node last = JsonTree::kNone;
  };

  std::size_t NextToken() const {
    return std::min(text_.find_first_not_of(kSeparators, end_), text_.size());
  }
  std::size_t TakeToken() {
    const std::size_t begin = NextToken();
    end_ = EndOfToken(text_, begin);
    return begin;
  }
  JsonTree::Letters Keep(std::string_view letters) {
    const auto begin = static_cast<std::uint32_t>(tree_.letters_.size());
    tree_.letters_ += letters;
    return {begin, static_cast<std::uint32_t>(letters.size())};
  }
  bool AddNumber() {
    const std::size_t begin = NextToken();
    return Add(JsonKind::kNumber, text_.substr(begin, EndOfToken(text_, begin) - begin));
  }
  bool Add(JsonKind kind, std::string_view letters = {}) {
    const std::size_t offset = TakeToken();
    if (tree_.nodes_.size() >= kMaxValues) {
      return Fail(offset, "more than " + std::to_string(kMaxValues) + " values",
                  "split the text into several");
    }
    const auto node = static_cast<JsonTree::Node>(tree_.nodes_.size());
    JsonTree::Each& each = tree_.nodes_.emplace_back();
    each.kind = kind;
    each.offset = static_cast<std::uint32_t>(offset);
    each.name_offset = static_cast<std::uint32_t>(name_offset_);
    each.name = std::exchange(name_, {});
    each.text = Keep(letters);
    if (!open_.empty()) Append(node);
    return true;
  }
  void Append(JsonTree::Node node) {
    Container& container = open_.back();
    JsonTree::Each& parent = tree_.nodes_[container.node];
    (container.last == JsonTree::kNone ? parent.first : tree_.nodes_[container.last].next) = node;
    container.last = node;
    ++parent.size;
  }
  bool Open(JsonKind kind) {
    if (!Add(kind)) return false;
    const auto node = static_cast<JsonTree::Node>(tree_.nodes_.size() - 1);
    if (open_.size() >= kMaxDepth) {
      return Fail(tree_.offset(node), "nested deeper than " + std::to_string(kMaxDepth) + " levels",
                  "no command or answer is that deep");
    }
    open_.push_back({node});
    return true;
  }
  bool Close() {
    TakeToken();
    open_.pop_back();
    return true;
  }
  bool HasNoNameTwice() {
    std::vector<JsonTree::Node> children;
    const JsonTree::Node parent = open_.back().node;
    for (auto n = tree_.first(parent); n != JsonTree::kNone; n = tree_.next(n)) {
      children.push_back(n);
    }
    // Equal names keep the order of the text, as nodes do.
    const auto order = [this](JsonTree::Node a, JsonTree::Node b) {
      const int names = tree_.name(a).compare(tree_.name(b));
      return names != 0 ? names < 0 : a < b;
    };
    std::sort(children.begin(), children.end(), order);
    const auto twice = std::adjacent_find(children.begin(), children.end(), [this](auto a, auto b) {
      return tree_.name(a) == tree_.name(b);
    });
    if (twice == children.end()) return true;
    const JsonTree::Node again = *std::next(twice);
    name_ = tree_.nodes_[again].name;
    return Fail(tree_.name_offset(again), "the field stands there twice", "keep one of the two");
  }
  bool Fail(std::size_t offset, std::string what, std::string cure) {
    Path path;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const JsonTree::Node node = open_[i].node;
      if (i > 0) Push(node, open_[i - 1].node, &path);
    }
    if (name_.size > 0) path.Push(name_.of(tree_.letters_));
    bad_ = BadJson{offset, path.ToString(), std::move(what), std::move(cure)};
    return false;
  }
  void Push(JsonTree::Node node, JsonTree::Node parent, Path* path) const {
    if (tree_.kind(parent) == JsonKind::kObject) return path->Push(tree_.name(node));
    path->Push(tree_.size(parent) - 1);
  }

  std::string_view text_;
  std::size_t end_ = 0;  ///< of the last token
  JsonTree tree_;
  std::vector<Container> open_;
  JsonTree::Letters name_;  ///< of the value that comes next
  std::size_t name_offset_ = 0;
  std::optional<BadJson> bad_;
};

JsonTree JsonTree::Parse(std::string_view text, std::optional<BadJson>* bad) {
  if (text.size() > kMaxBytes) {
    *bad = BadJson{0, "",
                   "the text has " + std::to_string(text.size()) + " bytes; " +
                       std::to_string(kMaxBytes) + " are the most",
                   "split it into several"};
    return {};
  }
  if (text.starts_with(kByteOrderMark)) {
    *bad = BadJson{0, "", "the text begins with a byte order mark", "write it without"};
    return {};
  }
  JsonTreeBuilder builder(text);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  *bad = builder.bad();
  return builder.Take();
}

}  // namespace muster::wire
