-- What my-policy promises: which jobs wait, and which do not.
describe("my-policy", function()
  it("holds back a large job", function()
    assert.holds(fx.workload { gpus = 65 }, "over 64 GPUs")
  end)

  it("lets small and approved jobs go on", function()
    local jobs = { fx.workload { gpus = 64 },
      fx.workload { gpus = 65, label = { approved = "yes" } } }
    assert.same({ false, false }, (fx.policy():holds(jobs)))
  end)

  it("takes the limit it is told", function()
    assert.same({ "over 2 GPUs needs label approved" },
      (fx.policy { most = "2" }:holds { fx.workload { gpus = 3 } }))
  end)
end)
