-- wfp3 orders as its score says.
describe("wfp3", function()
  it("prefers long and narrow jobs, because waits stand still", function()
    assert.same({ "first", "second" }, fx.policy():order {
      fx.workload { name = "second", created = 1000, request = { cpu = 8 },
        label = { ["muster.dev/requested"] = "100" } },
      fx.workload { name = "first", created = 1000, request = { cpu = 2 },
        label = { ["muster.dev/requested"] = "100" } },
    })
  end)
end)
