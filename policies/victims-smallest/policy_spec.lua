-- victims-smallest orders what a preemption evicts by what it holds.
describe("victims-smallest", function()
  local urgent = fx.workload { name = "urgent", priority = 10, gpus = 4 }

  it("evicts the job with fewer GPUs first", function()
    assert.same({ "none", "small", "big" }, fx.policy():cheapest(urgent, {
      fx.victim { name = "big", gpus = 8 },
      fx.victim { name = "small", gpus = 1 },
      fx.victim { name = "none" },
    }))
  end)

  it("measures the resource it is told", function()
    assert.same({ 3, 1 }, fx.policy { resource = "cpu" }:costs(urgent, {
      fx.victim { gpus = 1, request = { cpu = 3 } },
      fx.victim { gpus = 8, request = { cpu = 1 } },
    }))
  end)

  laws.no_flapping { priority = 0 }

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "preemption" })
  end)
end)
