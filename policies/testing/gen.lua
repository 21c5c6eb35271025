-- Random values for property tests, and smaller ones like them: a generator has make(random) and
-- shrink(value), a list of simpler candidates; `real` turns the value into what a property sees.
local import = ...
local fixtures = import "fixtures"

local gen = {}

local function identity(value) return value end

local function generator(make, shrink, real)
  return { is_generator = true, make = make, shrink = shrink or function() return {} end,
    real = real or identity }
end

-- Lists have some hundreds of items at most: making one smaller takes the square of that.
local kMostItems = 1000

local function check_range(what, low, high)
  if type(low) ~= "number" or type(high) ~= "number" or not (low <= high)
    or high - low == math.huge then
    error(what .. " takes its least and its greatest value, as in " .. what .. "(0, 100)", 0)
  end
end

local function check_size(size)
  local low, high = 0, 0
  if type(size) == "table" then low, high = size[1], size[2] end
  if type(size) ~= "table" or type(low) ~= "number" or type(high) ~= "number" or low % 1 ~= 0
    or high % 1 ~= 0 or low < 0 or not (low <= high and high <= kMostItems) then
    error("a list is generated with n = { fewest, most }, whole numbers from 0 to " .. kMostItems
      .. "; write n = { 1, 20 }", 0)
  end
end

-- A generator of numbers in [0, 1); the same on every machine.
function gen.random(seed)
  local state = (seed * 48271 + 11) % 2147483647
  if state == 0 then state = 1 end
  local function next_number()
    state = state * 16807 % 2147483647
    return (state - 1) / 2147483646
  end
  for _ = 1, 3 do next_number() end
  return next_number
end

-- Towards `low` by halves.
function gen.int(low, high)
  check_range("gen.int", low, high)
  return generator(function(random) return low + math.floor(random() * (high - low + 1)) end,
    function(value)
      if value == low then return {} end
      local half = low + math.floor((value - low) / 2)
      return half == low and { low } or { low, half, value - 1 }
    end)
end

function gen.number(low, high)
  check_range("gen.number", low, high)
  return generator(function(random) return low + random() * (high - low) end,
    function(value)
      if value - low < 1e-6 then return {} end
      return { low, low + (value - low) / 2 }
    end)
end

-- One of a list; the first is the simplest.
function gen.pick(list)
  if type(list) ~= "table" or #list == 0 then
    error("gen.pick takes the values to pick from, as in gen.pick { 1, 2, 8 }", 0)
  end
  return generator(function(random) return 1 + math.floor(random() * #list) end,
    function(index) return index > 1 and { 1, math.floor(index / 2) } or {} end,
    function(index) return list[math.max(1, index)] end)
end

function gen.boolean() return gen.pick { false, true } end

local function without(list, from, to)
  local result = {}
  for i, item in ipairs(list) do
    if i < from or i > to then result[#result + 1] = item end
  end
  return result
end

-- size[1] to size[2] items; shrinks by halves, then item by item.
function gen.list(item, size)
  check_size(size)
  local low, high = size[1], size[2]
  local function shrink(list)
    local candidates, chunk = {}, math.floor(#list / 2)
    while chunk >= 1 do
      for from = 1, #list - chunk + 1, chunk do
        if #list - chunk >= low then
          candidates[#candidates + 1] = without(list, from, from + chunk - 1)
        end
      end
      chunk = math.floor(chunk / 2)
    end
    for i = 1, #list do
      for _, smaller in ipairs(item.shrink(list[i])) do
        local copy = without(list, 0, 0)
        copy[i] = smaller
        candidates[#candidates + 1] = copy
      end
    end
    return candidates
  end
  return generator(function(random)
    local list = {}
    for i = 1, low + math.floor(random() * (high - low + 1)) do list[i] = item.make(random) end
    return list
  end, shrink, function(list)
    local result = {}
    for i, each in ipairs(list) do result[i] = item.real(each) end
    return result
  end)
end

-- A table with a generator or a fixed value for each field; `build` makes the fixture of it.
local function record(fields, build)
  local order = {}
  for name in pairs(fields) do order[#order + 1] = name end
  table.sort(order)
  local function generated(name)
    return type(fields[name]) == "table" and fields[name].is_generator
  end
  local function shrink(raw)
    local candidates = {}
    for _, name in ipairs(order) do
      for _, smaller in ipairs(generated(name) and fields[name].shrink(raw[name]) or {}) do
        local copy = fixtures.copy(raw)
        copy[name] = smaller
        candidates[#candidates + 1] = copy
      end
    end
    return candidates
  end
  return generator(function(random)
    local raw = {}
    for _, name in ipairs(order) do
      raw[name] = fields[name]
      if generated(name) then raw[name] = fields[name].make(random) end
    end
    raw.name = raw.name or "job-" .. math.floor(random() * 1e9)
    return raw
  end, shrink, function(raw)
    local real = { name = raw.name }
    for _, name in ipairs(order) do
      real[name] = raw[name]
      if generated(name) then real[name] = fields[name].real(raw[name]) end
    end
    return build(real)
  end)
end

local function with(defaults, overrides)
  for name, value in pairs(overrides or {}) do
    if name ~= "n" then defaults[name] = value end
  end
  return defaults
end

local function job(overrides)
  return with({ priority = gen.pick { 0, 1, 10, 100, -5 }, gpus = gen.pick { 0, 1, 2, 4, 8, 64 },
    waited = gen.int(0, 7 * 86400), pods = gen.pick { 1, 2, 8 } }, overrides)
end

-- Jobs, victims and nodes; fields as in fx.*, each a value or a generator.
function gen.workload(overrides) return record(job(overrides), fixtures.workload) end
function gen.victim(overrides)
  local fields = job { ran = gen.int(0, 3 * 86400), borrowing = gen.boolean() }
  fields.waited = nil  -- it is as old as its run
  return record(with(fields, overrides), fixtures.victim)
end
function gen.node(overrides)
  local fields = { weight = gen.pick { 1, 2, 0.5, 0 }, gpus = gen.int(0, 64) }
  return record(with(fields, overrides), function(real)
    real.usage = real.usage or { ["nvidia.com/gpu"] = real.gpus }
    real.gpus = nil
    return fixtures.node(real)
  end)
end

local function sized(make, options)
  return gen.list(make(options), options and options.n or { 1, 20 })
end

-- Lists of them; n = { fewest, most }.
function gen.workloads(options) return sized(gen.workload, options) end
function gen.victims(options) return sized(gen.victim, options) end
function gen.nodes(options) return sized(gen.node, options) end

return gen
