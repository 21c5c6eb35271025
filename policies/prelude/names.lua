-- Every name a policy may use, and what to say about any other. The sandbox and the views raise
-- these texts when a policy runs; `muster policy check` reports the same ones without running it.
local import = ...
local charge = import "fuel".charge

local names = {}

-- Fields of each view. A string value is the volatile input that must be in the hook's `reads`.
names.fields = {
  workload = {
    name = true, namespace = true, local_queue = true, cluster_queue = true, priority = true,
    created = true, queued_at = true, pods = true, podsets = true, request = true, gpus = true,
    attempts = true, preemptions = true, max_run = true, label = true, waited = "now",
    expected_run = true,
    account = "account", last_admitted = "last_admitted", share = "share", usage = "usage",
  },
  context = {
    cycle = true, params = true, queue = true, rng = true, resources = true, reject = true,
    hold = true, now = "now", local_time = "now",
  },
  node = {
    name = true, kind = true, weight = true, depth = true, nominal = true, usage = "usage",
    borrowed = "borrowed", borrowed_ratio = "borrowed", lendable = "lendable",
    native_share = "native_share", account = "account", last_admitted = "last_admitted",
  },
  flavor = {
    name = true, label = true, index = true, free = "free", borrowing_level = "borrowing_level",
  },
  domain = {
    name = true, level = true, depth = true, label = true, hosts = true, total = true, gpus = true,
    room = "free", free = "free", free_gpus = "free", placed = "placed",
  },
}

-- What a head in cycle_order and a holder of quota have beyond being a workload.
local function extended(fields, more)
  for name, rule in pairs(fields) do more[name] = rule end
  return more
end
names.fields.entry = extended(names.fields.workload, { borrowing_level = true })
names.fields.victim = extended(names.fields.workload, {
  reserved_at = true, flavor = true, uses = true, borrowing = true, same_queue = true, ran = "now",
  checkpointed = true, lost_work = "now",
})

-- Volatile inputs that `reads` may list.
names.reads = {
  now = true, usage = true, borrowed = true, lendable = true, native_share = true, free = true,
  borrowing_level = true, account = true, last_admitted = true, share = true, placed = true,
}

-- The views each hook gets, in the order of its parameters.
names.hooks = {
  submit = { "workload", "context" },
  queue_order = { "workload", "context" },
  cycle_order = { "entry", "context" },
  share = { "node", "context" },
  flavor_order = { "workload", "flavor", "context" },
  preempt_limits = { "workload", "context" },
  victim = { "victim", "workload", "context" },
  hold = { "workload", "context" },
  boost = { "workload", "context" },
  domain_order = { "domain", "workload", "context" },
}

-- What to write instead of walking through a view.
names.no_list = "name the fields you need; for i = 1, c.resources.count goes through c.resources"

-- Why a well-known name is missing, or what to use instead.
names.blocked = {
  _G = "name what you need", collectgarbage = "remove it; memory is the host's concern",
  coroutine = "write a loop", debug = "remove it", dofile = "write the code in this file",
  ffi = "a policy sees only its arguments", gcinfo = "remove it",
  getfenv = "use locals and parameters", getmetatable = "use a plain table",
  io = "a policy sees only its arguments", jit = "remove it",
  load = "write the code in this file", loadfile = "write the code in this file",
  loadstring = "write the code in this file", module = "end the file with return { api = 1, ... }",
  newproxy = "use a plain table", package = "write the code in this file",
  rawget = "index the table", rawset = "assign to the table",
  require = "write the function in this file", setfenv = "use locals and parameters",
  setmetatable = "use a plain table", xpcall = "use pcall",
  next = "use pairs, which is sorted",
  os = "a policy sees only its arguments",
  ["os.time"] = "time comes only from c.now", ["os.clock"] = "time comes only from c.now",
  ["os.date"] = "time comes only from c.now and c.local_time(zone)",
  print = "return what you want to see as a key",
  ["math.pow"] = "use muster.pow or muster.sq",
  ["math.random"] = "use c.rng(stream)", ["math.randomseed"] = "use c.rng(stream)",
  ["string.dump"] = "remove it",
  ["string.gmatch"] = "patterns are not available; use muster.glob",
  ["string.gsub"] = "patterns are not available; use muster.glob",
  ["string.match"] = "patterns are not available; use muster.glob",
  ["table.foreach"] = "use pairs", ["table.foreachi"] = "use ipairs",
  ["table.getn"] = "use #t", ["table.maxn"] = "use #t", ["table.move"] = "write a loop",
}
for _, library in ipairs { "coroutine", "debug", "ffi", "io", "jit", "os", "package" } do
  names.blocked[library .. ".*"] = names.blocked[library]
end

-- Names that other languages have for what Lua and views call otherwise: what to write.
names.foreign = {
  int = "write math.floor(x)", float = "every number has a fraction; leave it out",
  str = "write tostring(x)", len = "write #x", abs = "write math.abs(x)",
  max = "write math.max(a, b)", min = "write math.min(a, b)", floor = "write math.floor(x)",
  ceil = "write math.ceil(x)", sqrt = "write math.sqrt(x)", exp = "write math.exp(x)",
  log = "write math.log(x)", round = "write math.floor(x + 0.5)", trunc = "write math.floor(x)",
  ["math.round"] = "write math.floor(x + 0.5)", ["math.trunc"] = "write math.floor(x)",
  ["math.clamp"] = "write muster.clamp(x, low, high)", ["string.split"] = "write muster.split",
  pow = "write muster.pow(a, b)", clamp = "write muster.clamp(x, low, high)",
  hash = "write muster.hash(text)", sort = "write table.sort(t)",
  sorted = "write table.sort(t), which sorts it in place", range = "write for i = 1, n do",
  null = "write nil", None = "write nil", undefined = "write nil", NULL = "write nil",
  True = "write true", False = "write false", TRUE = "write true", FALSE = "write false",
  inf = "write math.huge", Infinity = "write math.huge", infinity = "write math.huge",
  pi = "write math.pi", rand = "write c.rng(stream)", random = "write c.rng(stream)",
  now = "write c.now", time = "write c.now", params = "write c.params.NAME",
  label = "write w.label.NAME", labels = "write w.label.NAME",
}

local function label_named(name)
  return 'declare labels = {"' .. name .. '"} and read label["' .. name .. '"] of it'
end

-- Fields that a job's view does not have under this name: what to read.
names.meant = {
  user = label_named "muster.dev/user", owner = label_named "muster.dev/user",
  queue = "read local_queue or cluster_queue", cohort = "read cluster_queue, or c.queue",
  cpu = "read request.cpu", mem = "read request.memory", memory = "read request.memory",
  size = "read gpus, pods or request.cpu", id = "read namespace and name",
  uid = "read namespace and name", age = "read waited", wait = "read waited",
  submitted = "read created", retries = "read attempts", evictions = "read preemptions",
  runtime = "read max_run", duration = "read max_run", walltime = "read max_run",
  started = "read reserved_at, which victims have", elapsed = "read ran, which victims have",
  ran = "victims have it; a job that waits has not run", now = "read c.now",
  params = "read c.params", rng = "write c.rng(stream)", cycle = "read c.cycle",
}
for _, label in ipairs { "team", "project", "department", "tier", "stage", "deadline" } do
  names.meant[label] = label_named(label)
end

local function distance(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local cost = string.byte(a, i) == string.byte(b, j) and 0 or 1
      local best = math.min(row[j] + 1, row[j - 1] + 1, diagonal + cost)
      diagonal, row[j] = row[j], best
    end
  end
  return row[#b]
end

-- The key of `known` nearest to `wanted`; of two as near the one that begins alike, then the first
-- in alphabetical order.
function names.closest(wanted, known)
  if type(wanted) ~= "string" or #wanted > 64 then return nil end
  local sorted = {}
  for name in pairs(known) do
    if type(name) == "string" then sorted[#sorted + 1] = name end
  end
  table.sort(sorted)
  charge(#wanted * #sorted / 4)
  local best, best_distance = nil, math.max(2, math.floor(#wanted / 3)) + 1
  for _, name in ipairs(sorted) do
    local d = distance(wanted, name)
    if string.byte(name) ~= string.byte(wanted) then d = d + 0.5 end
    if d < best_distance and d < #name then best, best_distance = name, d end
  end
  return best
end

local function quoted(name)
  if type(name) == "string" then return "'" .. string.sub(name, 1, 64) .. "'" end
  if type(name) == "number" then return tostring(name) end
  return "of type " .. type(name)
end
names.quoted = quoted

local kMostListed = 32

-- "did you mean 'x'?", or what there is when nothing is near and the list is short.
function names.hint(wanted, known)
  local near = names.closest(wanted, known)
  if near then return "did you mean '" .. near .. "'?" end
  local sorted = {}
  for name in pairs(known) do
    if type(name) == "string" then sorted[#sorted + 1] = name end
  end
  table.sort(sorted)
  if #sorted == 0 then return "there are none" end
  if #sorted > kMostListed then return nil end
  return "there are " .. table.concat(sorted, ", ")
end

-- Whether the table has nothing but the places from 1 to their number.
function names.is_list(list)
  local count, highest = 0, 0
  for key in next, list do
    if type(key) ~= "number" or key < 1 or key % 1 ~= 0 then return false end
    count, highest = count + 1, math.max(highest, key)
  end
  return count == highest
end

-- Whether it is letters and digits, with _, . and - between them, `most` at most.
local function is_word(text, most)
  return #text <= most and string.match(text, "^%w[%w_.-]*$") ~= nil
    and string.match(text, "%w$") ~= nil
end

-- Whether a label of a job can have this name: "tier", "example.com/tier".
function names.is_label(text)
  if type(text) ~= "string" or #text > 317 then return false end
  local prefix, name = string.match(text, "^([^/]*)/([^/]*)$")
  if prefix then
    if #prefix > 253 then return false end
    for part in string.gmatch(prefix .. ".", "([^.]*)%.") do
      if not string.match(part, "^[a-z0-9]") or not string.match(part, "^[a-z0-9-]*[a-z0-9]$") then
        return false
      end
    end
  end
  return is_word(name or text, 63)
end

-- Whether a label of a job can have this value.
function names.is_label_value(text)
  return text == "" or type(text) == "string" and is_word(text, 63)
end
names.label_value_cure = "write up to 63 letters, digits, -, _ and ., or nothing"

-- Whether an object can have this name, or a reference to one. As the engine, which lets capitals
-- and underscores pass.
function names.is_object(text)
  return type(text) == "string" and is_word(text, 253) and not string.find(text, "..", 1, true)
end

-- What to write for a label.
names.label_cure = "write up to 63 letters, digits, -, _ and ., as in tier or example.com/tier"

local kNative = { cpu = true, memory = true, ["ephemeral-storage"] = true, storage = true,
  pods = true }

-- What is wrong with the name of a resource, and what to write; nil: nothing. Those without a
-- domain are those that Kubernetes itself knows; devices have one.
function names.resource_problem(resource)
  if kNative[resource] or string.match(resource, "^hugepages%-%w+$") then return nil end
  if string.match(resource, "^[%w%.%-]+%.[%w%-]+/[%w%.%-_]+$") then return nil end
  local near = names.closest(resource, kNative)
  if string.find(resource, "gpu", 1, true) then near = "nvidia.com/gpu" end
  return "there is no resource " .. quoted(resource),
    near and "did you mean '" .. near .. "'?"
    or "resources are cpu, memory, ... or have a domain, as in nvidia.com/gpu"
end

-- As resource_problem, of what is written now: nvidia.com/gpus is a slip of the pen. A package
-- that a ledger has may say so.
function names.new_resource_problem(resource)
  if string.match(resource, "^nvidia%.com/gpu%l$") then
    return "there is no resource " .. quoted(resource), "did you mean 'nvidia.com/gpu'?"
  end
  return names.resource_problem(resource)
end

-- What is wrong with reading field `key` of a view in a hook that declares `reads`; nil: nothing.
function names.field_problem(view, key, reads, hook)
  local fields = names.fields[view]
  local field = fields[key]
  if field == nil then
    local meant = fields.priority and names.meant[key] or nil
    return "no field " .. quoted(key), meant or names.hint(key, fields)
  end
  if field ~= true and not reads[field] then
    return "'" .. key .. "' changes by itself and is not declared",
      'add reads = {"' .. field .. '"} to ' .. hook
  end
  return nil
end

-- The inputs that something in the views of `hook` changes with; `c.queue` is a node.
function names.inputs(hook)
  local inputs = {}
  for _, view in ipairs(names.hooks[hook]) do
    local node = view == "context" and names.fields.node or nil
    for _, fields in ipairs { names.fields[view], node } do
      for _, input in next, fields do
        if input ~= true then inputs[input] = true end
      end
    end
  end
  return inputs
end

-- What is wrong with the global `key`, or with `library.key`; nil: nothing.
function names.global_problem(key, globals)
  if globals[key] ~= nil then return nil end
  local cure = names.blocked[key]
  if cure then return "blocked function: " .. key, cure end
  cure = names.foreign[key]
  if cure then return "undefined name " .. quoted(key), cure end
  local near = names.closest(key, globals)
  return "undefined name " .. quoted(key),
    near and "did you mean '" .. near .. "'?" or "declare it with local"
end

function names.library_problem(library, key, contents)
  if contents and rawget(contents, key) ~= nil then return nil end
  local full = library .. "." .. string.sub(tostring(key), 1, 64)
  local cure = names.blocked[full] or names.blocked[library .. ".*"]
  if cure then return "blocked function: " .. full, cure end
  return "no function '" .. full .. "'", names.foreign[full] or names.hint(key, contents or {})
end

-- Raises `what; cure`. Level 0: the host puts the policy's own line in front.
function names.fail(what, cure)
  error(cure and (what .. "; " .. cure) or what, 0)
end

return names
