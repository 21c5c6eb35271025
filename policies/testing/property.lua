-- Properties: a law tried on random values. What breaks it is made smaller as long as it still
-- breaks it, and the seed that finds it again is named.
local import, host = ...
local fixtures = import "fixtures"
local gen = import "gen"
local values = import "values"

local property = {}

local kCases = 100
local kShrinks = 400
-- Laws pass on what they are given.
local kOptions = { cases = true, seed = true, params = true, label = true, after = true,
  when = true, priority = true }

local function broken(law, generators, raw)
  local real = {}
  for i, generator in ipairs(generators) do real[i] = generator.real(raw[i]) end
  local ok, problem = pcall(law, unpack(real, 1, #generators))
  if ok then return nil end
  if host.is_skip(problem) then error(problem, 0) end
  return type(problem) == "table" and (problem.message or values.text(problem))
    or tostring(problem), real
end

-- The simplest values that still break the law, and how often they got simpler.
local function shrink(law, generators, raw, problem, real)
  local steps, tries, smaller = 0, 0, true
  while smaller and tries < kShrinks do
    smaller = false
    for i = 1, #generators do
      for _, candidate in ipairs(generators[i].shrink(raw[i])) do
        tries = tries + 1
        local copy = { unpack(raw, 1, #generators) }
        copy[i] = candidate
        local again, as_real = broken(law, generators, copy)
        if again then
          raw, problem, real, steps, smaller = copy, again, as_real, steps + 1, true
          break
        end
        if tries >= kShrinks then break end
      end
      if smaller then break end
    end
  end
  return problem, real, steps
end

local function shown(real)
  local lines = {}
  for i, value in ipairs(real) do
    if type(value) == "table" and #value > 0 and type(value[1]) == "table" then
      for k, item in ipairs(value) do
        lines[#lines + 1] = "value " .. i .. ", item " .. k .. ": " .. fixtures.text(item)
      end
    else
      local text = type(value) == "table" and fixtures.text or values.text
      lines[#lines + 1] = "value " .. i .. ": " .. text(value)
    end
  end
  return "    " .. table.concat(lines, "\n    ")
end

-- Tries `law` on `cases` random values of the generators; raises the simplest counterexample.
function property.check(cases, seed, generators, law)
  for i = 1, cases do
    local random, raw = gen.random(seed * 1009 + i), {}
    for k, generator in ipairs(generators) do raw[k] = generator.make(random) end
    local problem, real = broken(law, generators, raw)
    if problem then
      local steps
      host.found = problem .. "\n  broken by case " .. i .. " of --seed " .. seed
      problem, real, steps = shrink(law, generators, raw, problem, real)
      error(problem .. "\n  broken by case " .. i .. " of --seed " .. seed .. ", made simpler "
        .. steps .. " times:\n" .. shown(real), 0)
    end
  end
end

-- prop("name", { cases = 200 }, generator..., law): defines a test; the options may be left out.
function property.prop(it, name, ...)
  local arguments = { ... }
  local law = table.remove(arguments)
  local options = {}
  local function is_generator(value) return type(value) == "table" and value.is_generator end
  if #arguments > 1 and not is_generator(arguments[1]) then options = table.remove(arguments, 1) end
  fixtures.check_keys("prop", options, kOptions)
  local sound = type(law) == "function" and #arguments > 0
  for _, generator in ipairs(arguments) do sound = sound and is_generator(generator) end
  if not sound then error('write prop("name", generator, function(value) ... end)', 3) end
  local here = host.here()
  it(name, function()
    host.enter(here)
    property.check(options.cases or kCases, options.seed or host.seed, arguments, law)
  end)
end

return property
