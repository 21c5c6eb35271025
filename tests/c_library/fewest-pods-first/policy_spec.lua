-- fewest-pods-first starts the job with fewer pods first; there is no more to test.
describe("fewest-pods-first", function()
  it("starts the job with fewer pods first", function()
    assert.same({ "one", "two" }, fx.policy():order({
      fx.workload { name = "two", pods = 2 },
      fx.workload { name = "one", pods = 1 },
    }))
  end)
end)
