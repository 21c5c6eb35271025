// See command_text.h.
#include "bindings/cli/world/command_text.h"

#include <span>
#include <utility>

#include "bindings/cli/world/input.h"
#include "bindings/cli/world/report.h"
#include "engine/model/names.h"

namespace muster::cli {

int CommandText::Read(const std::string& file, const std::string& flag,
                      const std::string& consequence, Io& io) {
  std::vector<manifest::Source> sources;
  if (const int code = ReadSources({file}, io, &sources); code != kDone) return code;
  if (sources.size() != 1) return io.Fail(kWrongUse, flag + " takes one file");
  source_ = std::move(sources.front());
  std::vector<wire::Mistake> mistakes;
  Result<std::vector<muster::Command>> read = wire::CommandsFromJson(source_.text, &mistakes);
  if (read.ok()) {
    commands_ = *std::move(read);
    return kDone;
  }
  const bool more = read.status().message().ends_with(wire::kManyMore);
  return ReportAll(mistakes, (more ? "there are more; " : "") + consequence, io);
}

int CommandText::ReportAll(const std::vector<wire::Mistake>& mistakes,
                           const std::string& consequence, Io& io) const {
  std::vector<manifest::Diagnostic> diagnostics;
  for (const wire::Mistake& mistake : mistakes) {
    const std::string path = mistake.path.empty() ? "" : mistake.path + ": ";
    diagnostics.push_back({manifest::Severity::kError,
                           {source_.name, mistake.line, mistake.column},
                           path + mistake.what,
                           mistake.cure});
  }
  return Report(std::move(diagnostics), std::span(&source_, 1), consequence, io);
}

int CommandText::Refuse(std::size_t index, const Status& status, const std::string& refusal,
                        Io& io) const {
  if (status.problems().empty()) {
    return io.Fail(ExitCodeFor(status), refusal + ": " + status.message());
  }
  std::vector<wire::Mistake> mistakes;
  for (const Problem& problem : status.problems()) {
    if (mistakes.size() == wire::kMaxMistakes) break;
    mistakes.push_back(wire::Locate(source_.text, index, &problem));
  }
  const bool more = mistakes.size() < status.problems().size();
  return ReportAll(mistakes, (more ? "there are more; " : "") + refusal, io);
}

std::string CommandText::Name(std::size_t index) const {
  const std::string name(EnumName(KindOf(commands_[index])));
  if (commands_.size() == 1) return "command " + name;
  return "command [" + std::to_string(index) + "] (" + name + ") in line " +
         std::to_string(wire::Locate(source_.text, index).line);
}

}  // namespace muster::cli
