-- fcfs orders as its score says.
describe("fcfs", function()
  it("serves what came first", function()
    assert.same({ "old", "new" }, fx.policy():order {
      fx.workload { name = "new", created = 200 },
      fx.workload { name = "old", created = 100 },
    })
  end)
end)
