-- random-fair draws lots between namespaces; tickets tilt the draw.
describe("random-fair", function()
  local function job(fields) return fx.workload(fields) end

  it("draws one lot a namespace, the same for all of its jobs", function()
    local keys = fx.policy():keys { job { name = "a" }, job { name = "b" } }
    assert.equal(keys[1][2], keys[2][2])
    assert.is_true(keys[1][2] >= 0 and keys[1][2] < 1)
  end)

  it("draws evenly", function()
    local jobs, sum = {}, 0
    for i = 1, 2000 do jobs[i] = job { namespace = "team-" .. i } end
    for _, keys in ipairs(fx.policy():keys(jobs)) do sum = sum + keys[2] end
    assert.near(1000, sum, 60)
  end)

  it("draws other lots for other namespaces", function()
    local keys = fx.policy():keys { job { namespace = "a" }, job { namespace = "b" } }
    assert.is_not.equal(keys[1][2], keys[2][2])
  end)

  it("makes a lot better with more tickets", function()
    local lot = fx.policy():keys { job {} }[1][2]
    local keys = fx.policy():keys { job { label = { tickets = "4" } } }
    assert.near(lot, keys[1][2] ^ 4, 1e-9)
    assert.near(lot, fx.policy { tickets = 2 }:keys { job {} }[1][2] ^ 2, 1e-9)
  end)

  it("bounds the tickets", function()
    local function lot(tickets)
      return fx.policy():keys { job { label = { tickets = tickets } } }[1][2]
    end
    assert.equal(lot "1000", lot "1000000")
    assert.is_not.equal(lot "1000", lot "999")
  end)

  it("leaves next to no tickets a chance", function()
    local function lots(tickets)
      local jobs = {}
      for i = 1, 20 do
        jobs[i] = job { namespace = "team-" .. i, label = { tickets = tickets } }
      end
      return fx.policy():keys(jobs)
    end
    local few, none, chances = lots "0.001", lots "0", 0
    for i, keys in ipairs(few) do
      assert.equal(keys[2], none[i][2])
      if keys[2] > 0 then chances = chances + 1 end
    end
    assert.is_true(chances > 0)
  end)

  it("serves the jobs of one namespace in the order they came, priority first", function()
    assert.same({ "urgent", "old", "new" }, fx.policy():order {
      job { name = "new" }, job { name = "old", waited = 60 },
      job { name = "urgent", priority = 1 },
    })
  end)

  laws.order_is_total()
  laws.priority_first()
end)
