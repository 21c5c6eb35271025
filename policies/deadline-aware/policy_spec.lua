-- deadline-aware serves the job of least slack: deadline less running time.
describe("deadline-aware", function()
  local function job(name, hours, run)
    return fx.workload { name = name, max_run = run, label = { ["deadline-hours"] = hours } }
  end

  it("serves the earlier deadline first", function()
    assert.ranks_before(job("soon", "4", "1h"), job("late", "5", "1h"))
  end)

  it("serves the longer job first when both must end at the same time", function()
    assert.ranks_before(job("long", "10", "8h"), job("short", "10", "1h"))
  end)

  it("knows the latest start of a job", function()
    assert.same({ { 0, 3600 - 7200 - fx.now } }, fx.policy():keys { job("a", "2", "1h") })
  end)

  it("gives a job without a label, or with a useless one, the default deadline", function()
    local start = { 0, 3600 - 7 * 86400 - fx.now }
    assert.same({ start, start, start },
      fx.policy():keys { fx.workload {}, job("b", "soon"), job("c", "0") })
    assert.same({ { 0, 3600 - 7200 - fx.now } },
      fx.policy { default = "2h" }:keys { fx.workload {} })
  end)

  it("takes any positive number of hours", function()
    assert.same({ { 0, 3600 - 1800 - fx.now } }, fx.policy():keys { job("d", "0.5") })
  end)

  it("takes what no clock will show for no deadline", function()
    local start = { 0, 3600 - 7 * 86400 - fx.now }
    assert.same({ { 0, 3600 - 878400 * 3600 - fx.now }, start, start, start, start },
      fx.policy():keys { job("last", "878400"), job("later", "878401"), job("huge", "1e308"),
        job("never", "inf"), job("odd", "nan") })
  end)

  it("takes the length it is told for jobs that say none", function()
    assert.same({ { 0, 7200 - 7200 - fx.now } },
      fx.policy { length = "2h" }:keys { job("e", "2") })
  end)

  it("puts priority first", function()
    assert.ranks_before(fx.workload { name = "urgent", priority = 1 }, job("now", "1", "1h"))
  end)

  laws.order_is_total()
  laws.priority_first()
  laws.no_starvation { after = "8d" }

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "queue", max_run = true, label = {
      train = { ["deadline-hours"] = "6" }, short = { ["deadline-hours"] = "1" } } })
  end)
end)
