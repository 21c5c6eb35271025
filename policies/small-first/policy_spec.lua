-- small-first serves small jobs first, but no big job waits for ever.
describe("small-first", function()
  it("serves the smaller of two new jobs first", function()
    assert.same({ "small", "big" }, fx.policy():order {
      fx.workload { name = "big", gpus = 8 },
      fx.workload { name = "small", gpus = 1 },
    })
  end)

  it("puts priority before size", function()
    assert.same({ "urgent", "small" }, fx.policy():order {
      fx.workload { name = "small", gpus = 1 },
      fx.workload { name = "urgent", gpus = 64, priority = 10 },
    })
  end)

  it("lets a big job overtake once it has waited", function()
    local policy = fx.policy()
    local small = fx.workload { name = "small", gpus = 2 }
    assert.same({ "small", "big" },
      policy:order { fx.workload { name = "big", gpus = 8, waited = 2 * 3600 }, small })
    assert.same({ "big", "small" },
      policy:order { fx.workload { name = "big", gpus = 8, waited = 4 * 3600 }, small })
  end)

  it("ages as fast as its parameter says", function()
    local big = fx.workload { name = "big", gpus = 8, waited = 600 }
    local small = fx.workload { name = "small", gpus = 2 }
    assert.same({ "small", "big" }, fx.policy { aging = "5m" }:order { big, small })
    assert.same({ "big", "small" }, fx.policy { aging = "1m" }:order { big, small })
  end)

  it("measures size in the resource it is told", function()
    assert.same({ "few", "many" }, fx.policy { resource = "cpu" }:order {
      fx.workload { name = "many", request = { cpu = 32 } },
      fx.workload { name = "few", request = { cpu = 2 } },
    })
  end)

  it("lets a job of many pods overtake once it has waited", function()
    assert.same({ "many", "few" }, fx.policy():order {
      fx.workload { name = "few", pods = 2, waited = 0 },
      fx.workload { name = "many", pods = 4, waited = 2 * 3600 },
    })
  end)

  it("serves the job with fewer pods first when nothing else differs", function()
    assert.same({ "one", "four" }, fx.policy():order {
      fx.workload { name = "four", pods = 4 },
      fx.workload { name = "one", pods = 1 },
    })
  end)

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "queue" })
  end)
end)
