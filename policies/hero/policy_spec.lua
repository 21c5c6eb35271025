-- hero lets one job through, once.
describe("hero", function()
  local label = { hero = "true" }
  local hero = fx.workload { name = "hero", gpus = 8, label = label }
  local again = fx.workload { name = "again", gpus = 8, label = label, attempts = 1 }
  local urgent = fx.workload { name = "urgent", priority = 100 }

  it("serves a hero before all others", function()
    assert.ranks_before(hero, urgent)
    assert.ranks_before(urgent, fx.workload { name = "no", label = { hero = "false" } })
  end)

  it("is for the first start only", function()
    assert.ranks_before(urgent, again)
    assert.same({ { 1, 0, -fx.now }, { 0, 0, -fx.now } }, fx.policy():keys { hero, again })
  end)

  it("serves all others by priority and age", function()
    assert.same({ "urgent", "old", "new" }, fx.policy():order {
      fx.workload { name = "new" }, fx.workload { name = "old", waited = 60 }, urgent,
    })
  end)

  it("never evicts a hero", function()
    assert.protects(urgent, fx.victim { name = "running-hero", label = label })
    assert.same({ 0 }, fx.policy():costs(urgent, { fx.victim {} }))
  end)

  it("lets a hero evict as many as it needs, others only a few", function()
    assert.same({ math.huge, math.huge }, fx.policy():limits(hero))
    assert.same({ 2, math.huge }, fx.policy():limits(again))
    assert.same({ 5, math.huge }, fx.policy { most = 5 }:limits(urgent))
  end)

  it("clears a cluster for the hero and no other", function()
    local running = {}
    for i = 1, 8 do running[i] = fx.victim { name = "run-" .. i, gpus = 1, ran = "1h" } end
    local big = fx.workload { name = "big", gpus = 8, priority = 5 }
    assert.preempts_exactly(
      fx.cluster { gpus = 8, preemption = true, running = running, waiting = { big } }, {})
    local heroic = fx.workload { name = "hero", gpus = 8, priority = 5, label = label }
    local cluster = fx.cluster { gpus = 8, preemption = true, running = running,
      waiting = { heroic } }
    assert.equal(8, #cluster:cycle().preempted)
    cluster:evicted()
    assert.admits(cluster, "hero")
  end)

  laws.order_is_total()
  laws.protected_is_never_a_victim { label = label, when = function() return true end }

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "queue", label = { train = label } })
  end)
end)
