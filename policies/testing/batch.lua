-- Fixtures as the engine would lay them out in memory: a muster_batch, and the texts behind it.
local import, host = ...
local fixtures = import "fixtures"
local ffi = host.ffi

local batch = {}

local kNumbers = { "priority", "created", "queued_at", "pods", "podsets", "gpus", "attempts",
  "preemptions", "max_run", "borrowing_level", "last_admitted" }
local kTexts = { name = "name", namespace = "namespace_", local_queue = "local_queue",
  cluster_queue = "cluster_queue" }
local kNodeNumbers = { "weight", "depth", "native_share", "last_admitted" }
local kNodeAmounts = { "nominal", "usage", "borrowed", "lendable", "borrowed_ratio" }
-- Resources that exist whether or not a fixture mentions them.
local kUsual = { "cpu", "memory", "nvidia.com/gpu" }

-- Interns texts and gives resources their columns; anchors keep what the batch points at alive.
function batch.new()
  local builder = { anchors = {}, texts = {}, index_of = {}, resources = {}, slots = {} }
  function builder.intern(text)
    if not builder.index_of[text] then
      builder.texts[#builder.texts + 1] = text
      builder.index_of[text] = #builder.texts - 1
    end
    return builder.index_of[text]
  end
  function builder.slot(resource)
    if not builder.slots[resource] then
      builder.slots[resource] = #builder.resources
      builder.resources[#builder.resources + 1] = builder.intern(resource)
    end
    return builder.slots[resource]
  end
  function builder.fill(row, member, amounts)
    for resource, amount in pairs(amounts) do row[member][builder.slot(resource)] = amount end
  end
  function builder.labels(row, texts, declared)
    for k, name in ipairs(declared) do row.label[k - 1] = builder.intern(texts[name] or "") end
  end
  function builder.keep(rows)
    builder.anchors[#builder.anchors + 1] = rows
    return rows
  end
  builder.intern("")
  for _, resource in ipairs(kUsual) do builder.slot(resource) end
  return builder
end

-- `package`: has the labels and the names of accounts that are declared; `what`: "fx.victim" when
-- they hold quota.
function batch.workloads(builder, workloads, package, what)
  local rows = builder.keep(ffi.new("muster_workload[?]", math.max(1, #workloads)))
  for i, w in ipairs(workloads) do
    fixtures.check(what or "fx.workload", w, package)
    local row = rows[i - 1]
    for _, field in ipairs(kNumbers) do row[field] = w[field] end
    for field, member in pairs(kTexts) do row[member] = builder.intern(w[field]) end
    builder.fill(row, "request", w.request)
    builder.labels(row, w.label, package.labels)
    for k, name in ipairs(package.accounts) do row.account[k - 1] = w.account[name] or 0 end
  end
  return rows
end

function batch.holdings(builder, victims)
  local rows = builder.keep(ffi.new("muster_holding[?]", math.max(1, #victims)))
  for i, v in ipairs(victims) do
    local row = rows[i - 1]
    row.reserved_at = fixtures.now - v.ran
    row.checkpointed = v.checkpointed
    row.borrowing, row.same_queue = v.borrowing and 1 or 0, v.same_queue and 1 or 0
    builder.fill(row, "uses", v.uses)
    for resource, flavor in pairs(v.flavor) do
      row.flavor[builder.slot(resource)] = builder.intern(flavor)
    end
  end
  return rows
end

function batch.nodes(builder, nodes, package)
  local rows = builder.keep(ffi.new("muster_node[?]", math.max(1, #nodes)))
  for i, n in ipairs(nodes) do
    fixtures.check("fx.node", n, package)
    local row = rows[i - 1]
    for k, name in ipairs(package and package.accounts or {}) do
      row.account[k - 1] = n.account[name] or 0
    end
    for _, field in ipairs(kNodeNumbers) do row[field] = n[field] end
    for _, member in ipairs(kNodeAmounts) do builder.fill(row, member, n[member]) end
    row.is_cohort = n.kind == "Cohort" and 1 or 0
    row.name = builder.intern(n.name)
  end
  return rows
end

-- Labels of nodes are the cluster's: a package reads those that it declares.
function batch.flavors(builder, flavors, declared)
  local rows = builder.keep(ffi.new("muster_flavor[?]", math.max(1, #flavors)))
  for i, f in ipairs(flavors) do
    fixtures.check("fx.flavor", f)
    local row = rows[i - 1]
    row.index, row.borrowing_level = f.index, f.borrowing_level
    row.name = builder.intern(f.name)
    builder.fill(row, "free", f.free)
    builder.labels(row, f.label, declared)
  end
  return rows
end

local kDomainNumbers = { "depth", "room", "hosts", "gpus", "free_gpus" }

-- Topology domains; labels as of flavors.
function batch.domains(builder, domains, declared)
  local rows = builder.keep(ffi.new("muster_domain[?]", math.max(1, #domains)))
  for i, d in ipairs(domains) do
    fixtures.check("fx.domain", d)
    local row = rows[i - 1]
    for _, field in ipairs(kDomainNumbers) do row[field] = d[field] end
    row.level, row.name = builder.intern(d.level), builder.intern(d.name)
    builder.fill(row, "total", d.total)
    builder.fill(row, "free", d.free)
    builder.labels(row, d.label, declared)
    for k, name in ipairs(declared) do row.placed[k - 1] = d.placed[name] or 0 end
  end
  return rows
end

-- The batch with `members` (workloads = rows, ...) as its items. `queue`: the node behind c.queue;
-- `package`: has the time and the number of the cycle.
function batch.finish(builder, count, members, queue, package)
  local node = batch.nodes(builder, { queue or fixtures.node { name = "main" } }, package)
  local strings = builder.keep(ffi.new("muster_string[?]", #builder.texts))
  for i, text in ipairs(builder.texts) do
    strings[i - 1].data, strings[i - 1].size = text, #text
  end
  local ids = builder.keep(ffi.new("unsigned int[?]", #builder.resources, builder.resources))
  local result = ffi.new("muster_batch", { count = count, resource_count = #builder.resources,
    strings = strings, resources = ids, cycle = package.cycle, now = package.now,
    queue = node })
  for member, rows in pairs(members) do result[member] = rows end
  return result
end

return batch
