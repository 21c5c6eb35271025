-- interactive-first lets small interactive jobs pass, a few of each user at a time.
describe("interactive-first", function()
  local function job(fields)
    fields.label = { kind = fields.kind, team = fields.team }
    fields.kind, fields.team = nil, nil
    return fx.workload(fields)
  end

  it("serves interactive jobs first", function()
    assert.ranks_before(
      job { name = "notebook", kind = "interactive", gpus = 2, account = { used = 900 } },
      job { name = "training", kind = "batch", gpus = 1 })
  end)

  it("takes a large interactive job for any other", function()
    assert.ranks_before(
      job { name = "training", kind = "batch", gpus = 1, account = { used = 1 } },
      job { name = "large", kind = "interactive", gpus = 3, account = { used = 2 } })
  end)

  it("serves the team that used less, then the older job", function()
    local used = { used = 5 }
    assert.same({ "other", "older", "younger" }, fx.policy():order {
      job { name = "younger", waited = "1m", account = used },
      job { name = "older", waited = "2m", account = used },
      job { name = "other" },
    })
  end)

  it("holds the fourth of a user", function()
    local holds = fx.policy():holds {
      job { name = "third", kind = "interactive", account = { interactive = 2 } },
      job { name = "fourth", kind = "interactive", account = { interactive = 3 } },
      job { name = "large", kind = "interactive", gpus = 3, account = { interactive = 3 } },
      job { name = "batch", account = { interactive = 3 } },
    }
    assert.is_false(holds[1])
    assert.equal("its user has 3 interactive jobs running", holds[2])
    assert.is_false(holds[3])
    assert.is_false(holds[4])
  end)

  it("counts as many as its parameter says", function()
    local fourth = job { kind = "interactive", account = { interactive = 3 } }
    assert.is_false(fx.policy { most = "4" }:holds({ fourth })[1])
  end)

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "queue", label = { sweep = { team = "tuners" },
      train = { team = "models" }, urgent = { team = "ops" },
      short = { team = "lab", kind = "interactive" } } })
  end)
end)
