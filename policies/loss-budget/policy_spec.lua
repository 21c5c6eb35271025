-- loss-budget counts what each team has lost, and leaves alone what has lost enough.
describe("loss-budget", function()
  local function run(team, fields)
    fields.label = { team = team }
    return fx.victim(fields)
  end
  local function urgent(name, gpus)
    return fx.workload { name = name, gpus = gpus, priority = 10 }
  end

  it("charges a run as a part of what its team has left", function()
    assert.same({ 0.5, 1, 0, 0.5 }, fx.policy():costs(urgent("u", 1), {
      run("a", { gpus = 1, ran = "10h" }),
      run("b", { gpus = 2, ran = "5h", account = { lost = 10 } }),
      run("c", { ran = "5h" }),
      run("d", { gpus = 1, ran = "15m", account = { lost = 19.5 } }),
    }))
    assert.same({ 0.25 },
      fx.policy { gpu_hours = 40 }:costs(urgent("u", 1), { run("a", { gpus = 1, ran = "10h" }) }))
  end)

  it("leaves alone a team that has lost enough", function()
    assert.protects(urgent("u", 1), run("a", { gpus = 1, ran = 0, account = { lost = 20 } }))
    assert.protects(urgent("u", 1), run("a", { gpus = 1, ran = 0, account = { lost = 21 } }))
    assert.protects(fx.policy { gpu_hours = 0 }, urgent("u", 1), run("a", { gpus = 1, ran = 1 }))
  end)

  it("takes with one preemption no more than a team has left", function()
    assert.same({ math.huge, 1 }, fx.policy():limits(urgent("u", 4)))
    local function cluster(ran)
      return fx.cluster { gpus = 4, preemption = true, waiting = { urgent("u", 4) }, running = {
        run("a", { name = "one", gpus = 2, ran = ran }),
        run("a", { name = "two", gpus = 2, ran = ran }) } }
    end
    assert.preempts_exactly(cluster "5h", "one", "two")
    assert.preempts_exactly(cluster "5.1h", {})
  end)

  local function two_teams()
    return fx.cluster { gpus = 3, preemption = true, running = {
      run("a", { name = "a-1", gpus = 1, ran = "12h" }),
      run("a", { name = "a-2", gpus = 1, ran = "12h" }),
      run("b", { name = "b-1", gpus = 1, ran = "13h" }) } }
  end

  it("remembers for a day what each team has lost", function()
    local t = two_teams()
    t:submit(urgent("first", 1))
    assert.equal("a", string.sub(t:cycle().preempted[1], 1, 1))
    t:evicted()
    assert.admits(t, "first")
    t:submit(urgent("second", 1))
    assert.preempts_exactly(t, "b-1")
    t:evicted()
    assert.admits(t, "second")
    t:submit(urgent("third", 1))
    assert.preempts_exactly(t, {})
  end)

  it("forgets it after a day", function()
    local t = two_teams()
    t:submit(urgent("first", 1))
    t:cycle()
    t:evicted()
    assert.admits(t, "first")
    t:advance "25h"
    t:finish("first", "b-1")
    t:submit(fx.workload { name = "fresh", gpus = 1, label = { team = "a" } })
    t:settle()
    assert.equal(0, #t:waiting())
    t:advance "10h"
    t:submit(urgent("second", 1))
    assert.equal(1, #t:cycle().preempted, "10 of 20 hours; with the 12 of yesterday too many")
  end)

  it("charges a preemption before the next, also of another queue in the same cycle", function()
    local function in_queue(queue, job)
      job.local_queue, job.cluster_queue = queue, queue
      return job
    end
    local t = fx.cluster { preemption = true,
      queues = { x = { gpus = 1, cohort = "all" }, y = { gpus = 1, cohort = "all" } },
      running = { in_queue("x", run("a", { name = "a-1", gpus = 1, ran = "12h" })),
        in_queue("y", run("a", { name = "a-2", gpus = 1, ran = "12h" })) },
      waiting = { in_queue("x", urgent("first", 1)), in_queue("y", urgent("second", 1)) } }
    assert.equal(1, #t:cycle().preempted)
    assert.equal(0, #t:cycle().preempted)
  end)

  laws.no_flapping { priority = 0 }
  laws.protected_is_never_a_victim { params = { gpu_hours = 0 },
    when = function() return true end }

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "preemption", params = { gpu_hours = 2 },
      label = { train = { team = "models" }, sweep = { team = "tuners" } } })
  end)
end)
