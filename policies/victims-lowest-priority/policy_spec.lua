-- victims-lowest-priority orders what a preemption evicts.
describe("victims-lowest-priority", function()
  local urgent = fx.workload { name = "urgent", priority = 10, gpus = 4 }

  it("evicts the lowest priority first", function()
    assert.same({ "low", "middle", "high" }, fx.policy():cheapest(urgent, {
      fx.victim { name = "high", priority = 9 },
      fx.victim { name = "low", priority = -1 },
      fx.victim { name = "middle", priority = 5 },
    }))
  end)

  it("evicts it also from another queue, before a higher one that borrows", function()
    assert.same({ "own", "borrows" }, fx.policy():cheapest(urgent, {
      fx.victim { name = "borrows", priority = 5, borrowing = true, same_queue = false },
      fx.victim { name = "own", priority = 1, same_queue = true },
    }))
  end)

  laws.no_flapping()

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "preemption" })
  end)
end)
