-- Lets busted run policy_spec.lua files without the engine:
--   busted --lua=luajit --helper=policies/testing/busted_shim.lua policies/NAME
-- It starts the same prelude the engine uses, so views are as strict and names as blocked as there;
-- only fuel is not counted. Specs get one global, `fx`.
local ffi = require "ffi"

local function folder_of(path) return path:match("^(.*)/[^/]*$") or "." end
local here = folder_of(debug.getinfo(1, "S").source:sub(2))
local policies = folder_of(here)

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local function declarations(path)
  return (read(path):match("/%* cdef begin %*/(.*)/%* cdef end %*/"))
end

-- ---- the prelude, once per package -----------------------------------------------------------

local declared = false
local fuel_type

local function declare()
  if declared then return end
  ffi.cdef(declarations(policies .. "/../engine/include/muster/batch_abi.h"))
  ffi.cdef(declarations(policies .. "/../bindings/luajit/call_frame.h"))
  fuel_type = ffi.metatype("muster_fuel", { __call = function() error("out of fuel", 0) end })
  declared = true
end

local on = setmetatable({}, { __index = function() return true end })

-- The string metatable is the process's here: busted needs its own again between calls.
local busted_strings = getmetatable("").__index
local function as_policy(strings, run, ...)
  getmetatable("").__index = strings
  local results = { pcall(run, ...) }
  getmetatable("").__index = busted_strings
  if not results[1] then error(results[2], 0) end
  return unpack(results, 2)
end

local function start()
  declare()
  local host = { ffi = ffi, frame = ffi.new("muster_call"), fuel = fuel_type(2 ^ 30),
    on = setmetatable({ string_metatable = false }, { __index = on }),
    chunk = "@policy.lua", policy = "policy.lua" }
  host.frame.power = ffi.cast("double (*)(double, double)", ffi.C.pow)
  host.frame.random = ffi.cast("double (*)(const muster_call*, const char*, unsigned int)",
    function(_, stream, size) return #ffi.string(stream, size) % 8 / 8 end)
  local loaded = {}
  local function import(name)
    if loaded[name] == nil then
      loaded[name] = assert(loadfile(policies .. "/prelude/" .. name .. ".lua"))(import, host)
    end
    return loaded[name]
  end
  return import, host
end
pcall(ffi.cdef, "double pow(double, double);")

-- ---- fixtures --------------------------------------------------------------------------------

local fx = {}

local kNow = 1767268800 -- 2026-01-01T12:00:00Z

-- A workload with defaults for what is not given. `waited` sets queued_at; `label` and `request`
-- are tables.
function fx.workload(fields)
  local w = { name = "job", namespace = "team", local_queue = "queue", cluster_queue = "cluster",
    priority = 0, created = kNow, queued_at = kNow, pods = 1, podsets = 1, gpus = 0, attempts = 0,
    preemptions = 0, max_run = math.huge, request = {}, label = {} }
  for key, value in pairs(fields) do
    if key == "waited" then
      w.queued_at, w.created = kNow - value, kNow - value
    elseif w[key] == nil then
      error("fx.workload: no field '" .. key .. "'", 2)
    else
      w[key] = value
    end
  end
  return w
end

local Policy = {}
Policy.__index = Policy

local kNumbers = { "priority", "created", "queued_at", "pods", "podsets", "gpus", "attempts",
  "preemptions", "max_run" }
local kTexts = { name = "name", namespace = "namespace_", local_queue = "local_queue",
  cluster_queue = "cluster_queue" }

-- The batch as the engine would build it; `anchors` keeps its memory alive.
local function build_batch(workloads, labels)
  local anchors, texts, index_of = {}, {}, {}
  local function intern(text)
    if not index_of[text] then
      texts[#texts + 1] = text
      index_of[text] = #texts - 1
    end
    return index_of[text]
  end
  intern("")
  local resources, slots = {}, {}
  for _, w in ipairs(workloads) do
    for name in pairs(w.request) do
      if not slots[name] then
        slots[name] = #resources
        resources[#resources + 1] = intern(name)
      end
    end
  end
  local rows = ffi.new("muster_workload[?]", #workloads)
  for i, w in ipairs(workloads) do
    local row = rows[i - 1]
    for _, field in ipairs(kNumbers) do row[field] = w[field] end
    for field, member in pairs(kTexts) do row[member] = intern(w[field]) end
    for name, amount in pairs(w.request) do row.request[slots[name]] = amount end
    for k, name in ipairs(labels) do row.label[k - 1] = intern(w.label[name] or "") end
  end
  local strings = ffi.new("muster_string[?]", #texts)
  for i, text in ipairs(texts) do
    strings[i - 1].data, strings[i - 1].size = text, #text
  end
  local ids = ffi.new("unsigned int[?]", math.max(1, #resources), resources)
  local batch = ffi.new("muster_batch", { count = #workloads, resource_count = #resources,
    workloads = rows, strings = strings, resources = ids, cycle = 1, now = kNow,
    cluster_queue = intern("cluster") })
  anchors[1], anchors[2], anchors[3], anchors[4] = rows, strings, ids, texts
  return batch, anchors
end

-- Keys of every workload, one list each.
function Policy:keys(workloads)
  local batch, anchors = build_batch(workloads, self.labels)
  local frame = self.host.frame
  local out = ffi.new("double[?]", math.max(1, #workloads * 3))
  self.version = self.version + 1
  frame.batch, frame.keys, frame.resources_version = batch, out, self.version
  local width = as_policy(self.strings, self.hook.rehearse)
  as_policy(self.strings, self.hook.bind(width))
  local rows = {}
  for i = 1, #workloads do
    rows[i] = {}
    for k = 1, width do rows[i][k] = out[(i - 1) * width + k - 1] end
  end
  anchors[1] = nil
  return rows
end

-- Names in the order the queue would be served: keys, then creation, then name.
function Policy:order(workloads)
  local rows, ranks, result = self:keys(workloads), {}, {}
  for i = 1, #workloads do ranks[i] = i end
  table.sort(ranks, function(a, b)
    for k = 1, #rows[a] do
      if rows[a][k] ~= rows[b][k] then return rows[a][k] > rows[b][k] end
    end
    if workloads[a].created ~= workloads[b].created then
      return workloads[a].created < workloads[b].created
    end
    return workloads[a].name < workloads[b].name
  end)
  for i, rank in ipairs(ranks) do result[i] = workloads[rank].name end
  return result
end

-- Loads the package whose folder holds the running spec. `params`: texts, as in a PolicyBinding.
function fx.policy(params)
  local folder = folder_of(debug.getinfo(2, "S").source:sub(2))
  local import, host = start()
  local main = import "main"
  local chunk = assert(loadstring(read(folder .. "/policy.lua"), "@policy.lua"))
  local libraries = import("sandbox").libraries
  local description = as_policy(libraries.string, main.load, chunk, params or {})
  for _, problem in ipairs(description.problems) do
    error(folder .. "/policy.lua: " .. problem.what .. "; " .. problem.cure, 2)
  end
  return setmetatable({ host = host, labels = description.labels, strings = libraries.string,
    hook = description.queue_order, name = description.name, version = 0 }, Policy)
end

_G.fx = fx

return fx
