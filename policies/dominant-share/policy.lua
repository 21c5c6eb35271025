-- Kueue's fair sharing: the queue that borrowed the largest part of what could be lent waits.

-- Shares of nodes that deserve nothing stay comparable with each other, above all others: the
-- factor is a power of two, so nothing is rounded.
local kWeightless = 0x1p600

return {
  api = 1,
  name = "dominant-share",
  description = "The largest borrowed part over all resources, divided by weight; Kueue's rule.",

  share = { reads = { "borrowed" }, function(n, c)
    local resources, ratio = c.resources, 0
    for i = 1, resources.count do
      ratio = math.max(ratio, n.borrowed_ratio[resources[i]])
    end
    if n.weight == 0 then return ratio * kWeightless end
    return ratio / n.weight
  end },
}
