-- What my-policy promises: how much a job may evict.
describe("my-policy", function()
  it("limits the evictions of a small job", function()
    assert.same({ 4, math.huge }, fx.policy():limits(fx.workload { gpus = 1 }))
  end)

  it("grants a large job one for each GPU", function()
    assert.same({ 16, math.huge }, fx.policy():limits(fx.workload { gpus = 16 }))
  end)

  it("takes the limit it is told", function()
    assert.same({ 2, math.huge }, fx.policy { most = "2" }:limits(fx.workload {}))
  end)
end)
