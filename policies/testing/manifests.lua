-- Fixtures as Kueue's objects: what fx.cluster gives to the engine.
local import = ...
local fixtures = import "fixtures"
local values = import "values"

local manifests = {}

local kKueue = "kueue.x-k8s.io/v1beta2"
local kShort = { gpus = "nvidia.com/gpu", cpu = "cpu", memory = "memory" }
local kQueueFields = { gpus = true, cpu = true, memory = true, nominal = true, cohort = true,
  weight = true, preemption = true, flavors = true, borrow = true, lend = true, strict = true }
local kClusterFields = { queues = true, fair_sharing = true, running = true, waiting = true,
  params = true, policy = true }
for name in pairs(kQueueFields) do kClusterFields[name] = true end

local kFlavorFields = { name = true, label = true, nominal = true, gpus = true, cpu = true,
  memory = true }
-- What still is a whole number in Lua, and more than any cluster has.
local kMost = 1e15
-- What several queues may have in common.
local kForAll = { cohort = true, preemption = true }

-- Amounts and switches that a queue is given, of the right type.
local function check_queue(what, fields, known)
  fixtures.check_keys(what, fields, known)
  for name in pairs(kShort) do
    local amount = fields[name]
    if amount ~= nil and (type(amount) ~= "number" or not (amount >= 0 and amount <= kMost)) then
      error(what .. ": " .. name .. " is a number, 0 or more and at most " .. values.text(kMost)
        .. ", not " .. values.text(amount), 0)
    end
  end
end

-- Days since the epoch -> year, month, day, in the proleptic Gregorian calendar.
local function date_of(days)
  local z = days + 719468
  local era = math.floor(z / 146097)
  local doe = z - era * 146097
  local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524)
    - math.floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
  local mp = math.floor((5 * doy + 2) / 153)
  local month = mp < 10 and mp + 3 or mp - 9
  return yoe + era * 400 + (month <= 2 and 1 or 0), month, doy - math.floor((153 * mp + 2) / 5) + 1
end

function manifests.time(seconds)
  seconds = math.floor(seconds)
  local year, month, day = date_of(math.floor(seconds / 86400))
  local rest = seconds % 86400
  return string.format("%04d-%02d-%02dT%02d:%02d:%02dZ", year, month, day,
    math.floor(rest / 3600), math.floor(rest / 60) % 60, rest % 60)
end

local function quantity(amount)
  if amount % 1 == 0 then return string.format("%d", amount) end
  return string.format("%dm", math.floor(amount * 1000 + 0.5))
end

-- Amounts by resource, of the short names and of `nominal`.
local function amounts(fields)
  local result = {}
  for short, resource in pairs(kShort) do result[resource] = fields[short] end
  for resource, amount in pairs(fields.nominal or {}) do result[resource] = amount end
  return result
end

local function flavor_quota(name, fields, queue)
  local resources = { is_list = true }
  local all = amounts(fields)
  for _, resource in ipairs(values.sorted_keys(all)) do
    resources[#resources + 1] = { name = resource, nominalQuota = quantity(all[resource]),
      borrowingLimit = queue.borrow and quantity(queue.borrow) or nil,
      lendingLimit = queue.lend and quantity(queue.lend) or nil }
  end
  return { name = name, resources = resources }
end

local function preemption_of(fields)
  if fields.preemption == true then
    return { withinClusterQueue = "LowerPriority", reclaimWithinCohort = "Any" }
  end
  return fields.preemption or nil
end

local function queue(name, fields, cluster)
  check_queue("fx.cluster, queue " .. name, fields, kQueueFields)
  if fields.flavors and #fields.flavors == 0 then
    error("fx.cluster, queue " .. name
      .. ': flavors is a list; write flavors = { { name = "h100", gpus = 8 } }', 0)
  end
  for _, flavor in ipairs(fields.flavors or {}) do
    check_queue("fx.cluster, queue " .. name .. ", flavor", flavor, kFlavorFields)
  end
  for short in pairs(fields.flavors and kShort or {}) do
    if fields[short] ~= nil then
      error("fx.cluster, queue " .. name .. ": write " .. short .. " into its flavors", 0)
    end
  end
  local flavors, covered = { is_list = true }, {}
  for i, flavor in ipairs(fields.flavors or { {} }) do
    local own = fields.flavors and flavor or fields
    flavors[i] = flavor_quota(flavor.name or "default", own, fields)
    for resource in pairs(amounts(own)) do covered[resource] = true end
  end
  local resources = values.sorted_keys(covered)
  if #resources == 0 then
    error("fx.cluster, queue " .. name .. ": write gpus = 8, or cpu = 4", 0)
  end
  local weight = fields.weight and { weight = quantity(fields.weight) } or nil
  return { apiVersion = kKueue, kind = "ClusterQueue", metadata = { name = name }, spec = {
    namespaceSelector = {}, cohortName = fields.cohort or cluster.cohort,
    queueingStrategy = fields.strict and "StrictFIFO" or nil,
    preemption = preemption_of(fields) or preemption_of(cluster), fairSharing = weight,
    resourceGroups = { { coveredResources = resources, flavors = flavors } } } }
end

local function flavor_documents(queues)
  local documents, seen = {}, {}
  local function add(name, labels)
    if seen[name] then return end
    seen[name] = true
    documents[#documents + 1] = { apiVersion = kKueue, kind = "ResourceFlavor",
      metadata = { name = name }, spec = labels and { nodeLabels = labels } or nil }
  end
  for _, name in ipairs(values.sorted_keys(queues)) do
    for _, flavor in ipairs(queues[name].flavors or { {} }) do
      add(flavor.name or "default", flavor.label)
    end
  end
  return documents
end

-- Documents of a cluster, and the set of its queues' names.
function manifests.cluster(fields)
  check_queue("fx.cluster", fields, kClusterFields)
  local queues = fields.queues
  for name in pairs(queues and kQueueFields or {}) do
    if fields[name] ~= nil and not kForAll[name] then
      error("fx.cluster: with queues, write " .. name .. " into each of them", 0)
    end
  end
  if not queues then
    local main = {}
    for name in pairs(kQueueFields) do main[name] = fields[name] end
    queues = { main = main }
  end
  local documents = flavor_documents(queues)
  documents.is_list = true
  if fields.fair_sharing then
    documents[#documents + 1] = { apiVersion = "config.kueue.x-k8s.io/v1beta2",
      kind = "Configuration", fairSharing = {} }
  end
  local known = {}
  for _, name in ipairs(values.sorted_keys(queues)) do
    documents[#documents + 1] = queue(name, queues[name], fields)
    known[name] = true
  end
  return documents, known
end

function manifests.local_queue(namespace, name)
  return { apiVersion = kKueue, kind = "LocalQueue",
    metadata = { name = name, namespace = namespace }, spec = { clusterQueue = name } }
end

local function admission(w, clock)
  local since = manifests.time(clock - w.ran)
  local flavors, usage = {}, {}
  for resource, amount in pairs(w.uses) do
    flavors[resource] = w.flavor[resource] or "default"
    usage[resource] = quantity(amount)
  end
  local conditions = { is_list = true }
  for i, kind in ipairs { "QuotaReserved", "Admitted" } do
    conditions[i] = { type = kind, status = "True", lastTransitionTime = since, reason = kind,
      message = "as the fixture says" }
  end
  return { conditions = conditions, admission = { clusterQueue = w.cluster_queue,
    podSetAssignments = { { name = "main", flavors = flavors, resourceUsage = usage,
      count = w.pods } } } }
end

-- How often it lost its quota before, for `attempts` and `preemptions`.
local function evictions(w)
  local counts = { is_list = true }
  local function add(reason, count)
    if count > 0 then
      counts[#counts + 1] = { reason = reason, underlyingCause = "", count = count }
    end
  end
  add("Preempted", w.preemptions)
  add("PodsReadyTimeout", w.attempts - w.preemptions)
  return #counts > 0 and { evictions = counts } or nil
end

-- What the engine works out by itself in a cluster: given as anything else, it would be ignored.
local kDerived = { borrowing = false, borrowing_level = 0, same_queue = true, podsets = 1 }

-- fx.workload or fx.victim as it is at `clock`.
function manifests.workload(w, clock)
  for field, usual in pairs(kDerived) do
    if w[field] ~= nil and w[field] ~= usual then
      error("fx.cluster: " .. w.name .. " has " .. field .. ", which a cluster does not take; "
        .. "leave it out, or ask fx.policy()", 0)
    end
  end
  if w.queued_at ~= w.created then
    error("fx.cluster: " .. w.name .. " has queued_at, which the engine keeps by itself; write "
      .. "waited, or ask fx.policy()", 0)
  end
  if w.checkpointed and w.checkpointed ~= 0 then
    error("fx.cluster: " .. w.name .. " has a checkpoint, which a cluster does not take; leave it "
      .. "out, or ask fx.policy()", 0)
  end
  if next(w.account) or w.last_admitted ~= 0 then
    error("fx.cluster: " .. w.name .. " has " .. (next(w.account) and "account" or "last_admitted")
      .. ", which the engine keeps by itself; let jobs run with t:advance, or ask fx.policy()", 0)
  end
  local requests = {}
  for resource, amount in pairs(w.request) do requests[resource] = quantity(amount / w.pods) end
  local container = { name = "main", image = "none", resources = { requests = requests } }
  local age = fixtures.now - w.created
  local status = w.ran and admission(w, clock) or {}
  status.schedulingStats = evictions(w)
  return { apiVersion = kKueue, kind = "Workload", metadata = { name = w.name,
      namespace = w.namespace, labels = w.label,
      creationTimestamp = manifests.time(clock - math.max(age, w.ran or 0)) },
    spec = { queueName = w.local_queue, priority = w.priority,
      maximumExecutionTimeSeconds = w.max_run < math.huge and w.max_run or nil,
      podSets = { { name = "main", count = w.pods, template = { spec = {
        restartPolicy = "Never", containers = { container } } } } } },
    status = next(status) and status or nil }
end

return manifests
