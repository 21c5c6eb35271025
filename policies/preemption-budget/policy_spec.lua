-- preemption-budget counts the GPU-hours that a team destroys in a day, and stops at a limit.
describe("preemption-budget", function()
  local urgent = fx.workload { name = "urgent", priority = 10, gpus = 4, label = { team = "ops" } }

  it("charges what ends with a run, in GPU-hours", function()
    assert.same({ 16, 0 }, fx.policy():costs(urgent, {
      fx.victim { gpus = 8, ran = "2h" }, fx.victim { ran = "2h" } }))
  end)

  it("evicts the run first that has done least", function()
    assert.same({ "new", "old" }, fx.policy():cheapest(urgent, {
      fx.victim { name = "old", gpus = 1, ran = "2h" },
      fx.victim { name = "new", gpus = 1, ran = "1h" } }))
  end)

  it("limits victims, and work to what the team has left", function()
    local spent = fx.workload { gpus = 4, account = { caused = 60.5 } }
    local overdrawn = fx.workload { gpus = 4, account = { caused = 65 } }
    assert.same({ 4, 64 }, fx.policy():limits(urgent))
    assert.same({ 4, 3.5 }, fx.policy():limits(spent))
    assert.same({ 4, 0 }, fx.policy():limits(overdrawn))
    assert.same({ 1, 0.5 }, fx.policy { victims = 1, gpu_hours = 0.5 }:limits(urgent))
  end)

  local function cluster(params, ran)
    local running = {}
    for i = 1, 4 do running[i] = fx.victim { name = "run-" .. i, gpus = 1, ran = ran or "2h" } end
    return fx.cluster { gpus = 4, preemption = true, running = running, params = params }
  end
  local function evicted_by(t, job)
    t:submit(job)
    return #t:cycle().preempted
  end

  it("evicts nothing when there would be too many", function()
    assert.equal(0, evicted_by(cluster { victims = 3 }, urgent))
    assert.equal(4, evicted_by(cluster { victims = 4 }, urgent))
  end)

  it("evicts nothing when too much work would be lost", function()
    assert.equal(0, evicted_by(cluster { gpu_hours = 7.9 }, urgent))
    assert.equal(4, evicted_by(cluster { gpu_hours = 8 }, urgent))
  end)

  local function one(name, team)
    return fx.workload { name = name, priority = 10, gpus = 1, label = { team = team } }
  end

  it("remembers what each team has destroyed", function()
    local t = cluster { gpu_hours = 3 }
    assert.equal(1, evicted_by(t, one("first", "ops")), "2 of the 3 hours")
    t:evicted()
    assert.admits(t, "first")
    assert.equal(0, evicted_by(t, one("second", "ops")), "nothing costs as little as 1 hour")
    assert.equal(1, evicted_by(t, one("third", "lab")), "another team has its own 3 hours")
  end)

  it("charges a preemption before the next, also of another queue in the same cycle", function()
    local function run(queue)
      return fx.victim { name = "run-" .. queue, queue = queue, gpus = 1, ran = "2h" }
    end
    local function urgent_in(queue)
      return fx.workload { name = "urgent-" .. queue, queue = queue, gpus = 1, priority = 10,
        label = { team = "ops" } }
    end
    local t = fx.cluster { preemption = true, params = { gpu_hours = 3 },
      queues = { a = { gpus = 1, cohort = "all" }, b = { gpus = 1, cohort = "all" } },
      running = { run "a", run "b" }, waiting = { urgent_in "a", urgent_in "b" } }
    assert.equal(1, #t:cycle().preempted)
    assert.equal(0, #t:cycle().preempted)
  end)

  it("forgets it after a day", function()
    local t = cluster { gpu_hours = 2.5 }
    assert.equal(1, evicted_by(t, one("first", "ops")))
    t:evicted()
    t:settle()
    t:advance "25h"
    t:finish("run-2", "first")
    t:submit(fx.workload { name = "fresh", gpus = 2 })
    t:settle()
    t:finish "run-1"
    t:settle()
    t:advance "1h"
    assert.equal(1, evicted_by(t, one("second", "ops")))
  end)

  laws.no_flapping { priority = 0 }

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "preemption", params = { gpu_hours = 2 },
      label = { urgent = { team = "ops" } } })
  end)
end)
