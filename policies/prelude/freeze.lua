-- Nothing a policy's file has made may change once it was run: what changed would be a memory.
-- Tables that its functions can reach are noted, and a write to one raises; that no function
-- assigns to a variable of the file is seen in the bytecode.
local _, host = ...
local frozen = host.frozen
local util = require "jit.util"

local freeze = {}

-- Opcodes that assign to a variable of an outer function, asked of LuaJIT itself.
local kAssigns = {}
do
  local outer  -- luacheck: ignore 231 (that it is assigned to is all)
  local function opcode(fn) return bit.band(util.funcbc(fn, 1), 0xff) end
  kAssigns[opcode(function(x) outer = x end)] = true
  kAssigns[opcode(function() outer = "" end)] = true
  kAssigns[opcode(function() outer = 1 end)] = true
  kAssigns[opcode(function() outer = nil end)] = true
end

-- Line of an assignment to a variable of an outer function, in `code` or a function inside; nil:
-- there is none.
function freeze.assignment(code)
  for at = 1, math.huge do
    local instruction = util.funcbc(code, at)
    if not instruction then break end
    if kAssigns[bit.band(instruction, 0xff)] then return util.funcinfo(code, at).currentline end
  end
  for at = -1, -math.huge, -1 do
    local constant = util.funck(code, at)
    if constant == nil then return nil end
    local line = type(constant) == "proto" and freeze.assignment(constant)
    if line then return line end
  end
end

-- Instructions of the longest function in `code`: what LuaJIT reads to say which variable is nil.
function freeze.longest(code)
  local most = util.funcinfo(code).bytecodes or 0
  for at = -1, -math.huge, -1 do
    local constant = util.funck(code, at)
    if constant == nil then return most end
    if type(constant) == "proto" then most = math.max(most, freeze.longest(constant)) end
  end
end

-- Notes every table that the functions in `roots` can reach. Views and libraries, which are the
-- prelude's, cannot be written to anyhow.
function freeze.reach(roots)
  local pending, seen = {}, {}
  local function visit(value)
    local kind = type(value)
    if (kind == "table" or kind == "function") and not seen[value] then
      seen[value] = true
      pending[#pending + 1] = value
    end
  end
  for _, root in ipairs(roots) do visit(root) end
  while #pending > 0 do
    local value = table.remove(pending)
    if type(value) == "function" then
      if debug.getinfo(value, "S").source == host.chunk then
        local at, name, held = 1, debug.getupvalue(value, 1)
        while name do
          visit(held)
          at = at + 1
          name, held = debug.getupvalue(value, at)
        end
      end
    elseif getmetatable(value) == nil then
      frozen[value] = true
      for key, held in next, value do
        visit(key)
        visit(held)
      end
    end
  end
end

return freeze
