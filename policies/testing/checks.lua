-- Assertions about policies: which job goes first, is admitted, has to go, or is safe. Each
-- returns nil, or why it does not hold with what was seen.
local import = ...
local handle = import "handle"
local values = import "values"
local world = import "world"

local checks = {}

local function is_policy(value) return getmetatable(value) == handle.Policy end
local function is_cluster(value) return getmetatable(value) == world.Cluster end

local function as_list(first, ...)
  if type(first) == "table" then return first end
  return { first, ... }
end

local function sorted(list)
  local copy = {}
  for i, name in ipairs(list) do copy[i] = name end
  table.sort(copy)
  return copy
end

local function need(holds, form)
  if not holds then error("write " .. form, 0) end
end

-- (policy, a, b) or (a, b): a is served before b.
function checks.ranks_before(policy, a, b)
  if not is_policy(policy) then policy, a, b = handle.load(), policy, a end
  need(type(a) == "table" and a.queued_at and type(b) == "table" and b.queued_at,
    "assert.ranks_before(a, b) with two of fx.workload")
  local first, second = policy:keys { a }[1], policy:keys { b }[1]
  local both = policy:keys { a, b }
  local at
  for k = 1, #first do
    if not at and both[1][k] ~= both[2][k] then at = k end
  end
  if values.difference(first, both[1]) or values.difference(second, both[2]) then
    return "the keys of a job depend on what is beside it"
  end
  if at and both[1][at] > both[2][at] then return nil end
  if not at and a.created < b.created then return nil end
  local why = at and "key " .. at .. " decides: " .. values.text(both[1][at]) .. " against "
    .. values.text(both[2][at]) or "all keys are equal, and the older job goes first"
  return a.name .. " is not served before " .. b.name .. "; " .. why .. "\n"
    .. policy:describe(a, both[1]) .. "\n" .. policy:describe(b, both[2])
end

-- (policy, job) or (job), and what its reason has to contain, if that is told: it is held back.
function checks.holds(policy, job, part)
  if not is_policy(policy) then policy, job, part = handle.load(), policy, job end
  need(type(job) == "table" and job.queued_at,
    'assert.holds(job) with one of fx.workload, or assert.holds(job, "part of the reason")')
  local reason = policy:holds({ job })[1]
  if not reason then return job.name .. " is not held back" end
  if part == nil or string.find(reason, part, 1, true) then return nil end
  return job.name .. " is held back for another reason: " .. values.text(reason)
end

-- Runs one cycle: exactly these jobs are admitted in it.
function checks.admits(cluster, ...)
  need(is_cluster(cluster), 'assert.admits(cluster, "name", ...) with one of fx.cluster')
  local wanted, cycle = sorted(as_list(...)), cluster:cycle()
  if not values.difference(wanted, cycle.admitted) then return nil end
  return "the cycle admits " .. values.text(cycle.admitted) .. ", expected " .. values.text(wanted)
    .. cluster:describe(cycle)
end

-- Runs one cycle: exactly these jobs are preempted in it.
function checks.preempts_exactly(cluster, ...)
  need(is_cluster(cluster), 'assert.preempts_exactly(cluster, "name", ...) with one of fx.cluster')
  local wanted, cycle = sorted(as_list(...)), cluster:cycle()
  if not values.difference(wanted, cycle.preempted) then return nil end
  return "the cycle preempts " .. values.text(cycle.preempted) .. ", expected "
    .. values.text(wanted) .. cluster:describe(cycle)
end

-- (cluster, name): one cycle does not preempt it. (policy, preemptor, victim) or (preemptor,
-- victim): evicting it has no finite cost.
function checks.protects(first, second, third)
  if is_cluster(first) then
    local runs = false
    for _, name in ipairs(first:running()) do runs = runs or name == second end
    need(runs, "assert.protects(cluster, name) with the name of a job that runs; "
      .. values.text(second) .. " does not")
    local cycle = first:cycle()
    for _, name in ipairs(cycle.preempted) do
      if name == second then return "the cycle preempts " .. name .. first:describe(cycle) end
    end
    return nil
  end
  local policy, preemptor, victim = first, second, third
  if not is_policy(policy) then policy, preemptor, victim = handle.load(), first, second end
  need(type(preemptor) == "table" and type(victim) == "table" and victim.ran,
    'assert.protects(preemptor, victim) with fx.workload and fx.victim, or (cluster, "name")')
  local cost = policy:costs(preemptor, { victim })[1]
  if cost == math.huge then return nil end
  return victim.name .. " may be evicted, it costs " .. values.text(cost) .. "\n"
    .. policy:describe(victim, { cost })
end

return checks
