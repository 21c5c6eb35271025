-- f1 orders as its score says.
describe("f1", function()
  it("prefers small and short jobs", function()
    assert.same({ "first", "second" }, fx.policy():order {
      fx.workload { name = "second", created = 1000, request = { cpu = 8 },
        label = { ["muster.dev/requested"] = "100" } },
      fx.workload { name = "first", created = 1000, request = { cpu = 2 },
        label = { ["muster.dev/requested"] = "100" } },
    })
  end)
end)
