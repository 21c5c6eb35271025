// JSON to commands and answers: a tree first, then the field lists over it.
#include <algorithm>

#include "bindings/manifest/encoding.h"
#include "bindings/wire/reader.h"

namespace muster::wire {
namespace {

/// The status of a text with these mistakes, of which there are `count`.
Status Refused(const std::vector<Mistake>& found, std::size_t count,
               std::vector<Mistake>* mistakes) {
  std::string message = found.front().ToString();
  if (count > kMaxMistakes) {
    message += kManyMore;
  } else if (count > 1) {
    message += " (and " + std::to_string(count - 1) + " more)";
  }
  if (mistakes != nullptr) *mistakes = found;
  return Status(StatusCode::kInvalidArgument, std::move(message));
}

/// What `read` makes of the tree of `json`.
template <typename T, typename Read>
Result<T> Decoded(std::string_view json, std::vector<Mistake>* mistakes, const Read& read) {
  if (mistakes != nullptr) mistakes->clear();
  std::optional<BadJson> bad;
  const JsonTree tree = JsonTree::Parse(json, &bad);
  if (bad) {
    const manifest::Position at = manifest::PositionOf(json, bad->offset);
    return Refused({{at.line, at.column, bad->path, bad->what, bad->cure}}, 1, mistakes);
  }
  Reader reader(tree, json);
  Result<T> decoded{T()};
  read(reader, tree, *decoded);
  if (reader.mistake_count() == 0) return decoded;
  std::vector<Mistake> found = reader.mistakes();
  std::stable_sort(found.begin(), found.end(), [](const Mistake& a, const Mistake& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  return Refused(found, reader.mistake_count(), mistakes);
}

template <typename T>
void ReadRoot(Reader& reader, const JsonTree& tree, T& value) {
  reader.Read(tree.root(), value);
}

}  // namespace

std::string Mistake::ToString() const {
  std::string text = std::to_string(line) + ":" + std::to_string(column) + ": ";
  if (!path.empty()) text += path + ": ";
  return text + what + "; " + cure;
}

Result<Command> CommandFromJson(std::string_view json, std::vector<Mistake>* mistakes) {
  return Decoded<Command>(json, mistakes, ReadRoot<Command>);
}

Result<Answer> AnswerFromJson(std::string_view json, std::vector<Mistake>* mistakes) {
  return Decoded<Answer>(json, mistakes, ReadRoot<Answer>);
}

Result<std::vector<Command>> CommandsFromJson(std::string_view json,
                                              std::vector<Mistake>* mistakes) {
  const auto read = [](Reader& reader, const JsonTree& tree, std::vector<Command>& commands) {
    if (tree.kind(tree.root()) != JsonKind::kList) {
      return reader.Read(tree.root(), commands.emplace_back());
    }
    reader.ReadElements(tree.root(), kMaxCommands,
                        [&](JsonTree::Node node) { reader.Read(node, commands.emplace_back()); });
  };
  return Decoded<std::vector<Command>>(json, mistakes, read);
}

}  // namespace muster::wire
