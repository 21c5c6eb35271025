// Command: one verb of `muster`. Each stands in a file of its own and is listed in Commands().
#ifndef MUSTER_BINDINGS_CLI_COMMAND_H_
#define MUSTER_BINDINGS_CLI_COMMAND_H_

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/cli/flags.h"
#include "bindings/cli/io.h"

namespace muster::cli {

class Service;

/// What a verb takes besides its ServiceFlags when it asks a service: the option, what it says.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kServiceOptions = {{
    {"--server URL", "Ask a service, such as http://127.0.0.1:8484. Default: $MUSTER_SERVER."},
    {"--token TOKEN", "Show it this token. Default: $MUSTER_TOKEN."},
}};

struct Example {
  std::string_view what;  ///< one line, shown as a comment
  std::string_view line;  ///< the command
};

struct CommandInfo {
  std::string_view name;     ///< "schedule", "policy check"
  std::string_view group;    ///< heading in the top help
  std::string_view summary;  ///< a few words, no full stop
  std::string_view usage;    ///< what follows the name
  std::string_view about;    ///< a paragraph or more, separated by '\n'
  std::vector<Example> examples;
};

class Command {
 public:
  virtual ~Command() = default;
  virtual const CommandInfo& info() const = 0;
  virtual void Declare(Flags& flags) = 0;
  /// Returns the exit code.
  virtual int Run(Io& io) = 0;

  /// The options that the verb also takes when it asks a service; null: a service does nothing of
  /// the kind.
  virtual const std::vector<std::string_view>* ServiceFlags() const { return nullptr; }
  /// Does it by asking the service. Returns the exit code. Called only with ServiceFlags.
  virtual int Ask(const Service&, Io&) { return kWrongUse; }
};

std::unique_ptr<Command> MakeApply();
std::unique_ptr<Command> MakeValidate();
std::unique_ptr<Command> MakeConvert();
std::unique_ptr<Command> MakeImportKueue();
std::unique_ptr<Command> MakeSchedule();
std::unique_ptr<Command> MakeGet();
std::unique_ptr<Command> MakeDescribe();
std::unique_ptr<Command> MakeExplain();
std::unique_ptr<Command> MakeWhatIf();
std::unique_ptr<Command> MakeEta();
std::unique_ptr<Command> MakeEtaCalibration();
std::unique_ptr<Command> MakeTest();
std::unique_ptr<Command> MakePolicyNew();
std::unique_ptr<Command> MakePolicyCheck();
std::unique_ptr<Command> MakePolicyTest();
std::unique_ptr<Command> MakePolicyBench();
std::unique_ptr<Command> MakePolicyDiff();
std::unique_ptr<Command> MakeSimulate();
std::unique_ptr<Command> MakeBacktest();
std::unique_ptr<Command> MakeTraceExport();
std::unique_ptr<Command> MakePolicyActivate();
std::unique_ptr<Command> MakePolicyList();
std::unique_ptr<Command> MakePolicyRollback();
std::unique_ptr<Command> MakeSubmit();
std::unique_ptr<Command> MakeDelete();
std::unique_ptr<Command> MakeUpdate();
std::unique_ptr<Command> MakeCheck();
std::unique_ptr<Command> MakeStartPatch();
std::unique_ptr<Command> MakeObserve();
std::unique_ptr<Command> MakeReady();
std::unique_ptr<Command> MakeFinish();
std::unique_ptr<Command> MakeCancel();
std::unique_ptr<Command> MakeEvict();
std::unique_ptr<Command> MakeEvicted();
std::unique_ptr<Command> MakeDo();
std::unique_ptr<Command> MakeDecisions();
std::unique_ptr<Command> MakeAcknowledge();
std::unique_ptr<Command> MakeConsumerAdd();
std::unique_ptr<Command> MakeConsumerRemove();
std::unique_ptr<Command> MakeStop();
std::unique_ptr<Command> MakeResume();
std::unique_ptr<Command> MakeLedgerVerify();
std::unique_ptr<Command> MakeLedgerQuery();
std::unique_ptr<Command> MakeLedgerBackup();
std::unique_ptr<Command> MakeLedgerExport();
std::unique_ptr<Command> MakeLedgerReplay();
std::unique_ptr<Command> MakeLedgerCompact();
std::unique_ptr<Command> MakeLedgerRecover();
std::unique_ptr<Command> MakeLedgerMigrate();
std::unique_ptr<Command> MakeLedgerFollow();
std::unique_ptr<Command> MakeTop();
std::unique_ptr<Command> MakeDefrag();
std::unique_ptr<Command> MakeUsage();
std::unique_ptr<Command> MakeServe();
std::unique_ptr<Command> MakeTokenCreate();
std::unique_ptr<Command> MakeTokenRevoke();
std::unique_ptr<Command> MakeTokenList();
std::unique_ptr<Command> MakeVersion();

/// Every verb, in the order of the top help.
std::vector<std::unique_ptr<Command>> AllCommands();

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_COMMAND_H_
