-- spread-zones puts each replica into the power zone that has the fewest of its service.
describe("spread-zones", function()
  local function host(name, zone, placed)
    return fx.domain { name = name, level = "kubernetes.io/hostname",
      label = { ["power-zone"] = zone }, placed = { ["power-zone"] = placed } }
  end
  local replica = fx.workload { label = { app = "search" } }

  it("takes the zone with the fewest pods of the service", function()
    assert.same({ "b1", "c1", "a1" }, fx.policy():domains(replica,
      { host("a1", "a", 2), host("b1", "b", 0), host("c1", "c", 1) }))
  end)

  it("leaves hosts of one zone as they come", function()
    assert.same({ "a1", "a2", "b1" }, fx.policy():domains(replica,
      { host("a1", "a", 1), host("a2", "a", 1), host("b1", "b", 2) }))
  end)

  it("takes hosts of no known zone last", function()
    assert.same({ "a1", "none" },
      fx.policy():domains(replica, { host("none", "", 0), host("a1", "a", 100000) }))
  end)

  it("in a flood #golden", function()
    golden("flood", fx.flood { scene = "queue" })
  end)
end)
