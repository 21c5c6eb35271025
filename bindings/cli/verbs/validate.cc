// muster validate: every mistake with its place, then the traps that are not mistakes.
#include <map>
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/progress.h"
#include "bindings/cli/world/load.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/small_pages.h"
#include "bindings/lab/diagnose.h"
#include "bindings/lab/lint/lint.h"
#include "bindings/lab/words.h"

namespace muster::cli {
namespace {

using manifest::Diagnostic;

std::vector<Node> NodesIn(const manifest::Manifests& manifests) {
  std::vector<Node> nodes;
  for (const Object& object : manifests.objects) {
    if (const auto* node = std::get_if<Node>(&object)) nodes.push_back(*node);
  }
  return nodes;
}

/// "2 ClusterQueues, 1 Namespace", in the order of kinds.
std::string CountKinds(const std::vector<Object>& objects) {
  std::map<ObjectKind, std::size_t> counts;
  for (const Object& object : objects) ++counts[KindOf(object)];
  std::string text;
  for (const auto& [kind, count] : counts) {
    std::string noun(KindName(kind));
    if (noun.ends_with("y") && count > 1) noun.replace(noun.size() - 1, 1, "ie");
    if (noun.ends_with("ss") && count > 1) noun += "e";
    text += (text.empty() ? "" : ", ") + lab::Counted(count, noun);
  }
  return text;
}

class Validate : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "validate",
        .group = "Begin",
        .summary = "every mistake with its place, and traps before they cost a day",
        .usage = "-f FILE... [--nodes FILE...]",
        .about =
            "Reads all manifests as one set and reports every mistake at once as "
            "file:line:column: what is wrong; what to write instead. Then it warns about what is "
            "valid and still will not work: names that look misspelt, queues that "
            "select no namespace, LocalQueues outside of what their queue selects, cohorts that "
            "lend and can never reclaim, jobs that "
            "their queue could never start, namespace "
            "ResourceQuotas that stop jobs the queue would admit, and, given the nodes, flavors "
            "whose labels no node has and gangs that no domain could hold. Errors end with exit "
            "code 2, warnings alone with 0.",
        .examples = {{"Check a folder before applying it", "muster validate -f cluster/"},
                     {"Also against the nodes there are",
                      "kubectl get nodes -o yaml > nodes.yaml && "
                      "muster validate -f cluster/ --nodes nodes.yaml"},
                     {"Jobs that go around the quota are errors; skip them instead",
                      "muster validate -f cluster/ --allow-unlabeled"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    input_.Declare(flags);
    flags.Rest(&input_.files);
    flags.List("--nodes", "FILE...", &nodes_,
               "Nodes as kubectl prints them, to compare flavors with.");
    flags.Switch("--allow-missing", &allow_missing_,
                 "A reference to something that is not there is a warning, not an error.");
  }

  int Run(Io& io) override {
    Loaded loaded;
    int code = ReadSources(input_.files, io, &loaded.sources);
    if (code != kDone) return code;
    const lab::References references =
        allow_missing_ ? lab::References::kMayBeMissing : lab::References::kMustExist;
    {
      Progress progress(io);
      progress.ShowReading(BytesOf(loaded.sources));
      const SmallPages pages;
      loaded.manifests = manifest::Parse(loaded.sources, input_.ParseOptions(references));
      manifest::Settle(Engine(), &loaded.manifests);
    }
    WarnOfUnread(input_, loaded, io);
    std::vector<Node> nodes = NodesIn(loaded.manifests);
    code = ReadNodes(io, &nodes);
    if (code != kDone) return code;

    std::vector<Diagnostic> found = lab::Diagnose(loaded.manifests, references);
    const std::vector<Diagnostic> advice = Lint(loaded.manifests, nodes);
    found.insert(found.end(), advice.begin(), advice.end());
    const std::size_t warnings = found.size();
    code = Report(std::move(found), loaded.sources, "these manifests would be refused", io);
    if (code != kDone) return code;
    const std::string kinds = CountKinds(loaded.manifests.objects);
    io.out << io.paint(Tone::kGood, "valid") << ": " << (kinds.empty() ? "nothing in it" : kinds);
    if (warnings > 0) io.out << " (" << lab::Counted(warnings, "warning") << ')';
    io.out << '\n';
    return kDone;
  }

 private:
  int ReadNodes(Io& io, std::vector<Node>* nodes) const {
    if (nodes_.empty()) return kDone;
    std::vector<manifest::Source> sources;
    if (const int code = ReadSources(nodes_, io, &sources); code != kDone) return code;
    const manifest::Manifests manifests = manifest::Parse(sources);
    const int code = Report(manifests.diagnostics, sources, "the nodes cannot be read", io);
    if (code != kDone) return code;
    const std::vector<Node> more = NodesIn(manifests);
    if (more.empty()) io.Warn("--nodes: no document of kind Node");
    nodes->insert(nodes->end(), more.begin(), more.end());
    return kDone;
  }

  static std::vector<Diagnostic> Lint(const manifest::Manifests& manifests,
                                      const std::vector<Node>& nodes) {
    std::vector<Diagnostic> found = lab::LintFlavors(manifests, nodes);
    const auto add = [&found](const std::vector<Diagnostic>& more) {
      found.insert(found.end(), more.begin(), more.end());
    };
    add(lab::LintNames(manifests, Engine()));
    add(lab::LintDevices(manifests));
    add(lab::LintPackages(manifests));
    add(lab::LintLevels(manifests, nodes));
    add(lab::LintNamespaceSelectors(manifests));
    add(lab::LintReclaim(manifests));
    Engine engine;
    // Those of --nodes too: gangs need a place on them.
    const std::vector<Object> hosts(nodes.begin(), nodes.end());
    if (engine.Apply(manifests.objects, 0).ok() && engine.Apply(hosts, 0).ok()) {
      add(lab::LintNamespaceQuotas(manifests, engine));
      add(lab::LintApplied(manifests, engine));
    }
    return found;
  }

  InputFlags input_;
  std::vector<std::string> nodes_;
  bool allow_missing_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeValidate() { return std::make_unique<Validate>(); }

}  // namespace muster::cli
