// What changes an engine over HTTP: manifests that are applied or submitted, and commands as data.
//
// Reading a body needs no engine, and happens on another thread than the engine's.
#ifndef MUSTER_BINDINGS_HTTP_WRITES_H_
#define MUSTER_BINDINGS_HTTP_WRITES_H_

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bindings/http/message.h"
#include "bindings/manifest/manifest.h"
#include "bindings/metrics/metrics.h"
#include "db/store.h"
#include "muster/engine.h"

namespace muster::http {

/// Apply takes every kind; Submit takes jobs, whose queues are there.
enum class Sent { kApply, kSubmit };

/// Commands, and the text that they were read from, for the places of mistakes.
struct SentCommands {
  std::string text;
  bool list = false;
  std::vector<Command> commands;

  /// One of them loads a policy from the ledger.
  bool NeedsLedger() const;
};

/// To a body that is not UTF-8.
Response NotUtf8();

/// Manifests in YAML or JSON, or what is wrong with them.
std::variant<manifest::Manifests, Response> ReadManifests(std::string body, Sent sent);
/// Settles them with what the engine knows and applies them, all or nothing; says of each whether
/// it was created, changed or unchanged. With `dry_run` the engine is a copy. `names` are those of
/// the engine, or null.
Response ApplyManifests(Engine& engine, manifest::Manifests& manifests, Sent sent, TimeNs now,
                        bool dry_run, manifest::NamesByUid* names);

/// One command or a list, or what is wrong with them.
std::variant<SentCommands, Response> ReadCommands(std::string body);
/// The package of that hash, which a command names. kNotFound: the ledger has none.
Result<std::shared_ptr<Policy>> PolicyForCommand(const StoredHistory& ledger,
                                                 std::string_view hash);
/// Carries out one command, and tells `metrics` of it where it is not refused.
Result<Answer> DoNoted(Engine& engine, const Command& command, TimeNs now,
                       metrics::Metrics* metrics);
/// Says why command `index` was refused, and the answers of those before it.
Response RefuseCommand(const SentCommands& sent, std::size_t index, const Status& status,
                       const std::vector<std::string>& answers);
/// Carries them out in order, each all or nothing. Where one is refused, those before it have
/// happened, and their answers are told beside the refusal; those behind it have not.
/// `metrics` is told of each.
Response CarryOut(Engine& engine, const SentCommands& sent, TimeNs now, metrics::Metrics* metrics);

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_WRITES_H_
