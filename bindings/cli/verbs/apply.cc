// muster apply: loads objects into an engine, all or nothing.
#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/json.h"
#include "bindings/cli/world/load.h"
#include "bindings/cli/world/play.h"
#include "bindings/cli/world/report.h"

namespace muster::cli {
namespace {

std::string_view InWords(Applied applied) {
  switch (applied) {
    case Applied::kCreated:
      return "created";
    case Applied::kChanged:
      return "changed";
    case Applied::kUnchanged:
      return "unchanged";
  }
  return "";
}

std::string NameOf(const Object& object) {
  const Key key = KeyOf(object);
  return key.ns.empty() ? key.name : key.ToString();
}

class Apply : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "apply",
        .group = "Begin",
        .summary = "load objects, all or nothing; a Job among them is submitted",
        .usage = "-f FILE... [--allow-missing] [-o table|json]",
        .about =
            "Loads Kueue objects (v1beta1 and v1beta2), Namespaces, Jobs and Muster's own kinds "
            "into an engine and says what became of each. One mistake anywhere and nothing is "
            "applied. The engine is in memory: this shows that the set is accepted, and nothing "
            "of it is kept.",
        .examples = {
            {"Would this set be accepted?", "muster apply -f cluster/ -f jobs.yaml"},
            {"Queues first, flavors later", "muster apply -f queues.yaml --allow-missing"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    input_.Declare(flags);
    flags.Rest(&input_.files);
    flags.Switch("--allow-missing", &allow_missing_,
                 "A reference to something that is not there is a warning; the object is inactive "
                 "until it appears.");
    flags.Text("--now", "TIME", &now_,
               "What time it is, in RFC 3339. Default: the wall clock, cut to the second.");
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A line per object, or JSON.");
  }

  int Run(Io& io) override {
    const std::optional<TimeNs> now = TimeOf(now_);
    if (!now) {
      return io.Fail(kWrongUse,
                     "--now takes a time such as 2026-01-01T12:00:00Z, not '" + now_ + "'");
    }
    Loaded loaded;
    const References references =
        allow_missing_ ? References::kMayBeMissing : References::kMustExist;
    const int code = Load(input_, references, "nothing was applied", io, &loaded);
    if (code != kDone) return code;
    Engine engine;
    std::vector<Applied> applied;
    const Status status = engine.Apply(
        loaded.manifests.objects, *now,
        allow_missing_ ? MissingReference::kAccept : MissingReference::kRefuse, &applied);
    if (!status.ok()) return io.Fail(ExitCodeFor(status), status.message());
    Print(loaded.manifests.objects, applied, io);
    return kDone;
  }

 private:
  void Print(const std::vector<Object>& objects, const std::vector<Applied>& applied,
             Io& io) const {
    Json list = Json::array();
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const std::string_view kind = KindName(KindOf(objects[i]));
      if (output_ == "json") {
        list.push_back(
            {{"kind", kind}, {"name", NameOf(objects[i])}, {"result", InWords(applied[i])}});
      } else {
        io.out << kind << ' ' << NameOf(objects[i]) << ' ' << InWords(applied[i]) << '\n';
      }
    }
    if (output_ == "json") PrintJson(io.out, list);
  }

  InputFlags input_;
  bool allow_missing_ = false;
  std::string now_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeApply() { return std::make_unique<Apply>(); }

}  // namespace muster::cli
