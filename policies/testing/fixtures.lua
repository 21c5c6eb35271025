-- Jobs, victims, nodes and flavors for specs: plain tables with the fields of the views, defaults
-- for what is not given, and an error for what no view has.
local import = ...
local names = import "names"
local values = import "values"

local fixtures = {}

-- The time of every spec: 2026-01-01T12:00:00Z.
local kNow = 1767268800
fixtures.now = kNow

local function unknown(what, key, known)
  local hint = names.hint(key, known)
  error(what .. ": no field " .. names.quoted(key) .. (hint and "; " .. hint or ""), 0)
end

local function fill(what, defaults, fields, special)
  if type(fields) ~= "table" then error(what .. " takes a table, as in " .. what .. " {}", 0) end
  local result = {}
  for key, value in pairs(defaults) do result[key] = value end
  for key, value in pairs(fields) do
    if special and special[key] then
      special[key](result, value)
    elseif defaults[key] == nil then
      local known = {}
      for name in pairs(defaults) do known[name] = true end
      for name in pairs(special or {}) do known[name] = true end
      unknown(what, key, known)
    else
      result[key] = value
    end
  end
  return result
end

local kJobFields = {
  waited = function(w, value)
    local seconds = values.seconds(value)
    w.queued_at, w.created = kNow - seconds, kNow - seconds
  end,
  max_run = function(w, value) w.max_run = values.seconds(value) end,
  queue = function(w, value) w.local_queue, w.cluster_queue = value, value end,
}

local function job_defaults()
  return { name = "job", namespace = "team", local_queue = "main", cluster_queue = "main",
    priority = 0, created = kNow, queued_at = kNow, pods = 1, podsets = 1, gpus = 0, attempts = 0,
    preemptions = 0, max_run = math.huge, borrowing_level = 0, request = {}, label = {},
    account = {}, last_admitted = 0 }
end

-- A job that waits. `waited` sets when it came ("2h" or seconds), `queue` both of its queues;
-- `request`, `label` and `account` are tables; an account that is not given is 0.
function fixtures.workload(fields)
  local w = fill("fx.workload", job_defaults(), fields, kJobFields)
  w.request = fixtures.copy(w.request)
  if w.gpus > 0 and w.request["nvidia.com/gpu"] == nil then w.request["nvidia.com/gpu"] = w.gpus end
  return w
end

function fixtures.copy(list)
  local result = {}
  for key, value in pairs(list) do result[key] = value end
  return result
end

-- A job that has held quota for `ran` ("2h" or seconds), and what fx.workload takes. `uses` is what
-- it requests unless given.
function fixtures.victim(fields)
  local defaults = job_defaults()
  defaults.ran, defaults.borrowing, defaults.same_queue = 0, false, true
  defaults.uses, defaults.flavor = false, {}
  local v = fill("fx.victim", defaults, fields, kJobFields)
  v.ran = values.seconds(v.ran)
  v.request = fixtures.copy(v.request)
  if v.gpus > 0 and v.request["nvidia.com/gpu"] == nil then v.request["nvidia.com/gpu"] = v.gpus end
  v.uses = v.uses or fixtures.copy(v.request)
  return v
end

-- What a fixture was given, as text: every field that is not as usual.
function fixtures.text(item)
  local usual, shown = job_defaults(), {}
  if not item.queued_at then return values.text(item) end
  for field, value in pairs(item) do
    local empty = type(value) == "table" and next(value) == nil
    if value ~= usual[field] and not empty and value ~= false then shown[field] = value end
  end
  shown.created, shown.queued_at = nil, nil
  if item.queued_at ~= kNow then shown.waited = kNow - item.queued_at end
  return values.text(shown)
end

-- A queue or cohort. Amounts are tables by resource; the ratio of what is borrowed follows from
-- `borrowed` and `lendable`.
function fixtures.node(fields)
  local n = fill("fx.node", { name = "queue", kind = "ClusterQueue", weight = 1, depth = 1,
    native_share = 0, nominal = {}, usage = {}, borrowed = {}, lendable = {} }, fields)
  n.borrowed_ratio = {}
  for resource, amount in pairs(n.borrowed) do
    local lendable = n.lendable[resource] or 0
    n.borrowed_ratio[resource] = lendable > 0 and amount * 1000 / lendable or 0
  end
  return n
end

-- A flavor that a queue offers; `label` are labels of its nodes.
function fixtures.flavor(fields)
  return fill("fx.flavor", { name = "flavor", index = 0, borrowing_level = 0, free = {},
    label = {} }, fields)
end

return fixtures
