// A line at a time; a value in quotes may hold commas, but no line's end. So a long table is cut
// between lines, and its parts are read side by side.
#include "bindings/simulate/trace_csv.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/manifest/beside.h"
#include "bindings/manifest/closest.h"
#include "bindings/manifest/manifest.h"
#include "bindings/simulate/number.h"

namespace muster::simulate {
namespace {

struct Cell {
  std::string_view text;
  std::size_t column = 1;  ///< in the line, from 1
};

/// The cells of one line after another, in the memory of the line before.
class Cells {
 public:
  /// They are valid until the next line is split, and as long as `line` is.
  const std::vector<Cell>& Split(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    cells_.clear();
    if (line.find('"') != std::string_view::npos) {
      SplitQuoted(line);
      return cells_;
    }
    for (std::size_t begin = 0;;) {
      const std::size_t end = std::min(line.find(',', begin), line.size());
      cells_.push_back({line.substr(begin, end - begin), begin + 1});
      if (end == line.size()) return cells_;
      begin = end + 1;
    }
  }

 private:
  void SplitQuoted(std::string_view line) {
    unquoted_.clear();
    unquoted_.reserve(line.size());  // views of it stay valid
    bool quoted = false;
    std::size_t begin = 0;
    std::size_t column = 1;
    const auto end_cell = [&](std::size_t next) {
      cells_.push_back({std::string_view(unquoted_).substr(begin), column});
      begin = unquoted_.size();
      column = next;
    };
    for (std::size_t at = 0; at < line.size(); ++at) {
      const char c = line[at];
      if (c == '"') {
        const bool doubled = quoted && at + 1 < line.size() && line[at + 1] == '"';
        if (doubled) unquoted_ += line[++at];
        if (!doubled) quoted = !quoted;
      } else if (c == ',' && !quoted) {
        end_cell(at + 2);
      } else {
        unquoted_ += c;
      }
    }
    end_cell(0);
  }

  std::vector<Cell> cells_;
  std::string unquoted_;  ///< the cells of a line with quotes, without them
};

/// A time of the table: a number of `unit`, or a date, since the epoch.
std::optional<DurationNs> TimeIn(std::string_view text, std::int64_t unit) {
  if (const std::optional<double> number = NumberIn(text)) {
    return Seconds(*number * static_cast<double>(unit) / static_cast<double>(kSecond));
  }
  std::string date(text);
  if (date.size() == 19 && date[10] == ' ') date = date.replace(10, 1, "T") + "Z";
  return manifest::ParseTime(date);
}

class Reader {
 public:
  Reader(std::string_view file, const TraceColumns& columns) : file_(file), columns_(columns) {}

  Result<Trace> Read(std::string_view text) {
    for (line_ = 1; !text.empty(); ++line_) {
      const std::string_view line = TakeLine(text);
      if (IsBlank(line) || (line.starts_with('#') && !columns_.id.starts_with('#'))) continue;
      if (Status status = ReadHeader(Cells().Split(line)); !status.ok()) return status;
      ++line_;
      break;
    }
    std::vector<Part> parts = PartsOf(text);
    manifest::Beside(parts.size(), [&](std::size_t i) {
      parts[i].status = Reader(*this).ReadRows(&parts[i]);
    });
    Trace trace;
    std::size_t rows = 0;
    for (const Part& part : parts) {
      if (!part.status.ok()) return part.status;
      rows += part.jobs.size();
    }
    for (Part& part : parts) {
      if (trace.jobs.empty()) {
        trace.jobs = std::move(part.jobs);
        trace.jobs.reserve(rows);
        continue;
      }
      std::move(part.jobs.begin(), part.jobs.end(), std::back_inserter(trace.jobs));
      part.jobs = {};
    }
    return trace;
  }

 private:
  /// Whole lines of the table, read beside the others.
  struct Part {
    std::string_view text;
    int first_line = 0;
    std::vector<TraceJob> jobs;
    Status status;
  };

  static std::string_view TakeLine(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
  }
  static bool IsBlank(std::string_view line) {
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
  }

  /// `text` begins with line_.
  std::vector<Part> PartsOf(std::string_view text) const {
    constexpr std::size_t kLeast = 1 << 20;  // bytes that are worth a thread
    constexpr std::size_t kMostParts = 4;
    const std::size_t wanted = std::min(kMostParts, text.size() / kLeast + 1);
    const std::size_t each = text.size() / wanted + 1;
    std::vector<Part> parts;
    for (int line = line_; !text.empty();) {
      const std::size_t end = text.size() < each ? text.size() : text.find('\n', each - 1);
      const std::string_view part = text.substr(0, end == text.npos ? end : end + 1);
      text.remove_prefix(part.size());
      parts.push_back({part, line, {}, {}});
      line += static_cast<int>(std::count(part.begin(), part.end(), '\n'));
    }
    return parts;
  }

  Status ReadRows(Part* part) {
    // Lines of a table are longer than that; a file of empty lines does not ask for memory.
    constexpr std::size_t kShortest = 8;
    std::string_view text = part->text;
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    part->jobs.reserve(std::min(lines, text.size() / kShortest));
    Cells of_line;
    for (line_ = part->first_line; !text.empty(); ++line_) {
      const std::string_view line = TakeLine(text);
      if (IsBlank(line)) continue;
      const std::vector<Cell>& cells = of_line.Split(line);
      if (cells.size() != width_) {
        return MistakeAt(file_, line_, 1, "a row of " + std::to_string(cells.size()) + " columns",
                         "its header has " + std::to_string(width_));
      }
      if (Status status = ReadRow(cells, &part->jobs.emplace_back()); !status.ok()) return status;
    }
    return Status::Ok();
  }

  Status ReadHeader(const std::vector<Cell>& cells) {
    width_ = cells.size();
    std::vector<std::string_view> names;
    for (const Cell& cell : cells) names.push_back(cell.text);
    const auto find = [&](const std::string& name, std::string_view what, bool needed,
                          std::optional<std::size_t>* at) {
      if (name.empty()) {
        const auto same = std::find(names.begin(), names.end(), what);
        if (same != names.end()) *at = static_cast<std::size_t>(same - names.begin());
        if (same != names.end() || !needed) return Status::Ok();
        return Status(StatusCode::kInvalidArgument, std::string(file_) +
                                                        ": it is not said which column is the " +
                                                        std::string(what) + "; write --columns " +
                                                        std::string(what) + "=NAME,...");
      }
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end()) {
        const std::string_view near = manifest::Closest(name, names);
        std::string cure = near.empty() ? "its columns are" : "write \"" + std::string(near) + "\"";
        for (std::size_t i = 0; near.empty() && i < names.size(); ++i) {
          cure += (i == 0 ? " " : ", ") + std::string(names[i]);
        }
        return MistakeAt(file_, line_, 1, "no column \"" + name + "\"", cure);
      }
      *at = static_cast<std::size_t>(found - names.begin());
      return Status::Ok();
    };
    Status status = find(columns_.submit, "submit", true, &submit_);
    if (status.ok()) status = find(columns_.start, "start", false, &start_);
    if (status.ok()) status = find(columns_.end, "end", start_.has_value(), &end_);
    if (status.ok()) status = find(columns_.run, "run", !start_, &run_);
    if (status.ok()) status = find(columns_.shape, "shape", false, &shape_);
    if (status.ok()) status = find(columns_.size, "size", !shape_, &size_);
    if (status.ok()) status = find(columns_.pods, "pods", false, &pods_);
    if (status.ok()) status = find(columns_.requested, "requested", false, &requested_);
    if (status.ok()) status = find(columns_.id, "id", false, &id_);
    if (status.ok()) status = find(columns_.queue, "queue", false, &queue_);
    if (status.ok()) status = find(columns_.user, "user", false, &user_);
    return status;
  }

  Status ReadRow(const std::vector<Cell>& cells, TraceJob* job) {
    job->id = id_ ? std::string(cells[*id_].text) : std::to_string(line_);
    if (queue_) job->queue = cells[*queue_].text;
    if (user_) job->user = cells[*user_].text;
    double run = 0;
    double requested = 0;
    Status status = Time(cells[*submit_], &job->submit);
    if (status.ok() && run_) status = Number(cells[*run_], &run);
    job->run = Seconds(run);
    if (status.ok() && start_) status = Between(cells[*start_], cells[*end_], &job->run);
    if (status.ok() && requested_) status = Number(cells[*requested_], &requested);
    if (status.ok() && pods_) status = Whole(cells[*pods_], &job->pods);
    if (status.ok() && size_) status = Whole(cells[*size_], &job->size);
    job->requested = requested > 0 ? Seconds(requested) : 0;
    if (status.ok() && shape_) status = Shape(cells[*shape_], job);
    return status;
  }

  Status Time(const Cell& cell, DurationNs* time) {
    const std::optional<DurationNs> at = TimeIn(cell.text, columns_.time_unit);
    if (!at) {
      return MistakeAt(file_, line_, cell.column,
                       "\"" + std::string(cell.text) + "\" is not a time",
                       "write seconds, or a date such as 2017-09-04 10:00:00");
    }
    *time = *at;
    return Status::Ok();
  }

  /// 0 for a job that never began, or whose end is not known.
  Status Between(const Cell& start, const Cell& end, DurationNs* run) {
    *run = 0;
    if (start.text.empty() || end.text.empty()) return Status::Ok();
    DurationNs from = 0, until = 0;
    Status status = Time(start, &from);
    if (status.ok()) status = Time(end, &until);
    *run = until - from;
    return status;
  }

  Status Number(const Cell& cell, double* value) {
    const std::optional<double> number = NumberIn(cell.text);
    if (!number || *number > kLongestLog) {
      return MistakeAt(file_, line_, cell.column,
                       "\"" + std::string(cell.text) + "\" is not a number",
                       "write one below 3.2e9");
    }
    *value = *number;
    return Status::Ok();
  }

  Status Whole(const Cell& cell, std::int64_t* units) {
    const std::optional<double> number = NumberIn(cell.text);
    if (!number || *number != std::floor(*number) || *number > kMostUnits) {
      return MistakeAt(file_, line_, cell.column,
                       "\"" + std::string(cell.text) + "\" is not a whole number",
                       "write one of at most 1000000000");
    }
    *units = static_cast<std::int64_t>(*number);
    return Status::Ok();
  }

  Status Shape(const Cell& cell, TraceJob* job) {
    job->pods = 0;
    job->size = 0;
    std::string_view rest = cell.text;
    while (!rest.empty()) {
      const std::size_t plus = std::min(rest.find('+'), rest.size());
      std::int64_t units = 0;
      Status status = Whole({rest.substr(0, plus), cell.column}, &units);
      if (!status.ok()) return status;
      rest.remove_prefix(std::min(plus + 1, rest.size()));
      job->size += units;
      ++job->pods;
    }
    return Status::Ok();
  }

  const std::string_view file_;
  const TraceColumns& columns_;
  int line_ = 0;
  std::size_t width_ = 0;
  std::optional<std::size_t> id_, submit_, run_, start_, end_, requested_;
  std::optional<std::size_t> size_, pods_, shape_, queue_, user_;
};

}  // namespace

Result<Trace> ReadCsv(std::string_view file, std::string_view text, const TraceColumns& columns) {
  return Reader(file, columns).Read(text);
}

}  // namespace muster::simulate
