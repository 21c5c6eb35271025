-- The rock `muster`: made from a clone with `luarocks make` in this folder, after `make install`.
rockspec_format = "3.0"
package = "muster"
version = "0.1.0-1"
source = {
  url = "file://.",
}
description = {
  summary = "Embeddable admission engine for shared clusters",
  license = "Apache-2.0",
}
dependencies = {
  "lua >= 5.1, < 5.5",
  "dkjson >= 2.5",
}
-- The header to compile with; the library is looked up when the module is loaded.
external_dependencies = {
  MUSTER = { header = "muster.h" },
}
build = {
  type = "builtin",
  modules = {
    ["muster"] = "muster.lua",
    ["muster.calls"] = "muster/calls.lua",
    ["muster.cdef"] = "muster/cdef.lua",
    ["muster.engine"] = "muster/engine.lua",
    ["muster.ffi"] = "muster/ffi.lua",
    ["muster.values"] = "muster/values.lua",
    ["muster.core"] = {
      sources = { "ahead.c", "core.c", "commands.c", "library.c", "objects.c", "reading.c",
        "values.c" },
      incdirs = { "$(MUSTER_INCDIR)", "../.." },
      libraries = { "dl" },
    },
  },
}
