// Column widths are taken over header and rows; the last column is never padded. Cells hold what
// any caller wrote, so what a terminal would obey in them becomes blank.
#include "bindings/cli/table.h"

#include <algorithm>
#include <utility>

#include "engine/base/harmless.h"

namespace muster::cli {
namespace {

constexpr std::string_view kGap = "   ";

}  // namespace

std::size_t DisplayWidth(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  }));
}

std::vector<std::string> Wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && DisplayWidth(line) + 1 + DisplayWidth(word) > width) {
      lines.push_back(std::exchange(line, {}));
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

Table::Table(std::vector<std::string> header) {
  for (std::string& name : header) {
    const bool right = !name.empty() && name.front() == '>';
    if (right) name.erase(0, 1);
    header_.emplace_back(Harmless(std::move(name)), Tone::kStrong);
    right_.push_back(right);
  }
}

void Table::Add(std::vector<Cell> row) {
  for (Cell& cell : row) {
    cell.text = Harmless(std::move(cell.text));
    if (cell.text.empty()) cell.text.push_back('-');
  }
  rows_.push_back(std::move(row));
}

Table Table::WithColumnBefore(std::string name) const {
  Table table;
  table.header_ = header_;
  table.right_ = right_;
  table.header_.emplace(table.header_.begin(), std::move(name), Tone::kStrong);
  table.right_.insert(table.right_.begin(), false);
  return table;
}

void Table::Measure(std::vector<std::size_t>* widths) const {
  widths->resize(header_.size());
  const auto measure = [widths](const std::vector<Cell>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      (*widths)[i] = std::max((*widths)[i], DisplayWidth(row[i].text));
    }
  };
  measure(header_);
  for (const std::vector<Cell>& row : rows_) measure(row);
}

void Table::PrintRow(const std::vector<Cell>& row, const std::vector<std::size_t>& widths,
                     std::ostream& out, const Paint& paint) const {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string blanks(widths[i] - DisplayWidth(row[i].text), ' ');
    if (right_[i]) out << blanks;
    out << paint(row[i].tone, row[i].text);
    if (i + 1 == row.size()) break;
    if (!right_[i]) out << blanks;
    out << kGap;
  }
  out << '\n';
}

void Table::Print(std::ostream& out, const Paint& paint, std::string_view indent) const {
  std::vector<std::size_t> widths;
  Measure(&widths);
  PrintRow(header_, widths, out << indent, paint);
  for (const std::vector<Cell>& row : rows_) PrintRow(row, widths, out << indent, paint);
}

void Table::PrintMore(std::ostream& out, const Paint& paint,
                      std::vector<std::size_t>* widths) const {
  const bool first = widths->empty();
  Measure(widths);
  if (first) PrintRow(header_, *widths, out, paint);
  for (const std::vector<Cell>& row : rows_) PrintRow(row, *widths, out, paint);
}

}  // namespace muster::cli
