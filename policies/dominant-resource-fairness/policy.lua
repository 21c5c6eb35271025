-- Dominant resource fairness: the queue that uses the largest part of any resource waits.
return {
  api = 1,
  name = "dominant-resource-fairness",
  description = "The largest part of any resource that a queue uses, divided by its weight.",

  share = { reads = { "usage", "lendable" }, function(n, c)
    local resources, dominant = c.resources, 0
    for i = 1, resources.count do
      local resource = resources[i]
      local used, there = n.usage[resource], n.lendable[resource]
      if there > 0 then dominant = math.max(dominant, used / there) end
    end
    if dominant == 0 then return 0 end
    return dominant / n.weight
  end },
}
