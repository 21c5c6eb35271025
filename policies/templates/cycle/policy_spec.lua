-- What my-policy promises: which queue decides first.
describe("my-policy", function()
  it("puts jobs within their own quota before borrowers", function()
    assert.same({ "own", "borrows" }, fx.policy():heads {
      fx.workload { name = "borrows", borrowing_level = 1, priority = 10 },
      fx.workload { name = "own", borrowing_level = 0 },
    })
  end)

  it("puts priority before size", function()
    assert.same({ "urgent", "small" }, fx.policy():heads {
      fx.workload { name = "small", gpus = 1 },
      fx.workload { name = "urgent", gpus = 8, priority = 10 },
    })
  end)

  it("lets the smaller job decide first", function()
    assert.same({ "small", "big" }, fx.policy():heads {
      fx.workload { name = "big", gpus = 8 },
      fx.workload { name = "small", gpus = 1 },
    })
  end)
end)
