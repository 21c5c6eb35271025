-- What a hook sees: empty tables whose fields are read from the batch when they are asked for. One
-- set per hook, reused for every item; there is nothing to write to and nothing to keep.
local import, host = ...
local names = import "names"
local dates = import "dates"
local spans = import "params"
local charge = import "fuel".charge
local ffi = host.ffi
local fail, frame, fuel = names.fail, host.frame, host.fuel
local type, floor = type, math.floor

local views = {}

local function view(title, get_field)
  return setmetatable({}, {
    __index = get_field,
    __newindex = function(_, key)
      fail("a policy cannot write to " .. title .. ": " .. names.quoted(key),
        "keep it in a local variable")
    end,
    __metatable = false,
  })
end

-- Something that can only be passed on.
function views.closed(title)
  return view(title, function(_, key) fail(title .. " has no field " .. names.quoted(key)) end)
end

-- Reads of the current item compile to one load each, so every getter is a function of its own.
local function getter(expression)
  return assert(loadstring("local frame = ... return function() return " .. expression .. " end",
    "=prelude"))(frame)
end

-- ---- strings -------------------------------------------------------------------------------

local kCachedStrings = 256
local cache, cached = {}, 0

local function fetch(index)
  local s = frame.batch.strings[index]
  return ffi.string(s.data, s.size)
end

-- Names of jobs do not repeat.
local function new_text(index)
  local s = fetch(index)
  if #s >= 64 then charge(#s / 64) end
  return s
end

-- Queue names and labels repeat within a batch.
local function cached_text(index)
  local s = cache[index]
  if s then return s end
  s = fetch(index)
  if cached < kCachedStrings then
    cache[index], cached = s, cached + 1
  end
  return s
end

-- ---- resources -----------------------------------------------------------------------------

local slots, resources_seen = {}, 0

local function read_resources()
  for name in pairs(slots) do slots[name] = nil end
  for i = 0, frame.batch.resource_count - 1 do slots[fetch(frame.batch.resources[i])] = i end
  resources_seen = frame.resources_version
end

-- Called by the runner before the first item of a batch.
function views.begin_batch()
  fuel.begun = fuel.left + fuel.reserve
  if cached > 0 then
    cache, cached = {}, 0
  end
  if resources_seen ~= frame.resources_version then read_resources() end
end

-- An amount of a resource: `row` is an expression for the row, `member` its array.
local function amounts(title, row, member)
  local read = assert(loadstring("local frame = ... return function(slot) return " .. row .. "."
    .. member .. "[slot] end", "=prelude"))(frame)
  return view(title, function(_, resource)
    local slot = slots[resource]
    if slot then return read(slot) end
    if frame.rehearsal ~= 0 and type(resource) == "string" then return 0 end
    fail("no queue covers resource " .. names.quoted(resource), names.hint(resource, slots))
  end)
end

-- Reads what is at `slot` of an array of the row.
local function slot_getter(row, member)
  return assert(loadstring("local frame = ... return function(slot) return " .. row .. "."
    .. member .. "[slot] end", "=prelude"))(frame)
end

-- Reads string `slot` of an array of the row.
local function texts(row, member)
  local read = slot_getter(row, member)
  return function(slot) return cached_text(read(slot)) end
end

-- `read`: what it has of a label by its number; nil: its text.
local function label_view(title, row, labels, read)
  local index, text = {}, read or texts(row, "label")
  for i = 1, #labels do index[labels[i]] = i - 1 end
  return view(title, function(_, label)
    local slot = index[label]
    if slot then return text(slot) end
    fail("label " .. names.quoted(label) .. " is not declared",
      type(label) == "string" and 'add it to labels = {"' .. string.sub(label, 1, 64) .. '"}'
        or nil)
  end)
end

-- Seconds that a job is expected to run: what its label says, else its limit.
local kExpectedRun = "muster.dev/expected-run"
local function expected_run(row, labels, max_run)
  local read = texts(row, "label")
  for i = 1, #labels do
    if labels[i] == kExpectedRun then
      return function() return tonumber(read(i - 1)) or max_run() end
    end
  end
  return function()
    fail("expected_run is what the job says in a label, and the package does not declare it",
      'add it to labels = {"' .. kExpectedRun .. '"}')
  end
end

-- The accounts a package declared. `by`: the only kind of key the row has; nil: any.
local function account_view(title, row, accounts, by)
  local index = {}
  local read = assert(loadstring("local frame = ... return function(slot) return " .. row
    .. ".account[slot] end", "=prelude"))(frame)
  for i = 1, #accounts do index[accounts[i].name] = i - 1 end
  return view(title, function(_, name)
    local slot = index[name]
    if not slot then
      fail("no account " .. names.quoted(name), names.hint(name, index))
    elseif by and (accounts[slot + 1].by ~= by or #accounts[slot + 1].also > 0) then
      fail("account " .. names.quoted(name) .. " is not kept by " .. by, "declare one that is")
    end
    return read(slot)
  end)
end

local function constant(value) return function() return value end end

local function strict(title, kind, getters, reads, hook)
  return view(title, function(_, key)
    local get = getters[key]
    if get then return get() end
    fail(names.field_problem(kind, key, reads, hook))
  end)
end

-- Getters of the fields in `kind` that this hook may read; the other fields are refused by strict.
local function declared(kind, getters, reads)
  if not host.on.declared_reads then return getters end
  local allowed = {}
  for name, get in pairs(getters) do
    local input = names.fields[kind][name]
    if input == true or reads[input] then allowed[name] = get end
  end
  return allowed
end

local function not_negative(read)
  return function()
    local seconds = read()
    if seconds < 0 then return 0 end
    return seconds
  end
end

-- ---- workload ------------------------------------------------------------------------------

local kWorkloadNumbers = { "priority", "created", "queued_at", "pods", "podsets", "gpus",
  "attempts", "preemptions", "max_run", "borrowing_level" }
local kWorkloadTexts = { namespace = "namespace_", local_queue = "local_queue",
  cluster_queue = "cluster_queue" }

local function workload_getters(title, row, labels, accounts)
  local getters = {}
  for _, field in ipairs(kWorkloadNumbers) do getters[field] = getter(row .. "." .. field) end
  for field, member in pairs(kWorkloadTexts) do
    local read = getter(row .. "." .. member)
    getters[field] = function() return cached_text(read()) end
  end
  local name = getter(row .. ".name")
  getters.name = function() return new_text(name()) end
  getters.request = constant(amounts(title .. ".request", row, "request"))
  getters.label = constant(label_view(title .. ".label", row, labels))
  getters.expected_run = expected_run(row, labels, getters.max_run)
  getters.account = constant(account_view(title .. ".account", row, accounts))
  getters.last_admitted = getter(row .. ".last_admitted")
  local queue = "frame.batch.queues[" .. row .. ".node]"
  getters.share = getter("frame.batch.queues ~= nil and " .. queue .. ".native_share or 0")
  getters.usage = constant(amounts(title .. ".usage", "(frame.batch.queues ~= nil and " .. queue
    .. " or frame.batch.queue)", "usage"))
  getters.waited = not_negative(getter("frame.batch.now - " .. row .. ".queued_at"))
  return getters
end

-- A workload under the name that the hook's parameter has. `row`: an expression for its row;
-- `reads`: set of declared volatile inputs; `package`: has the labels and accounts declared.
function views.workload(title, row, kind, reads, hook, package)
  local getters = workload_getters(title, row, package.labels, package.accounts)
  return strict(title, kind, declared(kind, getters, reads), reads, hook)
end

-- A holder of quota: its row as a workload, and what it holds.
function views.victim(reads, hook, package)
  local row = "frame.holding"
  local getters = workload_getters("v", "frame.workload", package.labels, package.accounts)
  getters.reserved_at = getter(row .. ".reserved_at")
  getters.borrowing = getter(row .. ".borrowing ~= 0")
  getters.same_queue = getter(row .. ".same_queue ~= 0")
  getters.uses = constant(amounts("v.uses", row, "uses"))
  local flavor = texts(row, "flavor")
  getters.flavor = constant(view("v.flavor", function(_, resource)
    local slot = slots[resource]
    if slot then return flavor(slot) end
    if frame.rehearsal ~= 0 and type(resource) == "string" then return "" end
    fail("no queue covers resource " .. names.quoted(resource), names.hint(resource, slots))
  end))
  getters.ran = not_negative(getter("frame.batch.now - " .. row .. ".reserved_at"))
  getters.checkpointed = getter(row .. ".checkpointed")
  getters.lost_work = not_negative(getter(
    "frame.batch.now - math.max(" .. row .. ".reserved_at, " .. row .. ".checkpointed)"))
  return strict("v", "victim", declared("victim", getters, reads), reads, hook)
end

-- ---- node and flavor -----------------------------------------------------------------------

function views.node(title, row, reads, hook, package)
  local getters = {
    account = constant(account_view(title .. ".account", row, package.accounts, "clusterqueue")),
    last_admitted = getter(row .. ".last_admitted"),
    weight = getter(row .. ".weight"), depth = getter(row .. ".depth"),
    native_share = getter(row .. ".native_share"),
  }
  local name, is_cohort = getter(row .. ".name"), getter(row .. ".is_cohort ~= 0")
  getters.name = function() return cached_text(name()) end
  getters.kind = function() return is_cohort() and "Cohort" or "ClusterQueue" end
  for _, field in ipairs { "nominal", "usage", "borrowed", "lendable", "borrowed_ratio" } do
    getters[field] = constant(amounts(title .. "." .. field, row, field))
  end
  return strict(title, "node", declared("node", getters, reads), reads, hook)
end

function views.flavor(reads, hook, labels)
  local row = "frame.flavor"
  local name = getter(row .. ".name")
  return strict("f", "flavor", declared("flavor", {
    name = function() return cached_text(name()) end,
    label = constant(label_view("f.label", row, labels)),
    index = getter(row .. ".index"),
    borrowing_level = getter(row .. ".borrowing_level"),
    free = constant(amounts("f.free", row, "free")),
  }, reads), reads, hook)
end

local kDomainNumbers = { "depth", "room", "hosts", "gpus", "free_gpus" }

function views.domain(reads, hook, labels)
  local row = "frame.domain"
  local name, level = getter(row .. ".name"), getter(row .. ".level")
  local getters = {
    name = function() return new_text(name()) end,
    level = function() return cached_text(level()) end,
    label = constant(label_view("d.label", row, labels)),
    total = constant(amounts("d.total", row, "total")),
    free = constant(amounts("d.free", row, "free")),
    placed = constant(label_view("d.placed", row, labels, slot_getter(row, "placed"))),
  }
  for _, field in ipairs(kDomainNumbers) do getters[field] = getter(row .. "." .. field) end
  return strict("d", "domain", declared("domain", getters, reads), reads, hook)
end

-- ---- context -------------------------------------------------------------------------------

-- How long a number is drawn for, and a time when one such period begins. Weeks begin on Monday.
local kPeriods = { cycle = { 0, 0 }, hour = { 3600, 0 }, day = { 86400, 0 },
  week = { 604800, 345600 } }
local kShortestPeriod = "1s"
local kKnownPeriods = 64
local periods, known = {}, kKnownPeriods

local function period_of(per)
  local found = kPeriods[per] or periods[per]
  if found then return found end
  local seconds, wanted = spans.span(per, kShortestPeriod)
  if not seconds then
    fail("c.rng draws per " .. names.quoted(per) .. ", which is no period",
      'write "cycle", "hour", "day", "week" or ' .. wanted)
  end
  if known >= kKnownPeriods then
    periods, known = {}, 0
  end
  periods[per], known = { seconds, 0 }, known + 1
  return periods[per]
end

local function random(reads, hook)
  return function(stream, per)
    if type(stream) == "number" then
      charge(1)
      stream = string.format("%.17g", stream)
    end
    if type(stream) ~= "string" then
      fail("c.rng needs the name of a stream", 'write c.rng("tie") or c.rng(w.name)')
    end
    charge(#stream / 64)
    if per == nil or per == "cycle" then return frame.random(frame, stream, #stream, 0, 0) end
    if type(per) ~= "string" then
      fail("c.rng needs the name of a period", 'write c.rng("tie", "day")')
    end
    charge(2)
    if not reads.now then
      fail("'rng' per " .. names.quoted(per) .. " changes with the time, which is not declared",
        'add reads = {"now"} to ' .. hook)
    end
    local period = period_of(per)
    local length, first = period[1], period[2]
    local begin = floor((frame.batch.now - first) / length) * length + first
    return frame.random(frame, stream, #stream, length, begin)
  end
end

local function offset_at(zone, time) return frame.zone_offset(frame, zone, time) end

local kLocalFields = { year = true, month = true, day = true, hour = true, minute = true,
  weekday = true, yday = true }

local function local_view(seconds)
  local days = floor(seconds / 86400)
  local of_day = seconds - days * 86400
  local year, month, day, yday = dates.civil(days)
  local fields = { year = year, month = month, day = day, yday = yday, weekday = (days + 3) % 7 + 1,
    hour = floor(of_day / 3600), minute = floor(of_day % 3600 / 60) }
  return view("c.local_time", function(_, key)
    local value = fields[key]
    if value then return value end
    fail("no field " .. names.quoted(key), names.hint(key, kLocalFields))
  end)
end

-- What clocks show in one of the zones that the package declares. The time stands still in a batch.
local function local_time(zones)
  local shown = {}
  return function(zone)
    charge(4)
    local index = zones[zone]
    if not index then
      fail("time zone " .. names.quoted(zone) .. " is not declared",
        type(zone) == "string" and 'add it to zones = {"' .. string.sub(zone, 1, 64) .. '"}' or nil)
    end
    local now = frame.batch.now
    local last = shown[zone]
    if last and last.now == now then return last.view end
    last = { now = now, view = local_view(floor(now + (host.offset_at or offset_at)(index, now))) }
    shown[zone] = last
    return last.view
  end
end

-- Names of the resources there are: c.resources[1] to c.resources[c.resources.count].
local function resources_view()
  return view("c.resources", function(_, key)
    if key == "count" then return frame.batch.resource_count end
    if type(key) == "number" and key >= 1 and key <= frame.batch.resource_count then
      return cached_text(frame.batch.resources[key - 1])
    end
    fail("no resource " .. names.quoted(key), "read 1 to c.resources.count")
  end)
end

-- `has_queue`: the hook's batches are those of one ClusterQueue.
-- `verbs`: what c.reject does in submit, and c.hold in hold.
function views.context(reads, hook, params, has_queue, package, verbs)
  local queue = views.node("c.queue", "frame.batch.queue", reads, hook, package)
  verbs = verbs or {}
  local function no_queue()
    fail(hook .. " compares queues, so there is no c.queue", "read the item's own fields")
  end
  local getters = declared("context", {
    cycle = getter("frame.batch.cycle"),
    params = constant(params),
    queue = has_queue and constant(queue) or no_queue,
    rng = constant(random(reads, hook)),
    resources = constant(resources_view()),
    now = getter("frame.batch.now"),
    local_time = constant(local_time(package.zones)),
    reject = constant(verbs.reject or function()
      fail("c.reject is for submit; " .. hook .. " cannot refuse a job")
    end),
    hold = constant(verbs.hold or function()
      fail("c.hold is for hold; " .. hook .. " cannot hold a job back")
    end),
  }, reads)
  return strict("c", "context", getters, reads, hook)
end

function views.params(values)
  return view("c.params", function(_, key)
    local value = values[key]
    if value ~= nil then return value end
    fail("no parameter " .. names.quoted(key), names.hint(key, values))
  end)
end

return views
