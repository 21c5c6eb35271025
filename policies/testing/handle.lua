-- What fx.policy() returns: the package under test with its parameters, ready to be asked about
-- fixtures. Ties are broken as the engine breaks them, by creation and name.
local import, host = ...
local batch = import "batch"
local fixtures = import "fixtures"
local json = import "json"
local values = import "values"
local ffi = host.ffi

local Policy = {}
Policy.__index = Policy

local handle = { Policy = Policy }

-- A parameter as a PolicyBinding has it.
function handle.text(value)
  return type(value) == "table" and json.encode(value) or tostring(value)
end

-- Parameters by name as texts. `call`: whose they are, in a message.
function handle.texts(call, params)
  local texts = {}
  if params ~= nil and type(params) ~= "table" then
    error(call .. ' takes parameters by name, as in { limit = "1h" }, not ' .. values.text(params),
      0)
  end
  for name, value in pairs(params or {}) do texts[name] = handle.text(value) end
  return texts
end

-- `params`: name -> text, as in a PolicyBinding; numbers, booleans, lists and maps are taken, too.
function handle.load(params)
  local self = handle.known(host.load(handle.texts("fx.policy", params)))
  self.params, self.now, self.cycle = params or {}, fixtures.now, 1
  return setmetatable(self, Policy)
end

-- Adds what fixtures for this package may have: labels that it declares or keeps accounts by, and
-- its accounts.
function handle.known(package)
  package.known_labels, package.known_accounts = {}, {}
  for _, list in ipairs { package.labels, package.account_labels } do
    for _, name in ipairs(list) do package.known_labels[name] = true end
  end
  for _, name in ipairs(package.accounts) do package.known_accounts[name] = true end
  return package
end

-- The same policy at another time, "2h" or seconds after that of all fixtures.
function Policy:at(time)
  local later, seconds = fixtures.copy(self), values.seconds(time)
  if not (seconds >= 0 and seconds < math.huge) then
    error("at goes forward from fx.now; write :at \"2h\" instead of " .. values.text(time), 0)
  end
  later.now = fixtures.now + seconds
  return setmetatable(later, Policy)
end

-- The same policy in another cycle: c.cycle is its number, and c.rng draws anew in each.
function Policy:in_cycle(number)
  if type(number) ~= "number" or number < 1 or number % 1 ~= 0 then
    error("in_cycle takes the number of a cycle, from 1, not " .. values.text(number), 0)
  end
  local other = fixtures.copy(self)
  other.cycle = number
  return setmetatable(other, Policy)
end

-- Asks `hook` about the batch: a list of numbers for each item.
function Policy:ask(hook, builder, count, members, queue)
  if not self.hooks[hook] then error("the package does not define " .. hook, 0) end
  local built = batch.finish(builder, count, members, queue, self)
  local out = ffi.new("double[?]", math.max(1, count * 3))
  local reasons = host.ask(self, hook, built, count, out)
  local rows, width = {}, self.hooks[hook]
  for i = 1, count do
    rows[i] = {}
    for k = 1, width do rows[i][k] = out[(i - 1) * width + k - 1] end
  end
  builder.anchors = nil
  return rows, reasons
end

-- Keys of every workload, one list each. `queue`: an fx.node, what c.queue shows.
function Policy:keys(workloads, queue)
  fixtures.check_list(":keys", "fx.workload", workloads)
  local builder = batch.new()
  local rows = batch.workloads(builder, workloads, self)
  return self:ask("queue_order", builder, #workloads, { workloads = rows }, queue)
end

-- The same for the first jobs of several queues, asked by cycle_order.
function Policy:head_keys(workloads)
  fixtures.check_list(":heads", "fx.workload", workloads)
  local builder = batch.new()
  local rows = batch.workloads(builder, workloads, self)
  return self:ask("cycle_order", builder, #workloads, { workloads = rows })
end

-- Why each of the jobs is held back, and until when: lists of reasons and of times in seconds after
-- that of all fixtures, false for those that are not held and where it is not known.
function Policy:holds(workloads, queue)
  fixtures.check_list(":holds", "fx.workload", workloads)
  local builder = batch.new()
  local rows, reasons = self:ask("hold", builder, #workloads,
    { workloads = batch.workloads(builder, workloads, self) }, queue)
  local why, till = {}, {}
  for i, row in ipairs(rows) do
    why[i] = reasons[row[1]] or false
    till[i] = row[1] > 0 and row[2] < math.huge and row[2] - fixtures.now or false
  end
  return why, till
end

-- Indices by keys, larger first; ties by `less`.
local function ranked(rows, less)
  local ranks = {}
  for i = 1, #rows do ranks[i] = i end
  table.sort(ranks, function(a, b)
    for k = 1, #rows[a] do
      if rows[a][k] ~= rows[b][k] then return rows[a][k] > rows[b][k] end
    end
    return less(a, b)
  end)
  return ranks
end

local function names_of(items, ranks)
  local result = {}
  for i, rank in ipairs(ranks) do result[i] = items[rank].name end
  return result
end

local function by_age(items)
  return function(a, b)
    if items[a].created ~= items[b].created then return items[a].created < items[b].created end
    if items[a].name ~= items[b].name then return items[a].name < items[b].name end
    return a < b
  end
end

local function by_name(items)
  return function(a, b)
    if items[a].name ~= items[b].name then return items[a].name < items[b].name end
    return a < b
  end
end

-- Names in the order the queue would be served.
function Policy:order(workloads, queue)
  return names_of(workloads, ranked(self:keys(workloads, queue), by_age(workloads)))
end

-- Names of first jobs in the order their queues would decide.
function Policy:heads(workloads)
  return names_of(workloads, ranked(self:head_keys(workloads), by_age(workloads)))
end

-- Shares of the nodes, in their order.
function Policy:shares(nodes)
  fixtures.check_list(":shares", "fx.node", nodes)
  local builder = batch.new()
  local rows = self:ask("share", builder, #nodes, { nodes = batch.nodes(builder, nodes, self) })
  for i = 1, #nodes do rows[i] = rows[i][1] end
  return rows
end

-- Names of the nodes, the one that deserves most first.
function Policy:fairest(nodes)
  local rows = self:shares(nodes)
  for i = 1, #rows do rows[i] = { -rows[i] } end
  return names_of(nodes, ranked(rows, by_name(nodes)))
end

-- What evicting each victim for the preemptor would cost; math.huge: protected.
function Policy:costs(preemptor, victims, queue)
  fixtures.check_list(":costs", "fx.victim", victims)
  local builder = batch.new()
  local rows = self:ask("victim", builder, #victims, {
    subject = batch.workloads(builder, { preemptor }, self),
    workloads = batch.workloads(builder, victims, self, "fx.victim"),
    holdings = batch.holdings(builder, victims),
  }, queue)
  for i = 1, #victims do rows[i] = rows[i][1] end
  return rows
end

-- Names of the victims that are not protected, the cheapest first.
function Policy:cheapest(preemptor, victims, queue)
  local costs, rows, left = self:costs(preemptor, victims, queue), {}, {}
  for i = 1, #victims do
    if costs[i] < math.huge then
      rows[#rows + 1], left[#left + 1] = { -costs[i] }, victims[i]
    end
  end
  return names_of(left, ranked(rows, by_name(left)))
end

-- What is added to the priority of each workload, in their order; holders may be among them.
function Policy:boosts(workloads, queue)
  fixtures.check_list(":boosts", "fx.workload", workloads)
  local builder = batch.new()
  local rows = self:ask("boost", builder, #workloads,
    { workloads = batch.workloads(builder, workloads, self) }, queue)
  for i = 1, #workloads do rows[i] = rows[i][1] end
  return rows
end

-- The most victims, and the most cost, that the preemptor may cause.
function Policy:limits(preemptor, queue)
  local builder = batch.new()
  local rows = self:ask("preempt_limits", builder, 1,
    { subject = batch.workloads(builder, { preemptor }, self) }, queue)[1]
  return { rows[1], rows[2] or math.huge }
end

-- Names of the flavors in the order they would be tried for the workload, without those that are
-- not for it now.
function Policy:flavors(workload, flavors, queue)
  fixtures.check_list(":flavors", "fx.flavor", flavors)
  local builder = batch.new()
  local rows = self:ask("flavor_order", builder, #flavors, {
    subject = batch.workloads(builder, { workload }, self),
    flavors = batch.flavors(builder, flavors, self.labels),
  }, queue)
  local left, keys = {}, {}
  for i, flavor in ipairs(flavors) do
    if rows[i][1] > -math.huge then left[#left + 1], keys[#keys + 1] = flavor, rows[i] end
  end
  return names_of(left, ranked(keys, function(a, b) return a < b end))
end

-- Scores of the domains for the workload, in their order.
function Policy:scores(workload, domains, queue)
  local builder = batch.new()
  local rows = self:ask("domain_order", builder, #domains, {
    subject = batch.workloads(builder, { workload }, self),
    domains = batch.domains(builder, domains, self.labels),
  }, queue)
  for i = 1, #domains do rows[i] = rows[i][1] end
  return rows
end

-- Names of the domains, the one that is wanted most first; ties as given.
function Policy:domains(workload, domains, queue)
  local rows = self:scores(workload, domains, queue)
  for i = 1, #rows do rows[i] = { rows[i] } end
  return names_of(domains, ranked(rows, function(a, b) return a < b end))
end

-- "big: keys 1, 0, -8" and the view, for a failing assertion.
function Policy.describe(_, item, keys)
  local texts = {}
  for i, key in ipairs(keys) do texts[i] = values.text(key) end
  return "  " .. item.name .. ": keys " .. table.concat(texts, ", ") .. " of "
    .. fixtures.text(item)
end

return handle
