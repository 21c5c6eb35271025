-- cpu-off-accelerators keeps racks of accelerators whole: jobs without GPUs go elsewhere.
describe("cpu-off-accelerators", function()
  local racks = {
    fx.domain { name = "idle", gpus = 72 },
    fx.domain { name = "busy", gpus = 72, free_gpus = 4 },
    fx.domain { name = "small", gpus = 8, free_gpus = 8 },
    fx.domain { name = "plain", hosts = 6 },
  }

  it("sends jobs without GPUs where none are, then where the fewest are free", function()
    assert.same({ "plain", "busy", "small", "idle" },
      fx.policy():domains(fx.workload { request = { cpu = 64 } }, racks))
  end)

  it("says nothing about jobs with GPUs", function()
    for _, gpus in ipairs { 1, 4 } do
      assert.same({ 0, 0, 0, 0 }, fx.policy():scores(fx.workload { gpus = gpus }, racks))
    end
  end)

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "queue" })
  end)
end)
