// Dispatch. A verb may be two words ("policy check"); the longer match wins.
#include "bindings/cli/app.h"

#include <algorithm>
#include <memory>

#include "bindings/cli/asked.h"
#include "bindings/cli/command.h"
#include "bindings/cli/help.h"
#include "bindings/cli/shell/complete.h"
#include "bindings/cli/shell/man_pages.h"
#include "bindings/lab/read.h"
#include "bindings/manifest/closest.h"
#include "bindings/plain/harmless_stream.h"
#include "engine/base/caught.h"

namespace muster::cli {
namespace {

using Commands = std::vector<std::unique_ptr<Command>>;

bool IsHelp(std::string_view word) { return word == "-h" || word == "--help"; }

/// The command whose words `args` begins with, and how many they are.
Command* Find(const Commands& commands, const std::vector<std::string>& args, std::size_t* words) {
  for (const std::size_t count : {std::size_t{2}, std::size_t{1}}) {
    if (args.size() < count) continue;
    std::string name = args[0];
    if (count == 2) name += " " + args[1];
    for (const auto& command : commands) {
      if (command->info().name != name) continue;
      *words = count;
      return command.get();
    }
  }
  return nullptr;
}

int UnknownVerb(const Commands& commands, const std::vector<std::string>& args, Io& io) {
  std::vector<std::string_view> names;
  std::string beginning;  // verbs that go on after args[0]: "policy check"
  for (const auto& command : commands) {
    const std::string_view name = command->info().name;
    const std::string_view first = name.substr(0, name.find(' '));
    if (std::find(names.begin(), names.end(), first) == names.end()) names.push_back(first);
    if (name.starts_with(args[0] + " "))
      beginning += (beginning.empty() ? "" : ", ") + std::string(name);
  }
  if (!beginning.empty()) {
    if (args.size() < 2 || args[1].starts_with('-')) {
      return io.Fail(kWrongUse, "'" + args[0] + "' needs another word: " + beginning);
    }
    return io.Fail(kWrongUse,
                   "there is no verb '" + args[0] + " " + args[1] + "'; write one of " + beginning);
  }
  // A word that is near no verb is nothing that a list of all of them would help with.
  const std::string_view near = manifest::Closest(args[0], names);

  if (args[0].starts_with('-')) {
    return io.Fail(kWrongUse, "options come after the verb: muster VERB " + args[0] +
                                  " ... (see muster --help)");
  }
  return io.Fail(kWrongUse, "there is no verb '" + args[0] + "'; " +
                                (near.empty() ? "muster --help lists them"
                                              : "write \"" + std::string(near) +
                                                    "\" (muster --help lists them all)"));
}

}  // namespace

std::vector<std::unique_ptr<Command>> AllCommands() {
  Commands commands;
  commands.push_back(MakeValidate());
  commands.push_back(MakeApply());
  commands.push_back(MakeSubmit());
  commands.push_back(MakeDelete());
  commands.push_back(MakeConvert());
  commands.push_back(MakeImportKueue());
  commands.push_back(MakeSchedule());
  commands.push_back(MakeGet());
  commands.push_back(MakeDescribe());
  commands.push_back(MakeExplain());
  commands.push_back(MakeWhatIf());
  commands.push_back(MakeEta());
  commands.push_back(MakeTop());
  commands.push_back(MakeDefrag());
  commands.push_back(MakeUsage());
  commands.push_back(MakeStartPatch());
  commands.push_back(MakeUpdate());
  commands.push_back(MakeObserve());
  commands.push_back(MakeCheck());
  commands.push_back(MakeReady());
  commands.push_back(MakeFinish());
  commands.push_back(MakeCancel());
  commands.push_back(MakeEvict());
  commands.push_back(MakeEvicted());
  commands.push_back(MakeDo());
  commands.push_back(MakeDecisions());
  commands.push_back(MakeAcknowledge());
  commands.push_back(MakeConsumerAdd());
  commands.push_back(MakeConsumerRemove());
  commands.push_back(MakeStop());
  commands.push_back(MakeResume());
  commands.push_back(MakeTest());
  commands.push_back(MakePolicyNew());
  commands.push_back(MakePolicyCheck());
  commands.push_back(MakePolicyTest());
  commands.push_back(MakePolicyBench());
  commands.push_back(MakePolicyDiff());
  commands.push_back(MakeSimulate());
  commands.push_back(MakeBacktest());
  commands.push_back(MakeEtaCalibration());
  commands.push_back(MakePolicyActivate());
  commands.push_back(MakePolicyList());
  commands.push_back(MakePolicyRollback());
  commands.push_back(MakeLedgerVerify());
  commands.push_back(MakeLedgerQuery());
  commands.push_back(MakeLedgerBackup());
  commands.push_back(MakeLedgerExport());
  commands.push_back(MakeLedgerReplay());
  commands.push_back(MakeLedgerCompact());
  commands.push_back(MakeLedgerRecover());
  commands.push_back(MakeLedgerMigrate());
  commands.push_back(MakeLedgerFollow());
  commands.push_back(MakeTraceExport());
  commands.push_back(MakeServe());
  commands.push_back(MakeTokenCreate());
  commands.push_back(MakeTokenRevoke());
  commands.push_back(MakeTokenList());
  commands.push_back(MakeVersion());
  return commands;
}

int RunVerb(const std::vector<std::string>& arguments, Io& io) {
  const Commands commands = AllCommands();
  std::vector<std::string> args = arguments;
  ServiceWords service;
  if (const auto wrong = TakeServiceWords(&args, &service)) return io.Fail(kWrongUse, *wrong);
  if (args.empty()) {
    PrintTopHelp(io.err, io.err_paint, commands);
    return kWrongUse;
  }
  const bool asks_help = IsHelp(args[0]) || args[0] == "help";
  if (asks_help && args.size() == 1) {
    PrintTopHelp(io.out, io.paint, commands);
    return kDone;
  }
  if (asks_help) args.erase(args.begin());
  if (args[0] == "--version") args[0] = "version";
  if (args[0] == "complete") return Complete(commands, {args.begin() + 1, args.end()}, io);
  if (args[0] == "man" && args.size() == 2) return WriteManPages(commands, args[1], io);

  std::size_t words = 0;
  Command* const command = Find(commands, args, &words);
  if (command == nullptr) {
    const bool wants_help = asks_help || (args.size() == 2 && IsHelp(args[1]));
    if (wants_help && PrintGroupHelp(io.out, io.paint, commands, args[0])) return kDone;
    return UnknownVerb(commands, args, io);
  }
  args.erase(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(words));

  Flags flags;
  command->Declare(flags);
  if (asks_help || std::any_of(args.begin(), args.end(), IsHelp)) {
    PrintCommandHelp(io.out, io.paint, *command, flags);
    return kDone;
  }
  if (const auto wrong = flags.Parse(args)) {
    const std::string name(command->info().name);
    return io.Fail(kWrongUse, name + ": " + *wrong + " (see muster " + name + " --help)");
  }
  return RunOrAsk(*command, flags, service, io);
}

// What ends a verb from within: an engine that answers nothing any more, or too little memory. What
// it had stored is stored.
int RunMuster(const std::vector<std::string>& arguments, Io& streams) {
  plain::HarmlessStream out(streams.out);
  plain::HarmlessStream err(streams.err);
  err << std::unitbuf;
  Io io{streams.in, out, err, streams.paint, streams.err_paint};
  io.server = streams.server;
  io.token = streams.token;
  try {
    return RunVerb(arguments, io);
  } catch (const lab::Refused& refused) {
    return io.Fail(kRefused, refused.status().message());
  } catch (...) {
    return io.Fail(kRefused, Caught().message());
  }
}

}  // namespace muster::cli
