// Macros of man(7) alone, which every viewer knows. A page has no date: the same sources give the
// same bytes.
#include "bindings/cli/shell/man_pages.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "bindings/cli/build_info.h"

namespace muster::cli {
namespace {

/// `text` so that roff shows it as it stands; a line of it never begins a request.
std::string Roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (escaped.empty() || escaped.back() == '\n')) escaped += "\\&";
      escaped += c;
    }
  }
  return escaped;
}

std::string PageName(std::string_view verb) {
  std::string name = "muster-" + std::string(verb);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

void Begin(std::ostream& out, std::string_view name, std::string_view summary) {
  std::string title(name);
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  out << ".TH " << Roff(title) << " 1 \"\" \"muster " << kVersion << "\" \"Muster\"\n"
      << ".SH NAME\n"
      << Roff(name) << " \\- " << Roff(summary) << '\n';
}

/// `name` and below it, indented, `doc`.
void Entry(std::ostream& out, std::string_view name, std::string_view doc) {
  out << ".TP\n.B " << Roff(name) << '\n' << Roff(doc) << '\n';
}

void Paragraphs(std::ostream& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out << Roff(text.substr(0, end)) << '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!text.empty()) out << ".PP\n";
  }
}

void ExitStatus(std::ostream& out) {
  out << ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : kExitCodes) Entry(out, std::to_string(code), meaning);
  Entry(out, kSignalCode.first, kSignalCode.second);
}

void Top(std::ostream& out, const std::vector<std::unique_ptr<Command>>& commands) {
  Begin(out, "muster", "an admission engine for shared clusters");
  out << ".SH SYNOPSIS\n.B muster\n.I VERB\n[words] [options]\n.SH DESCRIPTION\n"
      << Roff(
             "Reads Kueue's objects and says which jobs may start now, on which flavor, and which "
             "have to make room.")
      << "\n.PP\n"
      << Roff(
             "Every verb has a page of its own, such as muster-schedule(1), and explains itself "
             "with examples: muster VERB --help.")
      << '\n';
  std::string_view group;
  for (const auto& command : commands) {
    const CommandInfo& info = command->info();
    if (info.group != group) out << ".SH VERBS: " << Roff(info.group) << '\n';
    group = info.group;
    Entry(out, info.name, info.summary);
  }
  ExitStatus(out);
}

void Page(std::ostream& out, Command& command) {
  const CommandInfo& info = command.info();
  Begin(out, PageName(info.name), info.summary);
  out << ".SH SYNOPSIS\n.B muster " << Roff(info.name) << '\n' << Roff(info.usage) << '\n';
  out << ".SH DESCRIPTION\n";
  Paragraphs(out, info.about);
  Flags flags;
  command.Declare(flags);
  for (const bool positional : {true, false}) {
    bool first = true;
    for (const FlagDoc& doc : flags.docs()) {
      if (doc.positional != positional) continue;
      if (first) out << (positional ? ".SH WORDS\n" : ".SH OPTIONS\n");
      first = false;
      Entry(out, std::string_view(doc.spelling).substr(doc.spelling.find_first_not_of(' ')),
            doc.doc);
    }
  }
  if (command.ServiceFlags() != nullptr) {
    out << ".SH A SERVICE INSTEAD OF A LEDGER\n";
    for (const auto& [option, doc] : kServiceOptions) Entry(out, option, doc);
  }
  out << ".SH EXAMPLES\n";
  for (const Example& example : info.examples) {
    if (&example != &info.examples.front()) out << ".PP\n";
    out << Roff(example.what) << ":\n.PP\n.nf\n.RS\n" << Roff(example.line) << "\n.RE\n.fi\n";
  }
  ExitStatus(out);
  out << ".SH SEE ALSO\n.BR muster (1)\n";
}

}  // namespace

int WriteManPages(const std::vector<std::unique_ptr<Command>>& commands, const std::string& folder,
                  Io& io) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::filesystem::path into(folder);
  const auto write = [&](const std::string& name, const auto& print) {
    std::ofstream file(into / (name + ".1"), std::ios::binary | std::ios::trunc);
    print(file);
    file.close();
    return file.good() ? static_cast<int>(kDone)
                       : io.Fail(kRefused, "cannot write " + (into / (name + ".1")).string());
  };
  if (const int code = write("muster", [&](std::ostream& out) { Top(out, commands); })) return code;
  for (const auto& command : commands) {
    const int code =
        write(PageName(command->info().name), [&](std::ostream& out) { Page(out, *command); });
    if (code != kDone) return code;
  }
  return kDone;
}

}  // namespace muster::cli
