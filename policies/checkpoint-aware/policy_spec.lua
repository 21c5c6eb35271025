-- checkpoint-aware evicts who loses least, and spares who has just begun.
describe("checkpoint-aware", function()
  local preemptor = fx.workload { name = "urgent", priority = 10 }

  it("evicts the run that has done the least", function()
    assert.same({ "short", "long" }, fx.policy():cheapest(preemptor, {
      fx.victim { name = "long", ran = 7200 },
      fx.victim { name = "short", ran = 600 },
    }))
  end)

  it("counts only what was done since the last checkpoint", function()
    assert.same({ "saved", "unsaved" }, fx.policy():cheapest(preemptor, {
      fx.victim { name = "unsaved", ran = 1500 },
      fx.victim { name = "saved", ran = 7260, label = { ["checkpoint-interval"] = "600" } },
    }))
  end)

  it("weighs the work with its GPUs", function()
    assert.same({ "one", "eight" }, fx.policy():cheapest(preemptor, {
      fx.victim { name = "eight", ran = 600, gpus = 8 },
      fx.victim { name = "one", ran = 1200, gpus = 1 },
    }))
  end)

  it("protects who is younger than the grace", function()
    local young = fx.victim { name = "young", ran = 299 }
    local old = fx.victim { name = "old", ran = 90000 }
    assert.same({ "old" }, fx.policy():cheapest(preemptor, { young, old }))
    assert.same({ "young", "old" }, fx.policy { grace = "1m" }:cheapest(preemptor, { young, old }))
  end)

  it("limits how many one job may evict", function()
    assert.same({ 3, math.huge }, fx.policy { most = "3" }:limits(preemptor))
  end)
end)
