-- fx.cluster: the real engine in memory on a clock that only the spec moves, with the package under
-- test as its policy. What it is asked goes through host.ask_world as JSON.
local import, host = ...
local fixtures = import "fixtures"
local handle = import "handle"
local json = import "json"
local manifests = import "manifests"
local values = import "values"

local Cluster = {}
Cluster.__index = Cluster

local world = { Cluster = Cluster }

function Cluster:request(operation, fields)
  local request = fields or {}
  request.operation, request.cluster = operation, self.id
  local answer = json.decode(host.ask_world(json.encode(request)))
  if answer.error then error("fx.cluster: " .. answer.error, 0) end
  return answer
end

-- fx.cluster { gpus = 8 } is one queue `main`; queues = { NAME = { gpus = 4, cohort = "all" } } are
-- several. running and waiting take fx.victim and fx.workload, params the package's parameters;
-- policy = false leaves the engine its own rules.
function world.cluster(fields)
  if not host.ask_world then host.skip("fx.cluster needs the engine: run muster policy test") end
  fields = fields or {}
  if type(fields) ~= "table" then
    error("fx.cluster takes a table, as in fx.cluster { gpus = 8 }, not " .. values.text(fields), 0)
  end
  local self = setmetatable({ clock = fixtures.now, known = {}, package = false }, Cluster)
  local texts, generation = handle.texts("fx.cluster: params", fields.params), nil
  if fields.policy ~= false then
    self.package = handle.known(host.load(texts))
    generation = self.package.id
  elseif fields.policy == false and next(texts) then
    error("fx.cluster: params without a policy", 0)
  end
  self.id = json.decode(host.ask_world(json.encode {
    operation = "new", now = self.clock }, generation)).cluster
  local documents, queues = manifests.cluster(fields)
  self.queues = queues
  self:request("apply", { documents = documents })
  fixtures.check_list("fx.cluster: running", "fx.victim", fields.running or {})
  fixtures.check_list("fx.cluster: waiting", "fx.workload", fields.waiting or {})
  for _, v in ipairs(fields.running or {}) do fixtures.check("fx.victim", v) end
  for _, w in ipairs(fields.waiting or {}) do
    if w.ran then error("fx.cluster: " .. w.name .. " waits, so write fx.workload", 0) end
  end
  if fields.running then self:add(fields.running) end
  if fields.waiting then self:add(fields.waiting) end
  return self
end

-- New queues come before their jobs, or hook submit would not know whose they are.
function Cluster:add(jobs)
  local queues, documents = { is_list = true }, { is_list = true }
  for _, w in ipairs(jobs) do
    fixtures.check(w.ran and "fx.victim" or "fx.workload", w, self.package)
    if not self.queues[w.local_queue] then
      error("fx.cluster has no queue '" .. w.local_queue
        .. "'; write queue = \"...\" in the job", 0)
    end
    local at = w.namespace .. "/" .. w.local_queue
    if not self.known[at] then
      queues[#queues + 1] = manifests.local_queue(w.namespace, w.local_queue)
      self.known[at] = true
    end
    documents[#documents + 1] = manifests.workload(w, self.clock)
  end
  if #queues > 0 then self:request("apply", { documents = queues }) end
  self:request("apply", { documents = documents })
end

-- New jobs, by fx.workload.
function Cluster:submit(jobs)
  if type(jobs) == "table" and jobs.name then jobs = { jobs } end
  fixtures.check_list("submit", "fx.workload", jobs)
  self:add(jobs)
end

local function short(key) return (string.gsub(key, "^team/", "")) end

local function names_in(map)
  local names = {}
  for key in pairs(map) do names[#names + 1] = short(key) end
  table.sort(names)
  return names
end

-- One cycle: sorted names in .admitted, .preempted and .pending; .by: victim -> preemptor.
function Cluster:cycle(...)
  fixtures.check_none("cycle", ...)
  local answer = self:request "cycle"
  local cycle = { admitted = names_in(answer.admitted), preempted = names_in(answer.preempted),
    pending = names_in(answer.pending), by = {} }
  for key, entry in pairs(answer.preempted) do cycle.by[short(key)] = short(entry.by) end
  return cycle
end

-- Cycles, and evictions carried out, until nothing changes; what happened in all of them.
function Cluster:settle(...)
  fixtures.check_none("settle", ...)
  local all = { admitted = {}, preempted = {}, pending = {}, by = {} }
  for _ = 1, 1000 do
    local cycle = self:cycle()
    for _, list in ipairs { "admitted", "preempted" } do
      for _, name in ipairs(cycle[list]) do table.insert(all[list], name) end
    end
    for victim, by in pairs(cycle.by) do all.by[victim] = by end
    all.pending = cycle.pending
    if #cycle.preempted > 0 then self:evicted() end
    if #cycle.admitted + #cycle.preempted == 0 then return all end
  end
  error("fx.cluster does not settle: 1000 cycles, and jobs still come and go", 0)
end

-- The clock moves by "2h" or seconds; nothing else does.
function Cluster:advance(time)
  local seconds = values.seconds(time)
  if not (seconds >= 0 and seconds < math.huge) then
    error("advance goes forward; write t:advance \"2h\" instead of " .. values.text(time), 0)
  end
  self.clock = self.clock + seconds
  self:request("advance", { now = self.clock })
end

-- Jobs end.
function Cluster:finish(...)
  local keys = { is_list = true }
  for i = 1, math.max(1, select("#", ...)) do
    local name = select(i, ...)
    if type(name) ~= "string" then
      error('finish takes names; write t:finish("job") instead of ' .. values.text(name), 0)
    end
    keys[#keys + 1] = string.find(name, "/", 1, true) and name or "team/" .. name
  end
  self:request("finish", { keys = keys })
end

-- The pods of preempted jobs are gone; they queue again.
function Cluster:evicted(...)
  fixtures.check_none("evicted", ...)
  self:request "evicted"
end

-- Sorted names of the jobs that hold quota, and of those that wait.
function Cluster:running() return names_in(self:request("state").running) end
function Cluster:waiting() return names_in(self:request("state").waiting) end

function Cluster:describe(cycle)
  local text = "\n  still waiting: " .. values.text(cycle.pending) .. "\n  holding quota: "
    .. values.text(self:running())
  for victim, by in pairs(cycle.by) do text = text .. "\n  " .. by .. " preempts " .. victim end
  return text
end

return world
