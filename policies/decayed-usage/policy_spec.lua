-- decayed-usage serves the team first that used least lately.
describe("decayed-usage", function()
  local function job(fields)
    fields.account = { used = fields.used }
    fields.used = nil
    return fx.workload(fields)
  end

  it("serves the team that used less first, whichever came first", function()
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
    assert.same({ "half", "first" }, fx.policy():order {
      job { name = "first", used = 1, waited = 60 }, job { name = "half", used = 0.5 } })
    assert.same({ "less", "more" }, fx.policy { step = "4" }:order {
      job { name = "more", used = 4, waited = 60 }, job { name = "less", used = 3.9 } })
    assert.same({ "first", "less" }, fx.policy { step = "4" }:order {
      job { name = "first", used = 3, waited = 60 }, job { name = "less", used = 1 } })
  end)

  it("counts a team that was never seen as idle", function()
    assert.same({ { 0, 0, -1767268800 } }, fx.policy():keys { job { name = "new" } })
  end)

  it("counts what runs, as it runs, and forgets it in the weeks after", function()
    local function team(name, team_name)
      return fx.workload { name = name, gpus = 4, label = { team = team_name } }
    end
    local cluster = fx.cluster { gpus = 4, params = { step = 0 } }
    cluster:submit { team("vision-1", "vision") }
    assert.admits(cluster, "vision-1")
    cluster:advance "10h"
    cluster:submit { team("vision-2", "vision"), team("speech-1", "speech") }
    cluster:finish "vision-1"
    assert.admits(cluster, "speech-1")
    cluster:advance "30h"
    cluster:submit { team("speech-2", "speech") }
    cluster:finish "speech-1"
    assert.admits(cluster, "vision-2")
  end)

  laws.order_is_total()
  laws.priority_first()

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "queue", label = { sweep = { team = "tuners" },
      train = { team = "models" }, urgent = { team = "ops" }, short = { team = "lab" } } })
  end)
end)
