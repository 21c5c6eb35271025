-- Fair tree: among the children of one cohort the next is the one that uses least of a resource
-- for its weight; what happens below a sibling does not matter.
return {
  api = 1,
  name = "fair-tree",
  description = "Among siblings, the least use of one resource for its weight is served first.",

  params = {
    resource = {
      type = "string", default = "nvidia.com/gpu",
      doc = "the resource that is shared; some queue must cover it",
    },
    floor = {
      type = "number", default = 0, min = 0,
      doc = "use up to this counts as none, so that small teams are all alike",
    },
  },

  share = { reads = { "usage" }, function(n, c)
    local used = n.usage[c.params.resource]
    if used <= c.params.floor then return 0 end
    if n.weight == 0 then return math.huge end
    return used / n.weight
  end },
}
