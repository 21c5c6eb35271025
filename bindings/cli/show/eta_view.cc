// See eta_view.h.
#include "bindings/cli/show/eta_view.h"

#include <algorithm>

#include "bindings/cli/show/age.h"
#include "bindings/cli/table.h"
#include "bindings/lab/words.h"
#include "bindings/manifest/manifest.h"

namespace muster::cli {
namespace {

/// "92" of 11 in 12; of none, 0.
std::size_t PerCent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : (200 * part + whole) / (2 * whole);
}

std::string WaitText(const ExpectedStarts& starts, DurationNs wait) {
  if (wait >= starts.horizon) return "later";
  return wait == 0 ? "now" : "in " + AgeOf(wait);
}

std::string IntervalText(const ExpectedStarts& starts, DurationNs low, DurationNs high) {
  if (low >= starts.horizon) return "later";
  const std::string to = high >= starts.horizon ? "later" : AgeOf(high);
  return AgeOf(low) + " to " + to;
}

Json WaitJson(const ExpectedStarts& starts, DurationNs wait) {
  if (wait >= starts.horizon) return {{"waitSeconds", nullptr}, {"at", nullptr}};
  return {{"waitSeconds", wait / kSecond}, {"at", manifest::FormatTime(starts.now + wait)}};
}

Json ScoreJson(const eta::Score& score) {
  return {{"answers", score.answers},
          {"within50", score.in50},
          {"within90", score.in90},
          {"beforeP50", score.before50},
          {"beforeP90", score.before90},
          {"medianWidth50Seconds", score.width50 / kSecond},
          {"medianWidth90Seconds", score.width90 / kSecond},
          {"medianLateSeconds", score.bias / kSecond}};
}

void PrintWhyNot(const ExpectedStarts& starts, Io& io) {
  for (const eta::Outlook& each : starts.outlooks) {
    if (each.never == 0 && !each.is_never) continue;
    io.out << '\n' << each.workload.ToString();
    if (each.is_never) {
      io.out << " never starts as things are";
    } else if (each.is_unknown) {
      io.out << " waits for jobs of which it is not known how long they run";
    } else {
      io.out << " does not start in " << each.never << " of "
             << lab::Counted(each.futures, "future") << " of at most " << AgeOf(starts.horizon);
    }
    io.out << ": " << each.why_never << '\n';
  }
}

}  // namespace

void PrintExpectedStarts(const ExpectedStarts& starts, Io& io) {
  if (starts.outlooks.empty()) {
    io.out << "Nothing waits.\n";
    return;
  }
  Table table({"WORKLOAD", "P50", "P90", "50% INTERVAL", "90% INTERVAL", "EXPECTED-START"});
  for (const eta::Outlook& each : starts.outlooks) {
    const eta::Waits& waits = each.waits;
    if (each.is_never || each.is_unknown) {
      const Cell when = each.is_never ? Cell("never", Tone::kBad) : Cell("unknown", Tone::kWarning);
      table.Add({each.workload.ToString(), when, when, "", "", ""});
      continue;
    }
    const bool late = waits[eta::kP50] >= starts.horizon;
    table.Add({each.workload.ToString(), WaitText(starts, waits[eta::kP50]),
               WaitText(starts, waits[eta::kP90]),
               IntervalText(starts, waits[eta::kP25], waits[eta::kP75]),
               IntervalText(starts, waits[eta::kP5], waits[eta::kP95]),
               late ? std::string() : manifest::FormatTime(starts.now + waits[eta::kP50])});
  }
  table.Print(io.out, io.paint);
  PrintWhyNot(starts, io);
  io.out << '\n'
         << lab::Counted(starts.futures, "future") << " from " << manifest::FormatTime(starts.now);
  if (starts.futures < starts.futures_asked) {
    io.out << " instead of " << starts.futures_asked << ", as nothing that was asked about "
           << (starts.futures == 0 ? "can start" : "starts in them");
  }
  io.out << ", with the run times of " << lab::Counted(starts.runs_learnt, "job")
         << " that ended.\n";
  if (starts.runs_learnt == 0) {
    io.out << "Of no job that ended is it known here how long it ran: what runs ends after what it "
              "declares. One that declares nothing, or outlasts it, is taken to run as long again "
              "as it has run, with a chance of one half; of what has not begun it is not known "
              "when it ends.\n";
  }
  const eta::Score& past = starts.past;
  if (past.answers == 0) {
    io.out << "How far this holds was not measured: no job had to wait, and has started since, "
              "whose start was asked for.\n";
    return;
  }
  io.out << "Asked about " << lab::Counted(past.answers, "start") << " of the past in this way, "
         << PerCent(past.in90, past.answers) << " % came within the 90 % interval, "
         << PerCent(past.in50, past.answers) << " % within the 50 % interval";
  io.out << (starts.mended ? "; the waits above are put right by them.\n"
                           : "; too few to put the waits above right.\n");
}

Json ExpectedStartsJson(const ExpectedStarts& starts) {
  Json workloads = Json::array();
  for (const eta::Outlook& each : starts.outlooks) {
    Json json = {{"workload", each.workload.ToString()},
                 {"never", each.is_never},
                 {"unknown", each.is_unknown},
                 {"futures", each.futures},
                 {"futuresWithoutStart", each.never}};
    if (!each.why_never.empty()) json["why"] = each.why_never;
    if (!each.is_never && !each.is_unknown) {
      for (std::size_t level = 0; level < eta::kLevels.size(); ++level) {
        json["p" + std::to_string(eta::kLevels[level] / 10)] = WaitJson(starts, each.waits[level]);
      }
    }
    workloads.push_back(std::move(json));
  }
  return {{"now", manifest::FormatTime(starts.now)},
          {"horizonSeconds", starts.horizon / kSecond},
          {"futures", starts.futures},
          {"runsLearnt", starts.runs_learnt},
          {"mended", starts.mended},
          {"past", ScoreJson(starts.past)},
          {"workloads", std::move(workloads)}};
}

void PrintMeasured(const std::vector<Measured>& measured, Io& io) {
  Table table({"ESTIMATE", ">ANSWERS", ">IN 50%", ">IN 90%", ">BEFORE P50", ">BEFORE P90",
               ">WIDTH 50%", ">WIDTH 90%", ">LATE"});
  for (const Measured& each : measured) {
    const eta::Score& score = each.score;
    const auto part = [&score](std::size_t count) {
      return std::to_string(PerCent(count, score.answers)) + "%";
    };
    const std::string late = score.bias < 0 ? "-" + AgeOf(-score.bias) : AgeOf(score.bias);
    table.Add({each.name, std::to_string(score.answers), part(score.in50), part(score.in90),
               part(score.before50), part(score.before90), AgeOf(score.width50),
               AgeOf(score.width90), late});
  }
  table.Print(io.out, io.paint);
  io.out << '\n';
  for (const Measured& each : measured) io.out << each.name << ": " << each.says << '\n';
}

Json MeasuredJson(const std::vector<Measured>& measured) {
  Json list = Json::array();
  for (const Measured& each : measured) {
    Json json = {{"estimate", each.name}};
    json.update(ScoreJson(each.score));
    list.push_back(std::move(json));
  }
  return {{"estimates", std::move(list)}};
}

}  // namespace muster::cli
