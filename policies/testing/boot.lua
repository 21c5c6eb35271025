-- First chunk of the state that runs specs. Nothing is compiled here: a limit on how long a test
-- may run holds in interpreted code only.
local files, cdef, host = ...
host.ffi = require "ffi"
host.on, host.operators = {}, {}  -- of the prelude: what is done here costs no fuel
host.ffi.cdef(cdef)
jit.off()

local loaded = {}
local function import(name)
  if loaded[name] == nil then
    -- A test's limits end what works for it as they end the spec itself, but not what reports it.
    local chunk = (name == "specs" or name == "main") and "=runner" or "=testing"
    loaded[name] = assert(loadstring(files[name .. ".lua"], chunk))(import, host)
  end
  return loaded[name]
end

return import "main"
