-- The cases of tests/hand_over through Lua: calls that come twice, late, out of order, ...
local json = require "dkjson"

local muster = require "muster"
local support = require "support"

local FILE = json.decode(support.read "tests/hand_over/cases.json")
local NOON = 1767268800
local PHASES = {
  Pending = "pending", QuotaReserved = "reserved", Admitted = "admitted", Evicting = "evicting",
  Inactive = "inactive", Finished = "finished",
}

local Player = {}
Player.__index = Player

function Player.new(ledger)
  local made = setmetatable({ ledger = ledger, now = NOON }, Player)
  made:open()
  return made
end

function Player:open()
  self.engine = muster.open(self.ledger, { allow_time_jump = true, relaxed = true })
end

function Player:command(name, earlier)
  self.now = self.now + 1
  return self.engine:command(assert(FILE.commands[name], name), self.now - (earlier or 0))
end

--- "2 make-room team/a for team/b, stop"
function Player:lines(step)
  local lines = {}
  for i, each in ipairs(self.engine:decisions { consumer = step.to, after = step.behind }) do
    lines[i] = ("%d %s %s"):format(each.number, each.kind, each.workload)
      .. (each.by and " for " .. each.by or "") .. (each.stop and ", stop" or "")
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
  for _, case in ipairs(FILE.cases) do
    it(case.call .. " " .. case.when, function()
      local folder = support.folder()
      local player = Player.new(folder .. "/ledger")
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
    end)
  end
end)
