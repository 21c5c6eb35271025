// WorkloadCommand: a verb by which a gateway tells a ledger what became of workloads.
#ifndef MUSTER_BINDINGS_CLI_VERBS_WORKLOAD_COMMAND_H_
#define MUSTER_BINDINGS_CLI_VERBS_WORKLOAD_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/world/ledger.h"
#include "muster/command.h"

namespace muster::cli {

inline constexpr std::string_view kRunHelp =
    "Which run of the job is meant, as decisions number them: refused where it started again "
    "since.";
/// Reads `--run`, which may be left out; what is wrong with it, behind the name of the verb.
std::optional<std::string> ReadRun(std::string_view word, std::int64_t* run);

class WorkloadCommand : public Command {
 public:
  void Declare(Flags& flags) override;
  int Run(Io& io) override;
  const std::vector<std::string_view>* ServiceFlags() const override;
  int Ask(const Service& service, Io& io) override;

 protected:
  /// Options of this verb alone.
  virtual void DeclareMore(Flags&) {}
  /// What is wrong with the command line; nullopt when nothing is.
  virtual std::optional<std::string> Wrong() const { return std::nullopt; }
  /// Whether the verb makes sense without naming a workload; it then names them itself.
  virtual bool NamesAll() const { return false; }
  virtual std::vector<Key> All(const Engine&) const { return {}; }
  /// Of an elastic job: whether all its slices are meant, not the one that runs.
  virtual bool MeansWholeJobs() const { return false; }
  /// What will have become of an existing workload: "finished", or "unchanged".
  virtual std::string ResultFor(const WorkloadView& workload) const = 0;
  /// Whether workloads may be told to leave by it, beside what ResultFor says.
  virtual bool MayEvict() const { return false; }
  virtual Status Tell(Engine& engine, const std::vector<Key>& workloads, TimeNs now) = 0;
  /// The same as commands for a service.
  virtual std::vector<muster::Command> Said(const std::vector<Key>& workloads) const = 0;
  /// Why a service may not be told so of this workload; OK: it may.
  virtual Status MaySay(const WorkloadView&) const { return Status::Ok(); }

  std::size_t named() const { return words_.size(); }
  /// The uid of the workload that is named, if it was said; else empty.
  const std::string& uid() const { return uid_; }
  /// Which run of it is meant, if that was said; else 0.
  std::int64_t run() const { return run_; }
  /// As commands about several have them.
  std::vector<std::string> uids() const {
    return uid_.empty() ? std::vector<std::string>() : std::vector<std::string>{uid_};
  }
  std::vector<std::int64_t> runs() const {
    return run_ == 0 ? std::vector<std::int64_t>() : std::vector<std::int64_t>{run_};
  }

 private:
  int CheckWords(Io& io);
  /// Whether all slices of an elastic job are meant; a uid or a run is of one workload.
  bool TakesWholeJobs() const { return MeansWholeJobs() && uid_.empty() && run_ == 0; }

  std::vector<std::string> words_;
  std::string ns_;
  std::string uid_;
  std::string run_word_;
  std::int64_t run_ = 0;
  LedgerFlags ledger_;
  std::string output_ = "table";
};

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_VERBS_WORKLOAD_COMMAND_H_
