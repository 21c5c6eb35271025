-- project-boost raises one project by the hour until a date, and what waits for too long above it.
describe("project-boost", function()
  local params = { project = "apollo", deadline = "2030-01-01" }
  local function job(waited, project, priority)
    return fx.workload { name = project .. "-" .. waited, waited = waited, gpus = 1,
      label = { project = project }, priority = priority }
  end

  it("raises the project with each hour", function()
    assert.same({ 0, 20, 350 }, fx.policy(params):boosts {
      job("59m59s", "apollo"), job("2h", "apollo"), job("35h", "apollo") })
  end)

  it("raises it no further than its limit", function()
    local policy = fx.policy { project = "apollo", most = 15 }
    assert.same({ 15 }, policy:boosts { job("2h", "apollo") })
  end)

  it("leaves others as they are, and all where no project is named", function()
    assert.same({ 0 }, fx.policy(params):boosts { job("2h", "gemini") })
    assert.same({ 0 }, fx.policy():boosts { fx.workload { waited = "2h" } })
  end)

  it("ends with the date", function()
    local policy = fx.policy { project = "apollo", deadline = "2026-01-01T12:00:00Z" }
    assert.same({ 0 }, policy:boosts { job("2h", "apollo") })
  end)

  it("puts whatever has waited for too long above the project", function()
    assert.same({ 1001, 1001, 350 }, fx.policy(params):boosts {
      job("36h", "gemini"), job("36h", "apollo"), job("35h", "apollo") })
  end)

  it("counts in the order and in preemption", function()
    local late = job("30h", "apollo", 0)
    local urgent = job("1m", "gemini", 100)
    assert.admits(fx.cluster { gpus = 1, waiting = { urgent, late }, params = params }, late.name)
    local running = fx.victim { name = "running", gpus = 1, ran = "1h", priority = 100 }
    assert.preempts_exactly(fx.cluster { gpus = 1, preemption = true, running = { running },
      waiting = { late }, params = params }, "running")
  end)

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "queue", params = { project = "apollo" } })
  end)
end)
