// Texts put into the binary at build time: Lua files, and the C declarations for ffi.cdef.
#ifndef MUSTER_BINDINGS_LUAJIT_EMBEDDED_H_
#define MUSTER_BINDINGS_LUAJIT_EMBEDDED_H_

#include <span>
#include <string_view>

namespace muster::luajit {

struct EmbeddedFile {
  std::string_view name;  ///< path in its folder: "runner.lua", "order/policy.lua"
  std::string_view text;
};

std::span<const EmbeddedFile> PreludeFiles();   ///< policies/prelude
std::span<const EmbeddedFile> TestingFiles();   ///< policies/testing
std::span<const EmbeddedFile> TemplateFiles();  ///< policies/templates
/// What stands between `cdef begin` and `cdef end` in batch_abi.h, then in call_frame.h.
std::string_view CDefinitions();

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_EMBEDDED_H_
