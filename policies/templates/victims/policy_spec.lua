-- What my-policy promises: what a preemption evicts.
local preemptor = fx.workload { name = "urgent", priority = 10 }

describe("my-policy", function()
  it("evicts the run that has done the least", function()
    assert.same({ "new", "old" }, fx.policy():cheapest(preemptor, {
      fx.victim { name = "old", ran = 7200 },
      fx.victim { name = "new", ran = 3600 },
    }))
  end)

  it("counts the GPUs that a run holds", function()
    assert.same({ "long", "wide" }, fx.policy():cheapest(preemptor, {
      fx.victim { name = "wide", ran = 3600, gpus = 8 },
      fx.victim { name = "long", ran = 7200, gpus = 2 },
    }))
  end)

  it("counts a run without GPUs like one with a single GPU", function()
    assert.same({ 900, 900 }, fx.policy():costs(preemptor, {
      fx.victim { ran = 900 }, fx.victim { ran = 900, gpus = 1 },
    }))
  end)

  it("spares runs within their grace", function()
    assert.same({ "older" }, fx.policy { grace = "5m" }:cheapest(preemptor, {
      fx.victim { name = "young", ran = 299 },
      fx.victim { name = "older", ran = 300 },
    }))
  end)

  it("makes room with it in a cluster", function()
    local cluster = fx.cluster { gpus = 8, preemption = true,
      running = {
        fx.victim { name = "old", gpus = 4, ran = "2h" },
        fx.victim { name = "new", gpus = 4, ran = "1h" },
      },
      waiting = { fx.workload { name = "urgent", gpus = 4, priority = 10 } } }
    assert.preempts_exactly(cluster, "new")
  end)

  laws.protected_is_never_a_victim { when = function(v) return v.ran < 600 end }
  laws.no_flapping { priority = 0, params = { grace = "0s" } }
end)
