// Layout of help: examples before options, because they are what people read.
#include "bindings/cli/help.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "bindings/cli/table.h"

namespace muster::cli {
namespace {

constexpr std::size_t kWidth = 96;

void PrintParagraphs(std::ostream& out, std::string_view text, std::string_view indent) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    for (const std::string& line : Wrap(text.substr(0, end), kWidth - indent.size())) {
      out << indent << line << '\n';
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// `name` in a column of `width`, `doc` beside it, wrapped.
void PrintEntry(std::ostream& out, std::string_view name, std::size_t width, std::string_view doc) {
  const std::size_t column = width + 4;
  out << "  " << name;
  std::size_t at = 2 + DisplayWidth(name);
  if (at + 2 > column) {
    out << '\n';
    at = 0;
  }
  for (const std::string& line : Wrap(doc, kWidth - column)) {
    out << std::string(column - at, ' ') << line << '\n';
    at = 0;
  }
}

}  // namespace

void PrintTopHelp(std::ostream& out, const Paint& paint,
                  const std::vector<std::unique_ptr<Command>>& commands) {
  out << "muster: an admission engine for shared clusters. It reads Kueue's objects and says "
         "which jobs may\n"
         "start now, on which flavor, and which have to make room.\n\n";
  out << paint(Tone::kStrong, "Getting started") << '\n'
      << "  muster validate -f queues.yaml                   # is it well formed, does it fit "
         "together?\n"
         "  muster schedule -f queues.yaml -f jobs.yaml      # what starts, what waits, what makes "
         "room\n"
         "  muster explain team-a/job-train -f queues.yaml -f jobs.yaml    # why one of them "
         "waits\n"
         "  muster apply -f queues.yaml --db cluster.ledger  # begin a ledger, which remembers; "
         "then\n"
         "                                                   # submit, schedule, finish --db ...\n";
  std::size_t width = 0;
  for (const auto& command : commands) width = std::max(width, command->info().name.size());
  std::string_view group;
  for (const auto& command : commands) {
    const CommandInfo& info = command->info();
    if (info.group != group) {
      group = info.group;
      out << '\n' << paint(Tone::kStrong, group) << '\n';
    }
    PrintEntry(out, info.name, width, info.summary);
  }
  out << "\nEvery verb explains itself with examples: muster VERB --help\n"
         "With --server URL and --token TOKEN many verbs ask a service instead of a ledger.\n"
         "Exit codes, of every verb:\n";
  for (const auto& [code, meaning] : kExitCodes) {
    PrintEntry(out, std::to_string(code), kSignalCode.first.size(), meaning);
  }
  PrintEntry(out, kSignalCode.first, kSignalCode.first.size(), kSignalCode.second);
}

bool PrintGroupHelp(std::ostream& out, const Paint& paint,
                    const std::vector<std::unique_ptr<Command>>& commands, std::string_view first) {
  std::vector<const CommandInfo*> group;
  std::size_t width = 0;
  for (const auto& command : commands) {
    const CommandInfo& info = command->info();
    if (!info.name.starts_with(std::string(first) + " ")) continue;
    group.push_back(&info);
    width = std::max(width, info.name.size());
  }
  if (group.empty()) return false;
  out << paint(Tone::kStrong, "muster " + std::string(first)) << '\n';
  for (const CommandInfo* const info : group) PrintEntry(out, info->name, width, info->summary);
  out << "\nEvery verb explains itself with examples: muster " << group.front()->name
      << " --help\n";
  return true;
}

void PrintCommandHelp(std::ostream& out, const Paint& paint, const Command& command,
                      const Flags& flags) {
  const CommandInfo& info = command.info();
  out << "muster " << info.name << ": " << info.summary << "\n\n";
  out << paint(Tone::kStrong, "Usage") << "\n  muster " << info.name << ' ' << info.usage << "\n\n";
  PrintParagraphs(out, info.about, "");
  out << '\n' << paint(Tone::kStrong, "Examples") << '\n';
  for (const Example& example : info.examples) {
    out << "  " << paint(Tone::kFaint, "# " + std::string(example.what)) << "\n  " << example.line
        << '\n';
  }
  std::size_t width = 0;
  for (const FlagDoc& doc : flags.docs()) width = std::max(width, DisplayWidth(doc.spelling));
  width = std::min<std::size_t>(width, 30);
  for (const bool positional : {true, false}) {
    const auto of_this_sort = [positional](const FlagDoc& doc) {
      return doc.positional == positional;
    };
    if (std::none_of(flags.docs().begin(), flags.docs().end(), of_this_sort)) continue;
    out << '\n' << paint(Tone::kStrong, positional ? "Words" : "Options") << '\n';
    for (const FlagDoc& doc : flags.docs()) {
      if (of_this_sort(doc)) PrintEntry(out, doc.spelling, width, doc.doc);
    }
  }
  const std::vector<std::string_view>* const asked = command.ServiceFlags();
  if (asked == nullptr) return;
  out << '\n' << paint(Tone::kStrong, "A service instead of a ledger") << '\n';
  for (const auto& [option, doc] : kServiceOptions) {
    PrintEntry(out, "    " + std::string(option), width, doc);
  }
}

}  // namespace muster::cli
