-- What my-policy promises: what it adds to priorities.
describe("my-policy", function()
  it("adds nothing to a job that has its patience", function()
    assert.same({ 0, 0, 0 }, fx.policy():boosts {
      fx.workload { waited = "1h" }, fx.workload { waited = "1d" },
      fx.workload { waited = "24h59m59s" },
    })
  end)

  it("adds a step for each full hour after that", function()
    assert.same({ 10, 20, 20 }, fx.policy():boosts {
      fx.workload { waited = "25h" }, fx.workload { waited = "26h" },
      fx.workload { waited = "26h", priority = 100 },
    })
  end)

  it("takes its steps from its parameter", function()
    assert.same({ 7 }, fx.policy { step = "7", patience = "1h" }:boosts {
      fx.workload { waited = "2h" },
    })
  end)

  it("keeps the late job before those that are more urgent", function()
    local late = fx.workload { name = "late", gpus = 8, waited = "48h" }
    local urgent = fx.workload { name = "urgent", gpus = 8, priority = 100 }
    assert.admits(fx.cluster { gpus = 8, waiting = { urgent, late } }, "late")
  end)
end)
