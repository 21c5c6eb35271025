-- First chunk of a fresh state, still with every library: declares the batch, ties the host's frame
-- and fuel to it, and loads the rest of the prelude.
local files, cdef, frame_address, on, note_exhausted, note_overflow, may_go_on, note_abort = ...
local ffi = require "ffi"

ffi.cdef(cdef)

-- A tick that the cell cannot pay for calls it with its cost: the cell takes what it needs from the
-- reserve, or raises. One item never gets more than `fuel.item`, however many there are: so much
-- takes less memory than there is, and that depends on the item alone. Exhausted fuel stays
-- exhausted: the cell goes below zero, where the host sees it whatever the policy caught.
local operators = {}
local new_fuel = ffi.metatype("muster_fuel", {
  __index = operators,
  __call = function(fuel, cost)
    local left, reserve = fuel.left, fuel.reserve
    local room = fuel.item - (fuel.begun - left - reserve)  -- for this item, with what is left
    if left >= 0 and left + reserve >= cost and room >= cost and may_go_on() then
      local part = math.min(reserve, math.max(fuel.slice, cost), room - left)
      fuel.left, fuel.reserve = left + part, reserve - part
      return
    end
    fuel.left, fuel.reserve = -1, 0
    note_exhausted(room < cost)
    error("out of fuel", 0)
  end,
})

local host = {
  ffi = ffi,
  frame = ffi.cast("muster_call*", frame_address),
  fuel = new_fuel(),
  operators = operators,  -- what the rewriter puts around some of the policy's own
  frozen = {},  -- tables of the policy that were there when its file had been run
  on = on,
  note_overflow = note_overflow,
  chunk = "@policy.lua",  -- as Lua names the policy's code
  policy = "policy.lua",  -- as messages name it
}

-- For measuring: which line of the policy made the compiler give up, and why.
if note_abort then
  local known, vmdef = pcall(require, "jit.vmdef")
  local util = require "jit.util"
  jit.attach(function(what, _, func, pc, code, extra)
    if what ~= "abort" then return end
    local info = util.funcinfo(func, pc)
    if info.source ~= host.chunk then return end
    local reason = known and vmdef.traceerr[code] or "error " .. tostring(code)
    if string.find(reason, "blacklisted", 1, true) then return end
    if type(extra) == "number" and known and string.find(reason, "bytecode", 1, true) then
      extra = string.sub(vmdef.bcnames, extra * 6 + 1, extra * 6 + 6)
    end
    if type(extra) == "function" then extra = "" end
    reason = string.gsub(reason, "%%d", "%%s")
    note_abort(info.currentline, string.format(reason, tostring(extra)))
  end, "trace")
end

local loaded = {}
local function import(name)
  if loaded[name] == nil then
    loaded[name] = assert(loadstring(files[name .. ".lua"], "=prelude"))(import, host)
  end
  return loaded[name]
end

return import "main", host.fuel
