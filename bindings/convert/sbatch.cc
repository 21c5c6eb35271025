#include "bindings/convert/sbatch.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "bindings/convert/sbatch_text.h"
#include "bindings/manifest/closest.h"
#include "bindings/manifest/names.h"
#include "bindings/manifest/quote.h"

namespace muster::convert {
namespace {

using manifest::Diagnostic;
using manifest::Quoted;
using manifest::Severity;

constexpr auto kRead = std::to_array<std::string_view>(
    {"job-name", "partition", "account", "qos", "nodes", "ntasks", "ntasks-per-node",
     "cpus-per-task", "mem", "mem-per-cpu", "gres", "gpus", "gpus-per-node", "gpus-per-task",
     "cpus-per-gpu", "mem-per-gpu", "time", "array"});

/// What runs the script does these; no decision depends on them.
constexpr auto kPassedOn = std::to_array<std::string_view>(
    {"output",       "error",        "input",          "chdir",
     "comment",      "export",       "export-file",    "open-mode",
     "mail-type",    "mail-user",    "requeue",        "no-requeue",
     "signal",       "parsable",     "verbose",        "quiet",
     "get-user-env", "distribution", "cpu-bind",       "mem-bind",
     "hint",         "profile",      "acctg-freq",     "kill-on-invalid-dep",
     "wckey",        "propagate",    "wait-all-nodes", "wait",
     "cpu-freq",     "gpu-bind",     "gpu-freq",       "tres-bind",
     "job-defaults", "extra",        "network",        "no-kill",
     "mcs-label",    "resv-ports",   "umask",          "x11"});

/// What Slurm decides by and nothing here does, and what to write instead.
constexpr auto kRefused = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"constraint", "remove it and name a partition whose flavor has such nodes"},
    {"nodelist", "remove it and name a partition whose flavor has these nodes"},
    {"nodefile", "remove it and name a partition whose flavor has these nodes"},
    {"exclude", "remove it and name a partition whose flavor has the other nodes"},
    {"exclusive", "ask for what a whole node has, by --cpus-per-task and --mem"},
    {"dependency", "remove it and submit the job when the other has ended"},
    {"begin", "remove it and submit the job then"},
    {"deadline", "remove it, and cancel the job then"},
    {"hold", "remove it and write active: false into the Workload"},
    {"nice", "remove it and give a priority by --qos"},
    {"priority", "remove it and give a priority by --qos"},
    {"licenses", "remove it and add the licence to the requests of the Workload"},
    {"reservation", "remove it and name a partition with that quota"},
    {"clusters", "remove it: there is one cluster"},
    {"gpus-per-socket", "write --gpus-per-node"},
    {"time-min", "remove it: the limit does not shrink"},
    {"mincpus", "write --cpus-per-task and --ntasks-per-node"},
    {"threads-per-core", "remove it: quotas count CPUs as the nodes tell them"},
    {"switches", "remove it and write a topology request into the Workload"},
    {"tmp", "remove it and add ephemeral-storage to the requests of the Workload"},
    {"oversubscribe", "remove it: a quota is never shared"},
    {"overcommit", "remove it: a quota is never exceeded"},
    {"contiguous", "remove it and write a topology request into the Workload"},
    {"spread-job", "remove it and write a topology request into the Workload"},
    {"segment", "remove it and write a topology request into the Workload"},
    {"use-min-nodes", "remove it: a range of nodes starts with as many as fit"},
    {"ntasks-per-socket", "write --ntasks-per-node"},
    {"ntasks-per-core", "write --ntasks-per-node"},
    {"ntasks-per-gpu", "write --gpus-per-task"},
    {"tres-per-task", "write --cpus-per-task and --gpus-per-task"},
    {"sockets-per-node", "remove it and name a partition whose flavor has such nodes"},
    {"cores-per-socket", "remove it and name a partition whose flavor has such nodes"},
    {"extra-node-info", "remove it and name a partition whose flavor has such nodes"},
    {"cluster-constraint", "remove it: there is one cluster"},
    {"batch", "remove it and name a partition whose flavor has such nodes"},
    {"core-spec", "remove it, and leave these cores out of the quota"},
    {"thread-spec", "remove it, and leave these threads out of the quota"},
    {"burst-buffer", "remove it and add the buffer to the requests of the Workload"},
    {"bb", "remove it and add the buffer to the requests of the Workload"},
    {"bbf", "remove it and add the buffer to the requests of the Workload"},
    {"container", "remove it; the image is named where the pod is made"},
    {"uid", "remove it: a queue belongs to a namespace"},
    {"gid", "remove it: a queue belongs to a namespace"},
    {"prefer", "remove it: flavors are tried in the order of the queue"},
    {"reboot", "remove it, and restart the node when the job has ended"},
    {"delay-boot", "remove it: nodes that are off are no quota"},
    {"test-only", "remove it and run muster what-if"},
    {"wrap", "remove it and write the command into the script"},
});

class Converter {
 public:
  Converter(const manifest::Source& source, const SbatchSetting& setting,
            std::vector<Diagnostic>* diagnostics)
      : source_(source), setting_(setting), diagnostics_(*diagnostics) {}

  std::vector<Workload> Run() {
    for (SbatchOption& option : ReadSbatch(source_, &diagnostics_)) Sort(std::move(option));
    if (!passed_on_.empty()) {
      diagnostics_.push_back({Severity::kWarning, passed_on_place_,
                              "no decision depends on " + passed_on_,
                              "leave it to what runs the script"});
    }
    Workload workload;
    workload.key = {NameFrom("account", setting_.ns), JobName()};
    workload.queue = NameFrom("partition", setting_.queue);
    if (workload.queue.empty()) {
      Error({source_.name, 1, 1}, "the script names no partition",
            "add #SBATCH --partition=NAME, or give --queue");
    }
    if (const std::string qos = NameFrom("qos", ""); !qos.empty()) {
      workload.priority_source = PriorityClassSource::kWorkloadPriorityClass;
      workload.priority_class = qos;
    }
    workload.max_execution_seconds = Limit();
    workload.pod_sets = std::vector<PodSet>{Pods()};
    return Elements(workload);
  }

 private:
  void Error(const manifest::Place& place, std::string what, std::string cure) {
    diagnostics_.push_back({Severity::kError, place, std::move(what), std::move(cure)});
  }
  void Wrong(const SbatchOption& option, const std::string& what, std::string cure) {
    Error(option.place, "--" + option.name + " " + what, std::move(cure));
  }

  /// Of an option that is given twice the last counts, as in Slurm.
  void Sort(SbatchOption option) {
    const std::string_view name = option.name;
    if (std::find(kRead.begin(), kRead.end(), name) != kRead.end()) {
      if (option.value.empty()) return Wrong(option, "has no value", "write --NAME=VALUE");
      options_[option.name] = std::move(option);
    } else if (std::find(kPassedOn.begin(), kPassedOn.end(), name) != kPassedOn.end()) {
      if (passed_on_.empty()) passed_on_place_ = option.place;
      passed_on_ += (passed_on_.empty() ? "--" : ", --") + option.name;
    } else {
      Refuse(option);
    }
  }

  void Refuse(const SbatchOption& option) {
    for (const auto& [name, cure] : kRefused) {
      if (name == option.name) return Wrong(option, "has no equivalent", std::string(cure));
    }
    const std::string_view near = manifest::Closest(option.name, kRead);
    const std::string shown = option.name.starts_with('-') ? option.name : "--" + option.name;
    Error(option.place, "unknown option " + Quoted(shown),
          near.empty() ? "remove it" : "write --" + std::string(near));
  }

  const SbatchOption* Find(const std::string& name) const {
    const auto found = options_.find(name);
    return found == options_.end() ? nullptr : &found->second;
  }

  /// The value as a name of an object; a warning says when it had to be changed.
  std::string NameFrom(const std::string& option_name, const std::string& otherwise) {
    const SbatchOption* option = Find(option_name);
    if (option == nullptr) return otherwise;
    if (option->value.find(',') != std::string::npos) {
      Wrong(*option, "names several", "keep one of them");
      return otherwise;
    }
    return Name(option->value, option->place);
  }
  std::string Name(const std::string& text, const manifest::Place& place) {
    if (manifest::IsDnsLabel(text)) return text;
    const std::string name = manifest::ProposeDnsName(text, false);
    if (name.empty()) {
      Error(place, Quoted(text) + " is no name of an object", "use letters, digits and '-'");
    } else {
      diagnostics_.push_back({Severity::kWarning, place,
                              Quoted(text) + " is no name of an object and becomes " + Quoted(name),
                              "write it so everywhere"});
    }
    return name;
  }

  std::string JobName() {
    if (const SbatchOption* option = Find("job-name")) return Name(option->value, option->place);
    std::string stem = source_.name.substr(source_.name.rfind('/') + 1);
    stem.resize(std::min(stem.size(), stem.rfind('.')));
    return Name(stem, {source_.name, 1, 1});
  }

  std::optional<std::int32_t> Limit() {
    const SbatchOption* option = Find("time");
    if (option == nullptr || option->value == "UNLIMITED" || option->value == "INFINITE") return {};
    const auto seconds = ReadSlurmTime(option->value);
    if (!seconds || *seconds > std::numeric_limits<std::int32_t>::max()) {
      Wrong(*option, "is no time: " + Quoted(option->value), "write for example 2:30:00 or 1-12");
      return {};
    }
    if (*seconds == 0) return {};  // no limit
    return static_cast<std::int32_t>(*seconds);
  }

  std::optional<std::int64_t> Count(const std::string& name) {
    const SbatchOption* option = Find(name);
    if (option == nullptr) return std::nullopt;
    const auto number = ReadSlurmCount(option->value);
    if (!number) {
      Wrong(*option, "must be a whole number of at least 1, not " + Quoted(option->value),
            "write for example --" + name + "=2");
    }
    return number;
  }

  std::optional<std::int64_t> Memory(const std::string& name) {
    const SbatchOption* option = Find(name);
    if (option == nullptr) return std::nullopt;
    const auto bytes = ReadSlurmMemory(option->value);
    if (!bytes || *bytes == 0) {
      Wrong(*option, "must be an amount, not " + Quoted(option->value),
            "write for example --" + name + "=4G");
    }
    return bytes;
  }

  /// Of "2", "a100:2" or, for gres, "gpu:a100:2"; the type goes to `gpu_type_`.
  std::optional<std::int64_t> Gpus(const std::string& name) {
    const SbatchOption* option = Find(name);
    if (option == nullptr) return std::nullopt;
    std::string text = option->value;
    const bool is_gres = name == "gres";
    if (is_gres && text != "gpu" && !text.starts_with("gpu:")) {
      Wrong(*option, "asks for something else than GPUs: " + Quoted(text),
            "add it to the requests of the Workload by its resource name");
      return std::nullopt;
    }
    if (is_gres) text = text == "gpu" ? "1" : text.substr(4);
    if (const std::size_t colon = text.find(':'); colon != std::string::npos) {
      gpu_type_ = text.substr(0, colon);
      text = text.substr(colon + 1);
    } else if (!text.empty() && (text[0] < '0' || text[0] > '9')) {
      gpu_type_ = std::exchange(text, "1");
    }
    const auto number = ReadSlurmCount(text);
    if (!number) {
      Wrong(*option, "must be a number of GPUs, not " + Quoted(option->value),
            "write for example --" + name + (is_gres ? "=gpu:2" : "=2"));
    }
    if (!gpu_type_.empty() && setting_.gpu_label.empty()) {
      Wrong(*option, "names a type of GPU: " + Quoted(gpu_type_),
            "say by --gpu-label which label of the nodes has the type, or leave it out");
    }
    return number;
  }

  /// What one GPU brings with it; `others` say the same in another way.
  std::optional<std::int64_t> PerGpu(const std::string& name,
                                     std::initializer_list<const char*> others,
                                     std::int64_t gpus_in_pod) {
    const auto amount = name == "cpus-per-gpu" ? Count(name) : Memory(name);
    if (!amount) return std::nullopt;
    if (gpus_in_pod == 0) {
      Wrong(*Find(name), "needs GPUs", "write --gpus-per-node, or leave it out");
    }
    for (const char* other : others) {
      if (Find(other) == nullptr) continue;
      Wrong(*Find(name), "excludes --" + std::string(other), "keep one of them");
    }
    return amount;
  }

  struct Nodes {
    std::optional<std::int64_t> least;
    std::optional<std::int64_t> most;
  };
  Nodes NodesAsked(bool has_tasks) {
    const SbatchOption* option = Find("nodes");
    if (option == nullptr) return {};
    const std::size_t dash = option->value.find('-');
    const auto least = ReadSlurmCount(std::string_view(option->value).substr(0, dash));
    const auto most =
        dash == std::string::npos ? least : ReadSlurmCount(option->value.substr(dash + 1));
    if (!least || !most || *most < *least) {
      Wrong(*option, "must be a number of nodes, not " + Quoted(option->value),
            "write for example --nodes=2");
      return {1, 1};
    }
    if (*least < *most && has_tasks) {
      Wrong(*option, "is a range beside --ntasks", "write one number, or --ntasks-per-node");
    }
    return {least, most};
  }

  PodSet Pods() {
    const auto tasks = Count("ntasks");
    const auto tasks_per_node = Count("ntasks-per-node");
    const std::int64_t cpus_per_task = Count("cpus-per-task").value_or(1);
    const auto memory = Memory("mem");
    const auto memory_per_cpu = Memory("mem-per-cpu");
    const auto gres = Gpus("gres");
    const auto gpus_per_node = Gpus("gpus-per-node");
    const auto gpus_per_task = Gpus("gpus-per-task");
    const auto gpus = Gpus("gpus");
    Nodes nodes = NodesAsked(tasks.has_value());
    const bool is_per_node = memory || gres || gpus_per_node || tasks_per_node;
    if (!nodes.most && is_per_node) {
      const bool spreads = tasks && tasks_per_node;
      nodes.most = spreads ? (*tasks + *tasks_per_node - 1) / *tasks_per_node : 1;
      nodes.least = nodes.most;
    }
    const std::int64_t pods = nodes.most ? *nodes.most : tasks.value_or(1);
    std::int64_t tasks_in_pod = 1;
    if (nodes.most) {
      tasks_in_pod = tasks_per_node ? *tasks_per_node : (tasks.value_or(pods) + pods - 1) / pods;
    }
    std::int64_t gpus_in_pod = gres.value_or(gpus_per_node.value_or(0));
    if (gpus_in_pod == 0) gpus_in_pod = gpus_per_task.value_or(0) * tasks_in_pod;
    if (gpus_in_pod == 0 && gpus) {
      gpus_in_pod = *gpus / pods;
      if (*gpus % pods != 0) {
        Wrong(*Find("gpus"), "cannot be divided evenly among " + std::to_string(pods) + " pods",
              "write --gpus-per-node and --nodes");
      }
    }
    const auto cpus_per_gpu = PerGpu("cpus-per-gpu", {"cpus-per-task"}, gpus_in_pod);
    const auto memory_per_gpu = PerGpu("mem-per-gpu", {"mem", "mem-per-cpu"}, gpus_in_pod);
    const std::int64_t cpus =
        cpus_per_gpu ? *cpus_per_gpu * gpus_in_pod : tasks_in_pod * cpus_per_task;
    PodSet set;
    set.name = "main";
    set.count = static_cast<std::int32_t>(pods);
    if (nodes.most && *nodes.least < *nodes.most) {
      set.min_count = static_cast<std::int32_t>(*nodes.least);
    }
    Container container;
    container.name = "main";
    container.requests.emplace("cpu", Quantity::Units(cpus));
    if (memory_per_gpu) {
      container.requests.emplace("memory",
                                 Quantity::Units(*memory_per_gpu) * Quantity::Units(gpus_in_pod));
    } else if (memory) {
      container.requests.emplace("memory", Quantity::Units(*memory));
    } else if (memory_per_cpu) {
      container.requests.emplace("memory",
                                 Quantity::Units(*memory_per_cpu) * Quantity::Units(cpus));
    }
    if (gpus_in_pod > 0) {
      container.requests.emplace(setting_.gpu_resource, Quantity::Units(gpus_in_pod));
    }
    if (!gpu_type_.empty()) set.pods.node_selector.emplace(setting_.gpu_label, gpu_type_);
    set.pods.containers.push_back(std::move(container));
    return set;
  }

  std::vector<Workload> Elements(const Workload& workload) {
    const SbatchOption* option = Find("array");
    if (option == nullptr) return {workload};
    bool throttle = false;
    const auto indexes = ReadSlurmArray(option->value, &throttle);
    if (!indexes || indexes->size() > kMostElements) {
      Wrong(*option,
            indexes ? "has too many elements" : "must be indexes, not " + Quoted(option->value),
            indexes ? "write at most " + std::to_string(kMostElements) + ", or several scripts"
                    : "write for example --array=0-9");
      return {};
    }
    if (throttle) {
      diagnostics_.push_back({Severity::kWarning, option->place,
                              "--array: the number after % bounds nothing here",
                              "the quota of the queue says how many run at once"});
    }
    std::vector<Workload> elements;
    for (const std::int64_t index : *indexes) {
      elements.push_back(workload);
      elements.back().key.name += "-" + std::to_string(index);
    }
    return elements;
  }

  const manifest::Source& source_;
  const SbatchSetting& setting_;
  std::vector<Diagnostic>& diagnostics_;
  std::map<std::string, SbatchOption> options_;
  std::string passed_on_;
  manifest::Place passed_on_place_;
  std::string gpu_type_;
};

}  // namespace

std::vector<Workload> ConvertSbatch(const manifest::Source& source, const SbatchSetting& setting,
                                    std::vector<Diagnostic>* diagnostics) {
  return Converter(source, setting, diagnostics).Run();
}

}  // namespace muster::convert
