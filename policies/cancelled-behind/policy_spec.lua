-- cancelled-behind puts users behind who cancel most of their jobs, and asks for a label.
describe("cancelled-behind", function()
  local function job(name, submitted, cancelled)
    return fx.workload { name = name, account = { submitted = submitted, cancelled = cancelled } }
  end

  it("puts behind who cancelled over half of the jobs of the day", function()
    assert.ranks_before(job("half", 4, 2), job("most", 5, 3))
    assert.ranks_before(job("new", 1, 0), job("most", 1, 1))
  end)

  it("serves others as ever", function()
    assert.ranks_before(
      fx.workload { name = "high", priority = 1, account = { submitted = 2, cancelled = 1 } },
      fx.workload { name = "low", priority = 0 })
  end)

  it("takes a large job with its label only", function()
    assert.is_nil(fx.policy():submit(fx.workload { gpus = 64 }))
    assert.is_nil(fx.policy():submit(fx.workload { gpus = 65, label = { ["large-job"] = "yes" } }))
    assert.same({ rejected = "a job of over 64 GPUs needs the label large-job" },
      fx.policy():submit(fx.workload { gpus = 65 }))
  end)
end)
