-- Typed parameters: the declaration is checked, defaults and bounds are values of the type, and a
-- value from a PolicyBinding (text) becomes a Lua value or a problem with a cure.
local import, host = ...
local names = import "names"
local collections = import "collections"
local dates = import "dates"

local params = {}

local kSeconds = { ns = 1e-9, us = 1e-6, ms = 1e-3, s = 1, m = 60, h = 3600, d = 86400 }

local kLongestText = 64  -- bytes; taking digits apart takes the square
local kLongestDays = 36500
local kShownText = 200  -- bytes of a value in a message

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
  date = {
    value = dates.seconds, text = dates.seconds,
    cure = 'write a date such as "2026-12-01", or a time with its zone: "2026-12-01T08:00:00Z"',
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
    cure = 'write a text such as "name"',
  },
  enum = {
    value = function(v) if type(v) == "string" then return v end end,
    text = function(t) return t end,
    cure = "write one of its values",
  },
}
local kOrdered = { number = true, integer = true, duration = true, date = true }
local kElements = { string = true, number = true, integer = true, duration = true }
local kCollections = { list = collections.list, map = collections.map }
local kKeys = { type = true, of = true, default = true, min = true, max = true, values = true,
  doc = true }
local kNames = { list = true, map = true }
for name in pairs(kTypes) do kNames[name] = true end

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

-- What is wrong with a value, nil when it is not of the type; nil: nothing.
local function wrong(rule, value)
  if value == nil then return "is not of type " .. rule.type, rule.kind.cure end
  if rule.type == "enum" and not rule.allowed[value] then
    return names.quoted(value) .. " is not one of its values", names.hint(value, rule.allowed)
  end
  if rule.min and value < rule.min then return "is below its min " .. tostring(rule.min_text) end
  if rule.max and value > rule.max then return "is above its max " .. tostring(rule.max_text) end
end

-- The type of what a parameter holds: its own, or that of the elements of a list or map.
local function read_type(path, spec, problem)
  local shape = type(spec.type) == "string" and kCollections[spec.type] or nil
  if not shape and not (type(spec.type) == "string" and kTypes[spec.type]) then
    problem(spec.type ~= nil and path .. ".type" or path,
      spec.type == nil and "a parameter needs a type" or "no type " .. names.quoted(spec.type),
      names.hint(spec.type or "", kNames))
    return nil
  end
  if not shape then
    if spec.of ~= nil then problem(path .. ".of", "only a list or map has of", "remove it") end
    return spec.type
  end
  if type(spec.of) ~= "string" or not kElements[spec.of] then
    problem(spec.of ~= nil and path .. ".of" or path,
      spec.of == nil and "a " .. spec.type .. " needs the type of its elements"
        or "a " .. spec.type .. " cannot be of " .. names.quoted(spec.of),
      spec.of == nil and 'write of = "string", "number", "integer" or "duration"'
        or names.hint(spec.of, kElements))
    return nil
  end
  return spec.of, shape
end

-- The value of a rule: `read` makes one of what is given, of each element where there are several.
-- Else nil, what it is about ("element 2 of ", or ""), what is wrong and the cure.
local function take(rule, given, read, entries_of)
  if not rule.shape then
    local value = read(given)
    local what, cure = wrong(rule, value)
    if what then return nil, "", what, cure end
    return value
  end
  local entries, what, cure = entries_of(given)
  if not entries then return nil, "", what, cure end
  local values = {}
  for _, entry in ipairs(entries) do
    local value = read(entry.given)
    what, cure = wrong(rule, value)
    if what then return nil, entry.title .. " of ", what, cure end
    values[entry.key] = value
  end
  host.frozen[values] = true
  return values
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
  local of, shape = read_type(path, spec, problem)
  if not of then return nil end
  local kind = kTypes[of]
  local rule = { type = of, kind = kind, shape = shape, min_text = spec.min, max_text = spec.max,
    allowed = check_values(path, spec, problem) }
  for _, bound in ipairs { "min", "max" } do
    if spec[bound] ~= nil and not kOrdered[of] then
      local whole = (shape and spec.type .. " of " or "") .. of
      problem(path .. "." .. bound, "a " .. whole .. " has no " .. bound, "remove it")
    elseif spec[bound] ~= nil then
      rule[bound] = kind.value(spec[bound])
      if rule[bound] == nil then
        problem(path .. "." .. bound, bound .. " is not of type " .. of, kind.cure)
      end
    end
  end
  if spec.doc ~= nil and type(spec.doc) ~= "string" then
    problem(path .. ".doc", "doc is not a string")
  end
  if spec.default == nil then
    problem(path, "a parameter needs a default",
      shape and "write default = {}" or (string.gsub(kind.cure, "^write", "write default =")))
    return nil
  end
  local value, title, what, cure = take(rule, spec.default, kind.value, shape and shape.of_table)
  if what then
    problem(path .. ".default", title .. "default " .. what, cure)
    return nil
  end
  rule.default = value
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
      if rules[name] then values[name] = rules[name].default end
    end
  end
  for name, text in pairs(texts) do
    local rule = rules[name]
    if not rule and not (declared and declared[name]) then
      problem("params", "no parameter " .. names.quoted(name), names.hint(name, rules))
    elseif rule then
      local value, title, what, cure = take(rule, text, rule.kind.text,
        rule.shape and rule.shape.of_text)
      if what then
        problem("params." .. name, title .. "value '" .. string.sub(text, 1, kShownText)
          .. "' of parameter " .. name .. " " .. what, cure)
      else
        values[name] = value
      end
    end
  end
  return values
end

return params
