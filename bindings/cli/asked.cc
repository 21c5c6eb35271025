// See asked.h.
#include "bindings/cli/asked.h"

#include <algorithm>
#include <utility>

#include "bindings/cli/world/service.h"

namespace muster::cli {
namespace {

/// The first option that was given and is none for a service; nullopt: there is none.
std::optional<std::string> NotForService(const Command& command, const Flags& flags) {
  const std::vector<std::string_view>& allowed = *command.ServiceFlags();
  for (const std::string& given : flags.Given()) {
    if (std::find(allowed.begin(), allowed.end(), given) == allowed.end()) return given;
  }
  return std::nullopt;
}

/// The value of args[i], which is `name` or begins with "name="; what is wrong with it.
std::optional<std::string> TakeValue(std::vector<std::string>* args, std::size_t i,
                                     const std::string& name, std::string* value) {
  const auto at = args->begin() + static_cast<std::ptrdiff_t>(i);
  const bool joined = *at != name;
  if (!value->empty()) return name + " is given twice; leave one out";
  if (!joined && i + 1 == args->size()) return name + " needs a value";
  *value = joined ? at->substr(name.size() + 1) : *(at + 1);
  args->erase(at, at + (joined ? 1 : 2));
  if (value->empty()) return name + " needs a value";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> TakeServiceWords(std::vector<std::string>* args, ServiceWords* words) {
  for (std::size_t i = 0; i < args->size();) {
    bool taken = false;
    for (const auto& [name, value] :
         {std::pair{"--server", &words->server}, std::pair{"--token", &words->token}}) {
      const std::string& word = (*args)[i];
      if (taken || (word != name && !word.starts_with(std::string(name) + "="))) continue;
      if (auto wrong = TakeValue(args, i, name, value)) return wrong;
      taken = true;
      if (i == args->size()) break;
    }
    if (!taken) ++i;
  }
  if (words->server.empty() && !words->token.empty()) return "--token goes with --server URL";
  return std::nullopt;
}

int RunOrAsk(Command& command, const Flags& flags, const ServiceWords& words, Io& io) {
  const std::string verb(command.info().name);
  const bool named = !words.server.empty();
  if (!named && io.server.empty()) return command.Run(io);
  if (command.ServiceFlags() == nullptr) {
    if (!named) return command.Run(io);
    return io.Fail(kWrongUse, verb +
                                  ": no service does that, it works on what is here; leave out "
                                  "--server");
  }
  if (const auto here = NotForService(command, flags)) {
    if (!named) return command.Run(io);
    return io.Fail(kWrongUse, verb + ": " + *here + " is not for a service; leave out " + *here +
                                  " or --server");
  }
  Result<remote::Client> client = remote::Client::To(named ? words.server : io.server,
                                                     words.token.empty() ? io.token : words.token);
  if (!client.ok()) {
    return io.Fail(kWrongUse, (named ? "" : "MUSTER_SERVER: ") + client.status().message());
  }
  return command.Ask(Service(*std::move(client)), io);
}

}  // namespace muster::cli
