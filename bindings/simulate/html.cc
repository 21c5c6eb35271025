// The first screen answers which policy is better for whom; what follows is for those who doubt it.
#include "bindings/simulate/html.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "bindings/simulate/svg.h"

namespace muster::simulate {
namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Muster: a comparison of policies</title>
<style>
:root{color-scheme:light dark;--text:#1b1f24;--faint:#5b6470;--back:#fff;--line:#d8dee4;
--c0:#2f6feb;--c1:#d1642b;--c2:#1a7f4b;--c3:#8250df;--c4:#b5820a;--c5:#bf3989;--c6:#0f8a8a;
--c7:#6e7781;--less:#1a7f4b;--more:#c0392b}
@media (prefers-color-scheme:dark){:root{--text:#e6edf3;--faint:#9aa5b1;--back:#0f1319;
--line:#2d3540;--c0:#6ea8ff;--c1:#ff9a66;--c2:#5bd08f;--c3:#c29bff;--c4:#e3b341;--c5:#ff8cc6;
--c6:#4fd1d1;--c7:#a0a8b3;--less:#5bd08f;--more:#ff7b72}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back);max-width:62rem;
margin:0 auto;padding:1rem}
h1{font-size:1.5rem;margin:.2em 0}h2{font-size:1.15rem;margin:1.8em 0 .4em}
.say{font-size:1.1rem}.faint,figcaption{color:var(--faint);font-size:.9rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25em .7em;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child,td.l,th.l{text-align:left}th{font-weight:600}
.good{color:var(--less);font-weight:600}.bad{color:var(--more);font-weight:600}
figure{margin:.5rem 0}svg{width:100%;height:auto;max-width:45rem}svg text{font-size:12px;
fill:var(--faint)}.grid{stroke:var(--line)}.axis{stroke:var(--faint)}
.limit{stroke:var(--text);stroke-dasharray:5 4}.line{fill:none;stroke-width:2.2}
.area{stroke:none;opacity:.85}.less{fill:var(--less)}.more{fill:var(--more)}
.key{display:inline-block;width:.9em;height:.9em;border-radius:.2em;margin:0 .3em 0 .9em;
vertical-align:-.08em}
)";

const Figures& All(const PagePolicy& policy) { return policy.report->classes.front().figures; }

std::string Colours() {
  std::string css;
  for (std::size_t i = 0; i < kColours; ++i) {
    const std::string n = std::to_string(i);
    css += "polyline.c" + n + "{stroke:var(--c" + n + ")}polygon.c" + n + "{fill:var(--c" + n +
           ")}.key.c" + n + "{background:var(--c" + n + ")}";
  }
  return css + "\n</style></head><body>\n";
}

std::string Legend(const std::vector<std::string>& names) {
  std::string html = "<p class=\"faint\">";
  for (std::size_t i = 0; i < names.size(); ++i) {
    html += "<span class=\"key c" + std::to_string(i % kColours) + "\"></span>" + Escaped(names[i]);
  }
  return html + "</p>\n";
}

/// "half", "3.2 times": `after` beside `before`.
std::string Times(double before, double after) {
  if (before <= 0 || after <= 0) return "";
  const double ratio = after / before;
  if (ratio >= 0.95 && ratio <= 1.05) return "about the same";
  return ratio < 1 ? Fixed(100 * (1 - ratio), 0) + " % shorter"
                   : Fixed(ratio, ratio < 10 ? 1 : 0) + " times as long";
}

std::string Headline(const Page& page) {
  const PagePolicy& base = page.policies.front();
  if (page.policies.size() == 1) {
    return "<p class=\"say\">Half of the jobs waited at most " + TimeText(All(base).wait_p50) +
           ", one in ten longer than " + TimeText(All(base).wait_p90) + "; " +
           Fixed(100 * base.report->utilisation, 0) + " % of the quota was in use.</p>\n";
  }
  std::string html;
  for (std::size_t i = 1; i < page.policies.size(); ++i) {
    const PagePolicy& policy = page.policies[i];
    html += "<p class=\"say\"><b>" + Escaped(policy.name) + "</b> beside <b>" + Escaped(base.name) +
            "</b>: the mean wait is " + TimeText(All(policy).wait_mean) + " instead of " +
            TimeText(All(base).wait_mean);
    if (const std::string times = Times(All(base).wait_mean, All(policy).wait_mean);
        !times.empty()) {
      html += " (" + times + ")";
    }
    html += ". <span class=\"good\">" + std::to_string(policy.change->earlier) +
            " jobs start earlier</span>, <span class=\"bad\">" +
            std::to_string(policy.change->later) + " later</span>. The longest wait is " +
            TimeText(All(policy).wait_max) + " instead of " + TimeText(All(base).wait_max) +
            ".</p>\n";
  }
  return html;
}

std::string Totals(const Page& page) {
  std::string html =
      "<div class=\"wide\"><table><tr><th>policy</th><th>wait, half within</th><th>nine of ten"
      "</th><th>99 of 100</th><th>longest</th><th>mean</th><th>slowdown, median</th><th>mean</th>"
      "<th>in use</th><th>makespan</th><th>borrowed</th><th>lost</th><th>evictions</th>"
      "<th>never started</th></tr>\n";
  for (const PagePolicy& policy : page.policies) {
    const Figures& f = All(policy);
    html += "<tr><td>" + Escaped(policy.name) + "</td>";
    for (const std::string& cell :
         {TimeText(f.wait_p50), TimeText(f.wait_p90), TimeText(f.wait_p99), TimeText(f.wait_max),
          TimeText(f.wait_mean), Fixed(f.slowdown_p50, 2), Fixed(f.slowdown_mean, 2),
          Fixed(100 * policy.report->utilisation, 1) + " %", TimeText(policy.report->makespan),
          Fixed(policy.report->borrowed_hours, 0) + " h",
          Fixed(policy.report->lost_hours, 0) + " h", std::to_string(f.evictions),
          std::to_string(f.jobs - f.started)}) {
      html += "<td>" + cell + "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n<p class=\"faint\">Hours are " + Escaped(page.resource) +
         "-hours. Slowdown: how much longer a job took than it ran.</p>\n";
}

std::string Distribution(const Page& page) {
  std::vector<Line> lines;
  std::vector<std::string> names;
  for (const PagePolicy& policy : page.policies) {
    Line line{policy.name, {}};
    for (const Fate& fate : policy.run->fates) {
      if (fate.first_start == kNoTime || fate.submitted < policy.run->begin + page.warm_up) {
        continue;
      }
      line.sorted.push_back(static_cast<double>(fate.first_start - fate.submitted) /
                            static_cast<double>(kSecond));
    }
    std::sort(line.sorted.begin(), line.sorted.end());
    names.push_back(policy.name);
    lines.push_back(std::move(line));
  }
  return "<h2>How long jobs wait</h2>\n" + Legend(names) + "<figure>" + PlotDistribution(lines) +
         "<figcaption>The part of jobs that have started after so long; a line further to the left "
         "is better.</figcaption></figure>\n";
}

/// Figures of the queues of the log: those of the base, and what another makes of them.
std::string ByQueue(const Page& page) {
  std::string html = "<h2>For whom</h2>\n";
  const PagePolicy& base = page.policies.front();
  for (std::size_t p = 1; p < page.policies.size(); ++p) {
    const PagePolicy& policy = page.policies[p];
    std::vector<Bar> bars;
    for (std::size_t i = 0; i < base.report->classes.size(); ++i) {
      const ClassFigures& before = base.report->classes[i];
      const ClassFigures& after = policy.report->classes[i];
      const bool whole = before.queue.empty() != (before.size == "all");
      if (!whole) continue;
      const double moved = after.figures.wait_mean - before.figures.wait_mean;
      bars.push_back({before.queue.empty() ? "size " + before.size : before.queue, moved,
                      TimeText(before.figures.wait_mean) + " \xE2\x86\x92 " +
                          TimeText(after.figures.wait_mean)});
    }
    html += "<figure>" + PlotBars(bars) + "<figcaption>Mean wait under " + Escaped(policy.name) +
            " beside " + Escaped(base.name) +
            ", by size of job and by queue: left is shorter, right is longer.</figcaption>"
            "</figure>\n";
  }
  html +=
      "<div class=\"wide\"><table><tr><th>queue</th><th class=\"l\">size</th><th class=\"l\">policy"
      "</th><th>jobs</th><th>half within</th><th>nine of ten</th><th>longest</th>"
      "<th class=\"l\">that is</th><th>evictions</th></tr>\n";
  for (std::size_t i = 0; i < base.report->classes.size(); ++i) {
    for (const PagePolicy& policy : page.policies) {
      const ClassFigures& each = policy.report->classes[i];
      const Figures& f = each.figures;
      html += "<tr><td>" + (each.queue.empty() ? "all" : Escaped(each.queue)) +
              "</td><td class=\"l\">" + each.size + "</td><td class=\"l\">" + Escaped(policy.name) +
              "</td><td>" + std::to_string(f.jobs) + "</td><td>" + TimeText(f.wait_p50) +
              "</td><td>" + TimeText(f.wait_p90) + "</td><td>" + TimeText(f.wait_max) +
              "</td><td class=\"l\">" + Escaped(f.longest) + "</td><td>" +
              std::to_string(f.evictions) + "</td></tr>\n";
    }
  }
  return html + "</table></div>\n";
}

std::string UseOverTime(const Page& page) {
  std::string html = "<h2>Who had what</h2>\n";
  const Run& first = *page.policies.front().run;
  std::vector<std::string> names;
  double nominal = 0;
  for (const QueueUse& queue : first.queues) {
    names.push_back(queue.name);
    nominal += queue.nominal;
  }
  html += Legend(names);
  for (const PagePolicy& policy : page.policies) {
    std::vector<Layer> layers;
    for (const QueueUse& queue : policy.run->queues) layers.push_back({queue.name, queue.series});
    const double hours =
        static_cast<double>(first.last - first.begin) / static_cast<double>(kSecond) / 3600;
    html +=
        "<figure>" + PlotStack(layers, nominal, hours) + "<figcaption>" + Escaped(policy.name) +
        ": " + Escaped(page.resource) +
        " in use from the first to the last arrival; dashed: all quota.</figcaption></figure>\n";
  }
  return html;
}

std::string MovedMost(const Page& page) {
  std::string rows;
  for (const PagePolicy& policy : page.policies) {
    for (const Change::Moved& moved : policy.change->most) {
      const bool earlier = moved.seconds < 0;
      rows += "<tr><td>" + Escaped(moved.id) + "</td><td class=\"l\">" + Escaped(moved.queue) +
              "</td><td class=\"l\">" + Escaped(policy.name) + "</td><td class=\"" +
              (earlier ? "good" : "bad") + "\">" + TimeText(std::abs(moved.seconds)) +
              (earlier ? " earlier" : " later") + "</td></tr>\n";
    }
  }
  if (rows.empty()) return "";
  return "<h2>Jobs that moved most</h2>\n<div class=\"wide\"><table><tr><th>job</th><th "
         "class=\"l\">"
         "queue</th><th class=\"l\">policy</th><th>starts</th></tr>\n" +
         rows + "</table></div>\n";
}

}  // namespace

std::string ToHtml(const Page& page) {
  std::string html(kHead);
  html += Colours();
  html += "<h1>" + std::to_string(page.jobs.size()) + " jobs of " + Escaped(page.log) + "</h1>\n";
  html += Headline(page) + Totals(page) + Distribution(page) + ByQueue(page) + UseOverTime(page) +
          MovedMost(page);
  return html + "</body></html>\n";
}

}  // namespace muster::simulate
