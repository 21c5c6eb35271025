-- cancelled-behind puts users behind that cancel most of their jobs, and asks for a label.
describe("cancelled-behind", function()
  local function job(name, submitted, cancelled)
    return fx.workload { name = name, account = { submitted = submitted, cancelled = cancelled } }
  end

  it("puts a user behind after cancelling over half of the jobs of the day", function()
    assert.ranks_before(job("half", 4, 2), job("most", 5, 3))
    assert.ranks_before(job("new", 1, 0), job("most", 1, 1))
  end)

  it("serves others as ever", function()
    assert.ranks_before(
      fx.workload { name = "high", priority = 1, account = { submitted = 2, cancelled = 1 } },
      fx.workload { name = "low", priority = 0 })
  end)

  it("takes a large job with its label only", function()
    local t = fx.cluster { gpus = 200 }
    t:submit(fx.workload { name = "usual", gpus = 64 })
    t:submit(fx.workload { name = "meant", gpus = 65, label = { ["large-job"] = "yes" } })
    local _, problem = pcall(t.submit, t, fx.workload { name = "huge", gpus = 65 })
    assert.matches("a job of over 64 GPUs needs the label", problem)
    t:settle()
    assert.same({ "meant", "usual" }, t:running())
  end)

  it("takes its limits from its parameters", function()
    local policy = fx.policy { part = 0.9 }
    assert.same({ "most", "all" }, policy:order { job("all", 1, 1), job("most", 5, 4) })
    local t = fx.cluster { gpus = 8, params = { gpus = 2 } }
    assert.has_error(function() t:submit(fx.workload { gpus = 3 }) end)
  end)

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "queue" })
  end)
end)
