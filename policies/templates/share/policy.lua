-- my-policy: which queue or cohort is served next. Say here what it is for.
return {
  api = 1,
  name = "my-policy",
  description = "The one that uses least of a resource for its weight is served next.",

  -- What an operator may set without touching this file; read as c.params.resource.
  params = {
    resource = {
      type = "string", default = "nvidia.com/gpu",
      doc = "the resource that is shared; some queue must cover it",
    },
  },

  -- How much the queue or cohort n has of what it deserves: smaller is served first and evicted
  -- last. Asked when fair sharing is on, also with a job added or removed on trial.
  share = { reads = { "usage" }, function(n, c)
    local used = n.usage[c.params.resource]
    if used == 0 then return 0 end
    if n.weight == 0 then return math.huge end
    return used / n.weight
  end },
}
