-- gentle-preemption spares what has much to lose, and keeps a budget for each team.
describe("gentle-preemption", function()
  local preemptor = fx.workload { name = "urgent", priority = 10 }
  local plenty = { running = 1000 }

  it("evicts what loses the least GPU time", function()
    assert.same({ "small", "fresh", "large" }, fx.policy():cheapest(preemptor, {
      fx.victim { name = "large", gpus = 8, ran = "15m", lost_work = "10m", account = plenty },
      fx.victim { name = "small", gpus = 1, ran = "15m", lost_work = "10m", account = plenty },
      fx.victim { name = "fresh", gpus = 8, ran = "2h", lost_work = "3m", account = plenty },
    }))
  end)

  it("spares what made its last checkpoint long ago, unless it has just begun", function()
    assert.same({ "begun", "saved" }, fx.policy():cheapest(preemptor, {
      fx.victim { name = "unsaved", ran = "2h", lost_work = "21m", account = plenty },
      fx.victim { name = "saved", ran = "2h", lost_work = "20m", account = plenty },
      fx.victim { name = "begun", ran = "9m", lost_work = "9m", account = plenty },
    }))
    assert.same({ "begun" }, fx.policy { stale = "5m" }:cheapest(preemptor, {
      fx.victim { name = "older", ran = "10m", lost_work = "10m", account = plenty },
      fx.victim { name = "begun", ran = "9m", lost_work = "9m", account = plenty },
    }))
  end)

  it("weighs a run without GPUs like one with a single GPU", function()
    assert.same({ "short", "long" }, fx.policy():cheapest(preemptor, {
      fx.victim { name = "long", ran = "9m", lost_work = "9m", account = plenty },
      fx.victim { name = "short", gpus = 1, ran = "8m", lost_work = "8m", account = plenty },
    }))
  end)

  it("costs what is lost, times the GPUs", function()
    assert.same({ 540, 1080 }, fx.policy():costs(preemptor, {
      fx.victim { ran = "9m", lost_work = "9m", account = plenty },
      fx.victim { gpus = 2, ran = "9m", lost_work = "9m", account = plenty },
    }))
  end)

  describe("in a cluster", function()
    local function urgent(name, gpus)
      return fx.workload { name = name, gpus = gpus, priority = 10 }
    end
    local function cluster()
      local running = {}
      for i = 1, 40 do
        running[i] = fx.victim { name = "job-" .. i, gpus = 1, ran = "5m",
          label = { team = i <= 30 and "research" or "products" } }
      end
      return fx.cluster { gpus = 40, preemption = true, running = running,
        params = { part = 0.1 } }
    end

    it("takes a tenth of each team's GPUs in an hour and no more", function()
      local t = cluster()
      t:submit(urgent("first", 4))
      assert.equal(4, #t:cycle().preempted)
      t:evicted()
      assert.admits(t, "first")
      t:submit(urgent("second", 1))
      assert.equal(0, #t:cycle().preempted)
      t:advance "61m"
      assert.equal(0, #t:cycle().preempted, "their last checkpoint is too old by then")
    end)

    it("takes nothing where a budget would not do", function()
      local t = cluster()
      t:submit(urgent("large", 5))
      assert.equal(0, #t:cycle().preempted)
    end)
  end)

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "preemption" })
  end)
end)
