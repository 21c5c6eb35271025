-- The words of a spec beyond busted's: fx, cases, prop, gen, laws, golden. `it_of` finds the `it`
-- of the calling spec.
local import, host = ...
local fixtures = import "fixtures"
local flood = import "flood"
local gen = import "gen"
local golden = import "golden"
local handle = import "handle"
local laws = import "laws"
local names = import "names"
local property = import "property"
local values = import "values"
local world = import "world"

-- What is often looked for under another name.
local kMeant = { job = "workload", jobs = "workload", queue = "node", cohort = "node",
  engine = "cluster", rank = "order", step = "cycle", tick = "advance", run = "cycle" }

-- A table in which a name that is not there is an error with the closest one.
local function strict(what, list)
  local known = {}
  for name in pairs(list) do
    if name ~= "__index" then known[name] = true end
  end
  return setmetatable(list, { __index = function(_, name)
    local meant = known[kMeant[name]] and "did you mean '" .. kMeant[name] .. "'?"
    error("there is no " .. what .. names.quoted(tostring(name)) .. "; "
      .. (meant or names.hint(tostring(name), known)), 2)
  end })
end

-- The methods of a class, each called with a colon or not at all.
local function methods(what, class)
  for name, method in pairs(class) do
    if type(method) == "function" then
      class[name] = function(self, ...)
        if getmetatable(self) ~= class then
          error("write x:" .. name .. "(...) of an " .. what .. ", with a colon", 2)
        end
        return method(self, ...)
      end
    end
  end
  strict(what .. " method ", class)
end

strict("gen.", gen)
methods("fx.policy()", handle.Policy)
methods("fx.cluster {}", world.Cluster)

-- Why `order` is not the one that a case expects: the first two that differ, with their keys.
local function unexpected(case, policy, order)
  local text = "expected " .. values.text(case.expect) .. ", got " .. values.text(order)
  local keys = policy:keys(case.given)
  for at = 1, math.max(#order, #case.expect) do
    if order[at] ~= case.expect[at] then
      for i, w in ipairs(case.given) do
        if w.name == order[at] or w.name == case.expect[at] then
          text = text .. "\n" .. policy:describe(w, keys[i])
        end
      end
      return text
    end
  end
end

local function law_fields(more)
  local fields = { params = true, cases = true, seed = true, label = true }
  for _, name in ipairs(more) do fields[name] = true end
  return fields
end
local kLawFields = { order_is_total = law_fields {}, priority_first = law_fields {},
  no_starvation = law_fields { "after" },
  protected_is_never_a_victim = law_fields { "when" }, no_flapping = law_fields { "priority" } }
local kCaseFields = { name = true, given = true, expect = true, params = true }

local describing = host.describing or function() end  -- busted has a message of its own

return function(it_of)
  local words = { gen = gen, golden = golden.check }

  words.fx = strict("fx.", { policy = handle.load, workload = fixtures.workload,
    victim = fixtures.victim, node = fixtures.node, flavor = fixtures.flavor,
    domain = fixtures.domain,
    cluster = world.cluster, flood = flood, now = fixtures.now })

  -- cases({ { name =, ... }, ... }, function(case) ... end): a test for each. Without a function a
  -- case has `given` jobs, the `expect`ed order of their names, and perhaps `params`.
  function words.cases(list, check)
    describing("cases")
    local it, here = it_of(3), host.here()
    if type(list) ~= "table" or #list == 0 then
      error("write cases { { given = { ... }, expect = { ... } }, ... }", 0)
    end
    for i, case in ipairs(list) do
      if not check then fixtures.check_keys("case " .. i, case, kCaseFields) end
      it(case.name or "case " .. i, function()
        host.enter(here)
        if check then return check(case) end
        host.asserted = true
        local policy = handle.load(case.params)
        local order = policy:order(case.given)
        if values.difference(case.expect, order) then
          error(unexpected(case, policy, order), 0)
        end
      end)
    end
  end

  function words.prop(...)
    describing("prop")
    if type((...)) ~= "string" then
      error('write prop("name", generator, function(value) ... end)', 0)
    end
    property.prop(it_of(3), ...)
  end

  words.laws = setmetatable({}, { __index = function(_, name)
    local law = laws[name]
    if not law then
      local known = table.concat(values.sorted_keys(laws), ", ")
      error("there is no law '" .. tostring(name) .. "'; there are " .. known, 2)
    end
    return function(options)
      describing("laws." .. name)
      fixtures.check_keys("laws." .. name, options or {}, kLawFields[name])
      law(it_of(3), options or {})
    end
  end })

  return words
end
