-- Laws that most policies should obey, ready to be put into a spec: each call defines one test.
-- `options.params` are the package's parameters, `options.cases` how many random cases to try.
local import, host = ...
local fixtures = import "fixtures"
local gen = import "gen"
local handle = import "handle"
local property = import "property"
local values = import "values"
local world = import "world"

local laws = {}

-- Every law asks it; what it does not keep, it raises.
local function policy_of(options)
  host.asserted = true
  return handle.load(options.params)
end

local function reversed(list)
  local result = {}
  for i = #list, 1, -1 do result[#result + 1] = list[i] end
  return result
end

local function changed(w, fields)
  local copy = fixtures.copy(w)
  for name, value in pairs(fields) do copy[name] = value end
  return copy
end

-- No place depends on how the jobs were listed or on what else was asked about.
function laws.order_is_total(it, options)
  property.prop(it, "law: the order is total", options,
    gen.workloads { n = { 2, 16 }, label = options.label }, function(jobs)
      local policy = policy_of(options)
      local forth, back = policy:order(jobs), policy:order(reversed(jobs))
      local at = values.difference(forth, back)
      if at then error("the order depends on how the jobs are listed, first at " .. at, 0) end
      local together = policy:keys(jobs)
      for i, w in ipairs(jobs) do
        if values.difference(policy:keys { w }[1], together[i]) then
          error("the keys of " .. w.name .. " depend on what is beside it", 0)
        end
      end
    end)
end

-- All else equal, a job of higher priority is never served later.
function laws.priority_first(it, options)
  property.prop(it, "law: higher priority never waits longer, all else equal", options,
    gen.workload { label = options.label }, gen.int(1, 1000), function(w, more)
      local policy = policy_of(options)
      local keys = policy:keys { w, changed(w, { priority = w.priority + more }) }
      for k = 1, #keys[1] do
        if keys[2][k] > keys[1][k] then return end
        if keys[2][k] < keys[1][k] then
          error("with " .. more .. " more priority it is served later, by key " .. k .. ": "
            .. values.text(keys[2][k]) .. " against " .. values.text(keys[1][k]), 0)
        end
      end
    end)
end

-- A job that has waited `options.after` is served before any new one of its priority.
function laws.no_starvation(it, options)
  local after = values.seconds(options.after or "30d")
  property.prop(it, "law: no job starves", options,
    gen.workload { name = "old", priority = 0, waited = after, label = options.label },
    gen.workload { name = "new", priority = 0, waited = 0, label = options.label },
    function(old, new)
      if policy_of(options):order { new, old }[1] ~= "old" then
        error("after " .. after .. " s a job still waits behind a new one", 0)
      end
    end)
end

-- What `options.when(victim, preemptor)` names is never evicted.
function laws.protected_is_never_a_victim(it, options)
  property.prop(it, "law: the protected are never victims", options,
    gen.workload { name = "preemptor" },
    gen.victims { n = { 1, 12 }, label = options.label }, function(preemptor, victims)
      local costs = policy_of(options):costs(preemptor, victims)
      for i, v in ipairs(victims) do
        if options.when(v, preemptor) and costs[i] < math.huge then
          error(v.name .. " is protected and costs " .. values.text(costs[i]), 0)
        end
      end
    end)
end

-- In the engine: a preempted job that queues again preempts nothing. `options.priority`: of the
-- running jobs; a fixed one for policies that may evict a job of higher priority first.
function laws.no_flapping(it, options)
  local running = gen.victims { n = { 1, 6 }, gpus = gen.pick { 1, 2, 4 }, pods = 1,
    priority = options.priority or gen.int(0, 5), borrowing = false, label = options.label }
  local urgent = gen.workload { name = "urgent", priority = 10, gpus = gen.pick { 1, 4, 8 },
    waited = 0, pods = 1, label = options.label }
  property.prop(it, "law: a preempted job preempts nothing",
    { cases = options.cases or 20, seed = options.seed }, running, urgent, function(jobs, w)
      local held, fits = 0, {}
      for _, v in ipairs(jobs) do
        if held + v.gpus <= 8 then
          held, fits[#fits + 1] = held + v.gpus, v
        end
      end
      host.asserted = true
      local cluster = world.cluster { gpus = 8, preemption = true, running = fits,
        params = options.params }
      cluster:submit { w }
      local evicted = {}
      for _ = 1, 12 do
        local cycle = cluster:cycle()
        for name, by in pairs(cycle.by) do
          if evicted[by] then error(by .. " was preempted and preempts " .. name, 0) end
          evicted[name] = true
        end
        cluster:evicted()
        cluster:advance(60)
      end
    end)
end

return laws
