// Cuts the text at its `---` lines, feeds each piece that is not a usual one to yaml-cpp, and words
// its complaints for people. Pieces do not depend on each other: runs of them are read by threads,
// each into an arena and a reporter of its own, and put together in the order of the text.
#include "bindings/manifest/yaml_parser.h"

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <utility>

#include "bindings/manifest/beside.h"
#include "bindings/manifest/encoding.h"
#include "bindings/manifest/json_reader.h"
#include "bindings/manifest/limits.h"
#include "bindings/manifest/usual_yaml.h"
#include "bindings/manifest/yaml_builder.h"
#include "bindings/manifest/yaml_syntax.h"

namespace muster::manifest {
namespace {

/// One `---` and what follows it, up to the next.
struct Piece {
  std::string_view text;
  int lines_before = 0;
};

bool BeginsDocument(std::string_view line) {
  return line.starts_with("---") &&
         (line.size() == 3 || std::string_view(" \t\r\n").find(line[3]) != std::string_view::npos);
}

std::vector<Piece> CutIntoDocuments(std::string_view text) {
  std::vector<Piece> pieces;
  std::size_t begin = 0;
  int begin_line = 0;
  int line = 0;
  for (std::size_t i = 0; i < text.size(); ++line) {
    if (i > begin && BeginsDocument(text.substr(i, 4))) {
      pieces.push_back({text.substr(begin, i - begin), begin_line});
      begin = i;
      begin_line = line;
    }
    const std::size_t newline = text.find('\n', i);
    i = newline == std::string_view::npos ? text.size() : newline + 1;
  }
  pieces.push_back({text.substr(begin), begin_line});
  return pieces;
}

/// Turns the marks of yaml-cpp, which count bytes from the begin of a piece, into positions.
class Marks {
 public:
  explicit Marks(const Piece& piece) : piece_(piece) {
    ascii_ = std::none_of(piece.text.begin(), piece.text.end(),
                          [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  }

  Position ToPosition(const YAML::Mark& mark) const {
    if (mark.line < 0) return {piece_.lines_before + 1, 1};
    int column = mark.column;
    if (!ascii_ && mark.pos >= mark.column) {
      const std::string_view line =
          piece_.text.substr(static_cast<std::size_t>(mark.pos - mark.column));
      column -= static_cast<int>(ContinuationBytes(line, static_cast<std::size_t>(column)));
    }
    return {piece_.lines_before + mark.line + 1, column + 1};
  }

 private:
  Piece piece_;
  bool ascii_ = true;
};

/// True when a quoted scalar begins at `mark` and its quote is never closed; yaml-cpp takes the end
/// of the text for the closing quote.
bool IsLeftOpen(std::string_view text, const YAML::Mark& mark) {
  if (mark.pos < 0) return false;
  auto i = static_cast<std::size_t>(mark.pos);
  while (i < text.size() && (text[i] == '!' || text[i] == '&')) {
    i = std::min(text.find_first_of(" \n", i), text.size());
    i = std::min(text.find_first_not_of(" \n", i), text.size());
  }
  if (i >= text.size() || (text[i] != '"' && text[i] != '\'')) return false;
  const char quote = text[i];
  for (++i; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 >= text.size() || text[i + 1] != quote) return false;
      ++i;
    }
  }
  return true;
}

/// Where the last bracket of a JSON text that is never closed stands; nullopt for other texts.
std::optional<std::size_t> OpenBracket(std::string_view text) {
  std::size_t begin = text.find_first_not_of(" \t\r\n");
  while (begin != std::string_view::npos && text[begin] == '#') {
    begin = text.find_first_not_of(" \t\r\n", std::min(text.find('\n', begin), text.size()));
  }
  if (begin == std::string_view::npos || (text[begin] != '{' && text[begin] != '[')) {
    return std::nullopt;
  }
  std::vector<std::size_t> open;
  bool quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && (text[i] == '{' || text[i] == '[')) {
      open.push_back(i);
    } else if (!quoted && (text[i] == '}' || text[i] == ']') && !open.empty()) {
      open.pop_back();
    }
  }
  if (open.empty()) return std::nullopt;
  return open.back();
}

/// Its root, null where it is empty. nullopt: yaml-cpp has to read it.
std::optional<const YamlNode*> ReadUsual(const Piece& piece, const Marks& marks, YamlArena& arena,
                                         const Reporter& reporter) {
  Reporter mistakes = reporter.ForPart();  // of which yaml-cpp is asked again
  YamlBuilder builder(arena, mistakes,
                      [&](const YAML::Mark& mark) { return marks.ToPosition(mark); });
  try {
    if (!ReadUsualYaml(piece.text, builder) || mistakes.errors() > 0) return std::nullopt;
  } catch (const DocumentMistake&) {
    return std::nullopt;
  }
  const YamlNode* const root = builder.TakeRoot();
  return root != nullptr && root->kind != NodeKind::kNull ? root : nullptr;
}

void ParsePiece(const Piece& piece, YamlArena& arena, Reporter& reporter,
                std::vector<const YamlNode*>& roots) {
  if (const YamlNode* root = ReadJson(piece.text, piece.lines_before, arena)) {
    roots.push_back(root);
    return;
  }
  const Marks marks(piece);
  if (const auto usual = ReadUsual(piece, marks, arena, reporter)) {
    if (*usual != nullptr) roots.push_back(*usual);
    return;
  }
  YamlBuilder builder(arena, reporter,
                      [&](const YAML::Mark& mark) { return marks.ToPosition(mark); });
  std::istringstream stream{std::string(piece.text)};
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
      const YamlNode* root = builder.TakeRoot();
      if (IsLeftOpen(piece.text, builder.last_quoted())) {
        throw DocumentMistake{marks.ToPosition(builder.last_quoted()),
                              "the quoted text that begins here is never closed",
                              "write the closing quote"};
      }
      if (root != nullptr && root->kind != NodeKind::kNull) roots.push_back(root);
    }
  } catch (const DocumentMistake& mistake) {
    if (const auto open = OpenBracket(piece.text)) {
      const Position at = PositionOf(piece.text, *open);
      return reporter.Error(
          {piece.lines_before + at.line, at.column}, "the bracket that opens here is never closed",
          piece.text[*open] == '{' ? "write the missing '}'" : "write the missing ']'");
    }
    reporter.Error(mistake.at, mistake.what, mistake.cure);
  } catch (const YAML::Exception& error) {
    const SyntaxMistake mistake = ExplainSyntax(error.msg, marks.ToPosition(error.mark), piece.text,
                                                error.mark.pos, builder.Innermost());
    reporter.Error(mistake.at, mistake.what, mistake.cure);
  }
}

/// From so many bytes on a text is read by several threads.
constexpr std::size_t kLeastShared = std::size_t{1} << 18;
constexpr std::size_t kBytesOfRun = std::size_t{1} << 16;  ///< what a thread takes at a time

/// Some pieces in a row and what comes of them.
struct Run {
  std::span<const Piece> pieces;
  YamlArena arena;
  Reporter reporter;
  std::vector<const YamlNode*> roots;
};

std::vector<Run> RunsOf(std::span<const Piece> pieces, const Reporter& reporter) {
  std::vector<Run> runs;
  while (!pieces.empty()) {
    std::size_t count = 0;
    for (std::size_t bytes = 0; count < pieces.size() && bytes < kBytesOfRun; ++count) {
      bytes += pieces[count].text.size();
    }
    runs.push_back({pieces.first(count), {}, reporter.ForPart(), {}});
    pieces = pieces.subspan(count);
  }
  return runs;
}

}  // namespace

std::vector<const YamlNode*> ParseYaml(std::string_view text, YamlArena& arena,
                                       Reporter& reporter) {
  std::vector<const YamlNode*> roots;
  if (text.size() > kMaxSourceBytes) {
    reporter.Error({1, 1}, "this text has more than " + std::to_string(kMaxSourceBytes) + " bytes",
                   "split it into several files");
    return roots;
  }
  text = WithoutByteOrderMark(text);
  if (const std::optional<EncodingMistake> mistake = FindEncodingMistake(text)) {
    reporter.Error(PositionOf(text, mistake->offset), mistake->what, mistake->cure);
    return roots;
  }
  const std::vector<Piece> pieces = CutIntoDocuments(text);
  if (text.size() < kLeastShared) {
    for (const Piece& piece : pieces) ParsePiece(piece, arena, reporter, roots);
    return roots;
  }
  std::vector<Run> runs = RunsOf(pieces, reporter);
  Beside(runs.size(), [&runs](std::size_t i) {
    Run& run = runs[i];
    for (const Piece& piece : run.pieces) ParsePiece(piece, run.arena, run.reporter, run.roots);
  });
  for (Run& run : runs) {
    roots.insert(roots.end(), run.roots.begin(), run.roots.end());
    arena.Take(std::move(run.arena));
    reporter.Add(std::move(run.reporter));
  }
  return roots;
}

}  // namespace muster::manifest
