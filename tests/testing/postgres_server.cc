#include "tests/testing/postgres_server.h"

#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

namespace muster::testing {
namespace {

constexpr const char* kPrograms = "/usr/lib/postgresql/15/bin/";
constexpr std::chrono::seconds kPatience{120};

std::string& Why() {
  static std::string why;
  return why;
}

/// Becomes the user that PostgreSQL may run as; nothing to do but for root.
void DropRights() {
  if (geteuid() != 0) return;
  const passwd* user = getpwnam("postgres");

  if (user == nullptr || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0) _exit(126);
}

/// Starts a program in the directory; what it says goes to the file `log` there.
pid_t Spawn(const std::filesystem::path& directory, std::vector<std::string> words) {
  const pid_t child = fork();
  if (child != 0) return child;
  const std::string log = (directory / "log").string();
  DropRights();
  prctl(PR_SET_PDEATHSIG, SIGQUIT);  // no server stays behind
  if (chdir(directory.c_str()) != 0) _exit(126);
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  setenv("LC_ALL", "C", 1);
  execv(argv[0], argv.data());
  _exit(127);
}

/// Whether the server has written that it takes connections.
bool IsReady(const std::filesystem::path& directory) {
  std::ifstream file(directory / "data" / "postmaster.pid");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("ready")) return true;
  }
  return false;
}

}  // namespace

const std::string& PostgresServer::why() { return Why(); }

PostgresServer* PostgresServer::Get() {
  static const std::unique_ptr<PostgresServer> kServer = [] {
    std::unique_ptr<PostgresServer> server(new PostgresServer());
    if (!std::filesystem::exists(std::string(kPrograms) + "initdb")) {
      Why() = "PostgreSQL 15 is not installed; cmake/deps.sh installs it";
      server.reset();
    } else if (!server->Make() || !server->Start()) {
      server.reset();
    }
    return server;
  }();
  return kServer.get();
}

PostgresServer::~PostgresServer() { Stop(SIGQUIT); }

bool PostgresServer::Make() {
  const std::filesystem::path& path = directory_.path();
  // A directory of its own for the other user, below one that only lets pass.
  if (geteuid() == 0) {
    const passwd* user = getpwnam("postgres");

    if (user == nullptr || chown(path.c_str(), user->pw_uid, user->pw_gid) != 0) {
      Why() = "there is no user to run PostgreSQL as";
      return false;
    }
  }
  int status = 0;
  const pid_t child =
      Spawn(path, {std::string(kPrograms) + "initdb", "-D", "data", "-U", "muster", "-A", "trust",
                   "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"});
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  Why() = "initdb failed: " + ReadFile(path / "log");
  return false;
}

bool PostgresServer::Start() {
  const std::filesystem::path& path = directory_.path();
  std::filesystem::remove(path / "data" / "postmaster.pid");
  // Nothing cuts the power in these tests, so what is written need not be flushed.
  process_ = Spawn(path, {std::string(kPrograms) + "postgres", "-D", "data", "-k", path.string(),
                          "-c", "listen_addresses=", "-c", flushes_ ? "fsync=on" : "fsync=off",
                          "-c", "max_connections=60", "-c", "shared_buffers=16MB"});
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < until) {
    if (IsReady(path)) return true;
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) == process_) {
      process_ = -1;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  Why() = "PostgreSQL does not start: " + ReadFile(path / "log");
  return false;
}

void PostgresServer::Stop(int signal) {
  if (process_ < 0) return;
  kill(process_, signal);
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
}

void PostgresServer::Crash() { Stop(SIGQUIT); }

bool PostgresServer::CrashAndRestart() {
  Crash();
  return Start();
}

bool PostgresServer::Flush() {
  flushes_ = true;
  return CrashAndRestart();
}

std::string PostgresServer::Url(const std::string& name) const {
  return "postgresql:///postgres?user=muster&host=" + directory_.path().string() + "#" + name;
}

std::string PostgresServer::FreshUrl() { return Url("ledger-" + std::to_string(++ledgers_)); }

}  // namespace muster::testing
