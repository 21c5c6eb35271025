-- First chunk of a fresh state, still with every library: declares the batch, ties the host's frame
-- and fuel to it, and loads the rest of the prelude.
local files, cdef, frame_address, on, note_exhausted, note_overflow = ...
local ffi = require "ffi"

ffi.cdef(cdef)

-- Calling an empty fuel cell is how a tick raises. Exhausted fuel stays exhausted: the cell goes
-- below zero, where the host sees it whatever the policy caught.
local operators = {}
local new_fuel = ffi.metatype("muster_fuel", {
  __index = operators,
  __call = function(fuel)
    fuel.left = -1
    note_exhausted()
    error("out of fuel", 0)
  end,
})

local host = {
  ffi = ffi,
  frame = ffi.cast("muster_call*", frame_address),
  fuel = new_fuel(),
  operators = operators,  -- what the rewriter puts around some of the policy's own
  on = on,
  note_overflow = note_overflow,
  chunk = "@policy.lua",  -- as Lua names the policy's code
  policy = "policy.lua",  -- as messages name it
}

local loaded = {}
local function import(name)
  if loaded[name] == nil then
    loaded[name] = assert(loadstring(files[name], "=prelude"))(import, host)
  end
  return loaded[name]
end

return import "main", host.fuel
