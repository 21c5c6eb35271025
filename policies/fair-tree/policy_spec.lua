-- fair-tree compares siblings by what they use of one resource for their weight.
describe("fair-tree", function()
  local gpu = "nvidia.com/gpu"

  it("serves the one that uses less for its weight first", function()
    assert.same({ "large", "small" }, fx.policy():fairest {
      fx.node { name = "small", usage = { [gpu] = 4 }, weight = 1 },
      fx.node { name = "large", usage = { [gpu] = 6 }, weight = 2 },
    })
  end)

  it("looks at the resource it is told, and at nothing else", function()
    assert.same({ 3 }, fx.policy { resource = "cpu" }:shares {
      fx.node { usage = { cpu = 3, [gpu] = 100 } },
    })
  end)

  it("treats use up to the floor as none", function()
    assert.same({ 0, 9 }, fx.policy { floor = "8" }:shares {
      fx.node { usage = { [gpu] = 8 } }, fx.node { usage = { [gpu] = 9 } },
    })
  end)

  it("lets weight 0 wait for all others", function()
    assert.same({ math.huge }, fx.policy():shares {
      fx.node { usage = { [gpu] = 1 }, weight = 0 },
    })
  end)

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "teams" })
  end)
end)
