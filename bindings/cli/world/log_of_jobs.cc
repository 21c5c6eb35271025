// See log_of_jobs.h.
#include "bindings/cli/world/log_of_jobs.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "bindings/cli/world/input.h"
#include "bindings/cli/world/past_of_ledger.h"
#include "bindings/manifest/closest.h"
#include "bindings/simulate/gunzip.h"

namespace muster::cli {
namespace {

using simulate::Trace;
using simulate::TraceColumns;
using simulate::TraceFormat;

const std::map<std::string, TraceFormat> kFormats = {
    {"swf", TraceFormat::kSwf},     {"philly", TraceFormat::kPhilly},
    {"gangs", TraceFormat::kGangs}, {"helios", TraceFormat::kHelios},
    {"openb", TraceFormat::kOpenb}, {"csv", TraceFormat::kCsv}};

/// What objects may be called: a queue `vcvGl_2` of a log is the LocalQueue vcvgl-2.
std::string AsName(std::string text) {
  for (char& c : text) {
    c = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

int FailSeveral(const std::string& what, const std::vector<Key>& queues, Io& io) {
  std::string all;
  for (const Key& key : queues) all += (all.empty() ? "" : " or ") + key.ToString();
  return io.Fail(kNo, what + " may mean " + all + "; write it with its namespace");
}

}  // namespace

void LogFlags::Declare(Flags& flags) {
  flags.Text("--jobs", "TRACE", &file_, "The log of jobs.");
  flags.Choice("--format", &format_, {"auto", "swf", "philly", "gangs", "helios", "openb", "csv"},
               "How the log is written. Default: by its beginning.");
  flags.CommaList("--columns", "WHAT=NAME,...", &columns_,
                  "Of a table: which column says what. Times are seconds or dates.");
  flags.Count("--first", "N", &first_, "Play only the first N jobs.");
  flags.Text("--resource", "NAME", &resource_,
             "What the sizes of jobs count. Default: the one resource that has quota, or the one "
             "whose name ends in /gpu.");
  flags.Text("--queue", "NS/NAME", &queue_,
             "The LocalQueue of jobs whose queue has none of its name. Default: the only one.");
}

int LogFlags::Map(const manifest::Manifests& cluster, const Trace& trace, Io& io,
                  simulate::Mapping* mapping) const {
  const int code = FindResource(cluster, io, &mapping->resource);
  return code == kDone ? FindQueues(cluster, trace, io, mapping) : code;
}

int LogFlags::NeedCluster(const manifest::Manifests& manifests, Io& io) {
  if (!manifests.scenario) return kDone;
  return io.Fail(kNo, "a Scenario has a clock of its own; give only the cluster");
}

int LogFlags::Read(Io& io, Trace* trace) const {
  Result<std::string> text = ReadText(file_, io.in);
  if (!text.ok()) return io.Fail(kWrongUse, text.status().message());
  Result<std::string> plain = simulate::Gunzip(*std::move(text));
  if (!plain.ok()) return io.Fail(kNo, file_ + ": " + plain.status().message());
  TraceColumns columns;
  if (const int code = ReadColumns(io, &columns); code != kDone) return code;
  TraceFormat format = columns_.empty() ? simulate::GuessTraceFormat(*plain) : TraceFormat::kCsv;
  if (format_ != "auto") format = kFormats.at(format_);
  if (!columns_.empty() && format != TraceFormat::kCsv) {
    return io.Fail(kWrongUse,
                   "--columns is for --format csv; the columns of " + format_ + " are known");
  }
  Result<Trace> read = simulate::ReadTrace(file_, *plain, format, columns);
  if (!read.ok()) return io.Fail(kNo, read.status().message());
  *trace = *std::move(read);
  if (first_ && static_cast<std::size_t>(*first_) < trace->jobs.size()) {
    trace->jobs.resize(static_cast<std::size_t>(*first_));
  }
  if (trace->jobs.empty()) return io.Fail(kNo, file_ + ": it has no job that ran");
  return kDone;
}

int LogFlags::ReadColumns(Io& io, TraceColumns* columns) const {
  const std::map<std::string_view, std::string*> known = {
      {"id", &columns->id},       {"submit", &columns->submit}, {"run", &columns->run},
      {"start", &columns->start}, {"end", &columns->end},       {"requested", &columns->requested},
      {"size", &columns->size},   {"pods", &columns->pods},     {"shape", &columns->shape},
      {"queue", &columns->queue}, {"user", &columns->user}};
  for (const std::string& word : columns_) {
    const std::size_t equals = word.find('=');
    const std::string_view what = std::string_view(word).substr(0, equals);
    const auto found = known.find(what);
    if (found == known.end() || equals == word.npos) {
      std::vector<std::string_view> names;
      for (const auto& [name, unused] : known) names.push_back(name);
      const std::string_view near = manifest::Closest(what, names);
      return io.Fail(kWrongUse, "--columns: \"" + word + "\"; write " +
                                    std::string(near.empty() ? "submit" : near) + "=NAME");
    }
    *found->second = word.substr(equals + 1);
  }
  return kDone;
}

int LogFlags::FindResource(const manifest::Manifests& cluster, Io& io,
                           std::string* resource) const {
  std::set<std::string> covered;
  for (const Object& object : cluster.objects) {
    const auto* queue = std::get_if<ClusterQueue>(&object);
    if (queue == nullptr) continue;
    for (const ResourceGroup& group : queue->resource_groups) {
      covered.insert(group.covered_resources.begin(), group.covered_resources.end());
    }
  }
  return ChooseResource(covered, resource_, io, resource);
}

int LogFlags::FindQueues(const manifest::Manifests& cluster, const Trace& trace, Io& io,
                         simulate::Mapping* mapping) const {
  std::map<std::string, std::vector<Key>> by_name;  // and by NS/NAME
  std::vector<Key> all;
  for (const Object& object : cluster.objects) {
    const auto* queue = std::get_if<LocalQueue>(&object);
    if (queue == nullptr) continue;
    all.push_back(queue->key);
    by_name[queue->key.name].push_back(queue->key);
    by_name[queue->key.ToString()].push_back(queue->key);
  }
  if (all.empty()) return io.Fail(kNo, "the manifests have no LocalQueue for the jobs");
  if (!queue_.empty()) {
    const auto named = by_name.find(queue_);
    if (named == by_name.end()) {
      std::vector<std::string> names;
      for (const Key& key : all) names.push_back(key.ToString());
      const std::vector<std::string_view> views(names.begin(), names.end());
      const std::string_view near = manifest::Closest(queue_, views);
      return io.Fail(kNo, "no LocalQueue " + queue_ + "; write " +
                              std::string(near.empty() ? views.front() : near));
    }
    if (named->second.size() > 1) return FailSeveral("--queue " + queue_, named->second, io);
    mapping->queues[""] = named->second.front();
  } else if (all.size() == 1) {
    mapping->queues[""] = all.front();
  }
  std::unordered_set<std::string_view> looked_at;
  for (const auto& job : trace.jobs) {
    if (!looked_at.insert(job.queue).second || mapping->queues.contains(job.queue)) continue;
    const auto found = by_name.find(AsName(job.queue));
    if (!job.queue.empty() && found != by_name.end()) {
      if (found->second.size() > 1) {
        return FailSeveral("queue \"" + job.queue + "\" of the log", found->second, io);
      }
      mapping->queues[job.queue] = found->second.front();
    }
    if (mapping->queues.contains(job.queue) || mapping->queues.contains("")) continue;
    return io.Fail(kNo, job.queue.empty()
                            ? "the log has no queues; write --queue NS/NAME"
                            : "no LocalQueue \"" + AsName(job.queue) +
                                  "\" for the jobs of that queue of the log; make one, or write "
                                  "--queue NS/NAME for all that have none");
  }
  return kDone;
}

int ReadDuration(std::string_view flag, const std::string& text, Io& io, DurationNs* duration) {
  if (text.empty()) return kDone;
  const std::optional<DurationNs> read = manifest::ParseDuration(text);
  if (!read || *read < 0) {
    return io.Fail(kWrongUse, std::string(flag) + ": \"" + text +
                                  "\" is not a duration; write for example 30s, 1h30m or 7d");
  }
  *duration = *read;
  return kDone;
}

}  // namespace muster::cli
