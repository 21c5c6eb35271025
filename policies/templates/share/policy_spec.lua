-- What my-policy promises: what fair sharing serves next.
local function queue(name, gpus, weight)
  return fx.node { name = name, weight = weight or 1, usage = { ["nvidia.com/gpu"] = gpus } }
end

describe("my-policy", function()
  it("serves the one that uses least", function()
    assert.same({ "idle", "busy" }, fx.policy():fairest { queue("busy", 8), queue("idle", 2) })
  end)

  it("grants twice the use for twice the weight", function()
    assert.same({ 4, 4 }, fx.policy():shares { queue("light", 4, 1), queue("heavy", 8, 2) })
  end)

  it("lets a queue of weight 0 use only what no other wants", function()
    assert.same({ 0, math.huge }, fx.policy():shares { queue("new", 0, 0), queue("old", 1, 0) })
  end)

  it("shares the resource it is told", function()
    assert.same({ 3 }, fx.policy { resource = "cpu" }:shares { fx.node { usage = { cpu = 3 } } })
  end)
end)
