-- What my-policy promises: which flavor a job tries first.
describe("my-policy", function()
  local flavors = {
    fx.flavor { name = "a100", index = 0 },
    fx.flavor { name = "a100-small", index = 1 },
    fx.flavor { name = "spot", index = 2 },
  }
  local small = fx.workload { gpus = 1 }
  local big = fx.workload { gpus = 2 }

  it("sends small jobs to small flavors first", function()
    assert.same({ "a100-small", "a100", "spot" }, fx.policy():flavors(small, flavors))
  end)

  it("lets big jobs try flavors as declared", function()
    assert.same({ "a100", "a100-small", "spot" }, fx.policy():flavors(big, flavors))
  end)

  it("takes the pattern and the size it is told", function()
    assert.same({ "spot", "a100", "a100-small" },
      fx.policy { small = "sp?t", most = 2 }:flavors(big, flavors))
  end)
end)
