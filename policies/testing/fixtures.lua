-- Jobs, victims, nodes, flavors and topology domains for specs: plain tables with the fields of the
-- views, defaults for what is not given, and an error for what no view has or what contradicts
-- itself.
local import = ...
local names = import "names"
local ranges = import "ranges"
local values = import "values"

local fixtures = {}

-- The time of every spec: 2026-01-01T12:00:00Z.
local kNow = 1767268800
fixtures.now = kNow

function fixtures.copy(list)
  local result = {}
  for key, value in pairs(list) do result[key] = value end
  return result
end

-- What the tables of a fixture hold: kind of each value, by field.
local kMaps = { request = "number", uses = "number", account = "number", label = "string",
  flavor = "string", nominal = "number", usage = "number", borrowed = "number",
  borrowed_ratio = "number", lendable = "number", free = "number",
  total = "number", placed = "number" }

local function check_type(what, field, value, wanted)
  if type(value) ~= wanted then
    error(what .. ": " .. field .. " is a " .. wanted .. ", not " .. values.text(value), 0)
  end
  if value ~= value then error(what .. ": " .. field .. " is not a number", 0) end
end

local function check_value(what, field, value, usual)
  if not kMaps[field] then return check_type(what, field, value, type(usual)) end
  check_type(what, field, value, "table")
  for key, each in pairs(value) do
    if type(key) ~= "string" then
      error(what .. ": " .. field .. " is kept by name, not by " .. values.text(key), 0)
    end
    check_type(what, field .. "." .. key, each, kMaps[field])
  end
end

local function set_of(list, more)
  local known = {}
  for name in pairs(list) do known[name] = true end
  for name in pairs(more or {}) do known[name] = true end
  return known
end

-- Refuses what is no list of fixtures; one that is not in a list would be passed over.
function fixtures.check_list(call, what, items)
  if type(items) == "table" and names.is_list(items) then return end
  local one = type(items) == "table" and items.name ~= nil
  error(call .. " takes a list; write { " .. what .. " { ... } } instead of "
    .. (one and "a single one" or values.text(items)), 0)
end

-- Refuses what a call that takes nothing is given.
function fixtures.check_none(call, ...)
  if select("#", ...) == 0 then return end
  error(call .. " takes nothing; leave out " .. values.text((...)), 0)
end

-- Refuses keys of `fields` that are not in `known`, a set.
function fixtures.check_keys(what, fields, known)
  if type(fields) ~= "table" then error(what .. " takes a table, as in " .. what .. " {}", 0) end
  local wrong = {}
  for key in pairs(fields) do
    if not known[key] then wrong[key] = true end
  end
  local first = values.sorted_keys(wrong)[1]
  if first == nil then return end
  local hint = names.hint(first, known)
  error(what .. ": no field " .. names.quoted(first) .. (hint and "; " .. hint or ""), 0)
end

local function fill(what, defaults, fields, special)
  fixtures.check_keys(what, fields, set_of(defaults, special))
  local result = fixtures.copy(defaults)
  for key, value in pairs(fields) do
    if special and special[key] then
      special[key](result, value, what)
    else
      check_value(what, key, value, defaults[key])
      result[key] = value
    end
  end
  ranges.check(what, result)
  return result
end

local function past(what, field, value)
  local seconds = values.seconds(value)
  if not (seconds >= 0) then error(what .. ": " .. field .. " is 0 or more, not " .. seconds, 0) end
  return seconds
end

local kJobFields = {
  waited = function(w, value, what)
    local seconds = past(what, "waited", value)
    w.queued_at, w.created = kNow - seconds, kNow - seconds
  end,
  max_run = function(w, value, what) w.max_run = past(what, "max_run", value) end,
  queue = function(w, value, what)
    check_type(what, "queue", value, "string")
    w.local_queue, w.cluster_queue = value, value
  end,
}

local kVictimFields = fixtures.copy(kJobFields)
function kVictimFields.ran(v, value, what) v.ran = past(what, "ran", value) end
function kVictimFields.lost_work(v, value, what)
  v.checkpointed = kNow - past(what, "lost_work", value)
end

local function job_defaults()
  return { name = "job", namespace = "team", local_queue = "main", cluster_queue = "main",
    priority = 0, created = kNow, queued_at = kNow, pods = 1, podsets = 1, gpus = 0, attempts = 0,
    preemptions = 0, max_run = math.huge, borrowing_level = 0, request = {}, label = {},
    account = {}, last_admitted = 0 }
end

local function victim_defaults()
  local defaults = job_defaults()
  defaults.borrowing, defaults.same_queue, defaults.uses, defaults.flavor = false, true, {}, {}
  defaults.checkpointed = 0
  return defaults
end

local function contradiction(what, fields, problem)
  error(what .. (fields.name and " " .. values.text(fields.name) or "") .. ": " .. problem, 0)
end

-- What no job can be.
local function check_job(what, w, fields)
  if fields.waited ~= nil and (fields.created ~= nil or fields.queued_at ~= nil) then
    contradiction(what, fields, "waited sets created and queued_at; give one or the other")
  end
  if fields.created ~= nil and fields.queued_at == nil and fields.waited == nil then
    w.queued_at = w.created
  end
  if fields.queue ~= nil and (fields.local_queue ~= nil or fields.cluster_queue ~= nil) then
    contradiction(what, fields, "queue sets local_queue and cluster_queue; give one or the other")
  end
  if w.queued_at < w.created then
    contradiction(what, fields, "it is queued before it is created")
  end
  if w.preemptions > w.attempts and fields.attempts ~= nil then
    contradiction(what, fields, "it was preempted more often than it had quota, see attempts")
  end
  if w.pods < w.podsets then contradiction(what, fields, "it has more podsets than pods") end
end

-- `gpus` is the sum of what is requested of devices, or says how many of the usual ones.
local function sync_gpus(what, w, fields)
  w.request = fixtures.copy(w.request)
  local requested = 0
  for resource, amount in pairs(w.request) do
    if string.match(resource, "/gpu$") then requested = requested + amount end
  end
  if requested == 0 and w.gpus > 0 then
    w.request["nvidia.com/gpu"] = w.gpus
  elseif fields.gpus ~= nil and fields.gpus ~= requested then
    contradiction(what, fields, "gpus is " .. w.gpus .. ", but it requests " .. requested)
  else
    w.gpus = requested
  end
end

-- A job that waits. `waited` sets when it came ("2h" or seconds), `queue` both of its queues;
-- `request`, `label` and `account` are tables; an account that is not given is 0.
function fixtures.workload(fields)
  local w = fill("fx.workload", job_defaults(), fields, kJobFields)
  check_job("fx.workload", w, fields)
  sync_gpus("fx.workload", w, fields)
  return w
end

-- A job that has held quota for `ran` ("2h" or seconds), and what fx.workload takes. `uses` is what
-- it requests unless given; it is as old as its run unless said otherwise. `lost_work` says how
-- long ago its last checkpoint was.
function fixtures.victim(fields)
  local v = fill("fx.victim", victim_defaults(), fields, kVictimFields)
  v.ran = v.ran or 0
  local aged = fields.waited ~= nil or fields.created ~= nil or fields.queued_at ~= nil
  if not aged then v.created, v.queued_at = kNow - v.ran, kNow - v.ran end
  check_job("fx.victim", v, fields)
  if v.created > kNow - v.ran then
    contradiction("fx.victim", fields, "it has run for longer than it exists")
  end
  if fields.lost_work ~= nil and fields.checkpointed ~= nil then
    contradiction("fx.victim", fields, "lost_work sets checkpointed; give one or the other")
  end
  if v.ran > v.max_run then
    contradiction("fx.victim", fields, "it has run for " .. v.ran .. " s, longer than its max_run")
  end
  if v.checkpointed ~= 0 and v.checkpointed < kNow - v.ran then
    contradiction("fx.victim", fields, "its checkpoint is older than its run; see ran")
  end
  sync_gpus("fx.victim", v, fields)
  if fields.uses == nil then v.uses = fixtures.copy(v.request) end
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

local function node_defaults()
  return { name = "queue", kind = "ClusterQueue", weight = 1, depth = 1, native_share = 0,
    nominal = {}, usage = {}, borrowed = {}, lendable = {}, account = {}, last_admitted = 0 }
end

-- A queue or cohort. Amounts are tables by resource; the ratio of what is borrowed follows from
-- `borrowed` and `lendable`. Unless given, `usage` of what is borrowed is the nominal quota and
-- that on top.
function fixtures.node(fields)
  local n = fill("fx.node", node_defaults(), fields)
  if n.kind ~= "ClusterQueue" and n.kind ~= "Cohort" then
    contradiction("fx.node", fields, "kind is \"ClusterQueue\" or \"Cohort\"")
  end
  n.borrowed_ratio, n.usage = {}, fixtures.copy(n.usage)
  for _, resource in ipairs(values.sorted_keys(n.borrowed)) do
    local amount = n.borrowed[resource]
    local used = n.usage[resource] or (n.nominal[resource] or 0) + amount
    n.usage[resource] = used
    if amount > used then
      contradiction("fx.node", fields, "it borrows " .. values.text(amount) .. " " .. resource
        .. " and uses " .. values.text(used))
    end
    local lendable = n.lendable[resource] or 0
    n.borrowed_ratio[resource] = lendable > 0 and amount * 1000 / lendable or 0
  end
  return n
end

local function flavor_defaults()
  return { name = "flavor", index = 0, borrowing_level = 0, free = {}, label = {} }
end

-- A flavor that a queue offers; `label` are labels of its nodes.
function fixtures.flavor(fields)
  return fill("fx.flavor", flavor_defaults(), fields)
end

local function domain_defaults()
  return { name = "rack", level = "rack", depth = 0, room = 1, hosts = 1, gpus = 0, free_gpus = 0,
    placed = {}, total = {}, free = {}, label = {} }
end

-- A topology domain with room for a job. All of it is free unless said otherwise; `gpus` says how
-- many of the usual ones it has.
function fixtures.domain(fields)
  local d = fill("fx.domain", domain_defaults(), fields)
  d.total, d.free = fixtures.copy(d.total), fixtures.copy(d.free)
  if fields.free_gpus == nil then d.free_gpus = d.gpus end
  if d.free_gpus > d.gpus then
    contradiction("fx.domain", fields, "free_gpus is " .. d.free_gpus .. " of " .. d.gpus)
  end
  if d.gpus > 0 and fields.total == nil then d.total["nvidia.com/gpu"] = d.gpus end
  for resource, amount in pairs(d.total) do
    if d.free[resource] == nil then d.free[resource] = amount end
  end
  if d.gpus > 0 and fields.free == nil then d.free["nvidia.com/gpu"] = d.free_gpus end
  return d
end

local kItems = {
  ["fx.workload"] = set_of(victim_defaults(), { ran = true }),
  ["fx.victim"] = set_of(victim_defaults(), { ran = true }),
  ["fx.node"] = set_of(node_defaults(), { borrowed_ratio = true }),
  ["fx.flavor"] = set_of(flavor_defaults()),
  ["fx.domain"] = set_of(domain_defaults()),
}
local kMark = { ["fx.workload"] = "queued_at", ["fx.victim"] = "ran", ["fx.node"] = "nominal",
  ["fx.flavor"] = "free", ["fx.domain"] = "free_gpus" }

-- Refuses an item of a time that has not come when a hook is asked about it.
local function check_times(what, item, now)
  for _, field in ipairs { "created", "last_admitted", "queued_at" } do
    if (item[field] or 0) > now then
      contradiction(what, item, field .. " is " .. item[field] - now
        .. " s ahead of the call; ask later, with fx.policy():at \"1h\"")
    end
  end
end

-- Whether a hook may be asked about `item`: one of `what`, without a key that came in later. Labels
-- and accounts must be those that `package` declares; nil: any.
function fixtures.check(what, item, package)
  if type(item) ~= "table" or item[kMark[what]] == nil then
    error("write " .. what .. " { ... } instead of " .. values.text(item), 0)
  end
  fixtures.check_keys(what, item, kItems[what])
  ranges.check(what, item)
  if not package then return end
  if package.now then check_times(what, item, package.now) end
  local function declared(field, known, cure)
    for name in pairs(item[field] or {}) do
      if not known[name] then
        local near = names.closest(name, known)
        error(what .. " " .. values.text(item.name) .. ": " .. field .. " " .. names.quoted(name)
          .. " is not declared by the package; "
          .. (near and "did you mean '" .. near .. "'?" or cure), 0)
      end
    end
  end
  declared("label", package.known_labels, "add it to labels, or leave it out")
  declared("account", package.known_accounts, "add it to accounts, or leave it out")
end

return fixtures
