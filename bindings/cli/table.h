// Table: columns of text, aligned, in the style of kubectl.
#ifndef MUSTER_BINDINGS_CLI_TABLE_H_
#define MUSTER_BINDINGS_CLI_TABLE_H_

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/cli/io.h"

namespace muster::cli {

struct Cell {
  Cell(std::string t, Tone tone_of_text = Tone::kPlain)  // NOLINT: implicit by design
      : text(std::move(t)), tone(tone_of_text) {}
  Cell(const char* t) : text(t) {}  // NOLINT: implicit by design
  std::string text;
  Tone tone = Tone::kPlain;
};

class Table {
 public:
  /// A name that starts with '>' makes its column right-aligned.
  explicit Table(std::vector<std::string> header);

  /// Precondition: as many cells as the header has. An empty cell prints as "-".
  void Add(std::vector<Cell> row);
  bool empty() const { return rows_.empty(); }
  const std::vector<std::vector<Cell>>& rows() const { return rows_; }

  /// An empty table with the same columns behind one more.
  Table WithColumnBefore(std::string name) const;

  /// Header and rows, each line behind `indent`; no trailing blanks.
  void Print(std::ostream& out, const Paint& paint, std::string_view indent = "") const;
  /// The rows under those of the tables that were printed with the same `widths` before; the header
  /// only where that is empty.
  void PrintMore(std::ostream& out, const Paint& paint, std::vector<std::size_t>* widths) const;

 private:
  Table() = default;
  void Measure(std::vector<std::size_t>* widths) const;
  void PrintRow(const std::vector<Cell>& row, const std::vector<std::size_t>& widths,
                std::ostream& out, const Paint& paint) const;

  std::vector<Cell> header_;
  std::vector<bool> right_;
  std::vector<std::vector<Cell>> rows_;
};

/// Columns that `text` (UTF-8) takes on a terminal: its code points.
std::size_t DisplayWidth(std::string_view text);

/// `text` broken at blanks into lines of at most `width` columns.
std::vector<std::string> Wrap(std::string_view text, std::size_t width);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_TABLE_H_
