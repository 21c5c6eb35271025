-- sjf orders as its score says.
describe("sjf", function()
  it("serves the shortest request first, then what came first", function()
    assert.same({ "short", "old", "new" }, fx.policy():order {
      fx.workload { name = "new", created = 200, label = { ["muster.dev/requested"] = "60" } },
      fx.workload { name = "old", created = 100, label = { ["muster.dev/requested"] = "60" } },
      fx.workload { name = "short", created = 300, label = { ["muster.dev/requested"] = "9" } },
    })
  end)
end)
