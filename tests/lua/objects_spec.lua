-- Single objects, and reports of a ledger.
local muster = require "muster"
local support = require "support"

local NOON = support.NOON
local QUEUES = support.QUEUES

local function job(cpu)
  return ([[
apiVersion: batch/v1
kind: Job
metadata: {namespace: team-a, name: train, labels: {kueue.x-k8s.io/queue-name: jobs}}
spec:
  parallelism: 3
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: main, image: none, resources: {requests: {cpu: %s}}}
]]):format(cpu)
end

local function refused(code, call, ...)
  local done, refusal = pcall(call, ...)
  assert.is_false(done, "was not refused")
  assert.equal(code, type(refusal) == "table" and refusal.code or refusal)
  return refusal.message
end

describe("an object", function()
  local engine, folder

  before_each(function()
    folder = support.folder()
    engine = muster.open(folder .. "/ledger", { allow_time_jump = true, relaxed = true })
    engine:apply(QUEUES, { now = NOON })
  end)

  after_each(function()
    engine:close()
    support.remove(folder)
  end)

  it("changes its values", function()
    engine:apply(job "1", { now = NOON })
    engine:update("team-a/job-train", {
      priority = -7, counts = { main = 2 }, reclaimable = {}, now = NOON,
    })
    local spec = engine:get("workloads", { namespace = "team-a", name = "job-train" }).spec
    assert.same({ -7, 2 }, { spec.priority, spec.podSets[1].count })
    engine:update("team-a/job-train", { active = false, now = NOON })
    assert.equal("inactive", engine:phase "team-a/job-train")
    engine:update("team-a/job-train", { active = true, now = NOON })
    assert.equal("pending", engine:phase "team-a/job-train")
    assert.is_false(pcall(engine.update, engine, "team-a/job-train", { priority = 2 ^ 31 }))
    assert.is_false(pcall(engine.update, engine, "team-a/job-train", { counts = { main = -1 } }))
    refused("NotFound", engine.update, engine, "team-a/other", { priority = 1, now = NOON })
    refused("InvalidArgument", engine.update, engine, "team-a/job-train",
      { open_gates = { "none" }, now = NOON })
  end)

  it("is advised about", function()
    assert.same({}, engine:advise(job "1"))
    local advice = engine:advise(job "1000", { name = "large.yaml" })
    assert.equal(1, #advice)
    assert.truthy(advice[1].place:find("large.yaml:", 1, true), advice[1].place)
    refused("InvalidArgument", engine.advise, engine, "kind: Job")
  end)

  it("has pods", function()
    engine:apply(job "500m", { now = NOON })
    assert.same({ { name = "main", requests = { cpu = "500m" } } },
      support.plain(engine:pod_requests "team-a/job-train"))
    refused("FailedPrecondition", engine.pod_set_updates, engine, "team-a/job-train")
    engine:cycles(NOON)
    assert.equal("main", engine:pod_set_updates("team-a/job-train")[1].name)
  end)

  it("goes", function()
    refused("FailedPrecondition", engine.delete, engine, "cq", "team-a-cq", { now = NOON })
    engine:delete("LocalQueue", "team-a/jobs", { now = NOON })
    engine:delete("cq", "team-a-cq", { force = true, now = NOON })
    assert.truthy(refused("NotFound", engine.delete, engine, "cq", "team-a-cq", { now = NOON }))
  end)

  it("has times and reports", function()
    assert.equal(NOON, engine:last_time())
    engine:check_time(NOON + 60)
    engine:apply(job "1", { now = NOON })
    engine:cycles(NOON)
    local ledger = folder .. "/ledger"
    local said = muster.report("usage", { db = ledger, ["until"] = "2026-01-01T13:00:00Z" })
    assert.equal(3 * 3600 * 1000, said.rows[1].nominalSeconds)
    local events = muster.report("ledger export", { db = ledger, limit = 1 })
    assert.equal("table", type(events[1]))
    local described = muster.report("describe",
      { arguments = { "workload", "team-a/job-train" }, db = ledger })
    assert.equal("table", type(described))
    local message = refused("InvalidArgument", muster.report, "apply", { db = ledger })
    assert.truthy(message:find("usage", 1, true), message)
  end)
end)
