// muster top: a cluster in a terminal, drawn again and again.
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <sstream>
#include <string>

#include "bindings/cli/command.h"
#include "bindings/cli/interrupted.h"
#include "bindings/cli/show/top_view.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/service.h"
#include "muster/muster.h"

namespace muster::cli {
namespace {

/// The whole screen is ours while one lives, and as it was afterwards.
class Screen {
 public:
  explicit Screen(std::ostream& out) : out_(out) { out_ << "\x1b[?1049h\x1b[?25l" << std::flush; }
  ~Screen() { out_ << "\x1b[?25h\x1b[?1049l" << std::flush; }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// Draws without a moment in which nothing is there: each line ends what stood behind it.
  void Draw(std::string text) {
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) {
      text.replace(at, 1, "\x1b[K\r\n");
      at += 5;
    }
    out_ << "\x1b[H" << text << "\x1b[J" << std::flush;
  }

 private:
  std::ostream& out_;
};

class TopCommand : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "top",
        .group = "Look",
        .summary = "quotas with bars, a map of the nodes and what waits, drawn again and again",
        .usage = "--db LEDGER [--every SECONDS] [--once] [-n NAMESPACE]",
        .about =
            "Shows the tree of cohorts and ClusterQueues with what each uses (#), borrows (+) and "
            "has free (.), then the nodes of each Topology: a line for each rack and a sign for "
            "each host, coloured by how much of it is in use; where the terminal has too few "
            "lines, a line for each domain above. Then what waits, the most urgent first, and why. "
            "On a terminal it draws again until it is interrupted; otherwise, or with --once, it "
            "prints all of it once. What does not fit the terminal is counted. It reads beside the "
            "process that writes, or asks a service.",
        .examples = {{"A ledger, live", "muster top --db cluster.ledger"},
                     {"Once, for a log", "muster top --once --db cluster.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Text("--db", "LEDGER", &db_, "The ledger's file.");
    flags.Text("-n,--namespace", "NAMESPACE", &ns_, "Of what waits, only this namespace.");
    flags.Count("--every", "SECONDS", &every_, "How often it is drawn. Default: 2.");
    flags.Switch("--once", &once_, "Print it once, whole.");
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--namespace", "--every", "--once"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    return Show(io, [&](const TopSize& size, Io& said, std::string* text) {
      const std::string target =
          remote::Target({"v1", "top"}, {{"width", std::to_string(size.width)},
                                         {"height", std::to_string(size.height)},
                                         {"colour", io.paint.on() ? "true" : ""},
                                         {"namespace", ns_}});
      return service.Get(target, said, text);
    });
  }

  int Run(Io& io) override {
    if (db_.empty()) return io.Fail(kWrongUse, "top: name a ledger with --db LEDGER");
    return Show(io, [&](const TopSize& size, Io& said, std::string* text) {
      Engine engine;
      if (const int code = ReadState(db_, said, &engine); code != kDone) return code;
      TopFilters filters;
      filters.workloads.ns = ns_;
      *text = TopText(engine, filters, size, WallClock(), io.paint);
      return int{kDone};
    });
  }

 private:
  /// Of the terminal; nullopt: there is none, or it is not wanted.
  std::optional<TopSize> TerminalSize() const {
    winsize window{};
    if (once_ || isatty(STDOUT_FILENO) != 1) return std::nullopt;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_row == 0) return std::nullopt;
    return TopSize{std::min<std::size_t>(window.ws_col, kWidest),
                   std::min<std::size_t>(window.ws_row, kWidest)};
  }

  template <typename Look>
  int Show(Io& io, const Look& look) const {
    const Interrupted interrupted;
    std::string text;
    std::optional<TopSize> size = TerminalSize();
    int code = look(size.value_or(TopSize{}), io, &text);
    if (code != kDone || !size) {
      io.out << text;
      return code;
    }
    std::ostringstream errors;  // told once the screen is as it was
    Io hushed{io.in, io.out, errors, io.paint, io.err_paint};
    {
      Screen screen(io.out);
      while (io.out && code == kDone) {
        screen.Draw(text);
        if (interrupted.Within(std::chrono::seconds(every_.value_or(kEvery)))) break;
        size = TerminalSize();
        code = look(size.value_or(TopSize{}), hushed, &text);
      }
    }
    io.err << errors.str();
    return code;
  }

  static constexpr int kEvery = 2;
  static constexpr std::size_t kWidest = 500;  // that a service draws

  std::string db_;
  std::string ns_;
  std::optional<int> every_;
  bool once_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeTop() { return std::make_unique<TopCommand>(); }

}  // namespace muster::cli
