-- What a hook sees: empty tables whose fields are read from the batch when they are asked for. One
-- set per hook, reused for every item; there is nothing to write to and nothing to keep.
local import, host = ...
local names = import "names"
local ffi = host.ffi
local fail, frame = names.fail, host.frame
local type = type

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
  if cached > 0 then
    cache, cached = {}, 0
  end
  if resources_seen ~= frame.resources_version then read_resources() end
end

-- ---- workload ------------------------------------------------------------------------------

local workload_getters = {}
for _, field in ipairs { "priority", "created", "queued_at", "pods", "podsets", "gpus", "attempts",
  "preemptions", "max_run" } do
  workload_getters[field] = getter("frame.workload." .. field)
end
workload_getters.name = function() return fetch(frame.workload.name) end
workload_getters.namespace = function() return cached_text(frame.workload.namespace_) end
workload_getters.local_queue = function() return cached_text(frame.workload.local_queue) end
workload_getters.cluster_queue = function() return cached_text(frame.workload.cluster_queue) end

local waited = getter("frame.batch.now - frame.workload.queued_at")

local function request_view()
  return view("w.request", function(_, resource)
    local slot = slots[resource]
    if slot then return frame.workload.request[slot] end
    if frame.rehearsal ~= 0 and type(resource) == "string" then return 0 end
    fail("no queue covers resource " .. names.quoted(resource), names.hint(resource, slots))
  end)
end

local function label_view(labels)
  local index = {}
  for i = 1, #labels do index[labels[i]] = i - 1 end
  return view("w.label", function(_, label)
    local slot = index[label]
    if slot then return cached_text(frame.workload.label[slot]) end
    fail("label " .. names.quoted(label) .. " is not declared",
      type(label) == "string" and 'add it to labels = {"' .. string.sub(label, 1, 64) .. '"}'
        or nil)
  end)
end

local function strict(title, kind, getters, reads, hook)
  return view(title, function(_, key)
    local get = getters[key]
    if get then return get() end
    fail(names.field_problem(kind, key, reads, hook))
  end)
end

-- `reads`: set of declared volatile inputs; `labels`: list of declared labels.
function views.workload(reads, hook, labels)
  local getters = {}
  for name, get in pairs(workload_getters) do getters[name] = get end
  local request, label = request_view(), label_view(labels)
  getters.request = function() return request end
  getters.label = function() return label end
  if reads.now or not host.on.declared_reads then
    getters.waited = function()
      local seconds = waited()
      if seconds < 0 then return 0 end
      return seconds
    end
  end
  return strict("w", "workload", getters, reads, hook)
end

-- ---- context -------------------------------------------------------------------------------

local function random(stream)
  if type(stream) == "number" then stream = string.format("%.17g", stream) end
  if type(stream) ~= "string" then
    fail("c.rng needs the name of a stream", 'write c.rng("tie") or c.rng(w.name)')
  end
  return frame.random(frame, stream, #stream)
end

function views.context(reads, hook, params)
  local queue = strict("c.queue", "queue", {
    name = function() return cached_text(frame.batch.cluster_queue) end,
  }, reads, hook)
  local getters = {
    cycle = getter("frame.batch.cycle"),
    params = function() return params end,
    queue = function() return queue end,
    rng = function() return random end,
  }
  if reads.now or not host.on.declared_reads then getters.now = getter("frame.batch.now") end
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
