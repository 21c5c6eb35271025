-- dominant-resource-fairness compares the resource that each uses most of.
describe("dominant-resource-fairness", function()
  local policy = fx.policy()

  it("puts the queue that uses a smaller part of its main resource first", function()
    assert.same({ "gpus", "memory" }, policy:fairest {
      fx.node { name = "memory", usage = { memory = 60 },
        lendable = { ["nvidia.com/gpu"] = 10, memory = 100 } },
      fx.node { name = "gpus", usage = { ["nvidia.com/gpu"] = 4 },
        lendable = { ["nvidia.com/gpu"] = 10, memory = 100 } },
    })
  end)

  it("leaves out what no queue has to lend", function()
    assert.same({ 1 }, policy:shares {
      fx.node { usage = { cpu = 1, memory = 5 }, lendable = { cpu = 1, memory = 0 } },
    })
  end)

  it("counts what is within quota too", function()
    assert.same({ 0.25 }, policy:shares {
      fx.node { usage = { cpu = 2 }, nominal = { cpu = 4 }, lendable = { cpu = 8 } },
    })
  end)

  it("divides by the weight, and lets weight 0 use nothing", function()
    assert.same({ "idle", "heavy", "light", "none" }, policy:fairest {
      fx.node { name = "light", usage = { cpu = 2 }, lendable = { cpu = 8 } },
      fx.node { name = "heavy", usage = { cpu = 3 }, lendable = { cpu = 8 }, weight = 2 },
      fx.node { name = "none", usage = { cpu = 1 }, lendable = { cpu = 8 }, weight = 0 },
      fx.node { name = "idle", weight = 0 },
    })
  end)

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "teams" })
  end)
end)
