-- minimum-run-time protects what has just begun, and nothing else.
describe("minimum-run-time", function()
  local urgent = fx.workload { name = "urgent", priority = 10, gpus = 4 }

  it("protects until the minimum has passed, and not longer", function()
    assert.protects(urgent, fx.victim { ran = "29m" })
    assert.same({ 0 }, fx.policy():costs(urgent, { fx.victim { ran = "30m" } }))
    assert.protects(fx.policy { minimum = "1h" }, urgent, fx.victim { ran = "30m" })
  end)

  it("protects jobs with many GPUs for longer, when told", function()
    local wide = fx.victim { gpus = 8, ran = "109m" }
    assert.same({ 0 }, fx.policy():costs(urgent, { wide }))
    assert.protects(fx.policy { per_gpu = "10m" }, urgent, wide)
    assert.same({ 0 },
      fx.policy { per_gpu = "10m" }:costs(urgent, { fx.victim { gpus = 8, ran = "110m" } }))
  end)

  it("makes the preemptor wait, and tries again when the minimum has passed", function()
    local cluster = fx.cluster { gpus = 4, preemption = true, waiting = { urgent },
      running = { fx.victim { name = "young", gpus = 4, ran = "25m" } } }
    assert.preempts_exactly(cluster, {})
    cluster:advance "4m"
    assert.preempts_exactly(cluster, {})
    cluster:advance "2m"
    assert.preempts_exactly(cluster, "young")
  end)

  laws.protected_is_never_a_victim { when = function(v) return v.ran < 1800 end }
  laws.no_flapping { params = { minimum = "0s" } }

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "preemption", params = { minimum = "4h" } })
  end)
end)
