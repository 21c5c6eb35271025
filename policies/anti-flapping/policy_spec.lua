-- anti-flapping remembers, by the job's own count, how often it was evicted.
describe("anti-flapping", function()
  local urgent = fx.workload { name = "urgent", priority = 10, gpus = 4 }

  it("evicts the job that was evicted least often", function()
    assert.same({ "never", "once" }, fx.policy():cheapest(urgent, {
      fx.victim { name = "once", preemptions = 1, ran = "2h" },
      fx.victim { name = "never", ran = "2h" },
    }))
  end)

  it("spares a job that was evicted often enough", function()
    assert.protects(urgent, fx.victim { preemptions = 2, ran = "9d" })
    assert.same({ 2 },
      fx.policy { most = 3 }:costs(urgent, { fx.victim { preemptions = 2, ran = "9d" } }))
  end)

  it("spares what has just come back, not what starts for the first time", function()
    assert.protects(urgent, fx.victim { preemptions = 1, ran = "59m" })
    assert.same({ 1, 0 }, fx.policy():costs(urgent, {
      fx.victim { preemptions = 1, ran = "1h" }, fx.victim { ran = 0 } }))
    assert.protects(fx.policy { grace = "2h" }, urgent, fx.victim { preemptions = 1, ran = "1h" })
  end)

  it("ends the to and fro in a cluster", function()
    local cluster = fx.cluster { gpus = 4, preemption = true,
      running = { fx.victim { name = "victim", gpus = 4, ran = "2h" } } }
    local function evict_by(urgent_job)
      cluster:submit(fx.workload { name = urgent_job, gpus = 4, priority = 10 })
      assert.preempts_exactly(cluster, "victim")
      cluster:evicted()
      assert.admits(cluster, urgent_job)
      cluster:finish(urgent_job)
      assert.admits(cluster, "victim")
    end
    evict_by "first"
    cluster:submit(fx.workload { name = "early", gpus = 4, priority = 10 })
    assert.protects(cluster, "victim")
    cluster:finish "early"
    cluster:advance "61m"
    evict_by "second"
    cluster:advance "9d"
    cluster:submit(fx.workload { name = "third", gpus = 4, priority = 10 })
    assert.protects(cluster, "victim")
  end)

  it("knows what happened before the cluster began", function()
    local cluster = fx.cluster { gpus = 4, preemption = true,
      running = { fx.victim { name = "victim", gpus = 4, ran = "9d", preemptions = 2 } },
      waiting = { fx.workload { name = "urgent", gpus = 4, priority = 10 } } }
    assert.protects(cluster, "victim")
  end)

  laws.protected_is_never_a_victim { when = function(v) return v.preemptions >= 2 end }

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "preemption", params = { most = 1 } })
  end)
end)
