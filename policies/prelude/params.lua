-- Typed parameters: the declaration is checked, defaults and bounds are values of the type, and a
-- value from a PolicyBinding (text) becomes a Lua value or a problem with a cure.
local import = ...
local names = import "names"

local params = {}

local kSeconds = { ns = 1e-9, us = 1e-6, ms = 1e-3, s = 1, m = 60, h = 3600, d = 86400 }

local kLongestText = 64  -- bytes; taking digits apart takes the square
local kLongestDays = 36500

-- "1h30m", "600s", "1.5h", "250ms", "7d" -> seconds, or nil.
function params.duration(text)
  if type(text) ~= "string" or #text > kLongestText then return nil end
  local sign, rest = string.match(text, "^(%-?)(.+)$")
  if not rest then return nil end
  local seconds, at = 0, 1
  while at <= #rest do
    local number, unit, after = string.match(rest, "^(%d*%.?%d*)(%a+)()", at)
    local value = number and tonumber(number)
    if not value or not kSeconds[unit] then return nil end
    seconds, at = seconds + value * kSeconds[unit], after
  end
  return sign == "-" and -seconds or seconds
end

-- The same for a duration that the engine counts in nanoseconds: of at least `least`, itself a
-- duration. Returns seconds, or nil and which ones there may be.
function params.span(text, least)
  local seconds = params.duration(text)
  if seconds and seconds >= params.duration(least) and seconds <= kLongestDays * 86400 then
    return seconds
  end
  return nil, "a duration from " .. least .. " to " .. kLongestDays .. "d"
end

local function finite(value)
  return type(value) == "number" and value - value == 0
end

-- How each type is read from a declaration (a Lua value) and from text; nil: not of that type.
local kTypes = {
  number = {
    value = function(v) return finite(v) and v or nil end,
    text = function(t)
      local v = tonumber(t, 10)
      if finite(v) then return v end
    end,
    cure = "write a number such as 0.5",
  },
  integer = {
    value = function(v) return finite(v) and v % 1 == 0 and v or nil end,
    text = function(t)
      local v = tonumber(t, 10)
      if finite(v) and v % 1 == 0 then return v end
    end,
    cure = "write a whole number such as 3",
  },
  duration = {
    value = params.duration, text = params.duration,
    cure = 'write a duration such as "90s", "1h30m" or "7d"',
  },
  boolean = {
    value = function(v) if type(v) == "boolean" then return v end end,
    text = function(t)
      if t == "true" then return true elseif t == "false" then return false end
    end,
    cure = "write true or false",
  },
  string = {
    value = function(v) if type(v) == "string" then return v end end,
    text = function(t) return t end,
    cure = "write a string",
  },
  enum = {
    value = function(v) if type(v) == "string" then return v end end,
    text = function(t) return t end,
    cure = "write one of its values",
  },
}
local kOrdered = { number = true, integer = true, duration = true }
local kKeys = { type = true, default = true, min = true, max = true, values = true, doc = true }

local function check_values(path, spec, problem)
  if spec.type ~= "enum" then
    if spec.values ~= nil then problem(path .. ".values", "only an enum has values") end
    return {}
  end
  local allowed = {}
  if type(spec.values) ~= "table" or #spec.values == 0 or not names.is_list(spec.values) then
    problem(path, "an enum needs a list of its values", 'write values = {"a", "b"}')
    return {}
  end
  for i, value in ipairs(spec.values) do
    if type(value) ~= "string" then
      problem(path .. ".values", "value " .. i .. " is not a string")
    else
      allowed[value] = true
    end
  end
  return allowed
end

local function out_of_bounds(rule, value)
  if rule.type == "enum" and not rule.allowed[value] then
    return names.quoted(value) .. " is not one of its values", names.hint(value, rule.allowed)
  end
  if rule.min and value < rule.min then return "is below its min " .. tostring(rule.min_text) end
  if rule.max and value > rule.max then return "is above its max " .. tostring(rule.max_text) end
end

-- One declaration -> rule, or nil after reporting what is wrong with it.
local function read_rule(path, spec, problem)
  if type(spec) ~= "table" then
    problem(path, "a parameter is a table", 'write { type = "number", default = 1, doc = "..." }')
    return nil
  end
  for key in pairs(spec) do
    if not kKeys[key] then
      problem(path .. "." .. tostring(key), "no key " .. names.quoted(key) .. " in a parameter",
        names.hint(key, kKeys))
    end
  end
  local kind = type(spec.type) == "string" and kTypes[spec.type]
  if not kind then
    problem(spec.type ~= nil and path .. ".type" or path,
      spec.type == nil and "a parameter needs a type" or "no type " .. names.quoted(spec.type),
      names.hint(spec.type or "", kTypes))
    return nil
  end
  local rule = { type = spec.type, kind = kind, allowed = check_values(path, spec, problem),
    min_text = spec.min, max_text = spec.max }
  for _, bound in ipairs { "min", "max" } do
    if spec[bound] ~= nil and not kOrdered[spec.type] then
      problem(path .. "." .. bound, "a " .. spec.type .. " has no " .. bound, "remove it")
    elseif spec[bound] ~= nil then
      rule[bound] = kind.value(spec[bound])
      if rule[bound] == nil then
        problem(path .. "." .. bound, bound .. " is not of type " .. spec.type, kind.cure)
      end
    end
  end
  if spec.doc ~= nil and type(spec.doc) ~= "string" then
    problem(path .. ".doc", "doc is not a string")
  end
  if spec.default == nil then
    problem(path, "a parameter needs a default",
      (string.gsub(kind.cure, "^write", "write default =")))
    return nil
  end
  rule.default = kind.value(spec.default)
  local what, cure
  if rule.default == nil then
    what, cure = "is not of type " .. spec.type, kind.cure
  else
    what, cure = out_of_bounds(rule, rule.default)
  end
  if what then
    problem(path .. ".default", "default " .. what, cure)
    return nil
  end
  return rule
end

-- `declared`: the package's params; `texts`: name -> text of a binding. Returns name -> value.
function params.resolve(declared, texts, problem)
  local values, rules = {}, {}
  if declared ~= nil and type(declared) ~= "table" then
    problem("params", "params is not a table", "write params = { name = { type = ... } }")
    declared = nil
  end
  for name, spec in pairs(declared or {}) do
    if type(name) ~= "string" then
      problem("params", "a parameter has no name", "write params = { name = { type = ... } }")
    else
      rules[name] = read_rule("params." .. name, spec, problem)
      values[name] = rules[name] and rules[name].default
    end
  end
  for name, text in pairs(texts) do
    local rule = rules[name]
    if not rule and not (declared and declared[name]) then
      problem("params", "no parameter " .. names.quoted(name), names.hint(name, rules))
    elseif rule then
      local value = rule.kind.text(text)
      local what, cure
      if value == nil then
        what, cure = "is not of type " .. rule.type, rule.kind.cure
      else
        what, cure = out_of_bounds(rule, value)
      end
      if what then
        problem("params." .. name, "value '" .. text .. "' of parameter " .. name .. " " .. what,
          cure)
      else
        values[name] = value
      end
    end
  end
  return values
end

return params
