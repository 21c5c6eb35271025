-- checkpoint-aware evicts what loses least, and spares what has just begun.
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

  it("believes a checkpoint that was reported rather than the label", function()
    assert.same({ 60, 120 }, fx.policy():costs(preemptor, {
      fx.victim { ran = "2h", lost_work = "1m" },
      fx.victim { ran = 7260, lost_work = "2m", label = { ["checkpoint-interval"] = "600" } },
    }))
  end)

  it("takes a checkpoint interval of nothing for none at all", function()
    assert.same({ 900, 900, 900, 0 }, fx.policy():costs(preemptor, {
      fx.victim { ran = 900, label = { ["checkpoint-interval"] = "0" } },
      fx.victim { ran = 900, label = { ["checkpoint-interval"] = "1e-320" } },
      fx.victim { ran = 900, label = { ["checkpoint-interval"] = "inf" } },
      fx.victim { ran = 900, label = { ["checkpoint-interval"] = "1" } },
    }))
  end)

  it("weighs a run without GPUs like one with a single GPU", function()
    assert.same({ 900, 900 }, fx.policy():costs(preemptor, {
      fx.victim { ran = 900 }, fx.victim { ran = 900, gpus = 1 },
    }))
  end)

  it("weighs the work with its GPUs", function()
    assert.same({ "one", "eight" }, fx.policy():cheapest(preemptor, {
      fx.victim { name = "eight", ran = 600, gpus = 8 },
      fx.victim { name = "one", ran = 1200, gpus = 1 },
    }))
  end)

  it("protects a job that is younger than the grace", function()
    local young = fx.victim { name = "young", ran = 299 }
    local old = fx.victim { name = "old", ran = 300 }
    assert.same({ "old" }, fx.policy():cheapest(preemptor, { young, old }))
    assert.same({ "young", "old" }, fx.policy { grace = "1m" }:cheapest(preemptor, { young, old }))
  end)

  it("limits how many one job may evict", function()
    assert.same({ 3, math.huge }, fx.policy { most = "3" }:limits(preemptor))
  end)

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "preemption" })
  end)
end)
