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
    operators = {},
    note_overflow = function() end,
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

-- A job that holds quota since `ran` seconds, and what is not given as in fx.workload.
function fx.victim(fields)
  local holding = { ran = 0, borrowing = false, same_queue = true, uses = {}, flavor = {} }
  local others = {}
  for key, value in pairs(fields) do
    if holding[key] ~= nil then holding[key] = value else others[key] = value end
  end
  local v = fx.workload(others)
  for key, value in pairs(holding) do v[key] = value end
  return v
end

-- A queue or cohort with defaults for what is not given. Amounts are tables by resource; the ratio
-- of what is borrowed follows from `borrowed` and `lendable`.
function fx.node(fields)
  local n = { name = "queue", weight = 1, depth = 1, native_share = 0, nominal = {}, usage = {},
    borrowed = {}, lendable = {} }
  for key, value in pairs(fields) do
    if n[key] == nil then error("fx.node: no field '" .. key .. "'", 2) end
    n[key] = value
  end
  n.borrowed_ratio = {}
  for resource, amount in pairs(n.borrowed) do
    n.borrowed_ratio[resource] = amount * 1000 / n.lendable[resource]
  end
  return n
end

local Policy = {}
Policy.__index = Policy

local kNumbers = { "priority", "created", "queued_at", "pods", "podsets", "gpus", "attempts",
  "preemptions", "max_run" }
local kTexts = { name = "name", namespace = "namespace_", local_queue = "local_queue",
  cluster_queue = "cluster_queue" }

local kNodeNumbers = { "weight", "depth", "native_share" }
local kNodeAmounts = { "nominal", "usage", "borrowed", "lendable", "borrowed_ratio" }

-- Interns texts and gives resources their columns; anchors keep what the batch points at alive.
local function new_builder()
  local builder = { anchors = {}, texts = {}, index_of = {}, resources = {}, slots = {} }
  function builder.intern(text)
    if not builder.index_of[text] then
      builder.texts[#builder.texts + 1] = text
      builder.index_of[text] = #builder.texts - 1
    end
    return builder.index_of[text]
  end
  function builder.fill(row, member, amounts)
    for name, amount in pairs(amounts) do
      if not builder.slots[name] then
        builder.slots[name] = #builder.resources
        builder.resources[#builder.resources + 1] = builder.intern(name)
      end
      row[member][builder.slots[name]] = amount
    end
  end
  builder.intern("")
  return builder
end

local function workload_rows(builder, workloads, labels)
  local rows = ffi.new("muster_workload[?]", #workloads)
  for i, w in ipairs(workloads) do
    local row = rows[i - 1]
    for _, field in ipairs(kNumbers) do row[field] = w[field] end
    for field, member in pairs(kTexts) do row[member] = builder.intern(w[field]) end
    builder.fill(row, "request", w.request)
    for k, name in ipairs(labels) do row.label[k - 1] = builder.intern(w.label[name] or "") end
  end
  return rows
end

local function node_rows(builder, nodes)
  local rows = ffi.new("muster_node[?]", #nodes)
  for i, n in ipairs(nodes) do
    local row = rows[i - 1]
    for _, field in ipairs(kNodeNumbers) do row[field] = n[field] end
    for _, member in ipairs(kNodeAmounts) do builder.fill(row, member, n[member]) end
    row.name = builder.intern(n.name)
  end
  return rows
end

local function holding_rows(builder, victims)
  local rows = ffi.new("muster_holding[?]", #victims)
  for i, v in ipairs(victims) do
    local row = rows[i - 1]
    row.reserved_at = kNow - v.ran
    row.borrowing, row.same_queue = v.borrowing and 1 or 0, v.same_queue and 1 or 0
    builder.fill(row, "uses", v.uses)
    for resource, flavor in pairs(v.flavor) do
      row.flavor[builder.slots[resource]] = builder.intern(flavor)
    end
  end
  return rows
end

-- The batch as the engine would build it, with `rows` as its items under `member`.
local function finish_batch(builder, count, member, rows)
  local queue = ffi.new("muster_node")
  queue.name = builder.intern("cluster")
  local strings = ffi.new("muster_string[?]", #builder.texts)
  for i, text in ipairs(builder.texts) do
    strings[i - 1].data, strings[i - 1].size = text, #text
  end
  local ids = ffi.new("unsigned int[?]", math.max(1, #builder.resources), builder.resources)
  local batch = ffi.new("muster_batch", { count = count, resource_count = #builder.resources,
    strings = strings, resources = ids, cycle = 1, now = kNow, queue = queue })
  batch[member] = rows
  builder.anchors = { rows, strings, ids, queue }
  return batch
end

-- Names of the victims that are not protected, the cheapest first; ties by name.
function Policy:cheapest(preemptor, victims)
  local builder = new_builder()
  local subject = workload_rows(builder, { preemptor }, self.labels)
  local workloads = workload_rows(builder, victims, self.labels)
  local holdings = holding_rows(builder, victims)
  local batch = finish_batch(builder, #victims, "workloads", workloads)
  batch.holdings, batch.subject = holdings, subject
  local costs, ranks, result = self:ask("victim", builder, batch, #victims), {}, {}
  for i = 1, #victims do
    if costs[i][1] < math.huge then ranks[#ranks + 1] = i end
  end
  table.sort(ranks, function(a, b)
    if costs[a][1] ~= costs[b][1] then return costs[a][1] < costs[b][1] end
    return victims[a].name < victims[b].name
  end)
  for i, rank in ipairs(ranks) do result[i] = victims[rank].name end
  self.kept = { subject, workloads, holdings }
  return result
end

-- The most victims, and the most cost, that the preemptor may cause.
function Policy:limits(preemptor)
  local builder = new_builder()
  local subject = workload_rows(builder, { preemptor }, self.labels)
  return self:ask("preempt_limits", builder, finish_batch(builder, 1, "subject", subject), 1)[1]
end

-- Asks `hook` about the batch: a list of numbers for each item.
function Policy:ask(hook, builder, batch, count)
  local frame, prepared = self.host.frame, self.hooks[hook]
  local out = ffi.new("double[?]", math.max(1, count * 3))
  self.version = self.version + 1
  frame.batch, frame.keys, frame.resources_version = batch, out, self.version
  local width = as_policy(self.strings, prepared.rehearse)
  as_policy(self.strings, prepared.bind(width))
  local rows = {}
  for i = 1, count do
    rows[i] = {}
    for k = 1, width do rows[i][k] = out[(i - 1) * width + k - 1] end
  end
  builder.anchors = nil
  return rows
end

-- Keys of every workload, one list each.
function Policy:keys(workloads)
  local builder = new_builder()
  local rows = workload_rows(builder, workloads, self.labels)
  local batch = finish_batch(builder, #workloads, "workloads", rows)
  return self:ask("queue_order", builder, batch, #workloads)
end

-- Shares of the nodes, in their order.
function Policy:shares(nodes)
  local builder = new_builder()
  local batch = finish_batch(builder, #nodes, "nodes", node_rows(builder, nodes))
  local shares = self:ask("share", builder, batch, #nodes)
  for i = 1, #nodes do shares[i] = shares[i][1] end
  return shares
end

-- Names of the nodes, who deserves most first; ties by name.
function Policy:fairest(nodes)
  local shares, ranks, result = self:shares(nodes), {}, {}
  for i = 1, #nodes do ranks[i] = i end
  table.sort(ranks, function(a, b)
    if shares[a] ~= shares[b] then return shares[a] < shares[b] end
    return nodes[a].name < nodes[b].name
  end)
  for i, rank in ipairs(ranks) do result[i] = nodes[rank].name end
  return result
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
    hooks = description, name = description.name, version = 0 }, Policy)
end

_G.fx = fx

return fx
