// A process for each ledger: one that is killed takes no other with it, and each has a processor
// where there are several.
#include "bindings/shards/shard_processes.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "db/postgres/lease_keeper.h"

namespace muster {
namespace {

/// How long a ledger is left to others that was given to them, or could not be served.
constexpr std::chrono::seconds kLeftAlone{5};
/// Of a free ledger, from when on any instance takes it that is ready, and any at all.
constexpr std::chrono::seconds kNotTaken{1};
constexpr std::chrono::seconds kNeglected{5};
/// So many begin to stand by at once: each reads a whole ledger.
constexpr std::size_t kMostReading = 2;
/// What such a process ends with that cannot become this program.
constexpr int kCannotBegin = 3;

/// Starts this program with these words; its process, or -1. It ends with this one. `input` is its
/// standard input; -1: it has none.
pid_t Spawn(const std::vector<std::string>& words, int input) {
  std::string name = "muster";
  std::vector<char*> arguments{name.data()};
  std::vector<std::string> copies = words;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t self = getpid();
  const pid_t child = fork();
  if (child != 0) return child;
  // Nothing from here on may take memory: another thread may have held its lock.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != self) _exit(kCannotBegin);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(input >= 0 ? input : nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  close_range(STDERR_FILENO + 1, ~0U, 0);
  execv("/proc/self/exe", arguments.data());
  _exit(kCannotBegin);
}

bool AnyIsReady(const std::vector<Instance>& instances, const std::string& ledger) {
  return std::any_of(instances.begin(), instances.end(),
                     [&ledger](const Instance& each) { return each.ready.contains(ledger); });
}

}  // namespace

ShardProcesses::~ShardProcesses() {
  for (const Process& process : processes_) kill(process.id, SIGTERM);
  for (const Process& process : processes_) waitpid(process.id, nullptr, 0);
}

std::size_t ShardProcesses::Serves() const {
  return static_cast<std::size_t>(
      std::count_if(processes_.begin(), processes_.end(),
                    [](const Process& each) { return each.does == Does::kServes; }));
}

std::vector<std::string> ShardProcesses::Mine() const {
  std::vector<std::string> mine;
  for (const Process& process : processes_) {
    if (process.does == Does::kTakes || process.does == Does::kServes) {
      mine.push_back(process.ledger);
    }
  }
  return mine;
}

std::optional<std::set<std::string>> ShardProcesses::Ready() const {
  if (!words_.stands_by) return std::nullopt;
  std::set<std::string> ready;
  for (const Process& process : processes_) {
    const bool waits = process.does == Does::kStandsBy || process.does == Does::kTakes;
    if (waits && process.ready) ready.insert(process.ledger);
  }
  return ready;
}

void ShardProcesses::Hear() {
  std::erase_if(processes_, [this](Process& process) {
    HearFrom(process);
    if (waitpid(process.id, nullptr, WNOHANG) != process.id) return false;
    left_alone_[process.ledger] = Clock::now() + kLeftAlone;
    const bool stood_by = process.does == Does::kStandsBy || process.does == Does::kTakes;
    say_("ledger " + process.ledger + " is not " + (stood_by ? "stood by for" : "served") +
         " here any more" + (process.does == Does::kStops ? "" : ": its process has ended"));
    return true;
  });
}

void ShardProcesses::HearFrom(Process& process) {
  if (process.line == nullptr) return;
  while (const std::optional<StandbySays> said = process.line->Hear()) {
    if (*said == StandbySays::kReady) {
      process.ready = true;
      say_("standing by for ledger " + process.ledger);
      continue;
    }
    if (process.does != Does::kStops) process.does = Does::kServes;
    say_("serving ledger " + process.ledger +
         (*said == StandbySays::kOpenedReady ? ", whose engine was kept ready"
                                             : ", whose engine was not kept ready"));
  }
}

void ShardProcesses::NoteFree(const Census& census) {
  const Clock::time_point now = Clock::now();
  std::map<std::string, Clock::time_point> free;
  for (const Census::Ledger& ledger : census.ledgers) {
    const Process* const process = Find(ledger.name);
    const bool mine =
        process != nullptr && (process->does == Does::kServes || process->does == Does::kStops);
    if (ledger.held || mine || left_alone_[ledger.name] > now) continue;
    const auto seen = free_since_.find(ledger.name);
    free.emplace(ledger.name, seen == free_since_.end() ? now : seen->second);
  }
  free_since_ = std::move(free);
}

void ShardProcesses::Follow(const Census& census) {
  NoteFree(census);
  for (const Census::Ledger& ledger : census.ledgers) {
    Process* const process = Find(ledger.name);
    if (process == nullptr) {
      const bool left_alone = left_alone_[ledger.name] > Clock::now();
      if (words_.stands_by && ledger.held && !left_alone && Reading() < kMostReading) {
        StandBy(ledger.name);
      }
    } else {
      Tell(ledger, process);
    }
  }
  std::vector<std::string> free;
  for (const auto& [ledger, since] : free_since_) free.push_back(ledger);
  for (const std::string& ledger : DealtTo(words_.name, free, census.instances)) Take(ledger);
  for (const auto& [ledger, since] : free_since_) {
    const Process* const process = Find(ledger);
    const bool ready = process != nullptr && process->does == Does::kStandsBy && process->ready;
    if (ready && Clock::now() - since >= kNotTaken) Take(ledger);
  }
}

void ShardProcesses::Tell(const Census::Ledger& ledger, Process* process) {
  const bool holds = ledger.held && ledger.holder == NameOfHolder(process->id);
  if (process->does == Does::kServes) {
    // One that was halted for longer than its lease does not end by itself, and serves nothing.
    if (process->held && ledger.held && !holds) Give(ledger.name);
    process->held = process->held || holds;
    return;
  }
  // Another was first, or its writer was there after all.
  if (process->does == Does::kTakes && ledger.held && !holds) {
    process->does = Does::kStandsBy;
    process->told = -1;
  }
  if (process->does != Does::kStandsBy || process->told == ledger.commits) return;
  if (process->line->TellToFollow(ledger.commits)) process->told = ledger.commits;
}

void ShardProcesses::Share(const Census& census) {
  ShareView view{Mine(), {}, {}, {}};
  for (const Instance& each : census.instances) {
    if (each.name != words_.name) view.others.push_back(each.serves);
  }
  for (const auto& [ledger, since] : free_since_) {
    if (!AnyIsReady(census.instances, ledger)) view.free.push_back(ledger);
    if (Clock::now() - since >= kNeglected) view.neglected.push_back(ledger);
  }
  const ShareMove move = NextMove(view, std::hash<std::string>()(words_.name));
  if (move.take) Take(*move.take);
  if (!move.give || !free_since_.empty()) return;
  if (const auto ledger = OneToGive(words_.name, view.mine, census.instances)) Give(*ledger);
}

ShardProcesses::Process* ShardProcesses::Find(const std::string& ledger) {
  const auto found = std::find_if(processes_.begin(), processes_.end(),
                                  [&](const Process& each) { return each.ledger == ledger; });
  return found == processes_.end() ? nullptr : &*found;
}

std::size_t ShardProcesses::Reading() const {
  return static_cast<std::size_t>(std::count_if(
      processes_.begin(), processes_.end(),
      [](const Process& each) { return each.does == Does::kStandsBy && !each.ready; }));
}

void ShardProcesses::Begin(Process process, const std::vector<std::string>& how) {
  std::vector<std::string> words{"serve", "--db", words_.db + "#" + process.ledger};
  words.insert(words.end(), words_.each.begin(), words_.each.end());
  words.insert(words.end(), how.begin(), how.end());
  process.id = Spawn(words, process.line == nullptr ? -1 : process.line->its_end());
  if (process.line != nullptr) process.line->CloseItsEnd();
  if (process.id < 0) {
    say_("ledger " + process.ledger + " is not served: the system starts no process");
    left_alone_[process.ledger] = Clock::now() + kLeftAlone;
    return;
  }
  processes_.push_back(std::move(process));
}

void ShardProcesses::StandBy(const std::string& ledger) {
  Result<std::unique_ptr<StandbyLine>> line = StandbyLine::Make();
  if (line.ok()) return Begin({ledger, -1, Does::kStandsBy, *std::move(line)}, {"--standby"});
  say_("ledger " + ledger + " is not stood by for: " + line.status().message());
  left_alone_[ledger] = Clock::now() + kLeftAlone;
}

void ShardProcesses::Take(const std::string& ledger) {
  Process* const process = Find(ledger);
  if (process == nullptr) {
    Begin({ledger}, {"--wait", "3"});
    say_("serving ledger " + ledger);
  } else if (process->does == Does::kStandsBy && process->line->TellToTake()) {
    process->does = Does::kTakes;
  }
}

void ShardProcesses::Give(const std::string& ledger) {
  Process* const process = Find(ledger);
  process->does = Does::kStops;
  kill(process->id, SIGTERM);
}

}  // namespace muster
