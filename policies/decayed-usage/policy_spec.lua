-- decayed-usage serves the team first that used least lately.
describe("decayed-usage", function()
  local function job(fields)
    fields.account = { used = fields.used }
    fields.used = nil
    return fx.workload(fields)
  end

  it("serves who used less first, whoever came first", function()
    assert.same({ "idle", "busy" }, fx.policy():order {
      job { name = "busy", used = 500, waited = 7200 }, job { name = "idle", used = 20 },
    })
  end)

  it("keeps priority above usage", function()
    assert.same({ "urgent", "idle" }, fx.policy():order {
      job { name = "idle", used = 0 }, job { name = "urgent", used = 900, priority = 10 },
    })
  end)

  it("serves teams within one step as they came", function()
    local first = job { name = "first", used = 10.9, waited = 60 }
    local second = job { name = "second", used = 10.1 }
    assert.same({ "first", "second" }, fx.policy():order { first, second })
    assert.same({ "second", "first" }, fx.policy { step = "0" }:order { first, second })
  end)

  it("counts a team that was never seen as idle", function()
    assert.same({ { 0, 0, -1767268800 } }, fx.policy():keys { job { name = "new" } })
  end)
end)
