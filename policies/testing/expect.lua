-- `assert` as busted has it, for specs that run inside Muster: assert.same, assert.is_not.equal,
-- assert.has_error and the like, and Muster's own from checks.lua.
local import, host = ...
local checks = import "checks"
local names = import "names"
local values = import "values"

local expect = {}

local kind_checks = {}
for _, kind in ipairs { "boolean", "string", "table", "number", "function" } do
  kind_checks[kind] = function(value)
    return type(value) == kind, "a " .. kind, values.text(value)
  end
end

local function raised(fn, ...)
  local ok, problem = pcall(fn, ...)
  return not ok, problem
end

local function error_matches(fn, wanted)
  local failed, problem = raised(fn)
  if not failed then return false, "an error", "none" end
  if wanted == nil then return true, "no error", values.text(problem) end
  local plain = type(problem) == "string" and string.gsub(problem, "^[^\n]-:%d+: ", "") or problem
  return plain == wanted or problem == wanted, values.text(wanted), values.text(problem)
end

-- Each: (...) -> holds, what was expected, what there is.
local kPlain = {
  equal = function(a, b) return a == b, values.text(a), values.text(b) end,
  same = function(a, b)
    local at, left, right = values.difference(a, b)
    if not at then return true, values.text(a), values.text(b) end
    local where = at ~= "" and " (first at " .. at .. ": " .. values.text(left) .. " against "
      .. values.text(right) .. ")" or ""
    return false, values.text(a), values.text(b) .. where
  end,
  near = function(a, b, tolerance)
    for _, value in ipairs { a or false, b or false, tolerance or false } do
      if type(value) ~= "number" then error("write assert.near(expected, actual, tolerance)", 0) end
    end
    return math.abs(a - b) <= tolerance, values.text(a) .. " +- " .. values.text(tolerance),
      values.text(b)
  end,
  ["true"] = function(a) return a == true, "true", values.text(a) end,
  ["false"] = function(a) return a == false, "false", values.text(a) end,
  ["nil"] = function(a) return a == nil, "nil", values.text(a) end,
  truthy = function(a) return not not a, "something true", values.text(a) end,
  falsy = function(a) return not a, "false or nil", values.text(a) end,
  error = error_matches,
  matches = function(pattern, text)
    return type(text) == "string" and string.find(text, pattern) ~= nil,
      "a text that matches " .. values.text(pattern), values.text(text)
  end,
}
for kind, check in pairs(kind_checks) do kPlain[kind] = check end
local kAliases = { equals = "equal", errors = "error", match = "matches", unique = "same" }
local kFillers = { is = true, are = true, has = true, have = true, was = true, does = true,
  be = true, a = true, an = true, the = true }

-- Only one that holds is noted: a test may catch one that does not, and then has shown nothing.
local function run(name, negated, ...)
  if checks[name] then
    local problem = checks[name](...)
    if negated and not problem then error(name .. " holds, and should not", 0) end
    if not negated and problem then error(problem, 0) end
    host.asserted = true
    return ...
  end
  local holds, wanted, got = kPlain[name](...)
  if holds == negated then
    error((negated and "expected anything but " or "expected ") .. tostring(wanted) .. "\n     got "
      .. tostring(got), 0)
  end
  host.asserted = true
  return ...
end

local chain

local function find(name, negated)
  name = kAliases[name] or name
  if not kPlain[name] and not checks[name] then
    local known = {}
    for each in pairs(kPlain) do known[each] = true end
    for each in pairs(checks) do known[each] = true end
    local near = names.closest(name, known)
    error("there is no assertion '" .. name .. "'; " .. (near and "did you mean '" .. near .. "'?"
      or "there are " .. table.concat(values.sorted_keys(known), ", ")), 0)
  end
  return function(...) return run(name, negated, ...) end
end

local function follow(negated, key)
  local rest = key
  while rest ~= "" and not checks[rest] do
    local word, after = string.match(rest, "^(%a+)_?(.*)$")
    if word == "not" or word == "no" then
      negated, rest = not negated, after
    elseif kFillers[word] then
      rest = after
    else
      break
    end
  end
  if rest == "" then return chain(negated) end
  return find(rest, negated)
end

function chain(negated)
  return setmetatable({}, { __index = function(_, key) return follow(negated, key) end })
end

-- assert(value, message) as in Lua, and the fields.
expect.assert = setmetatable({}, {
  __index = function(_, key) return follow(false, key) end,
  __call = function(_, value, message, ...)
    if not value then error(message or "assertion failed!", 0) end
    host.asserted = true
    return value, message, ...
  end,
})

return expect
