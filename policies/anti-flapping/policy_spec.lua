-- anti-flapping remembers, by the job's own count, who had to go before.
describe("anti-flapping", function()
  local urgent = fx.workload { name = "urgent", priority = 10, gpus = 4 }

  it("evicts who was evicted least often", function()
    assert.same({ "never", "once" }, fx.policy():cheapest(urgent, {
      fx.victim { name = "once", preemptions = 1, ran = "2h" },
      fx.victim { name = "never", ran = "2h" },
    }))
  end)

  it("spares who was evicted often enough", function()
    assert.protects(urgent, fx.victim { preemptions = 2, ran = "9d" })
    assert.same({ 2 },
      fx.policy { most = 3 }:costs(urgent, { fx.victim { preemptions = 2, ran = "9d" } }))
  end)

  it("spares who has just come back, not who starts for the first time", function()
    assert.protects(urgent, fx.victim { preemptions = 1, ran = "59m" })
    assert.same({ 1, 0 }, fx.policy():costs(urgent, {
      fx.victim { preemptions = 1, ran = "1h" }, fx.victim { ran = 0 } }))
    assert.protects(fx.policy { grace = "2h" }, urgent, fx.victim { preemptions = 1, ran = "1h" })
  end)

  it("ends the to and fro in a cluster", function()
    local cluster = fx.cluster { gpus = 4, preemption = true, params = { most = 3 },
      running = { fx.victim { name = "victim", gpus = 4, ran = "2h" } },
      waiting = { fx.workload { name = "first", gpus = 4, priority = 10 } } }
    assert.preempts_exactly(cluster, "victim")
    cluster:evicted()
    assert.admits(cluster, "first")
    cluster:finish "first"
    assert.admits(cluster, "victim")
    cluster:submit(fx.workload { name = "second", gpus = 4, priority = 10 })
    assert.protects(cluster, "victim")
    cluster:advance "61m"
    assert.preempts_exactly(cluster, "victim")
  end)

  laws.protected_is_never_a_victim { when = function(v) return v.preemptions >= 2 end }

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "preemption", params = { most = 1 } })
  end)
end)
