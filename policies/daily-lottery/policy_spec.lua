-- daily-lottery draws once a day, the same for all jobs of a team.
describe("daily-lottery", function()
  local function job(team, waited)
    return fx.workload { name = team .. "-" .. waited, waited = waited, label = { team = team } }
  end
  local jobs = { job("red", "1h"), job("red", "2h"), job("blue", "3h"), job("green", "1m") }

  it("draws the same all day long and otherwise on another", function()
    local function order(at, seed) return fx.policy { seed = seed }:at(at):order(jobs) end
    assert.same(order("12h", "a"), order("35h59m59s", "a"))
    local orders, count = {}, 0
    for day = 1, 9 do
      local first = order(day .. "d", "a")[1]
      if not orders[first] then orders[first], count = true, count + 1 end
    end
    assert.is_true(count > 1)
  end)

  it("keeps the jobs of a team together, the older first", function()
    local seen = {}
    for i, name in ipairs(fx.policy():order(jobs)) do seen[name] = i end
    assert.equal(seen["red-2h"] + 1, seen["red-1h"])
  end)

  it("lets more tickets win more often", function()
    local won = 0
    for day = 1, 60 do
      local policy = fx.policy { tickets = { red = 9 }, seed = "seed " .. day }
      local first = policy:order { job("red", "1h"), job("blue", "1h") }[1]
      if first == "red-1h" then won = won + 1 end
    end
    assert.is_true(won >= 45, won .. " of 60 with nine tickets of ten")
  end)

  it("takes a team without tickets for one with a single one", function()
    for day = 1, 30 do
      local function first(tickets)
        local policy = fx.policy { tickets = tickets, seed = "seed " .. day }
        return policy:order { job("red", "1h"), job("blue", "1h") }[1]
      end
      assert.equal(first {}, first { red = 1 })
    end
  end)

  laws.priority_first()
  laws.order_is_total()

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "queue", params = { seed = "winter" },
      label = { sweep = { team = "tuners" }, train = { team = "models" },
        urgent = { team = "ops" }, short = { team = "lab" } } })
  end)
end)
