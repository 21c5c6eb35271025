// See workload_names.h.
#include "bindings/cli/world/workload_names.h"

#include "bindings/manifest/closest.h"

namespace muster::cli {

int ParseKeys(const std::vector<std::string>& words, const std::string& ns, std::string_view verb,
              Io& io, std::vector<Key>* keys) {
  for (const std::string& word : words) {
    const std::size_t slash = word.find('/');
    if (slash == std::string::npos && ns.empty()) {
      return io.Fail(kWrongUse, std::string(verb) + ": '" + word +
                                    "' has no namespace; write NAMESPACE/" + word +
                                    " or add -n NAMESPACE");
    }
    keys->push_back(slash == std::string::npos
                        ? Key{ns, word}
                        : Key{word.substr(0, slash), word.substr(slash + 1)});
  }
  return kDone;
}

std::string UnknownWorkload(const Engine& engine, const std::string& name,
                            std::string_view nothing) {
  std::vector<std::string> names;
  for (const WorkloadView& view : engine.Workloads()) names.push_back(view.spec.key.ToString());
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::string cure(names.empty() ? nothing : "");
  const std::size_t slash = name.find('/');
  const std::string as_job = name.substr(0, slash + 1) + "job-" + name.substr(slash + 1);
  for (const std::string& each : names) {
    if (each == as_job) cure = "a Job's workload is called '" + as_job + "'";
  }
  if (cure.empty()) cure = manifest::ProposeName(name, views);
  return "there is no workload '" + name + "'; " + cure;
}

}  // namespace muster::cli
