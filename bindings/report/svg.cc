// Coordinates have one digit behind the point: as fine as a screen, and short.
#include "bindings/report/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "engine/base/harmless.h"
#include "engine/base/utf8.h"

namespace muster::simulate {
namespace {

constexpr double kWidth = 720, kHeight = 260;
constexpr double kLeft = 56, kRight = 12, kTop = 10, kBottom = 34;
constexpr std::size_t kPoints = 240;  ///< of a distribution, at most

double PlotX(double part) { return kLeft + part * (kWidth - kLeft - kRight); }
double PlotY(double part) { return kHeight - kBottom - part * (kHeight - kTop - kBottom); }

std::string Open(double height, std::string_view label) {
  return "<svg viewBox=\"0 0 720 " + Fixed(height, 0) + "\" role=\"img\" aria-label=\"" +
         Escaped(label) + "\">";
}
std::string At(double x, double y) { return Fixed(x, 1) + "," + Fixed(y, 1); }
std::string Words(double x, double y, std::string_view anchor, std::string_view text) {
  return "<text x=\"" + Fixed(x, 1) + "\" y=\"" + Fixed(y, 1) + "\" text-anchor=\"" +
         std::string(anchor) + "\">" + Escaped(text) + "</text>";
}
std::string Stroke(double x1, double y1, double x2, double y2, std::string_view style) {
  return "<line class=\"" + std::string(style) + "\" x1=\"" + Fixed(x1, 1) + "\" y1=\"" +
         Fixed(y1, 1) + "\" x2=\"" + Fixed(x2, 1) + "\" y2=\"" + Fixed(y2, 1) + "\"/>";
}

/// Times below a plot that covers so many hours.
std::string TimeAxis(double hours) {
  std::string svg;
  for (int i = 0; i <= 6; ++i) {
    svg += Words(PlotX(i / 6.0), kHeight - kBottom + 16, i == 6 ? "end" : "middle",
                 TimeText(hours * 3600 * i / 6.0));
  }
  return svg;
}

}  // namespace

std::string Escaped(std::string_view text) {
  std::string escaped;
  const std::string shown = Harmless(std::string(text), "\n");
  for (std::size_t i = 0, bytes = 0; i < shown.size(); i += std::max<std::size_t>(bytes, 1)) {
    const std::string_view rest = std::string_view(shown).substr(i);
    bytes = CharacterBytes(rest);
    const std::string_view character = rest.substr(0, bytes);
    // XML has no character for the last two of the first plane.
    if (character.empty() || character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF") {
      escaped += kReplacement;
      continue;
    }
    switch (character.front()) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += character;
    }
  }
  return escaped;
}

std::string Fixed(double value, int digits) {
  std::array<char, 400> text;
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  const std::string_view said = text.data();
  return std::string(said == "-0" || said == "-0.0" ? said.substr(1) : said);
}

std::string TimeText(double seconds) {
  if (seconds < 90) return Fixed(seconds, 0) + " s";
  if (seconds < 90 * 60) return Fixed(seconds / 60, seconds < 600 ? 1 : 0) + " min";
  if (seconds < 48 * 3600) return Fixed(seconds / 3600, 1) + " h";
  return Fixed(seconds / 86400, 1) + " d";
}

std::string PlotDistribution(const std::vector<Line>& lines) {
  double most = 60;
  for (const Line& line : lines) {
    if (!line.sorted.empty()) most = std::max(most, line.sorted.back());
  }
  const double end = std::log10(most);
  const auto x_of = [&](double seconds) {
    return PlotX(seconds <= 1 ? 0 : std::log10(seconds) / end);
  };
  std::string svg = Open(kHeight, "part of jobs by how long they waited");
  for (const int percent : {0, 25, 50, 75, 100}) {
    const double y = PlotY(percent / 100.0);
    svg += Stroke(kLeft, y, kWidth - kRight, y, "grid");
    svg += Words(kLeft - 6, y + 4, "end", std::to_string(percent) + " %");
  }
  for (const double tick : {1.0, 10.0, 60.0, 600.0, 3600.0, 21600.0, 86400.0, 604800.0, 2.6e6}) {
    if (tick > most) break;
    svg += Stroke(x_of(tick), kTop, x_of(tick), kHeight - kBottom, "grid");
    svg += Words(x_of(tick), kHeight - kBottom + 16, "middle", TimeText(tick));
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::vector<double>& sorted = lines[i].sorted;
    if (sorted.empty()) continue;
    svg += "<polyline class=\"line c" + std::to_string(i % kColours) + "\" points=\"";
    const std::size_t points = std::min(kPoints, sorted.size());
    for (std::size_t k = 0; k < points; ++k) {
      const std::size_t rank = (k + 1) * sorted.size() / points;
      const double part = static_cast<double>(rank) / static_cast<double>(sorted.size());
      svg += (k == 0 ? "" : " ") + At(x_of(sorted[rank - 1]), PlotY(part));
    }
    svg += "\"/>";
  }
  return svg + "</svg>";
}

std::string PlotStack(const std::vector<Layer>& layers, double limit, double hours) {
  const std::size_t parts = layers.empty() ? 0 : layers.front().values.size();
  std::vector<double> below(parts), above(parts);
  double most = limit;
  for (const Layer& layer : layers) {
    for (std::size_t i = 0; i < parts; ++i) above[i] += layer.values[i];
  }
  for (const double value : above) most = std::max(most, value);
  if (most <= 0) most = 1;
  std::string svg = Open(kHeight, "use over time, by queue");
  std::fill(above.begin(), above.end(), 0);
  for (std::size_t l = 0; l < layers.size(); ++l) {
    for (std::size_t i = 0; i < parts; ++i) above[i] = below[i] + layers[l].values[i];
    svg += "<polygon class=\"area c" + std::to_string(l % kColours) + "\" points=\"";
    const auto point = [&](std::size_t i, double value) {
      const double part = parts < 2 ? 0 : static_cast<double>(i) / static_cast<double>(parts - 1);
      return At(PlotX(part), PlotY(value / most)) + " ";
    };
    for (std::size_t i = 0; i < parts; ++i) svg += point(i, above[i]);
    for (std::size_t i = parts; i-- > 0;) svg += point(i, below[i]);
    svg += "\"><title>" + Escaped(layers[l].name) + "</title></polygon>";
    below = above;
  }
  for (const double part : {0.0, 0.5, 1.0}) {
    svg += Stroke(kLeft, PlotY(part), kWidth - kRight, PlotY(part), "grid");
    svg += Words(kLeft - 6, PlotY(part) + 4, "end", Fixed(part * most, 0));
  }
  const double y = PlotY(limit / most);
  svg += Stroke(kLeft, y, kWidth - kRight, y, "limit");
  return svg + TimeAxis(hours) + "</svg>";
}

std::string PlotSeries(const std::vector<Layer>& lines, double most, double hours) {
  std::string svg = Open(kHeight, "over time, from 0 to " + Fixed(most, 0));
  for (const double part : {0.0, 0.5, 1.0}) {
    svg += Stroke(kLeft, PlotY(part), kWidth - kRight, PlotY(part), "grid");
    svg += Words(kLeft - 6, PlotY(part) + 4, "end", Fixed(part * most, most > 1 ? 0 : 1));
  }
  for (std::size_t l = 0; l < lines.size(); ++l) {
    const std::vector<double>& values = lines[l].values;
    svg += "<polyline class=\"line c" + std::to_string(l % kColours) + "\" points=\"";
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(values.size());
      svg += (i == 0 ? "" : " ") + At(PlotX(part), PlotY(values[i] / most));
    }
    svg += "\"><title>" + Escaped(lines[l].name) + "</title></polyline>";
  }
  return svg + TimeAxis(hours) + "</svg>";
}

std::string PlotWeek(const Week& week, const std::function<std::string(double)>& text) {
  constexpr double kRow = 26, kTopRow = 4;
  constexpr std::size_t kShades = 5;
  constexpr std::array<std::string_view, 7> kDays = {"Mon", "Tue", "Wed", "Thu",
                                                     "Fri", "Sat", "Sun"};
  const double column = (kWidth - kLeft - kRight) / 24;
  double most = 0;
  for (const auto& day : week) {
    for (const auto& value : day) most = std::max(most, value.value_or(0));
  }
  std::string svg = Open(kTopRow + 7 * kRow + 22, "by hour and weekday");
  for (std::size_t day = 0; day < week.size(); ++day) {
    const double y = kTopRow + static_cast<double>(day) * kRow;
    svg += Words(kLeft - 8, y + 17, "end", kDays[day]);
    for (std::size_t hour = 0; hour < week[day].size(); ++hour) {
      const std::optional<double>& value = week[day][hour];
      if (!value) continue;
      const auto shade = std::min(
          kShades - 1,
          static_cast<std::size_t>(most > 0 ? *value / most * static_cast<double>(kShades) : 0));
      svg += "<rect class=\"h" + std::to_string(shade) + "\" x=\"" +
             Fixed(kLeft + static_cast<double>(hour) * column, 1) + "\" y=\"" + Fixed(y, 1) +
             "\" width=\"" + Fixed(column - 2, 1) + "\" height=\"" + Fixed(kRow - 2, 1) +
             "\"><title>" + std::string(kDays[day]) + " " + std::to_string(hour) + ":00, " +
             Escaped(text(*value)) + "</title></rect>";
    }
  }
  for (int hour = 0; hour < 24; hour += 3) {
    svg += Words(kLeft + hour * column, kTopRow + 7 * kRow + 16, "start",
                 std::to_string(hour) + ":00");
  }
  return svg + "</svg>";
}

std::string PlotGantt(const std::vector<GanttRow>& rows, double hours) {
  constexpr double kRow = 18, kBar = 12, kNames = 150;
  const double height = kRow * static_cast<double>(rows.size());
  const auto x_of = [&](double at) {
    return kNames + std::clamp(at / hours, 0.0, 1.0) * (kWidth - kNames - kRight);
  };
  std::string svg = Open(height + 24, "jobs that ran and jobs that waited");
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const double x = x_of(hours * quarter / 4);
    svg += Stroke(x, 0, x, height, "grid");
    svg += Words(x, height + 16, quarter == 4 ? "end" : "middle",
                 TimeText(hours * 3600 * quarter / 4));
  }
  double y = 0;
  for (const GanttRow& row : rows) {
    const std::string colour = "c" + std::to_string(row.colour % kColours);
    svg += "<g><title>" + Escaped(row.text) + "</title>" +
           Words(kNames - 8, y + kRow - 5, "end", row.name);
    const auto bar = [&](double from, double until, const std::string& style) {
      if (x_of(until) <= x_of(from)) return;
      svg += "<rect class=\"" + style + "\" x=\"" + Fixed(x_of(from), 1) + "\" y=\"" +
             Fixed(y + (kRow - kBar) / 2, 1) + "\" width=\"" + Fixed(x_of(until) - x_of(from), 1) +
             "\" height=\"" + Fixed(kBar, 0) + "\"/>";
    };
    bar(row.came, row.starts, "waits " + colour);
    bar(row.starts, row.ends, "runs " + colour);
    svg += "</g>";
    y += kRow;
  }
  return svg + "</svg>";
}

std::string PlotBars(const std::vector<Bar>& bars) {
  constexpr double kRow = 24, kMiddle = 400, kHalf = 190;
  double most = 0;
  for (const Bar& bar : bars) most = std::max(most, std::abs(bar.value));
  if (most <= 0) most = 1;
  const double height = kRow * static_cast<double>(bars.size()) + 8;
  std::string svg = Open(height, "change by queue");
  double y = 4;
  for (const Bar& bar : bars) {
    const double length = std::abs(bar.value) / most * kHalf;
    const bool less = bar.value < 0;
    svg += Words(150, y + 16, "end", bar.name);
    svg += "<rect class=\"" + std::string(less ? "less" : "more") + "\" x=\"" +
           Fixed(less ? kMiddle - length : kMiddle, 1) + "\" y=\"" + Fixed(y + 4, 1) +
           "\" width=\"" + Fixed(std::max(length, 0.5), 1) + "\" height=\"16\"/>";
    svg += Words(less ? kMiddle + 6 : kMiddle - 6, y + 16, less ? "start" : "end", bar.text);
    y += kRow;
  }
  svg += Stroke(kMiddle, 0, kMiddle, height, "axis");
  return svg + "</svg>";
}

}  // namespace muster::simulate
