-- dominant-share counts the largest borrowed part, and divides it by weight.
describe("dominant-share", function()
  local policy = fx.policy()

  it("puts a queue that borrowed less before one that borrowed more", function()
    assert.same({ "modest", "greedy" }, policy:fairest {
      fx.node { name = "greedy", borrowed = { cpu = 4 }, lendable = { cpu = 8 } },
      fx.node { name = "modest", borrowed = { cpu = 1 }, lendable = { cpu = 8 } },
    })
  end)

  it("looks at the resource of which most is borrowed", function()
    assert.same({ 500 }, policy:shares {
      fx.node { borrowed = { cpu = 1, memory = 4 }, lendable = { cpu = 8, memory = 8 } },
    })
  end)

  it("lets a heavy node borrow more", function()
    assert.same({ "heavy", "light" }, policy:fairest {
      fx.node { name = "light", borrowed = { cpu = 2 }, lendable = { cpu = 8 } },
      fx.node { name = "heavy", borrowed = { cpu = 3 }, lendable = { cpu = 8 }, weight = 2 },
    })
  end)

  it("puts a node of weight 0 behind all others once it borrows", function()
    assert.same({ "idle", "greedy", "little", "much" }, policy:fairest {
      fx.node { name = "much", borrowed = { cpu = 2 }, lendable = { cpu = 8 }, weight = 0 },
      fx.node { name = "little", borrowed = { cpu = 1 }, lendable = { cpu = 8 }, weight = 0 },
      fx.node { name = "greedy", borrowed = { cpu = 8 }, lendable = { cpu = 8 } },
      fx.node { name = "idle", weight = 0 },
    })
  end)

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "teams" })
  end)
end)
