// muster convert: batch scripts and objects of job kinds as the workloads that they ask for.
#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/world/input.h"
#include "bindings/cli/world/report.h"
#include "bindings/convert/sbatch.h"
#include "bindings/convert/sbatch_text.h"

namespace muster::cli {
namespace {

class Convert : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "convert",
        .group = "Begin",
        .summary = "batch scripts and jobs of any kind as Workloads",
        .usage = "-f FILE... [-o workload|json]",
        .about =
            "Reads scripts with #SBATCH lines, and manifests of job kinds, and prints the "
            "Workloads that ask for the same: the partition is the LocalQueue, the account the "
            "namespace, the QOS the WorkloadPriorityClass. An array is a Workload for each "
            "element. An option that has no equivalent is an error with its line and what to "
            "write instead. docs/from-slurm.md tells how clusters are brought over.",
        .examples = {
            {"A script of Slurm, to be submitted", "muster convert -f train.sbatch > train.yaml"},
            {"What a RayJob asks for", "muster convert -f rayjob.yaml -o workload"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    input_.Declare(flags);
    flags.Rest(&input_.files);
    flags.Text("--queue", "NAME", &setting_.queue, "LocalQueue of scripts without a partition.");
    flags.Text("-n,--namespace", "NAMESPACE", &setting_.ns,
               "Namespace of scripts without an account. Default: default.");
    flags.Text("--gpu-resource", "NAME", &setting_.gpu_resource,
               "Resource that GPUs are. Default: nvidia.com/gpu.");
    flags.Text("--gpu-label", "LABEL", &setting_.gpu_label,
               "Label of nodes that has the type of their GPUs, for --gres=gpu:TYPE:N.");
    flags.Choice("-o,--output", &output_, {"workload", "json"},
                 "Workloads as YAML, or as JSON, one a line.");
  }

  int Run(Io& io) override {
    std::vector<manifest::Source> sources;
    if (const int code = ReadSources(input_.files, io, &sources); code != kDone) return code;
    std::vector<manifest::Diagnostic> found;
    std::vector<Object> workloads;
    std::vector<manifest::Source> manifests;
    for (const manifest::Source& source : sources) {
      if (!convert::IsScript(source)) {
        manifests.push_back(source);
        continue;
      }
      for (Workload& each : convert::ConvertSbatch(source, setting_, &found)) {
        workloads.emplace_back(std::move(each));
      }
    }
    manifest::Manifests read =
        manifest::Parse(manifests, input_.ParseOptions(lab::References::kAsKueue));
    found.insert(found.end(), read.diagnostics.begin(), read.diagnostics.end());
    for (Object& object : read.objects) {
      if (std::holds_alternative<Workload>(object)) workloads.push_back(std::move(object));
    }
    if (const int code = Report(std::move(found), sources, "nothing was converted", io);
        code != kDone) {
      return code;
    }
    if (workloads.empty()) return io.Fail(kNo, "there is no job in what was read");
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      if (output_ == "json") {
        io.out << manifest::ToJson(workloads[i]) << '\n';
      } else {
        io.out << (i == 0 ? "" : "---\n") << manifest::ToYaml(workloads[i]);
      }
    }
    return kDone;
  }

 private:
  InputFlags input_;
  convert::SbatchSetting setting_;
  std::string output_ = "workload";
};

}  // namespace

std::unique_ptr<Command> MakeConvert() { return std::make_unique<Convert>(); }

}  // namespace muster::cli
