// What a hook may read, as far as the source tells.
#ifndef MUSTER_BINDINGS_LUAJIT_HOOK_READS_H_
#define MUSTER_BINDINGS_LUAJIT_HOOK_READS_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/luajit/source_facts.h"
#include "muster/account.h"

namespace muster::luajit {

/// The fields of any view that hook `name` may read, with the accounts: not what only the functions
/// of other hooks take from their own variables. `accounts`: what the package declares.
std::optional<std::vector<std::string>> FieldsNamedIn(const SourceFacts& facts,
                                                      std::string_view name,
                                                      std::span<const DeclaredAccount> accounts);
/// Those that any hook or helper names: one too many only makes fewer jobs equal. Where a view goes
/// out of sight nothing is known.
std::optional<std::vector<std::string>> FieldsNamed(const SourceFacts& facts);
/// Whether what a view has under `name` goes where it is not known what of it is read:
/// w.account[name].
bool Escapes(const SourceFacts& facts, std::string_view name);
/// Those that any hook or helper names and that tell apart jobs of the same requests.
std::optional<std::vector<std::string>> FieldsTold(const SourceFacts& facts);
/// Whether the function of hook `name` may take something of its second argument.
bool ReadsSubject(const SourceFacts& facts, std::string_view name);
/// Whether the file reads the cycle. c.cycle and c.rng need not be declared: naming them anywhere
/// counts, but for calls of c.rng that say another period.
bool ReadsCycle(const SourceFacts& facts);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_HOOK_READS_H_
