-- fifo-priority serves by priority, then by arrival, and looks at nothing else.
describe("fifo-priority", function()
  local policy = fx.policy()

  it("serves the higher priority first", function()
    assert.same({ "high", "low" }, policy:order {
      fx.workload { name = "low", priority = 1, waited = 3600 },
      fx.workload { name = "high", priority = 2 },
    })
  end)

  it("serves equals in the order they arrived", function()
    assert.same({ "first", "second", "third" }, policy:order {
      fx.workload { name = "third", waited = 10 },
      fx.workload { name = "first", waited = 30 },
      fx.workload { name = "second", waited = 20 },
    })
  end)

  it("does not look at the size", function()
    assert.same({ "big", "small" }, policy:order {
      fx.workload { name = "small", gpus = 1, waited = 10 },
      fx.workload { name = "big", gpus = 64, waited = 20 },
    })
  end)

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "queue" })
  end)
end)
