-- What my-policy promises: the order it puts jobs into.
describe("my-policy", function()
  local small = fx.workload { name = "small", gpus = 1 }
  local big = fx.workload { name = "big", gpus = 8 }

  it("serves the smaller job first", function()
    assert.ranks_before(small, big)
  end)

  it("puts priority before size", function()
    assert.ranks_before(fx.workload { name = "urgent", gpus = 8, priority = 10 }, small)
  end)

  it("lets no job wait for ever", function()
    local old = fx.workload { name = "old", gpus = 8, waited = "1h" }
    assert.ranks_before(small, old)
    assert.ranks_before(fx.policy { patience = "1h" }, old, small)
  end)

  it("serves those that are late in the order they came", function()
    assert.same({ "first", "second" }, fx.policy { patience = "1h" }:order {
      fx.workload { name = "second", gpus = 1, waited = "61m" },
      fx.workload { name = "first", gpus = 8, waited = "62m" },
    })
  end)

  it("admits the smaller one when there is room for one", function()
    assert.admits(fx.cluster { gpus = 8, waiting = { big, small } }, "small")
  end)

  laws.order_is_total()
  laws.priority_first()
  laws.no_starvation { after = "2d" }
end)
