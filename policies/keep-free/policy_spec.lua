-- keep-free gives slices to what needs little, and keeps whole GPUs free while people work.
describe("keep-free", function()
  local function flavors(free)
    return {
      fx.flavor { name = "h100", index = 0, free = { ["nvidia.com/gpu"] = free } },
      fx.flavor { name = "mig-1g", index = 1, free = { ["nvidia.com/gpu"] = 4 } },
      fx.flavor { name = "a100", index = 2, free = { ["nvidia.com/gpu"] = 4 } },
    }
  end
  local function order(at, workload, free, params)
    return fx.policy(params):at(at):flavors(workload, flavors(free))
  end
  local thursday = "0s"  -- it is Thursday, 13:00 in Zurich
  local one = fx.workload { gpus = 1 }

  it("prefers slices for small fractions", function()
    for _, text in ipairs { "0.1", "0.14285714285714285" } do
      local small = fx.workload { gpus = 1, label = { ["gpu-fraction"] = text } }
      assert.same("mig-1g", order(thursday, small, 20)[1])
    end
    for _, text in ipairs { "0.15", "0.2" } do
      local more = fx.workload { gpus = 1, label = { ["gpu-fraction"] = text } }
      assert.same("h100", order(thursday, more, 20)[1])
    end
    local half = fx.workload { gpus = 1, label = { ["gpu-fraction"] = "0.5" } }
    assert.same("h100", order(thursday, half, 20)[1])
  end)

  it("keeps eight free while people work in Zurich", function()
    assert.same({ "h100", "mig-1g", "a100" }, order(thursday, one, 9))
    assert.same({ "mig-1g", "a100" }, order(thursday, one, 8))
  end)

  it("gives them to gangs of eight", function()
    assert.same("h100", order(thursday, fx.workload { gpus = 8 }, 8)[1])
  end)

  cases({
    { name = "keeps none early in the morning", at = "18h59m59s", first = "h100" },
    { name = "keeps some from eight on", at = "19h", first = "mig-1g" },
    { name = "keeps none before eight in summer", at = "4529h59m", first = "h100" },
    { name = "keeps some from eight on in summer", at = "4530h", first = "mig-1g" },
    { name = "keeps none from six in the evening on", at = "5h", first = "h100" },
    { name = "keeps none on a Saturday", at = "48h", first = "h100" },
  }, function(case)
    assert.equal(case.first, order(case.at, one, 8)[1])
  end)

  it("takes flavors and hours from its parameters", function()
    local params = { kept = "a100", slices = "none", free = 4, from = 13, to = 14 }
    assert.same({ "h100", "mig-1g" }, order(thursday, one, 8, params))
    assert.same({ "h100", "mig-1g", "a100" }, order("1h", one, 8, params))
    params.free = 2
    assert.same({ "h100", "mig-1g", "a100" }, order(thursday, one, 8, params))
  end)

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "queue" })
  end)
end)
