-- round-robin lets LocalQueues take turns.
describe("round-robin", function()
  local now = 1767268800

  it("serves the LocalQueue first whose last admission is longest ago", function()
    assert.same({ "second", "first" }, fx.policy():order {
      fx.workload { name = "first", local_queue = "a", last_admitted = now - 10, waited = 900 },
      fx.workload { name = "second", local_queue = "b", last_admitted = now - 600 },
    })
  end)

  it("serves one that was never served before all others", function()
    assert.same({ "new", "old" }, fx.policy():order {
      fx.workload { name = "old", local_queue = "a", last_admitted = 1, waited = 900 },
      fx.workload { name = "new", local_queue = "b" },
    })
  end)

  it("keeps the order of arrival inside a LocalQueue", function()
    assert.same({ "first", "second" }, fx.policy():order {
      fx.workload { name = "second", last_admitted = now },
      fx.workload { name = "first", last_admitted = now, waited = 60 },
    })
  end)

  it("keeps priority above turns", function()
    assert.same({ "urgent", "next" }, fx.policy():order {
      fx.workload { name = "next", local_queue = "b" },
      fx.workload { name = "urgent", local_queue = "a", last_admitted = now, priority = 1 },
    })
  end)

  it("takes turns in a cluster", function()
    local cluster = fx.cluster { gpus = 1 }
    for _, name in ipairs { "a-1", "a-2", "a-3", "b-1", "b-2" } do
      cluster:submit { fx.workload { name = name, gpus = 1, namespace = string.sub(name, 1, 1) } }
      cluster:advance(60)
    end
    local served = {}
    for _ = 1, 5 do
      local next_one = cluster:cycle().admitted[1]
      served[#served + 1] = next_one
      cluster:advance "1h"
      cluster:finish(next_one)
    end
    assert.same({ "a/a-1", "b/b-1", "a/a-2", "b/b-2", "a/a-3" }, served)
  end)

  laws.order_is_total()
  laws.priority_first()

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "queue" })
  end)
end)
