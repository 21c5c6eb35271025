-- preemption-budget counts GPU-hours of lost work, and stops at a limit.
describe("preemption-budget", function()
  local urgent = fx.workload { name = "urgent", priority = 10, gpus = 4 }

  it("charges what a run would lose in GPU-hours", function()
    assert.same({ 16, 0 }, fx.policy():costs(urgent, {
      fx.victim { gpus = 8, ran = "2h" }, fx.victim { ran = "2h" } }))
  end)

  it("limits victims and work", function()
    assert.same({ 4, 64 }, fx.policy():limits(urgent))
    assert.same({ 1, 0.5 }, fx.policy { victims = 1, gpu_hours = 0.5 }:limits(urgent))
  end)

  local function cluster(params)
    local running = {}
    for i = 1, 4 do running[i] = fx.victim { name = "run-" .. i, gpus = 1, ran = "2h" } end
    return fx.cluster { gpus = 4, preemption = true, running = running, waiting = { urgent },
      params = params }
  end

  it("evicts nobody when there would be too many", function()
    assert.preempts_exactly(cluster { victims = 3 }, {})
    assert.equal(4, #cluster({ victims = 4 }):cycle().preempted)
  end)

  it("evicts nobody when too much work would be lost", function()
    assert.preempts_exactly(cluster { gpu_hours = 7.9 }, {})
    assert.equal(4, #cluster({ gpu_hours = 8 }):cycle().preempted)
  end)

  laws.no_flapping { priority = 0 }

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "preemption", params = { gpu_hours = 2 } })
  end)
end)
