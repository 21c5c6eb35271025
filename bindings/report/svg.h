// Plots as SVG, drawn from numbers alone. Colours come from the page that they stand in: `c0`, `c1`
// and so on are classes of its style sheet.
#ifndef MUSTER_BINDINGS_REPORT_SVG_H_
#define MUSTER_BINDINGS_REPORT_SVG_H_

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::simulate {

/// Classes of colours that a page must have.
inline constexpr std::size_t kColours = 8;

struct Line {
  std::string name;
  std::vector<double> sorted;  ///< seconds, ascending
};
/// The part of jobs that waited at most so long, over a logarithmic axis from one second on.
std::string PlotDistribution(const std::vector<Line>& lines);

struct Layer {
  std::string name;
  std::vector<double> values;  ///< of parts of equal length
};
/// Layers on top of each other over `hours`; a dashed line at `limit`.
std::string PlotStack(const std::vector<Layer>& layers, double limit, double hours);

/// Lines over `hours`, of values from 0 to `most` in parts of equal length.
std::string PlotSeries(const std::vector<Layer>& lines, double most, double hours);

/// A cell for each hour of each weekday, darker where the value is larger; nullopt: nothing known.
/// Monday is first. `text` says a value.
using Week = std::array<std::array<std::optional<double>, 24>, 7>;
std::string PlotWeek(const Week& week, const std::function<std::string(double)>& text);

/// Bars left (less) and right (more) of a middle line, by name; the text behind each is given.
struct Bar {
  std::string name;
  double value = 0;
  std::string text;
};
std::string PlotBars(const std::vector<Bar>& bars);

/// A row for each job of a stretch of time, in hours from its beginning; what lies outside of it is
/// cut off. From `came` to `starts` it waits, drawn faintly; then it runs until `ends`.
struct GanttRow {
  std::string name;
  std::string text;        ///< what a pointer on it says
  std::size_t colour = 0;  ///< of its queue
  double came = 0, starts = 0, ends = 0;
};
std::string PlotGantt(const std::vector<GanttRow>& rows, double hours);

/// `text` as it may stand in HTML and XML, between tags and in a quoted attribute. Controls are
/// blanks; what is no UTF-8, or no character of XML, is U+FFFD.
std::string Escaped(std::string_view text);
/// `value` with so many digits behind the point.
std::string Fixed(double value, int digits);
/// "45 s", "2.5 min", "12 min", "3.5 h", "2.1 d".
std::string TimeText(double seconds);

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_REPORT_SVG_H_
