// The first screen answers which policy is better, and for which queues; what follows is for those
// that doubt it.
#include "bindings/report/html.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string_view>
#include <utility>

#include "bindings/report/named_jobs.h"
#include "bindings/report/svg.h"
#include "bindings/report/worst_hour.h"
#include "bindings/simulate/number.h"

namespace muster::simulate {
namespace {

// The style sheet is the only thing that the page may use, and it is named by its hash: nothing
// that a log smuggles in is run or loaded. tests/simulate/report_test.py says when the hash is old.
constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';
style-src 'sha256-ESXL/8M8AN3fGgpxiPhtkr3HSD4QeQeQ7BuJOCqWv54=';
base-uri 'none'; form-action 'none'">
<title>Muster: a comparison of policies</title>
<style>:root{color-scheme:light dark;--text:#1b1f24;--faint:#57606a;--back:#fff;--line:#d8dee4;
--c0:#2f6feb;--c1:#c4551c;--c2:#1a7f4b;--c3:#8250df;--c4:#9a6b00;--c5:#bf3989;--c6:#0a7a7a;
--c7:#6e7781;--less:#1a7f4b;--more:#c0392b;--heat:#c4551c}
@media (prefers-color-scheme:dark){:root{--text:#e6edf3;--faint:#9aa5b1;--back:#0f1319;
--line:#2d3540;--c0:#6ea8ff;--c1:#ff9a66;--c2:#5bd08f;--c3:#c29bff;--c4:#e3b341;--c5:#ff8cc6;
--c6:#4fd1d1;--c7:#a0a8b3;--less:#5bd08f;--more:#ff7b72;--heat:#ff9a66}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back);max-width:70rem;
margin:0 auto;padding:1rem;overflow-wrap:break-word}
h1{font-size:1.4rem;margin:.2em 0}h2{font-size:1.15rem;margin:1.8em 0 .4em}
.say{font-size:1.1rem}.faint,figcaption{color:var(--faint);font-size:.9rem}
.wide{overflow-x:auto;margin:.6rem 0}
table{font-size:.92rem;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25em .55em;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child,td.l,th.l{text-align:left}th{font-weight:600}
.good{color:var(--less);font-weight:600}.bad{color:var(--more);font-weight:600}
figure{margin:.5rem 0;overflow-x:auto}svg{width:100%;height:auto;max-width:45rem;min-width:34rem}
figcaption{position:sticky;left:0}
svg text{font-size:13px;fill:var(--faint)}.grid{stroke:var(--line)}.axis{stroke:var(--faint)}
.limit{stroke:var(--text);stroke-dasharray:5 4}.line{fill:none;stroke-width:2.2}
.area{stroke:none;opacity:.85}.waits{opacity:.25}.less{fill:var(--less)}.more{fill:var(--more)}
rect[class^=h]{fill:var(--heat)}.h0{opacity:.12}.h1{opacity:.32}.h2{opacity:.52}.h3{opacity:.75}
a{color:inherit}dt{font-weight:600;margin-top:.8em}dd{margin:0}
dt:target,dt:target+dd{background:var(--line)}
.key{display:inline-block;width:.9em;height:.9em;border-radius:.2em;margin:0 .3em 0 .9em;
vertical-align:-.08em}
polyline.c0{stroke:var(--c0)}polygon.c0,rect.c0{fill:var(--c0)}
.key.c0{background:var(--c0)}
polyline.c1{stroke:var(--c1)}polygon.c1,rect.c1{fill:var(--c1)}
.key.c1{background:var(--c1)}
polyline.c2{stroke:var(--c2)}polygon.c2,rect.c2{fill:var(--c2)}
.key.c2{background:var(--c2)}
polyline.c3{stroke:var(--c3)}polygon.c3,rect.c3{fill:var(--c3)}
.key.c3{background:var(--c3)}
polyline.c4{stroke:var(--c4)}polygon.c4,rect.c4{fill:var(--c4)}
.key.c4{background:var(--c4)}
polyline.c5{stroke:var(--c5)}polygon.c5,rect.c5{fill:var(--c5)}
.key.c5{background:var(--c5)}
polyline.c6{stroke:var(--c6)}polygon.c6,rect.c6{fill:var(--c6)}
.key.c6{background:var(--c6)}
polyline.c7{stroke:var(--c7)}polygon.c7,rect.c7{fill:var(--c7)}
.key.c7{background:var(--c7)}
</style></head><body>
)";

const Figures& All(const PagePolicy& policy) { return policy.report->classes.front().figures; }

std::string Legend(const std::vector<std::string>& names) {
  if (names.size() == 1 && names.front().empty()) return "";  // of a log without queues
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

/// Queues of the log, and classes of size over all of them: what people see themselves in.
bool IsOneKind(const ClassFigures& each) { return each.queue.empty() != (each.size == "all"); }
std::string KindName(const ClassFigures& each) {
  return each.queue.empty() ? "size " + each.size : each.queue;
}

/// "Shorter for blue, size 1; longer for size 2-8." Mean waits that change by more than a
/// twentieth, largest first, at most three each way.
std::string ForWhich(const Page& page, const PagePolicy& policy) {
  constexpr double kSame = 0.05;
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::pair<double, std::string>> shorter, longer;
  const std::vector<ClassFigures>& before = page.policies.front().report->classes;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!IsOneKind(before[i])) continue;
    const double was = before[i].figures.wait_mean;
    const double moved = policy.report->classes[i].figures.wait_mean - was;
    if (std::abs(moved) <= kSame * was || std::abs(moved) < 1) continue;
    (moved < 0 ? shorter : longer).emplace_back(-std::abs(moved), KindName(before[i]));
  }
  std::string html;
  for (auto* list : {&shorter, &longer}) {
    std::stable_sort(list->begin(), list->end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string names;
    for (std::size_t i = 0; i < std::min(kMostNamed, list->size()); ++i) {
      names += (i == 0 ? "" : ", ") + Escaped((*list)[i].second);
    }
    if (names.empty()) continue;
    html += list == &shorter ? " Waits are shorter for <b>" : " Waits are longer for <b>";
    html += names + "</b>.";
  }
  return html;
}

/// "3.2 min instead of 4.1 min"; "29 h with both".
std::string InsteadOf(double after, double before) {
  const std::string now = TimeText(after), then = TimeText(before);
  return now == then ? now + " with both" : now + " instead of " + then;
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
            "</b>: the mean wait is " + InsteadOf(All(policy).wait_mean, All(base).wait_mean);
    if (const std::string times = Times(All(base).wait_mean, All(policy).wait_mean);
        !times.empty()) {
      html += " (" + times + ")";
    }
    html += ". <span class=\"good\">" + std::to_string(policy.change->earlier) +
            " jobs start earlier</span>, <span class=\"bad\">" +
            std::to_string(policy.change->later) + " later</span>. The longest wait is " +
            InsteadOf(All(policy).wait_max, All(base).wait_max) + "." + ForWhich(page, policy) +
            "</p>\n";
  }
  return html;
}

std::string Row(const std::string& name, std::initializer_list<std::string> cells) {
  std::string html = "<tr><td>" + Escaped(name) + "</td>";
  for (const std::string& cell : cells) html += "<td>" + cell + "</td>";
  return html + "</tr>\n";
}

std::string Totals(const Page& page) {
  std::string waits =
      "<div class=\"wide\"><table><tr><th>policy</th><th>wait, half within</th><th>nine of ten"
      "</th><th>99 of 100</th><th>longest</th><th>mean</th><th>slowdown, median</th><th>mean</th>"
      "<th>never started</th></tr>\n";
  std::string use =
      "<div class=\"wide\"><table><tr><th>policy</th><th>quota in use</th><th>makespan</th>"
      "<th>within quota</th><th>borrowed</th><th>preempted</th><th>of it "
      "lost</th><th>evictions</th>"
      "<th>evenness</th><th>share error</th></tr>\n";
  for (const PagePolicy& policy : page.policies) {
    const Figures& f = All(policy);
    const Report& report = *policy.report;
    waits +=
        Row(policy.name,
            {TimeText(f.wait_p50), TimeText(f.wait_p90), TimeText(f.wait_p99), TimeText(f.wait_max),
             TimeText(f.wait_mean), f.ended == 0 ? "-" : Fixed(f.slowdown_p50, 2),
             f.ended == 0 ? "-" : Fixed(f.slowdown_mean, 2), std::to_string(f.jobs - f.started)});
    use +=
        Row(policy.name,
            {Fixed(100 * report.utilisation, 1) + " %", TimeText(report.makespan),
             Fixed(report.nominal_hours, 0) + " h", Fixed(report.borrowed_hours, 0) + " h",
             Fixed(report.preempted_hours, 0) + " h", Fixed(report.lost_hours, 0) + " h",
             std::to_string(f.evictions), Fixed(report.evenness, 3), Fixed(report.share_error, 3)});
  }
  return waits + "</table></div>\n" + use + "</table></div>\n<p class=\"faint\">Hours are " +
         Escaped(page.resource) +
         "-hours. Slowdown: how much longer a job took than it ran. Evenness: Jain's index of what "
         "the queues use of their quota, 1 is even. Share error: how far their parts of the use "
         "are "
         "from their parts of the quota, 0 is not at all.</p>\n";
}

std::string Differences(const Page& page) {
  std::string rows;
  for (const PagePolicy& policy : page.policies) {
    for (const Difference& each : policy.differences) {
      const int digits = each.figure == "utilisation" ? 4 : 1;
      rows += "<tr><td>" + Escaped(policy.name) + "</td><td class=\"l\">" + each.figure +
              "</td><td>" + Fixed(each.mean, digits) + "</td><td>" + Fixed(each.low, digits) +
              " to " + Fixed(each.high, digits) + "</td><td class=\"l\">" +
              (each.beyond_noise() ? "beyond noise" : "noise") + "</td></tr>\n";
    }
  }
  if (rows.empty()) return "";
  return "<h2>Is it chance?</h2>\n<div class=\"wide\"><table><tr><th>policy</th><th class=\"l\">"
         "figure</th><th>difference</th><th>nine of ten</th><th class=\"l\">says</th></tr>\n" +
         rows + "</table></div>\n<p class=\"faint\">Compared with " +
         Escaped(page.policies.front().name) +
         " on variations of the log, made of its days in another order; waits are in "
         "seconds.</p>\n";
}

std::string Distribution(const Page& page) {
  std::vector<Line> lines;
  std::vector<std::string> names;
  for (const PagePolicy& policy : page.policies) {
    Line line{policy.name, {}};
    for (const Fate& fate : policy.run->fates) {
      if (fate.first_start == kNoTime || !Counts(fate, *policy.run)) continue;
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
std::string ByQueue(const Page& page, const NamedJobs& named) {
  std::string html = "<h2>Where waits change</h2>\n";
  const PagePolicy& base = page.policies.front();
  for (std::size_t p = 1; p < page.policies.size(); ++p) {
    const PagePolicy& policy = page.policies[p];
    std::vector<Bar> bars;
    for (std::size_t i = 0; i < base.report->classes.size(); ++i) {
      const ClassFigures& before = base.report->classes[i];
      const ClassFigures& after = policy.report->classes[i];
      if (!IsOneKind(before)) continue;
      const double moved = after.figures.wait_mean - before.figures.wait_mean;
      bars.push_back({KindName(before), moved,
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
              "</td><td class=\"l\">" + named.Link(f.longest) + "</td><td>" +
              std::to_string(f.evictions) + "</td></tr>\n";
    }
  }
  return html + "</table></div>\n";
}

double Hours(const Run& run) {
  return static_cast<double>(run.until - run.from) / static_cast<double>(kSecond) / 3600;
}

std::string UseOverTime(const Page& page) {
  std::string html = "<h2>What each queue used</h2>\n";
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
    html +=
        "<figure>" + PlotStack(layers, nominal, Hours(first)) + "<figcaption>" +
        Escaped(policy.name) + ": " + Escaped(page.resource) +
        " in use from the first to the last arrival; dashed: all quota.</figcaption></figure>\n";
  }
  return html;
}

std::string FairnessOverTime(const Page& page) {
  std::vector<Layer> lines;
  std::vector<std::string> names;
  for (const PagePolicy& policy : page.policies) {
    Layer line{policy.name, {}};
    for (std::size_t part = 0; part < kSeriesParts; ++part) {
      line.values.push_back(EvennessIn(policy.run->queues, part));
    }
    names.push_back(policy.name);
    lines.push_back(std::move(line));
  }
  const Run& first = *page.policies.front().run;
  if (first.queues.size() < 2) return "";
  return "<h2>How even it was</h2>\n" + Legend(names) + "<figure>" +
         PlotSeries(lines, 1, Hours(first)) +
         "<figcaption>Jain's index of what the queues used of their own quota: 1 is even."
         "</figcaption></figure>\n";
}

/// A plot for each level of each topology, a line for each policy.
std::string GangsOverTime(const Page& page) {
  std::vector<std::string> names;
  for (const PagePolicy& policy : page.policies) names.push_back(policy.name);
  const Run& first = *page.policies.front().run;
  if (first.gangs.empty()) return "";
  std::string html = "<h2>How large a gang had a place</h2>\n" + Legend(names);
  for (std::size_t i = 0; i < first.gangs.size(); ++i) {
    const GangSeries& gang = first.gangs[i];
    std::vector<Layer> lines;
    double most = 1;
    for (const PagePolicy& policy : page.policies) {
      if (i >= policy.run->gangs.size()) continue;
      const std::vector<double>& series = policy.run->gangs[i].series;
      most = std::max(most, *std::max_element(series.begin(), series.end()));
      lines.push_back({policy.name, series});
    }
    html += "<figure>" + PlotSeries(lines, most, Hours(first)) +
            "<figcaption>Untouched nodes of the emptiest domain of level " + Escaped(gang.level) +
            " of Topology " + Escaped(gang.topology) + ".</figcaption></figure>\n";
  }
  return html;
}

/// Monday of the week of the epoch was three days before it.
std::size_t HourOfWeek(TimeNs time) {
  constexpr TimeNs kHour = 3600 * kSecond;
  constexpr TimeNs kMonday = 72;
  return static_cast<std::size_t>((time / kHour + kMonday) % (7 * 24));
}

std::string WaitsByHour(const Page& page) {
  std::string html = "<h2>When jobs that wait had come</h2>\n";
  for (const PagePolicy& policy : page.policies) {
    std::array<std::pair<double, double>, std::size_t{7} * 24> sums{};
    for (const Fate& fate : policy.run->fates) {
      if (fate.first_start == kNoTime || !Counts(fate, *policy.run)) continue;
      auto& [wait, count] = sums[HourOfWeek(fate.submitted)];
      wait += static_cast<double>(fate.first_start - fate.submitted) / static_cast<double>(kSecond);
      ++count;
    }
    Week week;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (sums[i].second > 0) week[i / 24][i % 24] = sums[i].first / sums[i].second;
    }
    html += "<figure>" + PlotWeek(week, TimeText) + "<figcaption>" + Escaped(policy.name) +
            ": mean wait by hour of arrival, in UTC; darker is longer.</figcaption></figure>\n";
  }
  return html;
}

std::string MovedMost(const Page& page, const NamedJobs& named) {
  std::string rows;
  for (const PagePolicy& policy : page.policies) {
    for (const Change::Moved& moved : policy.change->most) {
      const bool earlier = moved.seconds < 0;
      rows += "<tr><td>" + named.Link(moved.id) + "</td><td class=\"l\">" + Escaped(moved.queue) +
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

/// Queues of the log in the order of their names, so that each has one colour.
std::vector<std::string> QueuesOf(const Page& page) {
  std::set<std::string> queues;
  for (const TraceJob& job : page.jobs) queues.insert(job.queue);
  return {queues.begin(), queues.end()};
}

std::string Gantt(const Page& page, const std::vector<WorstHour>& hours, const NamedJobs& named) {
  const std::vector<std::string> queues = QueuesOf(page);
  std::string html;
  for (std::size_t p = 0; p < hours.size(); ++p) {
    const WorstHour& hour = hours[p];
    const Run& run = *page.policies[p].run;
    if (hour.begin == kNoTime) continue;
    const auto at = [&](TimeNs time) { return InSeconds(OrEnd(time, run) - hour.begin) / 3600; };
    std::vector<GanttRow> rows;
    for (const std::size_t i : hour.jobs) {
      const TraceJob& job = page.jobs[i];
      const Fate& fate = run.fates[i];
      const auto queue = std::lower_bound(queues.begin(), queues.end(), job.queue);
      rows.push_back({job.id + " (" + std::to_string(job.size) + ")",
                      job.id + " of " + job.queue + ", " + std::to_string(job.size) + " " +
                          page.resource + ", runs " + TimeText(InSeconds(job.run)),
                      static_cast<std::size_t>(queue - queues.begin()), at(fate.submitted),
                      at(fate.first_start), at(fate.end)});
    }
    html += "<figure>" + PlotGantt(rows, 1) + "<figcaption>" + Escaped(page.policies[p].name) +
            ": from " + TimeText(InSeconds(hour.begin - run.first)) +
            " after the first arrival on, " + Fixed(hour.waiting, 1) +
            " jobs waited in the mean. The largest that ran, and those that waited longest; faint "
            "is waiting.</figcaption></figure>\n<p class=\"faint\">";
    for (const std::size_t i : hour.jobs) html += named.Link(page.jobs[i].id) + " ";
    html += "</p>\n";
  }
  if (html.empty()) return "";
  return "<h2>The worst hour</h2>\n" + Legend(queues) + html;
}

}  // namespace

std::string ToHtml(const Page& page) {
  std::vector<WorstHour> hours;
  for (const PagePolicy& policy : page.policies) {
    hours.push_back(FindWorstHour(page.jobs, *policy.run));
  }
  const NamedJobs named(page, hours);
  std::string html(kHead);
  html += "<h1>" + std::to_string(page.jobs.size()) + " jobs of " + Escaped(page.log) + "</h1>\n";
  html += Headline(page) + Totals(page) + ByQueue(page, named) + Distribution(page) +
          UseOverTime(page) + FairnessOverTime(page) + GangsOverTime(page) + WaitsByHour(page) +
          Gantt(page, hours, named) + Differences(page) + MovedMost(page, named) + named.Stories();
  return html + "</body></html>\n";
}

}  // namespace muster::simulate
