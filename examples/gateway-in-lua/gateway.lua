--- A gateway in Lua: it submits jobs, acts on decisions by their numbers, and dies between two of
--- them when it is told to. What it knows after a start comes from the ledger alone.
--
--   lua gateway.lua LEDGER QUEUES.yaml [NUMBER]    dies after acting on that decision
local muster = require "muster"

local NINE = 1767258000 -- 2026-01-01T09:00:00Z
-- What a report says beside the name, which may be another job's by then. A gateway makes one for
-- each job, or takes that of the decision. Of jobs of the same second the smaller uid comes first.
local SWEEP_UID, TRAIN_UID = "2026-01-01-0001", "2026-01-01-0002"
local JOB = [[
apiVersion: batch/v1
kind: Job
metadata:
  namespace: team-a
  name: shape
  labels: {kueue.x-k8s.io/queue-name: jobs}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: main, image: none, resources: {requests: {cpu: 1}}}
]]

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

--- Here pods would be started and stopped.
local function act(decision, dies_after)
  local pods = {}
  for i, set in ipairs(decision.pod_sets) do
    pods[i] = (": %d pods on %s"):format(set.count, set.flavors.cpu)
  end
  print(("%d %s %s%s"):format(decision.number, decision.kind, decision.name, table.concat(pods)))
  io.stdout:flush()
  if decision.number == dies_after then
    os.exit(137)
  end
end

--- Decides until nothing more is decided, and acts on all of it. A decision is acknowledged when
--- the loop asks for the next one.
local function settle(engine, dies_after)
  engine:cycles(NINE)
  for decision in engine:hand_over("gateway", nil, NINE) do
    act(decision, dies_after)
  end
end

local function main(ledger, queues, dies_after)
  local engine = muster.open(ledger, { allow_time_jump = true }) -- this day is long ago
  engine:apply(read(queues), { name = queues, now = NINE })
  engine:register("gateway", { now = NINE })
  -- Saying it again after a crash changes nothing.
  local shape = muster.shape(JOB)
  engine:submit({
    { name = "team-a/sweep", shape = shape, count = 3, created = NINE, uid = SWEEP_UID },
    { name = "team-a/train", shape = shape, count = 4, created = NINE, uid = TRAIN_UID },
  }, NINE)
  settle(engine, dies_after)
  engine:finish("team-a/sweep", { now = NINE, uids = SWEEP_UID })
  print "sweep is over"
  settle(engine, dies_after)
  engine:close()
end

local ledger, queues, number = ...
if not queues then
  io.stderr:write "gateway.lua LEDGER QUEUES.yaml [NUMBER]\n"
  os.exit(1)
end
main(ledger, queues, tonumber(number))
