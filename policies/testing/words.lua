-- The words of a spec beyond busted's: fx, cases, prop, gen, laws, golden. `it_of` finds the `it`
-- of the calling spec.
local import, host = ...
local fixtures = import "fixtures"
local flood = import "flood"
local gen = import "gen"
local golden = import "golden"
local handle = import "handle"
local laws = import "laws"
local property = import "property"
local values = import "values"
local world = import "world"

return function(it_of)
  local words = { gen = gen, golden = golden.check }

  words.fx = { policy = handle.load, workload = fixtures.workload, victim = fixtures.victim,
    node = fixtures.node, flavor = fixtures.flavor, cluster = world.cluster, flood = flood,
    now = fixtures.now }

  -- cases({ { name =, ... }, ... }, function(case) ... end): a test for each. Without a function a
  -- case has `given` jobs, the `expect`ed order of their names, and perhaps `params`.
  function words.cases(list, check)
    local it, spec_assert, here = it_of(3), getfenv(2).assert, host.here()
    for i, case in ipairs(list) do
      it(case.name or "case " .. i, function()
        host.enter(here)
        if check then return check(case) end
        spec_assert.same(case.expect, handle.load(case.params):order(case.given))
      end)
    end
  end

  function words.prop(...) property.prop(it_of(3), ...) end

  words.laws = setmetatable({}, { __index = function(_, name)
    local law = laws[name]
    if not law then
      local known = table.concat(values.sorted_keys(laws), ", ")
      error("there is no law '" .. tostring(name) .. "'; there are " .. known, 2)
    end
    return function(options) law(it_of(3), options or {}) end
  end })

  return words
end
