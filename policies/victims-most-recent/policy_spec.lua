-- victims-most-recent orders what a preemption evicts.
describe("victims-most-recent", function()
  local urgent = fx.workload { name = "urgent", priority = 10, gpus = 4 }

  it("evicts the job that started last", function()
    assert.same({ "new", "old" }, fx.policy():cheapest(urgent, {
      fx.victim { name = "old", ran = "2h" },
      fx.victim { name = "new", ran = "1h", priority = 5 },
    }))
  end)

  it("leaves a long run alone when a short one is enough", function()
    local cluster = fx.cluster { gpus = 8, preemption = true, waiting = { urgent }, running = {
      fx.victim { name = "old", gpus = 4, ran = "2h" },
      fx.victim { name = "new", gpus = 4, ran = "1h", priority = 5 } } }
    assert.preempts_exactly(cluster, "new")
  end)

  laws.no_flapping { priority = 0 }

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "preemption" })
  end)
end)
