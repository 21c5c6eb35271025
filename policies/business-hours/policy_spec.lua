-- business-hours: fx.now is Thursday, 2026-01-01, 12:00 in Greenwich.
describe("business-hours", function()
  local desk = fx.node { name = "team-interactive", native_share = 400 }
  local batch = fx.node { name = "team-batch", native_share = 200 }

  local function shares(params) return fx.policy(params):shares { desk, batch } end
  local by_day, by_night = { 100, 200 }, { 400, 200 }

  it("divides the share of the day's queues by the factor in office hours", function()
    assert.same(by_day, shares())
    assert.same({ 50, 200 }, shares { factor = 8 })
    assert.same({ "team-interactive", "team-batch" }, fx.policy():fairest { batch, desk })
  end)

  it("begins and ends on the hour", function()
    assert.same(by_day, shares { start = 12 })
    assert.same(by_night, shares { start = 12.001 })
    assert.same(by_night, shares { finish = 12 })
    assert.same(by_day, shares { finish = 12.1 })
  end)

  it("looks at the clock of its zone", function()
    assert.same(by_night, shares { zone = 6 })
    assert.same(by_day, shares { zone = 5.9 })
    assert.same(by_day, shares { zone = -4 })
    assert.same(by_night, shares { zone = -5 })
  end)

  it("knows the weekend", function()
    local week = {}
    for day = 1, 7 do
      week[day] = fx.policy():at(day .. "d"):shares { desk }[1] == 100 and "work" or "free"
    end
    assert.same({ "work", "free", "free", "work", "work", "work", "work" }, week)
  end)

  it("names the day's queues by a pattern", function()
    assert.same({ 400, 50 }, shares { day = "*batch" })
    assert.same(by_night, shares { day = "none" })
  end)

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "teams", params = { day = "calm" } })
  end)
end)
