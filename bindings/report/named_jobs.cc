// A story is of facts of the run alone: when, how long, what came in between.
#include "bindings/report/named_jobs.h"

#include <set>

#include "bindings/lab/words.h"
#include "bindings/report/svg.h"
#include "bindings/simulate/figures.h"
#include "bindings/simulate/number.h"

namespace muster::simulate {
namespace {

std::string FateText(const PagePolicy& policy, std::span<const TraceJob> jobs, std::size_t job) {
  const Fate& fate = policy.run->fates[job];
  const std::string name = "<b>" + Escaped(policy.name) + "</b>: ";
  if (fate.submitted == kNoTime) return name + "it did not come.";
  std::string text = name;
  if (fate.first_start == kNoTime) {
    text += "it never started";
  } else if (fate.first_start == fate.submitted) {
    text += "it started at once";
  } else {
    text += "it waited " + TimeText(InSeconds(fate.first_start - fate.submitted));
  }
  if (fate.first_start != fate.submitted) {
    const std::size_t others = OvertakenBy(jobs, *policy.run, job);
    text += others == 0 ? "; none of its queue that came later started before it"
                        : "; " + lab::Counted(others, "job") +
                              " of its queue came later and started before it";
  }
  if (fate.evictions > 0) {
    text += "; it had to make room " + std::to_string(fate.evictions) +
            (fate.evictions == 1 ? " time" : " times") + " and did " +
            TimeText(InSeconds(fate.lost)) + " of its work again";
  }
  if (fate.first_start != kNoTime && fate.end == kNoTime) text += "; it had not ended";
  return text + ".";
}

}  // namespace

NamedJobs::NamedJobs(const Page& page, const std::vector<WorstHour>& hours) : page_(page) {
  std::set<std::string, std::less<>> names;
  for (const PagePolicy& policy : page.policies) {
    for (const ClassFigures& each : policy.report->classes) names.insert(each.figures.longest);
    for (const Change::Moved& moved : policy.change->most) names.insert(moved.id);
  }
  for (const WorstHour& hour : hours) {
    for (const std::size_t job : hour.jobs) names.insert(page.jobs[job].id);
  }
  names.erase("");
  for (std::size_t i = 0; i < page.jobs.size(); ++i) {
    if (names.contains(page.jobs[i].id)) places_.emplace(page.jobs[i].id, i);
  }
}

std::string NamedJobs::Link(std::string_view id) const {
  const auto found = places_.find(id);
  if (found == places_.end()) return Escaped(id);
  return "<a href=\"#job-" + std::to_string(found->second) + "\">" + Escaped(id) + "</a>";
}

std::string NamedJobs::Story(std::size_t job) const {
  const TraceJob& each = page_.jobs[job];
  std::string html = "<dt id=\"job-" + std::to_string(job) + "\">" + Escaped(each.id) + "</dt><dd>";
  if (!each.queue.empty()) html += "Of " + Escaped(each.queue) + ", ";
  html += std::to_string(each.size) + " " + Escaped(page_.resource);
  if (each.pods > 1) html += " in " + std::to_string(each.pods) + " pods";
  if (each.run > 0) html += ", for " + TimeText(InSeconds(each.run));
  html += ".";
  for (const PagePolicy& policy : page_.policies)
    html += "<br>" + FateText(policy, page_.jobs, job);
  return html + "</dd>\n";
}

std::string NamedJobs::Stories() const {
  if (places_.empty()) return "";
  std::set<std::size_t> in_order;
  for (const auto& [id, job] : places_) in_order.insert(job);
  std::string html = "<h2>The jobs that are named</h2>\n<dl>";
  for (const std::size_t job : in_order) html += Story(job);
  return html + "</dl>\n";
}

}  // namespace muster::simulate
