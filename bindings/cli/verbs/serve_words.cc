// A line of the file is parsed as the option that it names, so both mean the same.
#include "bindings/cli/verbs/serve_words.h"

#include <algorithm>
#include <set>

#include "bindings/cli/world/ledger.h"

namespace muster::cli {
namespace {

std::string_view WithoutBlanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// What is wrong with the line; nullopt: nothing.
std::optional<std::string> ReadConfigLine(std::string_view line, std::set<std::string>* seen,
                                          ServeWords* words) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) {
    return "'" + std::string(line) + "' has no =; write NAME = VALUE";
  }
  const std::string name(WithoutBlanks(line.substr(0, equals)));
  const std::string value(WithoutBlanks(line.substr(equals + 1)));
  if (!seen->insert(name).second) return name + " is said twice; leave one out";
  if (value.empty()) return name + " needs a value";
  ServeWords said;
  Flags flags;
  said.Declare(flags);
  if (auto wrong = flags.Parse({"--" + name + "=" + value})) return wrong;
  words->TakeMissing(said);
  return std::nullopt;
}

}  // namespace

void ServeWords::Declare(Flags& flags) {
  flags.Text("--db", "LEDGER", &db,
             "The ledger: a file that remembers everything, or postgresql://USER@HOST/DATABASE.");
  flags.Text("--listen", "ADDRESS:PORT", &listen,
             "Where to listen: 127.0.0.1:8484, [::1]:8484. Port 0 takes a free one, which the "
             "first line of output tells. Default: 127.0.0.1:8484.");
  flags.Text("--advertise", "URL", &advertise,
             "Where services of other ledgers in the same database find this one: "
             "http://10.0.0.1:8484. Port 0 stands for the one that it listens on.");
  flags.Text("--tokens", "FILE", &tokens, "The tokens that callers may show.");
  flags.Count("--token-rate", "N", &token_rate,
              "At most so many requests a second of each token. Default: any number.");
  flags.Count("--token-bytes", "N", &token_bytes,
              "At most so many bytes of bodies a second of each token. Default: any number.");
  flags.Text("--tls-cert", "FILE", &tls_cert,
             "Speak TLS: the certificate in PEM, with those that vouch for it behind it.");
  flags.Text("--tls-key", "FILE", &tls_key, "The key of the certificate in PEM.");
  flags.Text("--policies", "DIR", &policies,
             "A folder of policy packages that are activated when they are saved.");
  flags.Text("--heads", "DIR", &heads,
             "A folder of this service alone, where the newest commit that a database confirmed is "
             "noted: one that has lost it is refused, also after a restart.");
  flags.Count("--tick", "MS", &tick,
              "The least time between two cycles, in milliseconds, in which calls gather. "
              "Default: 10.");
  DeclareWait(flags, &wait);
}

std::string ServeWords::UrlFor(const std::string& bound) const {
  if (!advertise.ends_with(":0")) return advertise.empty() ? bound : advertise;
  return advertise.substr(0, advertise.size() - 2) + bound.substr(bound.rfind(':'));
}

void ServeWords::TakeMissing(const ServeWords& other) {
  const auto take = [](auto* own, const auto& others, bool missing) {
    if (missing) *own = others;
  };
  take(&db, other.db, db.empty());
  take(&listen, other.listen, listen.empty());
  take(&advertise, other.advertise, advertise.empty());
  take(&tokens, other.tokens, tokens.empty());
  take(&tls_cert, other.tls_cert, tls_cert.empty());
  take(&tls_key, other.tls_key, tls_key.empty());
  take(&policies, other.policies, policies.empty());
  take(&heads, other.heads, heads.empty());
  take(&wait, other.wait, wait.empty());
  take(&tick, other.tick, !tick);
  take(&token_rate, other.token_rate, !token_rate);
  take(&token_bytes, other.token_bytes, !token_bytes);
}

std::optional<std::string> ReadServeConfig(std::string_view text, ServeWords* words) {
  std::set<std::string> seen;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = WithoutBlanks(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    if (const auto wrong = ReadConfigLine(line, &seen, words)) {
      return std::to_string(number) + ": " + *wrong;
    }
  }
  return std::nullopt;
}

}  // namespace muster::cli
