// What goes wrong in Lua, as text for people: position taken out, one line, no control bytes.
#ifndef MUSTER_BINDINGS_LUAJIT_CALL_ERROR_H_
#define MUSTER_BINDINGS_LUAJIT_CALL_ERROR_H_

#include <string>
#include <string_view>

namespace muster::luajit {

/// The name Lua knows the policy's code by, and messages begin with.
inline constexpr std::string_view kPolicyFile = "policy.lua";

/// Why a call failed. `line` is in policy.lua, 0 when unknown.
struct CallError {
  std::string text;
  int line = 0;
};

/// `raw` as Lua raised it. `line` is where it was raised; when that is 0, the N of a "policy.lua:N:
/// " in front counts. A policy can write such a front itself, so it comes second.
CallError MakeCallError(std::string_view raw, int line);

/// `raw` as something a terminal and a JSON document can take: valid UTF-8 without control
/// characters, cut to a few hundred bytes.
std::string Printable(std::string_view raw);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_CALL_ERROR_H_
