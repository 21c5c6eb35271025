-- The cases of tests/hand_over through Lua: calls that come twice, late, out of order, ... Each is
-- played by commands as data, and by the functions of an engine.
local json = require "dkjson"

local muster = require "muster"
local support = require "support"

local FILE = json.decode(support.read "tests/hand_over/cases.json")
local NOON = support.NOON
local PHASES = {
  Pending = "pending", QuotaReserved = "reserved", Admitted = "admitted", Evicting = "evicting",
  Inactive = "inactive", Finished = "finished",
}

--- Namespace and name of a key of a command.
local function named(key)
  return key.namespace .. "/" .. key.name
end

local function all_named(command)
  local names = {}
  for i, key in ipairs(command.workloads) do
    names[i] = named(key)
  end
  return names
end

--- The podsets of a command's workload, as a manifest has them.
local function shape_of(workload)
  local sets = {}
  for i, each in ipairs(workload.podSets) do
    local containers = {}
    for j, one in ipairs(each.pods.containers) do
      containers[j] = { name = one.name, resources = { requests = one.requests } }
    end
    sets[i] = {
      name = each.name, count = each.count,
      template = { spec = { containers = containers } },
    }
  end
  return muster.shape(json.encode {
    apiVersion = "kueue.x-k8s.io/v1beta2", kind = "Workload",
    metadata = { namespace = "team", name = "shape" },
    spec = { queueName = workload.queue, podSets = sets },
  })
end

--- What `engine` answers to a command that is carried out by the function for it.
local TYPED = {}

function TYPED.submit(engine, command, now)
  local jobs = {}
  for i, each in ipairs(command.workloads) do
    jobs[i] = {
      name = named(each.key), shape = shape_of(each), queue = each.queue,
      priority = each.priority, uid = each.uid,
    }
  end
  local created, objects = engine:submit(jobs, now), {}
  for i = 1, #jobs do
    objects[i] = i <= created and "created" or "unchanged"
  end
  return { objects = objects }
end

function TYPED.cycle(engine, _, now)
  local ran = engine:cycle(now)
  local function list(count)
    return count == 0 and {} or { count .. " of them" }
  end
  return { admitted = list(ran.admitted), preempted = list(ran.preempted), atRest = ran.at_rest }
end

function TYPED.ready(engine, command, now)
  return engine:ready(all_named(command), { now = now, uids = command.uids, runs = command.runs })
end

function TYPED.finish(engine, command, now)
  return engine:finish(all_named(command), { now = now, uids = command.uids, runs = command.runs })
end

function TYPED.evicted(engine, command, now)
  return engine:evicted(all_named(command), now, command.uids, command.runs)
end

function TYPED.cancel(engine, command, now)
  return engine:cancel(all_named(command), now, command.uids, command.runs)
end

function TYPED.evict(engine, command, now)
  return engine:evict(named(command.workload), command.reason, now, command.uid,
    command.run)
end

function TYPED.update(engine, command, now)
  return engine:update(named(command.workload),
    { priority = command.priority, uid = command.uid, run = command.run, now = now })
end

function TYPED.check(engine, command, now)
  local phase = engine:check(named(command.workload), command.check, command.state:lower(), "",
    now, command.uid, command.run)
  for word, each in pairs(PHASES) do
    if each == phase then
      return { phase = word }
    end
  end
end

TYPED["register-consumer"] = function(engine, command, now)
  local acknowledged, last = engine:register(command.consumer, { after = command.after, now = now })
  return { acknowledged = acknowledged, last = last }
end

function TYPED.acknowledge(engine, command, now)
  local acknowledged, last = engine:acknowledge(command.consumer, command.upto, now)
  return { acknowledged = acknowledged, last = last }
end

TYPED["remove-consumer"] = function(engine, command, now)
  return engine:remove(command.consumer, now)
end

local Player = {}
Player.__index = Player

function Player.new(ledger, typed)
  local made = setmetatable({ ledger = ledger, now = NOON, typed = typed }, Player)
  made:open()
  return made
end

function Player:open()
  self.engine = muster.open(self.ledger, { allow_time_jump = true, relaxed = true })
end

function Player:command(name, earlier)
  self.now = self.now + 1
  local command = assert(FILE.commands[name], name)
  -- Objects alone come as commands in both.
  if self.typed and command.command ~= "apply" then
    return TYPED[command.command](self.engine, command, self.now - (earlier or 0))
  end
  return self.engine:command(command, self.now - (earlier or 0))
end

--- "2 make-room team/a for team/b, stop", and of another than the first run: ", run 2"
function Player:lines(step)
  local lines = {}
  for i, each in ipairs(self.engine:decisions { consumer = step.to, after = step.behind }) do
    lines[i] = ("%d %s %s"):format(each.number, each.kind, each.workload)
      .. (each.by and " for " .. each.by or "") .. (each.stop and ", stop" or "")
      .. (each.run ~= 1 and ", run " .. each.run or "")
  end
  return lines
end

function Player:play(step)
  if step.restart then
    local before = self.engine:state_hash()
    self.engine:close()
    self:open()
    assert.equal(before, self.engine:state_hash())
  elseif step.phase then
    assert.equal(PHASES[step.phase], self.engine:phase("team/" .. step.of))
  elseif step.told then
    local lines = self:lines(step)
    assert.same(support.plain(step.told), lines)
  else
    local answer = self:command(step["do"], step.earlier)
    for field, value in pairs(step.gives or {}) do
      assert.same(support.plain(value), support.plain(answer[field]))
    end
  end
end

function Player:step(step)
  if not step.refused then
    return self:play(step)
  end
  local done, refusal = pcall(self.play, self, step)
  assert.is_false(done, "was not refused")
  assert.equal(step.refused, refusal.code)
  assert.truthy(refusal.message:find(step.says, 1, true), refusal.message)
end

describe("handing over", function()
  assert(#FILE.cases > 50)
  local function play(case, typed)
    return function()
      local folder = support.folder()
      local player = Player.new(folder .. "/ledger", typed)
      player:command "objects"
      player:command "register gateway"
      for _, command in ipairs(case.given) do
        player:command(command)
      end
      for _, step in ipairs(case.steps) do
        player:step(step)
      end
      player.engine:check_invariants()
      player.engine:close()
      support.remove(folder)
    end
  end
  for _, case in ipairs(FILE.cases) do
    it(case.call .. " " .. case.when, play(case, false))
    it(case.call .. " " .. case.when .. ", typed", play(case, true))
  end
end)
