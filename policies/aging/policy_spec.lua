-- aging turns waiting into priority, at a rate and up to a limit.
describe("aging", function()
  local low = fx.workload { name = "low", waited = "2h" }
  local high = fx.workload { name = "high", priority = 10 }

  it("adds one point for every step", function()
    assert.same({ { 12, -(fx.now - 7200) } }, fx.policy():keys { low })
    assert.same({ { 2, -(fx.now - 7200) } }, fx.policy { step = "1h" }:keys { low })
  end)

  it("lets waiting overtake priority", function()
    assert.ranks_before(low, high)
    assert.ranks_before(fx.policy { step = "1h" }, high, low)
  end)

  it("earns no more than most", function()
    assert.ranks_before(fx.policy { most = 9 }, high, low)
    assert.ranks_before(fx.policy { most = 11 }, low, high)
  end)

  it("serves equals in the order they came", function()
    assert.same({ "first", "second" }, fx.policy { most = 0 }:order {
      fx.workload { name = "second", waited = "1h" }, fx.workload { name = "first", waited = "2h" },
    })
  end)

  laws.order_is_total()
  laws.priority_first()
  laws.no_starvation { after = "1d" }

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "queue", params = { step = "10m" } })
  end)
end)
