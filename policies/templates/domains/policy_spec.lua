-- What my-policy promises: which domain a job takes first.
describe("my-policy", function()
  local racks = {
    fx.domain { name = "r1" }, fx.domain { name = "small-1" }, fx.domain { name = "spare" },
  }
  local small = fx.workload { gpus = 1 }
  local big = fx.workload { gpus = 2 }

  it("sends small jobs to small racks first", function()
    assert.same({ "small-1", "r1", "spare" }, fx.policy():domains(small, racks))
  end)

  it("says nothing about big jobs", function()
    assert.same({ "r1", "small-1", "spare" }, fx.policy():domains(big, racks))
  end)

  it("takes the pattern and the size it is told", function()
    assert.same({ "spare", "r1", "small-1" },
      fx.policy { small = "sp?re", most = 2 }:domains(big, racks))
  end)
end)
